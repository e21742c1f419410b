"""The process that leads the children's process group and ends the group when the launcher is gone, however it went.

Run as `python watcher.py [MARK]` with the reading end of a pipe as standard input; the launcher holds the only writing
end, so end of file means that the launcher is dead, even by kill -9. MARK is what the environment of every process to
be ended holds, for those that left the group."""

import os
import signal
import sys
import time
from pathlib import Path


def marked(mark: str) -> list[int]:
    """The processes whose environment holds `mark`, where the system tells (Linux); never this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:  # it ended meanwhile, or belongs to another user
            continue
    return [number for number in found if number != os.getpid()]


def end_marked(mark: str, seconds: float = 10) -> int:
    """Kill every process that carries `mark`, again until none is left; answers how many there were at first."""
    deadline, first = time.monotonic() + seconds, len(marked(mark))
    while (left := marked(mark)) and time.monotonic() < deadline:
        for number in left:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.05)
    return first


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    for mark in sys.argv[1:]:
        end_marked(mark)
    os.killpg(os.getpgrp(), signal.SIGKILL)
