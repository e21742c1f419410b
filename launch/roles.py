"""The processes a site is made of: their command lines and their environment."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from launch import network
from launch.children import Child
from launch.database import absolute_url, manage, sqlite_path
from launch.places import PYTHON, embedded_redis_url

ROOT_IS_FINE = "ignore:You're running the worker with superuser privileges"
LAPTOP = "config.settings.laptop"
MAX_CONNECTIONS = 2000
"""Of a laptop, without a proxy before it: a phone holds a stream and little else; who comes later gets a 503."""


@dataclass(frozen=True)
class Door:
    """Where the pages are reached: the port, further names of this machine, certificate and key where it is HTTPS."""

    port: int
    hosts: list[str]
    tls: tuple[Path, Path] | None = None

    @property
    def here(self) -> str:
        """The address for this machine."""
        return f"{self.scheme}://localhost:{self.port}/"

    @property
    def scheme(self) -> str:
        """What addresses begin with."""
        return "https" if self.tls else "http"

    def for_others(self, addresses: list[str]) -> list[str]:
        """The addresses for other devices; a certificate is good for names, so they lead where there are any."""
        names = [*self.hosts, *addresses] if self.tls else addresses
        return [f"{self.scheme}://{name}:{self.port}/" for name in names]


def site_environment(var: Path, door: Door | None = None) -> dict[str, str]:
    """The environment of every process of the site whose data are in `var`."""
    own = {
        "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE") or LAPTOP,
        "DOOMDESK_VAR": str(var),
        "REDIS_URL": os.environ.get("REDIS_URL") or embedded_redis_url(var),
        "PYTHONUNBUFFERED": "1",
    }
    if os.environ.get("DATABASE_URL"):
        own["DATABASE_URL"] = absolute_url(os.environ["DATABASE_URL"])
    if door is not None:
        own["DOOMDESK_HOSTS"] = network.allowed_hosts(door.hosts)
        own["DOOMDESK_TLS"] = "1" if door.tls else ""
        if addresses := door.for_others(network.lan_addresses()):
            own["DOOMDESK_ADDRESS"] = addresses[0].rstrip("/")
    return {**os.environ, **own}


def is_laptop() -> bool:
    """Whether the settings in force are those of the laptop."""
    return (os.environ.get("DJANGO_SETTINGS_MODULE") or LAPTOP) == LAPTOP


def web(environment: dict[str, str], door: Door) -> Child:
    """The web server; behind a proxy (production settings) it believes the proxies named in FORWARDED_ALLOW_IPS."""
    direct = ["--no-proxy-headers", "--limit-concurrency", str(MAX_CONNECTIONS)]
    proxied = direct if is_laptop() else ["--proxy-headers"]
    command = [
        *(str(PYTHON), "-m", "uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", str(door.port)),  # noqa: S104
        *(
            "--lifespan",
            "off",
            "--timeout-graceful-shutdown",
            "3",
            "--no-access-log",
            "--log-level",
            "warning",
            "--http",
            "config.prompt:PromptProtocol",
            *proxied,
        ),
        *(("--ssl-certfile", str(door.tls[0]), "--ssl-keyfile", str(door.tls[1])) if door.tls else ()),
    ]
    return Child("web server", command, environment)


def worker(environment: dict[str, str]) -> Child:
    """The Celery worker: threads beside SQLite on a laptop, processes elsewhere; for everything but pushes."""
    on_sqlite = sqlite_path(environment.get("DATABASE_URL") or "sqlite:///") is not None
    return _celery("worker", "celery", "threads" if on_sqlite else "prefork", environment)


def push_worker(environment: dict[str, str]) -> Child:
    """The Celery worker that pushes, and does nothing else: a slow push service holds up no other work.

    Two threads, for they do little but wait; each with its signs of life needs two of the process's connections.
    """
    return _celery("push-worker", "pushes", "threads", environment)


def _celery(name: str, queue: str, pool: str, environment: dict[str, str]) -> Child:
    """A worker of one queue, under a name that is unique on its machine."""
    command = [
        *(str(PYTHON), "-W", ROOT_IS_FINE, "-m", "celery", "--quiet", "-A", "config.celery", "worker"),
        *("-P", pool, "-c", "2", "-l", "WARNING", "--without-gossip", "--without-mingle"),
        *("-Q", queue, "-n", f"{name}-{os.getpid()}@%h"),
    ]
    return Child(name, command, environment, patience=15)


def relay(environment: dict[str, str]) -> Child:
    """The relay that hands outbox messages to the queue.

    Without Django's checks, its own and Celery's: they would load every page, which it never shows, for a second.
    """
    return Child("relay", manage("relay", "--skip-checks"), environment | {"CELERY_SKIP_CHECKS": "yes"})


def show_qr_code(address: str) -> list[str]:
    """The command that draws an address as a QR code, dark on light on every terminal."""
    colours = ("\\033[97;40m", "\\033[0m") if sys.stdout.isatty() else ("", "")
    script = (
        "import io, sys, segno; text = io.StringIO(); "
        "segno.make_qr(sys.argv[1]).terminal(text, border=2, compact=True); "
        f"sys.stdout.reconfigure(encoding='utf-8'); "
        f"[print('{colours[0]}' + line + '{colours[1]}') for line in text.getvalue().splitlines()]"
    )
    return [str(PYTHON), "-c", script, address]
