"""What acts stored, as the ledger commits to it: a salted digest of each row that an act wrote; its recomputation.

An app lists the kinds of rows it has in a module named by the setting LEDGER_CONTENTS, as `KINDS`. What a kind reads
never changes once it is released: what is to be read otherwise gets a new kind, so that old entries stay verifiable.
Personal values that can be erased are no part of it.
"""

import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from importlib import import_module

from django.conf import settings

from journal.ledger.chain import Contents, compute_digest
from journal.models import LedgerEntry

Row = tuple[str, str]
"""A row that an act wrote: its kind, and its key among those."""
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of rows: `read` gives what the rows with these keys hold, without those that are not there.

    `changes`: later acts write the row again, so that only the newest act that names it tells what it holds. Else it is
    never changed. `may_go`: the row may be deleted without an act of its own. `earlier`: gives what rows hold as an
    earlier version read them; what an act stored may be either.
    """

    read: Callable[[Collection[str]], Mapping[str, object]]
    changes: bool = False
    may_go: bool = False
    earlier: Callable[[Collection[str]], Mapping[str, object]] | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A row that does not hold what an act stored: the number of that act, and what is wrong."""

    sequence: int
    text: str


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind of rows by name."""
    found: dict[str, Kind] = {}
    for module in settings.LEDGER_CONTENTS:
        found |= import_module(module).KINDS
    return found


def commit_to(rows: Iterable[Row], held: Mapping[Row, object] | None = None) -> Contents:
    """What an entry states of rows as they lie in the running transaction; {} where an act wrote none.

    What `held` tells of a row, as its kind would read it, is not read again.
    The salt keeps whoever sees a hash of the chain from trying out what a secret row may hold.
    """
    wanted: dict[str, list[str]] = defaultdict(list)
    for kind, key in dict.fromkeys(rows):
        wanted[kind].append(key)
    if not wanted:
        return {}
    salt = secrets.token_hex(32)
    digests: dict[str, str] = {}
    for kind, keys in wanted.items():
        known = {key: held[kind, key] for key in keys if (kind, key) in held} if held else {}
        unknown = [key for key in keys if key not in known]
        found = {**known, **(kinds()[kind].read(unknown) if unknown else {})}
        digests |= {f"{kind}:{key}": _digest(salt, kind, key, found.get(key)) for key in keys}
    return {"salt": salt, "rows": digests}


def _digest(salt: str, kind: str, key: str, held: object) -> str:
    """The digest of one row, None for a row that is not there."""
    stated = [kind, key, held]
    text = json.dumps(stated, sort_keys=True, separators=(",", ":"), allow_nan=False, default=plain)
    return compute_digest(salt, text)


def plain(value: object) -> str:
    """Moments and decimals as both databases give them back."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    raise TypeError(f"{type(value).__name__} has no plain form")


@dataclass(frozen=True, slots=True)
class _Stored:
    """What one entry states of one row."""

    sequence: int
    act: str
    salt: str
    digest: str


@dataclass(slots=True)
class Book:
    """What the entries of a stream state of rows, gathered one by one and then compared with the rows."""

    _stored: dict[str, dict[str, _Stored]] = field(default_factory=lambda: defaultdict(dict))

    def note(self, entry: LedgerEntry) -> None:
        """Take what an entry states: the first word counts of a row that never changes, else the last."""
        contents = entry.contents or {}
        for name, digest in contents.get("rows", {}).items():
            kind, _colon, key = name.partition(":")
            known = kinds().get(kind)
            if (known is not None and known.changes) or key not in self._stored[kind]:
                self._stored[kind][key] = _Stored(entry.sequence, entry.act, contents["salt"], digest)

    def differences(self) -> Iterator[Difference]:
        """Rows that hold something else than what was stored, or are gone."""
        for name, stored in self._stored.items():
            kind = kinds().get(name)
            if kind is None:
                first = min(stored.values(), key=lambda each: each.sequence)
                yield Difference(first.sequence, f"rows of the kind {name!r} cannot be read by this version")
            else:
                yield from _compare(name, kind, stored)


def _compare(name: str, kind: Kind, stored: Mapping[str, _Stored]) -> Iterator[Difference]:
    keys = list(stored)
    for start in range(0, len(keys), AT_ONCE):
        some = keys[start : start + AT_ONCE]
        held = kind.read(some)
        for key in some:
            said, row = stored[key], held.get(key)
            if said.digest == _digest(said.salt, name, key, row) or (row is None and kind.may_go):
                continue
            if kind.earlier and said.digest == _digest(said.salt, name, key, kind.earlier([key]).get(key)):
                continue
            what = "is gone" if row is None else "does not hold what this act stored"
            yield Difference(said.sequence, f"{said.act}: {name} {key} {what}")
