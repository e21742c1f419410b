"""Where each part of an event stands, as this process read it from the ledger: nothing is written for it.

A part's version is the hash of the entry that changed it last. What a process has read it need not read again: at each
request it learns the newest hash, and reads the entries since the last one it knows. It begins with everything as new
as the newest entry.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from accounts.identity.selectors import STREAM as ACCOUNTS
from journal.ledger.selectors import head_of
from journal.models import LedgerEntry
from tournaments.core.parts import Part, ends_answers, parts_of
from tournaments.models import Tournament

PARTS = frozenset(Part)
MAX_STREAMS = 1000
MAX_ENTRIES = 500
"""Entries that are read at once; further behind, everything counts as changed."""


@dataclass(frozen=True, slots=True)
class Position:
    """The newest entry of a stream that was read, by number and hash, and which entry changed each part since."""

    sequence: int
    head: str
    begun: str
    changed: Mapping[str, str]
    """By part, and by match since the last act that changed `Part.OTHERS`."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Where an event and what its people are called stood when a request came."""

    event: Position
    accounts: Position

    def of(self, parts: Collection[Part] | None) -> tuple[str, ...]:
        """The versions of some parts, of the whole event for None; equal ones mean that these did not change."""
        shown = [self.event.head] if parts is None else [_version(self.event, part) for part in sorted(parts)]
        return (*shown, _version(self.accounts, Part.NAMES))

    def of_match(self, match: int) -> str:
        """The state of a match, by id: the same until it is reported, or anything else happens at the event."""
        others = _version(self.event, Part.OTHERS)
        return f"{others} {self.event.changed.get(_of_match(match), '')}"


_read: dict[str, Position] = {}


def versions_of(found: Tournament) -> Versions:
    """The versions of an event that `find_event_head` found; a query where something happened since the last time."""
    heads: tuple[str | None, str | None] = (found.head, found.accounts_head)  # type: ignore[attr-defined]
    return Versions(_follow(found.stream, heads[0] or ""), _follow(ACCOUNTS, heads[1] or ""))


def _follow(stream: str, head: str) -> Position:
    known = _read.get(stream)
    if known is None or known.head != head:
        if len(_read) >= MAX_STREAMS:
            _read.clear()
        known = _read[stream] = (known and _after(stream, known)) or _begin(stream)
    return known


def _begin(stream: str) -> Position:
    newest = head_of(stream)
    return Position(newest.sequence, newest.hash, newest.hash, {})


def _after(stream: str, known: Position) -> Position | None:
    """The position after the entries that came since; None where they are too many, or do not follow on what we know.

    They do not where a backup of the ledger was put back.
    """
    later = LedgerEntry.objects.filter(stream=stream, sequence__gte=known.sequence).order_by("sequence")
    entries = list(later.values_list("sequence", "hash", "act", "subjects")[: MAX_ENTRIES + 1])
    if known.sequence and (not entries or entries[0][:2] != (known.sequence, known.head)):
        return None
    if len(entries) > MAX_ENTRIES:
        return None
    changed = dict(known.changed)
    for _sequence, hash_, act, subjects in entries[1 if known.sequence else 0 :]:
        changed.update(dict.fromkeys(parts_of(act, subjects), hash_))
        match = subjects.get("match")
        if ends_answers(act) or match is None:
            changed = {part: hash_ for part, hash_ in changed.items() if part in PARTS} | {Part.OTHERS: hash_}
        else:
            changed[_of_match(match)] = hash_
    return Position(*(entries[-1][:2] if entries else (known.sequence, known.head)), known.begun, changed)


def _version(position: Position, part: Part) -> str:
    return position.changed.get(part, position.begun)


def _of_match(match: object) -> str:
    return f"match {match}"
