"""The shell examples of README and docs/operate do what they show: every ```sh block ends with 0.

Blocks that need root, a network or other servers, or that run until somebody stops them, are marked otherwise
(```console, ```ini). A document's blocks run in order on a site of its own, in a folder that has nothing but `./run`.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from launch.places import PYTHON, ROOT
from tests.launch.conftest import clean_environment

BLOCK = re.compile(r"^( *)```sh\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
SECONDS = 300
"""For one block on a machine that is busy with other tests; they take a few each."""


def examples_of(page: Path) -> list[str]:
    """The shell blocks of a document in order."""
    return [match[2] for match in BLOCK.finditer(page.read_text())]


PAGES = [page for page in sorted(ROOT.glob("docs/operate/*.md")) if examples_of(page)]


def run_example(script: str, folder: Path, var: Path) -> subprocess.CompletedProcess[str]:
    """Run a block as a person would, in a folder where `./run` is, with the site's data in `var`."""
    path = f"{PYTHON.parent}:/usr/local/bin:/usr/bin:/bin"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=clean_environment(DOOMDESK_VAR=str(var), PATH=path),
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a site that was made once, to be copied."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "run").symlink_to(ROOT / "run")
    done = run_example("./run manage verify_ledger", folder, folder / "var")
    assert done.returncode == 0, done.stderr
    return folder / "var"


@pytest.mark.sampled(6)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_run(page: Path, prepared: Path, tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to(ROOT / "run")
    shutil.copytree(prepared, tmp_path / "var")
    for script in examples_of(page):
        done = run_example(script, tmp_path, tmp_path / "var")
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"


def test_an_example_that_fails_is_found(tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to(ROOT / "run")
    assert run_example("./run backup there/is/no/site | cat\n", tmp_path, tmp_path / "var").returncode == 2


def test_the_readme_names_the_two_commands() -> None:
    commands = examples_of(ROOT / "README.md")[0]
    assert re.findall(r"^\./\w+", commands, re.MULTILINE) == ["./run", "./test"]
