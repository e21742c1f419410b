"""Editions of Doomdesk run for real by their own ./run: the code as it is, and the first one out of git's history."""

import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from launch import valkey
from launch.children import Child
from launch.places import ROOT
from tests.invariants.fault_databases import PATIENCE, Server
from tests.invariants.processes import wait_until
from tests.launch.conftest import clean_environment, free_port

FIRST = "d99edf8104c478133be8823bc3109bb37f059f15"
"""The commit that stands for 0.1.0."""
SECRET = "a-key-that-every-machine-of-the-site-is-given"


def is_in_history() -> bool:
    """Whether this checkout knows the first edition: a shallow clone and a tarball do not."""
    with suppress(OSError):
        known = subprocess.run(["git", "cat-file", "-e", f"{FIRST}^{{commit}}"], cwd=ROOT, capture_output=True)
        return known.returncode == 0
    return False


@dataclass
class Machine:
    """One machine: the checkout of an edition, its folder for data, and the servers it is given, if any."""

    root: Path
    var: Path
    servers: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a person's shell gives to ./run."""
        return clean_environment(DOOMDESK_VAR=str(self.var), **self.servers)

    @property
    def log(self) -> Path:
        return self.var.with_name(f"{self.var.name}.log")

    def command(self, *arguments: str) -> str:
        """What `./run ARGUMENTS` prints, which must succeed."""
        command = [sys.executable, str(self.root / "run"), *arguments]
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, *role: str) -> None:
        """Start the whole site or one role and wait until it says how it is stopped."""
        before = self.said().count("Ctrl-C")
        command = [sys.executable, str(self.root / "run"), *role, "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.root, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        assert wait_until(lambda: self.said().count("Ctrl-C") > before or self.is_over(), PATIENCE), self.said()
        assert not self.is_over(), self.said()

    def is_over(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def said(self) -> str:
        """All that ./run and what it started wrote."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0, self.said()

    def end(self) -> None:
        """Kill ./run, whatever state it is in: its watcher ends the rest; what stays is killed, too."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(10)
        wait_until(lambda: not self.processes(), 15)
        for pid in self.processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def processes(self) -> list[int]:
        """The living processes whose data are in this machine's folder; Valkey hides its environment."""
        inside, found = f"{self.var}/".encode(), []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                told = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
                if f"DOOMDESK_VAR={self.var}\0".encode() in told or inside in told:
                    found.append(int(folder.name))
        return found


@dataclass
class Site:
    """The machines of a site by role, "" for one that is everything; they may be given another edition."""

    machines: dict[str, Machine]

    @property
    def ports(self) -> list[int]:
        """Where its web servers listen."""
        return [machine.port for role, machine in self.machines.items() if not role or role.startswith("web")]

    @property
    def any(self) -> Machine:
        """The machine to give commands on."""
        return next(iter(self.machines.values()))

    def start(self) -> None:
        """Start every role, and wait until the web servers answer."""
        for role, machine in self.machines.items():
            machine.start(*([role.rstrip("2")] if role else []))
        assert wait_until(lambda: all(map(answers, self.ports)), PATIENCE), self.any.said()

    def stop(self) -> None:
        """Stop every role in an orderly way."""
        for machine in self.machines.values():
            machine.stop()

    def upgrade(self, root: Path) -> None:
        """Put another edition on every machine, as docs/operate/upgrading.md says; the site is stopped."""
        for machine in self.machines.values():
            machine.root = root
        if "" not in self.machines:
            self.any.command("migrate")

    def end(self) -> None:
        for machine in self.machines.values():
            machine.end()


@contextmanager
def first_edition() -> Iterator[Path]:
    """The checkout of 0.1.0; ./run makes its environment from its own pins at first use."""
    archive = subprocess.run(["git", "archive", FIRST], cwd=ROOT, capture_output=True, check=True).stdout
    with (
        tempfile.TemporaryDirectory(prefix="dd-first-", dir="/tmp") as folder,
        tarfile.open(fileobj=BytesIO(archive)) as files,
    ):
        files.extractall(folder, filter="data")
        yield Path(folder)


@contextmanager
def laptop(root: Path) -> Iterator[Site]:
    """A laptop that does not run yet."""
    with tempfile.TemporaryDirectory(prefix="dd-up-", dir="/tmp") as folder:
        site = Site({"": Machine(root, Path(folder) / "var")})
        try:
            yield site
        finally:
            site.end()


@contextmanager
def convention(root: Path) -> Iterator[Site]:
    """Four machines that share PostgreSQL and Valkey: two for pages, a worker, a relay; none runs yet."""
    with tempfile.TemporaryDirectory(prefix="dd-up-", dir="/tmp") as folder, servers(Path(folder)) as given:
        site = Site({role: Machine(root, Path(folder) / role, given) for role in ("web", "web2", "worker", "relay")})
        try:
            site.any.command("migrate")
            yield site
        finally:
            site.end()


@contextmanager
def servers(folder: Path) -> Iterator[dict[str, str]]:
    """A durable PostgreSQL and a Valkey, as the environment of who uses them."""
    database, socket = Server(), folder / "v.sock"
    try:
        command = valkey.server_command(folder, socket, durable=True)
        database.crew.start(Child("Valkey server", command, dict(os.environ)))
        assert wait_until(lambda: valkey.answers(socket), PATIENCE)
        yield {"DATABASE_URL": database.url, "REDIS_URL": f"unix://{socket}?db=0", "SECRET_KEY": SECRET}
    finally:
        database.remove()


def answers(port: int) -> bool:
    """Whether a web server answers; the first edition has no page for that question."""
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/accounts/login/", timeout=5) as page:
        return bool(page.status == 200)
    time.sleep(0.1)
    return False
