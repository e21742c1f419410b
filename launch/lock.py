"""One site per data folder: the lock that a running ./run holds, with its address for whoever comes second."""

import fcntl
import os
from pathlib import Path

from launch.failures import Unusable


class SiteLock:
    """An advisory lock on var/running, let go by the operating system however the holder ends."""

    def __init__(self, var: Path) -> None:
        """Open the lock file below the data folder, making the folder when it is missing."""
        var.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.file = (var / "running").open("a+")

    def take(self, what: str) -> None:
        """Take the lock or raise Unusable naming the site that runs; `what` is what cannot be done now."""
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.file.seek(0)
            holder = self.file.read().strip() or "another process"
            raise Unusable(f"{what}: Doomdesk already runs on this data ({holder}); stop it first.") from None
        self.note(f"process {os.getpid()}")

    def note(self, text: str) -> None:
        """Say in the lock file who holds it."""
        self.file.truncate(0)
        self.file.write(text + "\n")
        self.file.flush()
