"""A site of real processes to do harm to: a broker, a relay, two workers, a web server; all on the test database."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import redis
from django.conf import settings
from django.db import connection

from config.celery import app
from journal.models import OutboxMessage
from launch import roles, valkey
from launch.places import PYTHON, ROOT
from tests.launch.conftest import clean_environment, free_port
from tests.races import close_connections

WITHOUT_RESENDING = (
    "import django; django.setup(); import journal.outbox.relay as relay; relay.recover = lambda app: 0;"
    "from django.core.management import call_command; call_command('relay')"
)
WITHOUT_ROUTES = (
    "import django; django.setup(); from config.celery import app; app.conf.task_routes = {};"
    "from django.core.management import call_command; call_command('relay')"
)


def url_of_test_database() -> str:
    """The address of the database that this process is connected to."""
    name, given = str(connection.settings_dict["NAME"]), os.environ.get("DATABASE_URL", "")
    on_server = connection.vendor == "postgresql"
    return f"{given.rpartition('/')[0]}/{name}" if on_server else f"sqlite:///{name}"


def wait_until(true: Callable[[], object], seconds: float) -> bool:
    """Whether something comes true within so many seconds."""
    end = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.05)
    return bool(found)


@dataclass
class Processes:
    """The processes by name; what is killed here is also started again here."""

    folder: Path
    patience: float = 2.0
    controls: tuple[str, ...] = ()
    database: str = ""
    extra: dict[str, str] = field(default_factory=dict)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    other_port: int = field(default_factory=free_port)

    @property
    def socket(self) -> Path:
        """Where the broker listens."""
        return self.folder / "v.sock"

    @property
    def environment(self) -> dict[str, str]:
        """What every process of the site sees; the database is the test's unless the site has its own."""
        return clean_environment(
            DJANGO_SETTINGS_MODULE="config.settings.test",
            DATABASE_URL=self.database or url_of_test_database(),
            REDIS_URL=f"unix://{self.socket}?db=0",
            DOOMDESK_VAR=str(self.folder),
            DOOMDESK_LOST_AFTER=str(self.patience),
            DOOMDESK_STAND_IN_AFTER=str(self.patience),
            DOOMDESK_LIVE_BEAT="2",
            DOOMDESK_PUSH_TO_LOOPBACK="yes",
            DOOMDESK_WEBHOOKS_INSIDE="1",
            DOOMDESK_FAULTS=",".join(self.controls),
            PYTEST_XDIST_WORKER="gw0",
            CELERY_SKIP_CHECKS="yes",  # which would load all pages into each worker: half of its start
            **self.extra,
        )

    def command(self, name: str) -> list[str]:
        """How a process of this name is started; workers as ./run does, but with the harness's own application."""
        if name == "broker":
            return valkey.server_command(self.folder, self.socket, durable=True)
        if name == "relay":
            if "no_resending" in self.controls:
                return [str(PYTHON), "-c", WITHOUT_RESENDING]
            if "no_routes" in self.controls:
                return [str(PYTHON), "-c", WITHOUT_ROUTES]
            return roles.relay(self.environment).command
        if name.startswith("web"):
            served = "tests.invariants.faulty_web:" if self.controls else "config.asgi:"
            command = roles.web(
                self.environment, roles.Door(self.port if name == "web" else self.other_port, [])
            ).command
            return [word.replace("config.asgi:", served) for word in command]
        role = roles.push_worker if name.startswith("push") else roles.worker
        command = role(self.environment).command
        return [*command[:-1], f"{name}@%h"]

    def start(self, name: str) -> None:
        """Start a process and, for the broker, wait until it answers."""
        command = [word.replace("config.celery", "tests.invariants.faulty_worker") for word in self.command(name)]
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command, env=self.environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )
        if name == "broker":
            assert wait_until(lambda: valkey.answers(self.socket), 15)

    def signal(self, name: str, number: int) -> None:
        """Send a signal to the process itself, not to its children."""
        with suppress(ProcessLookupError):
            self.running[name].send_signal(number)

    def kill(self, name: str) -> None:
        """Kill a process as a power cut would."""
        self.signal(name, signal.SIGKILL)
        self.running[name].wait(10)

    def end(self, name: str) -> None:
        """Kill a process and all that it started."""
        with suppress(ProcessLookupError):
            os.killpg(self.running[name].pid, signal.SIGKILL)
        self.running[name].wait(10)

    def children(self, name: str) -> list[int]:
        own = self.running[name].pid
        with suppress(OSError):
            return [int(pid) for pid in Path(f"/proc/{own}/task/{own}/children").read_text().split()]
        return []

    def stop(self) -> None:
        """End every process with all it started."""
        for name in self.running:
            self.end(name)
        self.running.clear()

    def said(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    @property
    def server(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self.socket), socket_timeout=5)

    def send(self, message: OutboxMessage, times: int = 1) -> None:
        """Hand a message to the queue as the relay does, but past it."""
        with app.connection_for_write(url=f"redis+socket://{self.socket}?virtual_host=0") as broker:
            for _time in range(times):
                app.send_task(message.task, message.args, task_id=str(message.pk), connection=broker, retry=False)


