"""The browser for the tests: any of the Chromium family that is here, else Playwright's own, installed once."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from launch.places import PYTHON

NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "msedge", "microsoft-edge", "microsoft-edge-stable", "brave-browser",
)  # fmt: skip
APPLICATIONS = tuple(
    Path(f"/Applications/{name}.app/Contents/MacOS/{name}") for name in ("Google Chrome", "Chromium", "Microsoft Edge")
)
NO_BROWSER = "no browser: install chromium (Debian: apt-get install chromium) or set CHROMIUM to a browser's path"
INSTALLED = """from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)"""


def find_browser(environment: Mapping[str, str] = os.environ) -> str | None:
    """The path of the browser that CHROMIUM names, else of the first one of the Chromium family, else None."""
    if named := environment.get("CHROMIUM"):
        return shutil.which(named)
    on_path = (shutil.which(name, path=environment.get("PATH")) for name in NAMES)
    return next(filter(None, on_path), None) or next((str(path) for path in APPLICATIONS if path.exists()), None)


def install_browser() -> str | None:
    """Let Playwright install its own Chromium, tried once; answers the path of the browser, None where that failed."""
    try:
        subprocess.run([PYTHON, "-m", "playwright", "install", "chromium"], capture_output=True, timeout=300)
        done = subprocess.run([PYTHON, "-c", INSTALLED], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    path = Path(done.stdout.strip() or "/nowhere")
    return str(path) if path.is_file() else None
