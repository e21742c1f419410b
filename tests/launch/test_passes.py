"""A pass of ./test ends: in time, with its running tests named, and with nothing left that its tests started."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from launch import passes
from launch.browser import find_browser
from launch.checks import LONG, QUICK, budget, minutes
from launch.failures import Unusable
from launch.passes import Pass
from launch.places import ROOT
from launch.watcher import end_marked, marked

TOYS = "tests/launch/toys/toy_hangs.py"


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pass:
    """A pass of the toy tests whose report lies in a folder of this test."""
    monkeypatch.setattr(passes, "REPORTS", tmp_path)
    return Pass("pytest of toys", {**os.environ, "DOOMDESK_SEED": "1"}, [TOYS], tmp_path)


def test_a_pass_out_of_time_ends_with_all_it_started_and_names_what_ran(toys: Pass, capfd) -> None:
    toys.start()
    deadline = time.monotonic() + 60
    while len(marked(toys.mark)) < 2 and time.monotonic() < deadline:  # pytest and what the toy started
        time.sleep(0.1)
    assert len(marked(toys.mark)) >= 2
    outcome = toys.wait(time.monotonic() + 1)
    said = capfd.readouterr()
    assert not outcome.fine
    assert marked(toys.mark) == []
    assert f"was running: {TOYS}::test_hangs" in said.out
    assert "toy_hangs.py" in said.err  # the stack of the thread that hung
    written = toys.report.read_text()
    assert f"{TOYS}::test_fails (call)" in written
    assert "assert 2 == 3" in written


def test_without_the_mark_what_a_test_started_stays(toys: Pass) -> None:
    """The control of the test above."""
    toys.start()
    deadline = time.monotonic() + 60
    while len(marked(toys.mark)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    mark, toys.mark = toys.mark, "NO=mark"
    toys.wait(time.monotonic() + 1)
    assert end_marked(mark) == 1


def test_a_pass_counts_what_passed_failed_and_was_left_out_and_why(toys: Pass) -> None:
    toys.arguments += ["-k", "not test_hangs"]
    toys.start()
    outcome = toys.wait(time.monotonic() + 120)
    assert (outcome.passed, outcome.failed, outcome.fine) == (1, 1, False)
    assert dict(outcome.skipped) == {"nothing to do here": 1}
    assert list(outcome.files) == ["tests.launch.toys.toy_hangs"]


@pytest.mark.parametrize(("dearest", "fine"), [(8, True), (9, False)])
def test_a_file_that_takes_more_than_its_share_fails_the_run(dearest: int, *, fine: bool, capsys) -> None:
    files = Counter({"tests.dear": dearest, **{f"tests.f{number}": 1 for number in range(100 - dearest)}})
    assert budget(files).fine is fine
    assert f"{dearest}.0% tests.dear" in capsys.readouterr().out


def test_killed_launcher_leaves_nothing_of_a_session_of_its_own(tmp_path: Path) -> None:
    mark = f"DOOMDESK_RUN={tmp_path.name}-{os.getpid()}"
    script = f"""
import os, signal, subprocess, sys, time
from launch.children import Child, Crew
crew = Crew({mark!r})
crew.start(Child("a", [sys.executable, "-c", "import time; time.sleep(600)"], os.environ))
environment = {{**os.environ, **dict([{mark!r}.split("=")])}}
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], env=environment, start_new_session=True)
time.sleep(0.3)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=30)
    assert done.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 10
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []


@pytest.mark.parametrize("name", ["chromium", "google-chrome", "chrome", "msedge"])
def test_any_browser_of_the_family_is_found(tmp_path: Path, name: str) -> None:
    program = tmp_path / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_browser({"PATH": str(tmp_path)}) == str(program)


def test_the_browser_that_is_named_is_taken_and_no_other(tmp_path: Path) -> None:
    assert find_browser({"PATH": os.environ["PATH"], "CHROMIUM": str(tmp_path / "none")}) is None
    assert find_browser({"PATH": "", "CHROMIUM": sys.executable}) == sys.executable


def test_a_slow_machine_may_give_the_whole_run_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOOMDESK_MINUTES", raising=False)
    assert minutes(QUICK) < 90 < minutes(LONG)
    monkeypatch.setenv("DOOMDESK_MINUTES", "150")
    assert minutes(QUICK) == minutes(LONG) == 150


@pytest.mark.parametrize("given", ["0", "-5", "1.5", "long", " "])
def test_minutes_that_are_no_number_are_refused(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOOMDESK_MINUTES", given)
    with pytest.raises(Unusable):
        minutes(QUICK)
