"""Writes an event file: a zip of canonical JSON, each part's digest in a manifest, the manifest signed by the site."""

import hashlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.core.cache import cache
from django.db import connection

from journal.clock import database_now
from journal.ledger.contents import plain
from journal.ledger.selectors import head_of
from tournaments.bundles.keys import public_key, sign
from tournaments.bundles.scopes import Scope
from tournaments.bundles.selectors import FORMAT, parts_of
from tournaments.decks.selectors.decks import decks_are_locked
from tournaments.models import Tournament

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
BLOCK = 1 << 20
KEPT_SECONDS = 60
_SNAPSHOT = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",  # a plain transaction would be an immediate one, and hold up whoever writes
}


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, in UTF-8, without spaces, ended by one line feed: one value has one text."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=plain)
    return f"{text}\n".encode()


def event_file(tournament: Tournament, scope: Scope) -> IO[bytes]:
    """The event file as an open temporary file, at its beginning; it goes when it is closed.

    One part at a time is in memory. The same state of the event gives the same bytes; of an event that was brought in
    as a file, these are that file's.
    """
    if tournament.is_brought:
        return io.BytesIO(bytes(tournament.brought_file.data))
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        with snapshot():
            _write(Tournament.objects.get(pk=tournament.pk), scope, file)
        _seal(file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def file_bytes(tournament: Tournament, scope: Scope) -> bytes:
    """The event file as it is sent: of thousands of players some megabytes. The public one is kept for a minute.

    Until the next act, or until decks are locked or shown by the clock, it is the same, however many ask for it.
    """
    if scope is Scope.WHOLE:
        return _read(tournament, scope)
    now, published_at = database_now(), tournament.decks_published_at
    shown = published_at is not None and published_at <= now
    key = f"{FORMAT}:{head_of(tournament.stream)}:{tournament.stream}:{decks_are_locked(tournament, now)}:{shown}"
    found: bytes | None = cache.get(key)
    if found is None:
        found = _read(tournament, scope)
        cache.set(key, found, KEPT_SECONDS)
    return found


def _read(tournament: Tournament, scope: Scope) -> bytes:
    with event_file(tournament, scope) as file:
        return file.read()


@contextmanager
def snapshot() -> Iterator[None]:
    """All queries see one state of the database, and hold up nobody; within a transaction, that one's."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_SNAPSHOT[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _write(tournament: Tournament, scope: Scope, file: IO[bytes]) -> None:
    digests: dict[str, str] = {}
    with ZipFile(file, "w") as archive:
        archive.comment = _comment("0" * 64)
        for name, value in parts_of(tournament, scope, database_now()):
            digests[name] = _put(archive, name, canonical(value))
        manifest = canonical(
            {"format": FORMAT, "scope": scope, "event": tournament.slug, "key": public_key(), "files": digests}
        )
        _put(archive, MANIFEST, manifest)
        _put(archive, SIGNATURE, f"{sign(manifest)}\n".encode())


def _put(archive: ZipFile, name: str, content: bytes) -> str:
    """Store one part under a fixed date, so that the same content gives the same file; answers its digest."""
    archive.writestr(ZipInfo(name), content, compress_type=ZIP_DEFLATED)
    return hashlib.sha256(content).hexdigest()


def _comment(digest: str) -> bytes:
    return f"{FORMAT} sha256:{digest}".encode()


def _seal(file: IO[bytes]) -> None:
    """Put the digest of all bytes before it into the archive's comment, which ends the file: a damaged copy shows."""
    end = file.seek(0, os.SEEK_END) - len(_comment("0" * 64))
    file.seek(0)
    digest = hashlib.sha256()
    left = end
    while left:
        block = file.read(min(BLOCK, left))
        digest.update(block)
        left -= len(block)
    file.seek(end)
    file.write(_comment(digest.hexdigest()))


def file_name(tournament: Tournament, scope: Scope) -> str:
    """What an event file is called where it is stored."""
    return f"{tournament.slug}.zip" if scope is Scope.PUBLIC else f"{tournament.slug}-whole.zip"
