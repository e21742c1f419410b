"""The process that leads the children's process group and ends the group when the launcher is gone, however it went.

Run as `python watcher.py` with the reading end of a pipe as standard input; the launcher holds the only writing end, so
end of file means that the launcher is dead, even by kill -9."""

import os
import signal
import sys

if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    os.killpg(os.getpgrp(), signal.SIGKILL)
