"""A real site on data of its own: an SQLite file in a folder, uvicorn with the shop's settings, stopped by process."""

import fcntl
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from launch.places import ROOT

FOREIGN = ("DATABASE_URL", "REDIS_URL", "REDIS_CACHE_URL", "DJANGO_SETTINGS_MODULE", "SECRET_KEY")


class Site:
    """A running site that shows the world: `values` for addresses, `sessions` by name, `words` that are its data."""

    def __init__(self, folder: Path) -> None:
        """Its data will stand in an existing folder; `__enter__` builds and starts it."""
        self.folder, self.log = folder, folder / f"web-{os.getpid()}.log"
        self.environment = {name: value for name, value in os.environ.items() if name not in FOREIGN} | {
            "DJANGO_SETTINGS_MODULE": "tests.page_audits.settings",
            "DOOMDESK_VAR": str(folder),
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "DOOMDESK_STAND_IN_AFTER": "0",
            "PYTHONPATH": str(ROOT),
        }
        self.process: subprocess.Popen[bytes] | None = None
        self.values: dict[str, object] = {}
        self.sessions: dict[str, str] = {}
        self.words: list[str] = []

    def __enter__(self) -> "Site":
        """Serve the world in the folder; the first process there migrates and builds it while others wait."""
        with (self.folder / "building").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (self.folder / "world.json").exists():
                self._run("manage.py", "migrate", "--skip-checks", "--verbosity", "0")
                self._run("-m", "tests.page_audits.world", str(self.folder / "world.json"))
        self.read_world()
        self._serve()
        return self

    def read_world(self) -> None:
        """Take up the ids and sessions of a world that was built."""
        world = json.loads((self.folder / "world.json").read_text(encoding="utf-8"))
        self.values, self.sessions, self.words = world["values"], world["sessions"], world["words"]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(8)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def cookies(self, who: str) -> list[dict[str, str]]:
        """The cookies of somebody's browser, none for a visitor."""
        session = self.sessions.get(who, "") if who != "" else ""
        return [{"name": "sessionid", "value": session, "url": self.address}] if session else []

    def _run(self, *arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], cwd=ROOT, env=self.environment, check=True)

    def _serve(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        self.address = f"http://127.0.0.1:{port}"
        options = ("--host", "127.0.0.1", "--port", str(port), "--lifespan", "off", "--log-level", "warning")
        command = [sys.executable, "-m", "uvicorn", "config.asgi:application", *options, "--no-access-log"]
        log = self.log.open("wb")
        rendered = self.folder / f"rendered-{os.getpid()}.txt"
        environment = {**self.environment, "DOOMDESK_RENDERED": str(rendered)}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        self.__exit__(None, None, None)
        raise RuntimeError(f"the site did not start, see {self.log}")
