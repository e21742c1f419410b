"""Backup and restore of the laptop's data: consistent under writes, never over something, never half."""

import contextlib
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from launch.backup import back_up, restore
from launch.database import absolute_url, database_path, stamp
from launch.failures import Unusable

WRITER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
connection.execute("PRAGMA synchronous=FULL")
number = 0
while True:
    number += 1
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO accounts_person VALUES (?, ?)", (f"{sys.argv[2]}-{number}", "x" * 900))
    connection.execute("INSERT INTO twin VALUES (?)", (f"{sys.argv[2]}-{number}",))
    connection.execute("COMMIT")
    if number == 1: print("on", flush=True)
    time.sleep(0.001)
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "var" / "doomdesk.sqlite3"
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE accounts_person (name TEXT, notes TEXT)")
        connection.execute("CREATE TABLE twin (name TEXT)")
        connection.execute("INSERT INTO accounts_person VALUES ('Friday', '')")
        connection.execute("INSERT INTO twin VALUES ('Friday')")
        connection.commit()
    return path


def names(path: Path, table: str = "accounts_person") -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute(f"SELECT name FROM {table} ORDER BY name")]


def test_backup_under_writes_is_whole(database: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(database)]
    writers = [subprocess.Popen([*command, name], stdout=subprocess.PIPE) for name in ("a", "b")]
    try:
        assert all(writer.stdout is not None and writer.stdout.readline() for writer in writers)
        for number in range(6):
            copy = tmp_path / f"copy{number}"
            back_up(database, copy)
            assert names(copy) == names(copy, "twin")
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    sizes = [len(names(tmp_path / f"copy{number}")) for number in range(6)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_backup_is_one_private_file(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    back_up(database, target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "var"]


def test_backup_never_overwrites(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    target.write_text("precious")
    with pytest.raises(Unusable, match="exists already"):
        back_up(database, target)
    assert target.read_text() == "precious"


def test_backup_into_a_missing_folder_is_refused(database: Path, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="does not exist"):
        back_up(database, tmp_path / "missing" / "copy")


def test_backup_without_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="nothing to copy"):
        back_up(tmp_path / "doomdesk.sqlite3", tmp_path / "copy")


def test_backup_of_a_damaged_database_is_refused(database: Path, tmp_path: Path) -> None:
    content = bytearray(database.read_bytes())
    content[5000:9000] = b"\xff" * 4000
    database.write_bytes(content)
    with pytest.raises(Unusable):
        back_up(database, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_backup_of_a_database_whose_rows_do_not_fit_is_refused(database: Path, tmp_path: Path) -> None:
    """What SQLite copies without a word: a row that names one that is not there."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE hall (id INTEGER PRIMARY KEY)")
        connection.execute("CREATE TABLE seat (hall REFERENCES hall (id))")
        connection.execute("INSERT INTO seat VALUES (777)")
        connection.commit()
    with pytest.raises(Unusable, match="damaged"):
        back_up(database, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_restore_brings_back_and_keeps_the_old(database: Path, tmp_path: Path) -> None:
    back_up(database, tmp_path / "copy")
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE accounts_person SET name = 'Saturday'")
        connection.commit()
    stamp(database).write_text("prepared")
    (database.parent / "valkey").mkdir()
    kept = restore(tmp_path / "copy", database, database.parent)
    assert names(database) == ["Friday"]
    assert kept is not None
    assert names(kept) == ["Saturday"]
    assert not stamp(database).exists()
    assert not (database.parent / "valkey").exists()


def test_restore_onto_nothing_keeps_nothing(database: Path, tmp_path: Path) -> None:
    back_up(database, tmp_path / "copy")
    fresh = tmp_path / "fresh" / "doomdesk.sqlite3"
    assert restore(tmp_path / "copy", fresh, fresh.parent) is None
    assert names(fresh) == ["Friday"]


@pytest.mark.parametrize("damage", ["cut", "flip", "text", "empty", "foreign", "missing"])
def test_restore_of_a_bad_file_changes_nothing(database: Path, tmp_path: Path, damage: str) -> None:
    copy = tmp_path / "copy"
    back_up(database, copy)
    content = bytearray(copy.read_bytes())
    content[5000:9000] = b"\xff" * 4000
    bad = {"cut": content[:6000], "flip": content, "text": b"not a database at all " * 99, "empty": b""}
    if damage in bad:
        copy.write_bytes(bad[damage])
    copy.unlink() if damage in {"missing", "foreign"} else None
    if damage == "foreign":
        with contextlib.closing(sqlite3.connect(copy)) as connection:
            connection.execute("CREATE TABLE other (name TEXT)")
    with pytest.raises(Unusable):
        restore(copy, database, database.parent)
    assert names(database) == ["Friday"]
    assert [path.name for path in database.parent.iterdir() if not path.name.endswith(("-wal", "-shm"))] == [
        database.name
    ]


def test_restore_while_in_use_is_refused(database: Path, tmp_path: Path) -> None:
    back_up(database, tmp_path / "copy")
    with contextlib.closing(sqlite3.connect(database, isolation_level=None)) as user:
        user.execute("BEGIN")
        user.execute("SELECT * FROM twin").fetchall()
        with pytest.raises(Unusable, match="in use"):
            restore(tmp_path / "copy", database, database.parent)
    assert names(database) == ["Friday"]


def test_relative_address_means_the_folder_of_the_caller(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert absolute_url("sqlite:///desk.sqlite3") == f"sqlite:///{tmp_path}/desk.sqlite3"
    assert absolute_url("postgresql://h/desk") == "postgresql://h/desk"
    monkeypatch.setenv("DATABASE_URL", "sqlite:///desk.sqlite3")
    assert database_path(tmp_path / "var") == tmp_path / "desk.sqlite3"


def damages(content: bytes) -> Iterator[bytes]:
    """Cuts, single bits and blocks of 512 bytes, in the header, the pages, what SQLite does not use, and the seal."""
    chance, size = random.Random(20261122), len(content)
    yield from (content[: size - cut] for cut in (1, 64, 130, 4096, size // 2, size - 1))
    for place in [0, 24, 68, 70, size - 1, size - 65, size - 100, *(chance.randrange(size) for _time in range(40))]:
        yield content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :]
    for place in [0, size - 512, *(chance.randrange(size - 512) for _time in range(20))]:
        block = bytes(byte ^ 0x5A for byte in content[place : place + 512])
        yield content[:place] + block + content[place + 512 :]


def taken(bad: Path, database: Path) -> list[str]:
    """What is said of every damaged copy; "" for one that is restored."""
    words = []
    for damaged in damages(bad.read_bytes()):
        copy = bad.with_name("damaged")
        copy.write_bytes(damaged)
        try:
            restore(copy, database, database.parent)
            words.append("")
        except Unusable as refused:
            words.append(str(refused))
    return words


def test_a_backup_damaged_anywhere_is_refused_in_one_line(database: Path, tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(database)) as connection:  # leave pages that nothing uses
        connection.executemany("INSERT INTO twin VALUES (?)", [("x" * 900,)] * 99)
        connection.execute("DELETE FROM twin WHERE name LIKE 'xx%'")
        connection.commit()
    back_up(database, tmp_path / "copy")
    words, before = taken(tmp_path / "copy", database), names(database)
    assert len(words) == 75
    assert all("Nothing was touched" in each and "\n" not in each and "malformed" not in each for each in words)
    assert before == ["Friday"]
    assert not list(database.parent.glob("before-restore-*"))


def test_without_the_digest_damaged_backups_are_taken(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: what SQLite checks by itself is not enough."""
    back_up(database, tmp_path / "copy")
    monkeypatch.setattr("launch.backup.check_seal", lambda source: None)
    assert "" in taken(tmp_path / "copy", database)


def test_a_backup_of_an_older_version_has_no_digest_and_is_still_restored(database: Path, tmp_path: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(database)) as old,
        contextlib.closing(sqlite3.connect(tmp_path / "old")) as new,
    ):
        old.backup(new)
    restore(tmp_path / "old", database, database.parent)
    back_up(database, tmp_path / "copy")
    restore(tmp_path / "copy", database, database.parent)
    back_up(database, tmp_path / "again")
    assert names(database) == ["Friday"]
