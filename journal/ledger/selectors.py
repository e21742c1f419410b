"""Reads of the journal: the head of a stream, and the recomputation of its chain."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Prefetch

from journal.ledger.chain import Act, compute_digest, compute_hash
from journal.ledger.contents import Book
from journal.models import LedgerEntry, LedgerHead, PersonalValue

LOOKS = 3
"""How often a stream in use is looked at before what differs is believed."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a stream stands: number and hash of its newest entry; (0, "") for a stream that has none."""

    sequence: int
    hash: str

    def __str__(self) -> str:
        return f"{self.sequence}:{self.hash}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One breach of a stream: at which entry, and what is wrong there."""

    sequence: int
    text: str


def head_of(stream: str) -> Head:
    """The head of a stream; can be published, and handed to `verify_stream` later."""
    row = LedgerHead.objects.filter(pk=stream).first()
    return Head(row.sequence, row.hash) if row else Head(0, "")


def heads_of(streams: Iterable[str]) -> dict[str, Head]:
    """The heads of several streams by name; one query."""
    rows = LedgerHead.objects.in_bulk(list(streams))
    return {stream: Head(row.sequence, row.hash) for stream, row in rows.items()}


def streams() -> list[str]:
    """Every stream that has a head or an entry, sorted."""
    names = set(LedgerHead.objects.values_list("stream", flat=True))
    names |= set(LedgerEntry.objects.order_by().values_list("stream", flat=True).distinct())
    return sorted(names)


def verify_stream(stream: str, published: Head | None = None) -> list[Problem]:
    """Recompute the chain of a stream; an empty list means sound.

    Finds entries changed, dropped, swapped, put in or cut off the tail, personal values that miss their digests, and
    rows that do not hold what an act stored (`journal.ledger.contents`): each named with that act, the first one first.
    With `published`, a head that was noted outside, it also finds a chain that was rewritten as a whole.
    """
    problems: list[Problem] = []
    for _try in range(LOOKS):
        before = head_of(stream)
        problems = _look_at(stream, published)
        if not problems or head_of(stream) == before:  # else acts came in between two reads: what differs may be theirs
            break
    return problems


def _look_at(stream: str, published: Head | None) -> list[Problem]:
    problems: list[Problem] = []
    last, book = Head(0, ""), Book()
    for entry in _entries(stream):
        problems += _faults(entry, last)
        book.note(entry)
        last = Head(entry.sequence, entry.hash)
        if published and entry.sequence == published.sequence and entry.hash != published.hash:
            problems.append(Problem(entry.sequence, "the hash differs from the published head"))
    if last != head_of(stream):
        problems.append(Problem(last.sequence, "the last entry is not the one that the head names"))
    if published and last.sequence < published.sequence:
        problems.append(Problem(last.sequence, "the stream ends before the published head"))
    problems += [Problem(each.sequence, each.text) for each in book.differences()]
    return sorted(problems, key=lambda problem: problem.sequence)


def _entries(stream: str) -> Iterator[LedgerEntry]:
    values = Prefetch("personal_values", PersonalValue.objects.order_by("key"))
    entries = LedgerEntry.objects.filter(stream=stream).order_by("sequence").prefetch_related(values)
    return entries.iterator(chunk_size=500)


def _faults(entry: LedgerEntry, last: Head) -> Iterator[Problem]:
    if entry.sequence != last.sequence + 1:
        yield Problem(entry.sequence, f"entry {last.sequence + 1} is missing")
    if entry.previous_hash != last.hash:
        yield Problem(entry.sequence, "it does not follow the entry before it")
    if entry.hash != compute_hash(entry.previous_hash, stated_by(entry)):
        yield Problem(entry.sequence, "its hash does not fit what it says")
    for personal in entry.personal_values.all():
        if entry.digests.get(personal.key) != compute_digest(personal.salt, personal.value):
            yield Problem(entry.sequence, f"its personal value {personal.key!r} does not fit the digest")


def stated_by(entry: LedgerEntry) -> Act:
    """What an entry states, as the hash covers it."""
    return Act(
        entry.stream,
        entry.sequence,
        entry.at,
        entry.actor,
        entry.role,
        entry.act,
        entry.subjects,
        entry.digests,
        entry.contents,
    )
