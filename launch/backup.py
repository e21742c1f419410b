"""`./run backup` and `./run restore`: the laptop's data in one file, and back."""

import contextlib
import hashlib
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from launch.database import stamp
from launch.failures import Unusable

MARK = 0x446F6F6D
"""SQLite's application id of a backup, in the header: its digest stands at the end."""
HEADER, APPLICATION_ID = 100, 68
"""Length of SQLite's header, and where the application id stands in it (https://sqlite.org/fileformat2.html)."""
SEAL = b"\nDoomdesk backup, SHA-256 of everything before this line: "


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
        copy_database(database, draft, MARK)
        append_digest(draft)
        put_in_place(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def restore(source: Path, database: Path, var: Path) -> Path | None:
    """Put a backup whose digest fits in the place of the database; returns where the old one went, if any."""
    if not source.is_file():
        raise Unusable(f"There is no file {source}.")
    database.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = beside(database)
    try:
        check_seal(source)
        copy_database(source, draft, 0)
        kept = keep_old(database)
        os.replace(draft, database)
        sync_folder(database.parent)
    finally:
        draft.unlink(missing_ok=True)
    stamp(database).unlink(missing_ok=True)
    shutil.rmtree(var / "valkey", ignore_errors=True)  # the queue and cache belonged to the old data
    return kept


def copy_database(source: Path, target: Path, marked: int) -> None:
    """Copy through SQLite's backup interface in one read transaction, as a single closed file, and check the copy.

    `marked` becomes its application id.
    """
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=30)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")
            new.execute(f"PRAGMA application_id={marked}")
            require_sound(new, source)
    except sqlite3.Error as error:
        raise Unusable(explain(source, error)) from None
    sync_file(target)


def explain(source: Path, error: sqlite3.Error) -> str:
    """One line for what SQLite could not do, without its words."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return "The disk is full: free some space and try again."
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{source} is in use: try again in a moment."
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY):
        return f"{source} cannot be read: start as the user who owns it."
    return damaged(source)


def damaged(source: Path) -> str:
    """What is said of a file that is not as it was written."""
    return f"{source} is damaged or was changed. Nothing was touched: use another copy."


def require_sound(connection: sqlite3.Connection, source: Path) -> None:
    """Raise Unusable unless the copy is whole and is a database of Doomdesk."""
    is_whole = [row[0] for row in connection.execute("PRAGMA integrity_check")] == ["ok"]
    if not is_whole or connection.execute("PRAGMA foreign_key_check").fetchone():
        raise Unusable(damaged(source))
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'accounts_person'").fetchone():
        raise Unusable(f"{source} is not a database of Doomdesk. Nothing was touched.")


def append_digest(copy: Path) -> None:
    """Put the digest of all its bytes at the end of a copy, where SQLite does not look."""
    with copy.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    with copy.open("ab") as file:
        file.write(SEAL + digest.encode())
    sync_file(copy)


def check_seal(source: Path) -> None:
    """Raise Unusable where a backup's digest does not fit; a backup of an older version has none.

    The file's header says that a digest belongs to it: what is cut off at the end is missed, and what is changed
    anywhere, in parts that SQLite does not use or in the digest itself, does not fit.
    """
    length = len(SEAL) + 2 * hashlib.sha256().digest_size
    with source.open("rb") as file:
        header = file.read(HEADER)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - length))
        last = file.read()
    is_marked = header[APPLICATION_ID : APPLICATION_ID + 4] == MARK.to_bytes(4, "big")
    if not (is_marked or last.startswith(SEAL)):
        return
    whole = hashlib.sha256()
    with source.open("rb") as file:
        for piece in pieces(file, max(0, size - length)):
            whole.update(piece)
    if last != SEAL + whole.hexdigest().encode():
        raise Unusable(damaged(source))


def pieces(file: BinaryIO, length: int) -> Iterator[bytes]:
    """The first `length` bytes of a file, some at a time."""
    while length > 0 and (piece := file.read(min(length, 1 << 20))):
        length -= len(piece)
        yield piece


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
