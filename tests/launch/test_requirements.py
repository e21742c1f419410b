"""The requirement files: hashed, free of hosts and paths, and test.txt a superset of run.txt."""

import re
from pathlib import Path

import pytest

from launch.places import ROOT

FILES = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", re.MULTILINE)


@pytest.mark.parametrize("file", [*FILES, *(ROOT / "requirements").glob("*.in")], ids=lambda path: path.name)
def test_requirement_file_names_no_host_and_no_folder(file: Path) -> None:
    text = file.read_text()
    assert "://" not in text
    assert not re.search(r"(?m)^\s*(-i|-f|--(index|extra|find|trusted)[a-z-]*)\b", text)
    assert not re.search(r"\bfile:|(?<![\w./-])(/|~/|\.\./)\w", text)
    assert not re.search(r"\b[a-z0-9-]+\.(com|org|net|io|dev|internal|local)\b", text)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_requirement_file_pins_everything_by_hash(file: Path) -> None:
    requirements = re.sub(r"\\\n\s*", " ", file.read_text())
    lines = [line for line in requirements.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert lines
    assert all(PIN.match(line) and "--hash=sha256:" in line for line in lines)


def test_test_requirements_pin_what_run_requirements_pin() -> None:
    run, test = (set(PIN.findall((ROOT / "requirements" / f"{name}.txt").read_text())) for name in ("run", "test"))
    assert run <= test
