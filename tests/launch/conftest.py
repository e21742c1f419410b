"""Real runs of ./run for the tests: a site in its own folder, a bare checkout with a recording installer."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from launch.places import ROOT

OURS = ("DATABASE_URL", "REDIS_URL", "REDIS_CACHE_URL", "DJANGO_SETTINGS_MODULE", "DOOMDESK_VAR", "SECRET_KEY")


def clean_environment(**extra: str) -> dict[str, str]:
    """The environment of a person at a shell, without what ./test has set; its PostgreSQL writes to no disk."""
    own = {name: value for name, value in os.environ.items() if name not in OURS}
    return own | {"DOOMDESK_UNSAFE_POSTGRES": "1"} | extra


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def processes_of(marker: str) -> list[str]:
    """Every living process that carries `marker` in its environment, as its command line."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if marker.encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


@dataclass
class Desk:
    """A site with data in `var`; everything it starts carries that path in its environment."""

    var: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[str] | None = None
    servers: dict[str, str] = field(default_factory=dict)

    def command(self, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        """Run `./run ARGUMENTS` on this site to its end."""
        environment = clean_environment(DOOMDESK_VAR=str(self.var), **self.servers)
        return subprocess.run(
            [sys.executable, str(ROOT / "run"), *arguments],
            **{"env": environment, "capture_output": True, "text": True, "timeout": 120, **options},
        )

    def start(self, *role: str, before: Callable[[], object] | None = None) -> str:
        """Start the whole desk or one role, wait until it says how to stop it, return what it printed."""
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "run"), *role, "--port", str(self.port)],
            env=clean_environment(DOOMDESK_VAR=str(self.var), **self.servers),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=before,
            start_new_session=True,
        )
        printed = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            printed.append(line)
            if "Ctrl-C" in line:
                return "".join(printed)
        raise AssertionError("".join(printed))

    def page(self, path: str = "/") -> int:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return int(answer.status)

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal to ./run alone and return its exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        self.process.communicate(timeout=60)
        return self.process.returncode

    def left(self, seconds: float = 5) -> list[str]:
        """The processes of this site that are still there after at most `seconds`."""
        deadline = time.monotonic() + seconds
        while (found := processes_of(f"DOOMDESK_VAR={self.var}")) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A site that does not run yet; whatever runs at the end of the test is ended."""
    desk = Desk(tmp_path / "var")
    yield desk
    if desk.process is not None and desk.process.poll() is None:
        desk.process.kill()
        desk.process.communicate()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that never ran, its database made once by its own command."""
    site = Desk(tmp_path_factory.mktemp("prepared") / "var")
    assert site.command("manage", "check").returncode == 0
    return site.var


@pytest.fixture
def kept(desk: Desk, prepared: Path) -> Desk:
    """The same site, its database a copy of one made before."""
    shutil.copytree(prepared, desk.var)
    return desk


RECORDER = """#!/bin/sh
echo "{name} $*" >> {log}
cat {root}/{name}-says >&2 2>/dev/null
exit $(cat {root}/{name}-exits 2>/dev/null || echo 0)
"""


@dataclass
class Checkout:
    """A bare copy of the launcher; with `installers`, its .venv holds programs that only note how they are called."""

    root: Path

    def installers(self) -> "Checkout":
        """Put a recording python, pip and uv into .venv."""
        folder = self.root / ".venv" / "bin"
        folder.mkdir(parents=True)
        for name in ("python", "pip", "uv"):
            (folder / name).write_text(RECORDER.format(name=name, log=self.root / "calls", root=self.root))
            (folder / name).chmod(0o755)
        return self

    def let(self, name: str, status: int, words: str = "") -> None:
        """Make a recording program fail with these words."""
        (self.root / f"{name}-exits").write_text(str(status))
        (self.root / f"{name}-says").write_text(words + "\n")

    def calls(self) -> list[str]:
        """How the recording programs were called since the last look."""
        log = self.root / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        log.write_text("")
        return lines

    def prepare(self, name: str) -> subprocess.CompletedProcess[str]:
        """Prepare the environment as ./run or ./test does, in a process of its own."""
        script = f"from launch.environment import prepare_environment as p; from launch.failures import guarded as g; import sys; sys.exit(g(lambda a: p({name!r}) or 0, []))"  # noqa: E501
        return self.python("-c", script)

    def python(self, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        """Run the base Python in this checkout."""
        settings = {"cwd": self.root, "env": clean_environment(), "capture_output": True, "text": True, "timeout": 120}
        return subprocess.run([base_python(), *arguments], **{**settings, **options})


def base_python() -> str:
    """The Python that a person starts ./run with, not the one in .venv."""
    return str(Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """The launcher and the requirement files in a folder of their own, without .venv."""
    root = tmp_path / "checkout"
    root.mkdir()
    for name in ("launch", "requirements"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("run", "test"):
        shutil.copy(ROOT / name, root / name)
    return Checkout(root)
