"""The same code on PostgreSQL and Redis: whole on one machine, or one role at a time on several."""

import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.launch.conftest import Desk

ENQUEUE = (
    "from journal.outbox.messages import enqueue; from journal.clock import database_now; "
    "enqueue('{}', [], database_now())"
)
WAITING = "from journal.models import OutboxMessage as M; print(M.objects.filter(delivered_at=None).count())"
WORKERS = (
    "from config.celery import app; found = app.control.inspect(timeout=2).ping() or ();"
    "print(*sorted(name.rpartition('-')[0] for name in found))"
)


@pytest.fixture
def servers(redis_url: str) -> Iterator[dict[str, str]]:
    """A fresh PostgreSQL database and a Redis number of its own."""
    address = os.environ.get("DATABASE_URL", "")
    if not address.startswith("postgres"):
        pytest.skip("needs a real PostgreSQL: run ./test")
    name = f"desk_{secrets.token_hex(4)}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield {"DATABASE_URL": f"{address.rpartition('/')[0]}/{name}", "REDIS_URL": redis_url}
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def machines(tmp_path: Path, servers: dict[str, str]) -> Iterator[dict[str, Desk]]:
    """Three machines that share nothing but the servers."""
    desks = {name: Desk(tmp_path / name, servers=servers) for name in ("web", "worker", "relay")}
    yield desks
    for desk in desks.values():
        if desk.process is not None and desk.process.poll() is None:
            desk.process.kill()
            desk.process.communicate()


def shell(desk: Desk, code: str) -> str:
    """What a line of Python prints on that machine."""
    done = desk.command("manage", "shell", "-v", "0", "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.full
def test_roles_work_together_and_stop_alone(machines: dict[str, Desk]) -> None:
    web = machines["web"]
    assert web.command("migrate").returncode == 0
    for name, desk in machines.items():
        desk.start(name)
    deadline = time.monotonic() + 30
    while shell(web, WORKERS) != "push-worker worker":
        assert time.monotonic() < deadline
    shell(web, ENQUEUE.format("config.tests.unknown"))
    while shell(web, WAITING) != "0":
        assert time.monotonic() < deadline
    assert web.page("/accounts/login/") == 200
    for desk in machines.values():
        assert not (desk.var / "valkey").exists()
        assert not (desk.var / "doomdesk.sqlite3").exists()
        assert desk.end() == 0
        assert desk.left() == []


@pytest.mark.full
def test_whole_desk_runs_on_postgres_and_redis(tmp_path: Path, servers: dict[str, str]) -> None:
    desk = Desk(tmp_path / "var", servers=servers)
    try:
        desk.start()
        assert desk.page("/accounts/login/") == 200
        assert not (desk.var / "valkey").exists()
        assert not (desk.var / "doomdesk.sqlite3").exists()
    finally:
        assert desk.end() == 0
    assert desk.left() == []
