"""Says in a file, line by line as a run goes, what ran, what failed and why, and what runs now."""

import time
from pathlib import Path
from typing import Any

import pytest

STARTED, ENDED, SEED = "started", "ended", "seed"
TRIED = "tried"
"""The property of a test of full figures, and the word of its line once it has passed: how often it tried, or ""."""


class Progress:
    """A plugin of pytest: each line is a word, a time of day and a test; a failure is followed by its report."""

    def __init__(self, path: Path, seed: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = path.open("w", buffering=1)
        self.file.write(f"{SEED} {seed}\n")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.write(STARTED, nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.write("failed", f"{report.nodeid} ({report.when})")
            self.file.write(f"{report.longreprtext}\n")
        elif report.skipped:
            self.write("skipped", report.nodeid)
        elif report.when == "call" and (tried := dict(report.user_properties).get(TRIED)) is not None:
            self.write(TRIED, f"{report.nodeid}\t{tried}")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.write(ENDED, nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker is done: each has collected the same tests."""
        self.leave_out(getattr(node, "workeroutput", {}).get("left_out", 0))

    def leave_out(self, count: int) -> None:
        """So many tests belong to a longer tier."""
        self.file.write(f"left {count}\n")

    def write(self, word: str, nodeid: str) -> None:
        """One line, on the disk at once."""
        self.file.write(f"{word} {time.strftime('%H:%M:%S')} {nodeid}\n")
