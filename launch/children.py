"""The processes of one run: started in one group, watched, restarted with back-off, stopped in order, no orphans."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from launch.places import ROOT

LONGEST_PAUSE = 30.0
HEALTHY_AFTER = 30.0


@dataclass
class Child:
    """One process to keep alive.

    `patience` is how long it may take to stop, in seconds; `account` the user to run it as, in subprocess's words;
    `log` the file that takes its output."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    patience: float = 10.0
    account: Mapping[str, Any] = field(default_factory=dict)
    log: Path | None = None
    stop_signal: int = signal.SIGTERM
    process: subprocess.Popen[bytes] | None = None
    failures: int = 0
    started: float = 0.0
    due: float | None = None

    def is_alive(self) -> bool:
        """Whether its process runs now."""
        return self.process is not None and self.process.poll() is None


@dataclass
class Crew:
    """All children of this process, in the order in which they start; they stop in the reverse order.

    `mark` is a NAME=value in the environment of processes that are to end with this one though they left its group.
    """

    mark: str = ""
    children: list[Child] = field(default_factory=list)
    group: int = 0
    lifeline: int = -1
    watcher: Child | None = None

    def start(self, child: Child) -> Child:
        """Start a child now and look after it from now on."""
        if self.watcher is None:
            self._start_watcher()
        self.children.append(child)
        self._launch(child)
        return child

    def tend(self) -> None:
        """Look at every child once: note the dead, restart those whose pause is over."""
        now = time.monotonic()
        if self.watcher is not None and not self.watcher.is_alive():
            self._launch_watcher(self.watcher)
        for child in self.children:
            if child.due is not None and now >= child.due:
                self._launch(child)
            elif child.due is None and not child.is_alive():
                self._note_death(child, now)

    def restart(self, child: Child, environment: Mapping[str, str]) -> None:
        """Stop a child and start it again with another environment."""
        self._end(child)
        child.environment = environment
        self._launch(child)

    def stop(self) -> None:
        """Stop every child, the last started first, by SIGTERM and after its patience by SIGKILL; then the watcher."""
        while self.children:
            self._end(self.children[-1])
            self.children.pop()
        if self.watcher is not None:
            os.close(self.lifeline)
            self.lifeline = -1
            assert self.watcher.process is not None
            self.watcher.process.wait()
            self.watcher = None

    def _start_watcher(self) -> None:
        self.watcher = Child("watcher", [sys.executable, "-S", "-E", str(Path(__file__).with_name("watcher.py"))], {})
        self.watcher.command += [self.mark] if self.mark else []
        self._launch_watcher(self.watcher)
        assert self.watcher.process is not None
        self.group = self.watcher.process.pid

    def _launch_watcher(self, watcher: Child) -> None:
        if self.lifeline >= 0:
            os.close(self.lifeline)
        reading, self.lifeline = os.pipe()
        try:
            watcher.process = subprocess.Popen(watcher.command, stdin=reading, process_group=self.group)
        except PermissionError:  # the old group died out with its last member
            watcher.process = subprocess.Popen(watcher.command, stdin=reading, process_group=0)
            self.group = watcher.process.pid
        finally:
            os.close(reading)

    def _launch(self, child: Child) -> None:
        child.due, child.started = None, time.monotonic()
        with open(child.log, "ab") if child.log else contextlib.nullcontext() as log:
            child.process = subprocess.Popen(
                child.command,
                env=dict(child.environment),
                cwd="/" if child.account else ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=self.group,
                **child.account,
            )

    def _note_death(self, child: Child, now: float) -> None:
        child.failures = 1 if now - child.started > HEALTHY_AFTER else child.failures + 1
        pause = min(LONGEST_PAUSE, 0.5 * 2 ** (child.failures - 1))
        child.due = now + pause
        assert child.process is not None
        say(f"The {child.name} stopped ({how(child.process.returncode)}); starting it again in {pause:g} s.")

    def _end(self, child: Child) -> None:
        if child.process is None:
            return
        if child.is_alive():
            child.process.send_signal(child.stop_signal)
        try:
            child.process.wait(child.patience)
        except subprocess.TimeoutExpired:
            child.process.kill()
            child.process.wait()


def how(status: int) -> str:
    """How a process ended, in words."""
    return f"signal {-status}" if status < 0 else f"exit status {status}"


def say(text: str) -> None:
    """Print one line at once, also into a pipe."""
    print(text, flush=True)