KINDS = (
    "kill_worker", "kill_child", "kill_relay", "kill_broker", "wipe_broker", "pause_worker", "pause_broker",
    "deliver_again", "deliver_out_of_order",
)  # fmt: skip


class Nemesis:
    """Does harm, one random fault at a time; whatever it stops goes on before it returns."""

    kinds: tuple[str, ...] = KINDS

    def __init__(self, site: Processes, chance: random.Random) -> None:
        self.site, self.chance = site, chance
        self.done: dict[str, int] = {}

    def strike(self, kind: str = "") -> None:
        """One fault of a kind, else of any."""
        kind = kind or self.chance.choice(self.kinds)
        self.done[kind] = self.done.get(kind, 0) + 1
        getattr(self, kind)()

    def _worker(self) -> str:
        return self.chance.choice(["worker1", "worker2"])

    def _restart(self, name: str, longest: float) -> None:
        self.site.kill(name)
        time.sleep(self.chance.uniform(0, longest))
        self.site.start(name)

    def _pause(self, name: str, shortest: float, longest: float) -> None:
        self.site.signal(name, signal.SIGSTOP)
        time.sleep(self.chance.uniform(shortest, longest))
        self.site.signal(name, signal.SIGCONT)

    def kill_worker(self) -> None:
        """kill -9 of a whole worker; another takes its place."""
        self._restart(self._worker(), 0.5)

    def kill_child(self) -> None:
        """kill -9 of a process of a worker's pool."""
        if found := self.site.children(self._worker()):
            with suppress(ProcessLookupError):
                os.kill(self.chance.choice(found), signal.SIGKILL)

    def kill_relay(self) -> None:
        """kill -9 of the relay."""
        self._restart("relay", 0.5)

    def kill_broker(self) -> None:
        """kill -9 of the broker, which comes back with what it wrote down."""
        self._restart("broker", 1)

    def wipe_broker(self) -> None:
        """Everything in the broker is gone."""
        self.site.server.flushall()

    def pause_worker(self) -> None:
        """A worker and its pool stand still, also for longer than their leases."""
        name = self._worker()
        pool = self.site.children(name)
        for pid in pool:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        self._pause(name, 0.3, self.site.patience * 1.5)
        for pid in pool:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def pause_broker(self) -> None:
        """The broker answers nobody for a while."""
        self._pause("broker", 0.3, 2.5)

    def deliver_again(self) -> None:
        """The same message two to five times."""
        found = OutboxMessage.objects.filter(task__startswith="scoring.").order_by("-created_at")[:30]
        if found:
            self.site.send(self.chance.choice(found), self.chance.randint(2, 5))

    def deliver_out_of_order(self) -> None:
        """What was asked for last before what was asked for first, all of it once more."""
        for message in OutboxMessage.objects.exclude(task="trust.poison").order_by("-created_at")[:8]:
            self.site.send(message)


@contextmanager
def processes_in(
    folder: Path, *names: str, controls: tuple[str, ...] = (), patience: float = 2.0
) -> Iterator[Processes]:
    """A site with these processes running, ended afterwards; nobody inherits a connection of ours."""
    assert settings.LOST_AFTER == 15
    close_connections()
    site = Processes(folder, patience, controls)
    try:
        for name in names:
            site.start(name)
        yield site
    finally:
        site.stop()
