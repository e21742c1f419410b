"""One pass of pytest: a process with a report that grows as it goes, a time by which it ends, and no process left."""

import os
import secrets
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from launch.children import say
from launch.places import PYTHON, ROOT
from launch.watcher import end_marked

REPORTS = ROOT / "var" / "tests"
"""Where each pass says what ran, failed and runs now."""
MARK = "DOOMDESK_PASS"
LAST_WORDS = 15.0
"""Seconds that pytest has to say how far it came before it is killed."""


@dataclass
class Outcome:
    """One step of ./test: whether it was fine, how many seconds it took, how many tests it ran or left out and why.

    `left` counts the tests that belong to a longer tier; `files` has the seconds that each file of tests took.
    """

    name: str
    fine: bool
    seconds: float
    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    left: int = 0


@dataclass
class Pass:
    """pytest with these arguments; `quiet` keeps what it prints until it has ended."""

    name: str
    environment: Mapping[str, str]
    arguments: list[str]
    folder: Path
    quiet: bool = False
    empty_is_fine: bool = False
    began: float = 0.0

    def __post_init__(self) -> None:
        slug = "-".join(self.name.lower().split()[1:])
        self.report, self.counts = REPORTS / f"{slug}.txt", self.folder / f"{slug}.xml"
        self.printed: TextIO | None = None
        self.mark = f"{MARK}={slug}-{secrets.token_hex(8)}"

    def start(self) -> None:
        """Start it, in a session of its own so that one signal reaches all its workers."""
        self.began = time.monotonic()
        own = [f"--junitxml={self.counts}", f"--report={self.report}", "-rs"]
        environment = {**self.environment, MARK: self.mark.partition("=")[2]}
        self.printed = (self.folder / f"{self.counts.stem}.log").open("w+") if self.quiet else None
        command = [str(PYTHON), "-m", "pytest", *own, *self.arguments]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=self.printed, stderr=self.printed, start_new_session=True
        )

    def wait(self, deadline: float) -> Outcome:
        """Wait until it has ended, at most until `deadline` (of time.monotonic); ends whatever it leaves behind.

        5 is pytest's "no tests were selected".
        """
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.show()
            say(f"{self.name} is out of time. Every thread of it:")
            self.end(signal.SIGABRT)  # Python's faulthandler prints all stacks
        except BaseException:  # Ctrl-C or SIGTERM
            self.end(signal.SIGINT)
            self.show()
            self.say_running()
            raise
        self.show()
        status = self.process.poll()
        if status not in (0, 1, 5):
            self.say_running()
        if left := end_marked(self.mark):
            say(f"{left} processes that tests had left running were ended.")
        fine = status == 0 or (status == 5 and self.empty_is_fine)
        outcome = Outcome(self.name, fine, time.monotonic() - self.began)
        count(self.counts, outcome)
        outcome.left = left_out(self.report)
        return outcome

    def end(self, number: int) -> None:
        """Let it say its last words to a signal, then kill it and everything it started."""
        try:
            os.killpg(self.process.pid, number)
            self.process.wait(LAST_WORDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        end_marked(self.mark)
        self.process.kill()
        self.process.wait()

    def show(self) -> None:
        """Print what a quiet pass has kept."""
        if self.printed is not None:
            self.printed.seek(0)
            say(self.printed.read().strip())
            self.printed.close()
            self.printed = None

    def say_running(self) -> None:
        """Name the tests that have begun and not ended."""
        for name in running(self.report):
            say(f"was running: {name}")
        say(f"The report of all that ran: {self.report}")


def running(report: Path) -> list[str]:
    """The tests of a report that have begun and not ended."""
    found: dict[str, None] = {}
    for line in report.read_text(errors="replace").splitlines() if report.exists() else ():
        word, _time, name = (*line.split(" ", 2), "", "")[:3]
        if word == "started":
            found[name] = None
        elif word == "ended":
            found.pop(name, None)
    return list(found)


def left_out(report: Path) -> int:
    """How many tests a report says belong to a longer tier."""
    lines = report.read_text(errors="replace").splitlines() if report.exists() else []
    return max((int(line.split()[1]) for line in lines if line.startswith("left ")), default=0)


def count(report: Path, outcome: Outcome) -> None:
    """Read the numbers of a junit report into an outcome; a missing report is a failure."""
    if not report.exists():
        outcome.fine, outcome.failed = False, 1
        return
    suite = next(ElementTree.parse(report).iter("testsuite"))  # noqa: S314 (our own file)
    tests, failed, errors, skipped = (int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped"))
    outcome.failed, outcome.passed = failed + errors, tests - failed - errors - skipped
    outcome.skipped = Counter(skip.get("message", "") for skip in suite.iter("skipped"))
    for case in suite.iter("testcase"):
        outcome.files[case.get("classname", "")] += float(case.get("time", "0"))  # type: ignore[assignment]  # no ints
