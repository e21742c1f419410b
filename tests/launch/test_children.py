"""Supervised children: restarted when they die, stopped in order, gone when the launcher is killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from launch.children import Child, Crew
from tests.launch.conftest import processes_of

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture
def crew() -> Iterator[Crew]:
    crew = Crew()
    yield crew
    crew.stop()


def tend_until(crew: Crew, child: Child, seconds: float = 10) -> None:
    """Tend the crew until the child lives."""
    deadline = time.monotonic() + seconds
    while not (child.is_alive() and child.due is None):
        assert time.monotonic() < deadline
        crew.tend()
        time.sleep(0.05)


def test_dead_child_is_restarted_and_said(crew: Crew, capfd: pytest.CaptureFixture[str]) -> None:
    child = crew.start(Child("worker", SLEEP, os.environ))
    assert child.process is not None
    first = child.process.pid
    child.process.kill()
    child.process.wait()
    crew.tend()
    tend_until(crew, child)
    assert child.process.pid != first
    assert "The worker stopped (signal 9); starting it again in 0.5 s." in capfd.readouterr().out


def test_pause_grows_with_each_quick_death(crew: Crew) -> None:
    child = crew.start(Child("worker", [sys.executable, "-c", ""], os.environ))
    pauses = []
    for _ in range(8):
        assert child.process is not None
        child.process.wait()
        child.due = None
        now = time.monotonic()
        crew.tend()
        assert child.due is not None
        pauses.append(round(child.due - now, 1))
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30]


def test_children_stop_in_reverse_order(tmp_path: Path) -> None:
    log, crew = tmp_path / "log", Crew()
    script = (
        "import signal, sys, time\n"
        "def end(*a):\n  open(sys.argv[2], 'a').write(sys.argv[1] + ' '); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end); open(sys.argv[2] + sys.argv[1], 'w'); time.sleep(600)"
    )
    for name in ("queue", "worker", "web"):
        crew.start(Child(name, [sys.executable, "-c", script, name, str(log)], os.environ))
    while not all(Path(f"{log}{name}").exists() for name in ("queue", "worker", "web")):
        time.sleep(0.02)
    crew.stop()
    assert log.read_text().split() == ["web", "worker", "queue"]


def test_child_that_will_not_stop_is_killed() -> None:
    crew = Crew()
    script = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x', flush=True); time.sleep(600)"
    )
    child = crew.start(Child("worker", [sys.executable, "-c", script], os.environ, patience=0.5))
    time.sleep(0.5)
    crew.stop()
    assert child.process is not None
    assert child.process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("kill_watcher_first", [False, True])
def test_killed_launcher_leaves_no_process(tmp_path: Path, kill_watcher_first: bool) -> None:
    marker = f"DESK_TEST={tmp_path}"
    script = f"""
import os, signal, sys, time
from launch.children import Child, Crew
crew = Crew()
crew.start(Child("a", [sys.executable, "-c", "import os, time; os.fork(); time.sleep(600)"], os.environ))
crew.start(Child("b", {SLEEP!r}, os.environ))
time.sleep(0.3)
if {kill_watcher_first}:
    crew.watcher.process.kill(); crew.watcher.process.wait(); crew.tend()
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, "DESK_TEST": str(tmp_path)}, timeout=30)
    assert done.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 5
    while (left := processes_of(marker)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
