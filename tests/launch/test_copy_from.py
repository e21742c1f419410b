"""A whole site goes from SQLite to PostgreSQL and back: each event's file stays the same to the byte."""

import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from launch.places import ROOT, database_file
from tests.launch.conftest import Desk, clean_environment
from tests.launch.sites import done, event_files

KEY = {"SECRET_KEY": "the-same-key-on-both-sites-" * 3}
ADD = "from accounts.identity.services import create_people; from journal.clock import database_now; " + (
    "create_people([('Zoe', '')], now=database_now())"
)
MakeSite = Callable[[], Desk]


@pytest.fixture
def on_sqlite(prepared: Path, tmp_path: Path) -> MakeSite:
    """Makes laptops that have nothing yet."""

    def make() -> Desk:
        var = tmp_path / secrets.token_hex(4)
        shutil.copytree(prepared, var)
        return Desk(var, servers=KEY)

    return make


@pytest.fixture(scope="module")
def with_demo(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a laptop that holds what its first start makes."""
    desk = Desk(tmp_path_factory.mktemp("demo") / "var", servers=KEY)
    shutil.copytree(prepared, desk.var)
    done(desk.command("manage", "prepare_laptop"))
    return desk.var


@pytest.fixture
def laptop(with_demo: Path, tmp_path: Path) -> Desk:
    """A laptop that holds what its first start makes."""
    return Desk(Path(shutil.copytree(with_demo, tmp_path / "laptop")), servers=KEY)


@pytest.fixture(scope="module")
def new_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], str]]:
    """Makes databases on the real PostgreSQL, copies of one that was migrated, and tells their addresses."""
    address = os.environ.get("DATABASE_URL", "")
    if not address.startswith("postgres"):
        pytest.skip("needs a real PostgreSQL: run ./test")
    made: list[str] = []
    with psycopg.connect(address, autocommit=True) as connection:

        def make() -> str:
            name, template = f"desk_{secrets.token_hex(4)}", f"TEMPLATE {made[0]}" if made else ""
            connection.execute(f"CREATE DATABASE {name} {template}".encode())
            made.append(name)
            return f"{address.rpartition('/')[0]}/{name}"

        first = Desk(tmp_path_factory.mktemp("migrated"), servers={**KEY, "DATABASE_URL": make()})
        done(first.command("migrate"))
        yield make
        for name in made:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture
def on_postgresql(new_database: Callable[[], str], tmp_path: Path) -> MakeSite:
    """Makes sites with a PostgreSQL database of their own that have nothing yet."""
    return lambda: Desk(tmp_path / secrets.token_hex(4), servers={**KEY, "DATABASE_URL": new_database()})


def source_of(desk: Desk) -> str:
    return desk.servers.get("DATABASE_URL") or str(database_file(desk.var))


def goes_round(first: Desk, makers: list[MakeSite], tmp_path: Path) -> Desk:
    """Copy a site from one to the next; each has the same event files as the first, and verifies."""
    here, told = first, event_files(first, tmp_path / "first")
    assert told
    for number, make in enumerate(makers):
        there = make()
        assert "rows, compared" in done(there.command("manage", "copy_from", source_of(here)))
        assert event_files(there, tmp_path / str(number)) == told
        assert "sound" in done(there.command("manage", "verify_ledger"))
        here = there
    return here


def people(desk: Desk) -> int:
    source = source_of(desk)
    connection = psycopg.connect(source) if desk.servers.get("DATABASE_URL") else sqlite3.connect(source)
    with closing(connection):
        return int(connection.execute("SELECT count(*) FROM accounts_person").fetchone()[0])


def test_a_site_goes_to_postgresql_and_back_and_goes_on_there(laptop, on_sqlite, on_postgresql, tmp_path, many):
    """With `--long` it goes three times."""
    there = goes_round(laptop, [on_postgresql, on_sqlite] * many(3, 1), tmp_path)
    before = people(there)
    done(there.command("manage", "shell", "-v", "0", "-c", ADD))
    assert people(there) == before + 1


def test_only_an_empty_site_of_the_same_version_is_filled_and_else_nothing_changes(laptop, on_sqlite, tmp_path):
    full, empty = laptop, on_sqlite()
    before = people(full)
    refused = full.command("manage", "copy_from", source_of(empty))
    assert (refused.returncode, "has people or events already" in refused.stderr) == (2, True)
    assert people(full) == before
    with closing(sqlite3.connect(source_of(full))) as connection, connection:
        connection.execute("DELETE FROM django_migrations WHERE app = 'tournaments' AND name LIKE '0001%'")
    refused = empty.command("manage", "copy_from", source_of(full))
    assert (refused.returncode, "Another version made that database" in refused.stderr) == (2, True)
    (tmp_path / "text").write_text("no database")
    for source, reason in (
        (str(tmp_path / "nowhere"), "There is no file"),
        ("mysql://host/site", "There is no file"),
        (str(tmp_path / "text"), "no database of Doomdesk"),
    ):
        refused = empty.command("manage", "copy_from", source)
        assert (refused.returncode, reason in refused.stderr) == (2, True), refused.stderr
    assert people(empty) == 0


def test_a_row_that_breaks_a_foreign_key_leaves_the_site_empty(laptop, on_postgresql):
    server = on_postgresql()
    with closing(sqlite3.connect(source_of(laptop))) as connection, connection:
        connection.execute("UPDATE tournaments_entry SET tournament_id = 999999")
    refused = server.command("manage", "copy_from", source_of(laptop))
    assert (refused.returncode, "violates foreign key" in refused.stderr) == (2, True), refused.stderr
    assert people(server) == 0


@pytest.mark.full
@pytest.mark.timeout(1500)
def test_a_world_of_events_goes_round(on_sqlite, on_postgresql, tmp_path, many):
    """All games, running and finished events, three hundred players: everything the pages are looked at with.

    Once, with `--long` three times.
    """
    laptop = on_sqlite()
    environment = clean_environment(
        DOOMDESK_VAR=str(laptop.var), DJANGO_SETTINGS_MODULE="config.settings.laptop", **KEY,
        REDIS_URL="redis://127.0.0.1:1/0", DOOMDESK_STAND_IN_AFTER="0", PYTHONPATH=str(ROOT),
    )  # fmt: skip
    world = [sys.executable, "-m", "tests.page_audits.world", str(tmp_path / "world.json")]
    subprocess.run(world, cwd=ROOT, env=environment, check=True, timeout=600)
    goes_round(laptop, [on_postgresql, on_sqlite] * many(3, 1), tmp_path)
