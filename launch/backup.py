"""`./run backup` and `./run restore`: the laptop's data in one file, and back."""

import contextlib
import os
import secrets
import shutil
import sqlite3
import time
from pathlib import Path

from launch.database import stamp
from launch.failures import Unusable


def back_up(database: Path, target: Path) -> None:
    """Write a consistent, checked copy of a database in use to a new file; raises Unusable, leaving nothing."""
    if not database.exists():
        raise Unusable(f"There is nothing to copy yet: {database} does not exist.")
    if target.exists():
        raise Unusable(f"{target} exists already: choose another name or move it away.")
    if not target.parent.is_dir():
        raise Unusable(f"The folder {target.parent} does not exist.")
    draft = beside(target)
    try:
        copy_database(database, draft)
        put_in_place(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def restore(source: Path, database: Path, var: Path) -> Path | None:
    """Put a backup in the database's place; returns where the old one went, None when there was none."""
    if not source.is_file():
        raise Unusable(f"There is no file {source}.")
    database.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = beside(database)
    try:
        copy_database(source, draft)
        kept = keep_old(database)
        os.replace(draft, database)
        sync_folder(database.parent)
    finally:
        draft.unlink(missing_ok=True)
    stamp(database).unlink(missing_ok=True)
    shutil.rmtree(var / "valkey", ignore_errors=True)  # the queue and cache belonged to the old data
    return kept


def copy_database(source: Path, target: Path) -> None:
    """Copy through SQLite's backup interface in one read transaction, as a single closed file, and check the copy."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=30)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            require_sound(new, source)
    except sqlite3.Error as error:
        raise Unusable(f"{source} could not be copied: {error}.") from None
    sync_file(target)


def require_sound(connection: sqlite3.Connection, source: Path) -> None:
    """Raise Unusable unless the copy is whole and is a database of Doomdesk."""
    problems = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
    problems += [f"{table} refers to a missing row" for table, *_ in connection.execute("PRAGMA foreign_key_check")]
    if problems:
        raise Unusable(f"{source} is damaged: {problems[0]}.")
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'accounts_person'").fetchone():
        raise Unusable(f"{source} is not a database of Doomdesk.")


def put_in_place(draft: Path, target: Path) -> None:
    """Give a finished copy its name at once, never over a file that appeared meanwhile."""
    try:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise Unusable(f"{target} exists already: choose another name or move it away.") from None
    os.replace(draft, target)
    sync_folder(target.parent)


def keep_old(database: Path) -> Path | None:
    """Close the database that is about to be replaced and keep a copy of it beside; None when there is none."""
    if not database.exists():
        return None
    kept = database.with_name(f"before-restore-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}.sqlite3")
    try:
        with contextlib.closing(sqlite3.connect(database, timeout=5)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise Unusable("The database is in use: stop every Doomdesk process first.") from None
    keep_files(database, kept)
    return kept


def keep_files(database: Path, kept: Path) -> None:
    """Copy the old database, damaged or not, with what its log still holds; then drop that log."""
    shutil.copy2(database, kept)
    sync_file(kept)
    for ending in ("-wal", "-shm", "-journal"):
        rest = database.with_name(database.name + ending)
        if rest.exists():
            os.replace(rest, kept.with_name(kept.name + ending))


def beside(path: Path) -> Path:
    """A fresh hidden name in the same folder."""
    return path.with_name(f".{path.name}-{secrets.token_hex(4)}")


def sync_file(path: Path) -> None:
    """Force a file to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Force a folder's names to the disk."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
