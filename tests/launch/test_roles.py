"""The same code on PostgreSQL and Redis: whole on one machine, or one role at a time on several."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config.celery import app
from tests.invariants.processes import wait_until
from tests.launch.conftest import Desk

ENQUEUE = (
    "from journal.outbox.messages import enqueue; from journal.clock import database_now; "
    "enqueue('{}', [], database_now())"
)
WAITING = "SELECT count(*) FROM journal_outboxmessage WHERE delivered_at IS NULL"


@pytest.fixture(scope="module")
def servers(redis_url: str) -> Iterator[dict[str, str]]:
    """A fresh PostgreSQL database, migrated once for all tests here, and a Redis number of its own."""
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


def workers() -> list[str]:
    """The workers that answer, by the names that ./run gave them."""
    return sorted(name.rpartition("-")[0] for name in app.control.inspect(timeout=1).ping() or ())


def waiting(address: str) -> int:
    """How many messages no queue has yet."""
    with psycopg.connect(address) as connection:
        row = connection.execute(WAITING).fetchone()
    return int(row[0]) if row else -1


@pytest.mark.full
def test_roles_work_together_and_stop_alone(machines: dict[str, Desk], servers: dict[str, str]) -> None:
    web = machines["web"]
    assert web.command("migrate").returncode == 0
    for name, desk in machines.items():
        desk.start(name)
        if name == "web":
            assert desk.page("/accounts/login/") == 200, "it says that it runs once it answers"
    assert wait_until(lambda: workers() == ["push-worker", "worker"], 120)
    sent = web.command("manage", "shell", "-v", "0", "-c", ENQUEUE.format("config.tests.unknown"))
    assert sent.returncode == 0, sent.stderr
    assert wait_until(lambda: waiting(servers["DATABASE_URL"]) == 0, 60)
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
