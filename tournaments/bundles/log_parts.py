"""The log in an event file: the chain of acts as far as the reader may see them, and what it commits to."""

from collections.abc import Collection, Iterator
from typing import Any

from journal.ledger.selectors import head_of
from journal.models import LedgerEntry
from tournaments.bundles.scopes import ExportedEvent, Part
from tournaments.core.contents import KINDS
from tournaments.models import Match, Penalty, ResultReport, Tournament

AT_ONCE = 1000
"""Rows of the log, or of what it commits to, in one part: what is held in memory at a time."""
PUBLIC_ACTS = ("result.", "round.published", "round.closed", "event.state_changed")
"""The acts whose entries everybody may read in full, once the event is over."""
OF_DECKS = ("deck.", "deck_version:", "check:")
"""How the acts about decks begin, and the rows that any other act, such as an undo, may have stored of them."""
COMMITTED = ("report", "match", "penalty")
"""The kinds of rows that go along with the log, so that its digests of them can be computed again."""


def ledger_parts(event: ExportedEvent) -> Iterator[Part]:
    """The log's chain without personal values. Of an act that the reader may not see, only number and hash are left."""
    head = head_of(event.tournament.stream)
    yield "ledger.json", {"stream": event.tournament.stream, "sequence": head.sequence, "hash": head.hash}
    accepted = _accepted_reports(event.tournament)
    for first in range(1, head.sequence + 1, AT_ONCE):
        span = (first, min(first + AT_ONCE - 1, head.sequence))
        rows = LedgerEntry.objects.filter(stream=event.tournament.stream, sequence__range=span).order_by("sequence")
        yield f"ledger/{first:07}.json", [_act(event, each, accepted) for each in rows]


def _accepted_reports(tournament: Tournament) -> frozenset[int]:
    matches = Match.objects.filter(round__stage__tournament=tournament, round__superseded_at=None)
    return frozenset(matches.exclude(accepted_report=None).values_list("accepted_report", flat=True))


def _act(event: ExportedEvent, entry: LedgerEntry, accepted: Collection[int]) -> dict[str, Any]:
    row: dict[str, Any] = {"sequence": entry.sequence, "hash": entry.hash}
    if not _is_exported(event, entry, accepted):
        return row
    return row | {
        "at": entry.at, "actor": entry.actor, "role": entry.role, "act": entry.act, "subjects": entry.subjects,
        "digests": entry.digests, "contents": entry.contents,
    }  # fmt: skip


def _is_exported(event: ExportedEvent, entry: LedgerEntry, accepted: Collection[int]) -> bool:
    """Whether the reader gets the entry itself, whose salt lets one try out what the rows behind it hold."""
    if event.whole:
        named = (entry.act, *(entry.contents or {}).get("rows", ()))
        return event.decks_are_public or not any(name.startswith(OF_DECKS) for name in named)
    report = entry.subjects.get("report")
    return entry.act.startswith(PUBLIC_ACTS) and (report is None or report in accepted)


def committed_parts(event: ExportedEvent) -> Iterator[Part]:
    """What the rows hold that the log commits to, by "kind:key", as `journal.ledger.contents` reads them."""
    of_event = {
        "report": ResultReport.objects.filter(match__round__stage__tournament=event.tournament),
        "match": Match.objects.filter(round__stage__tournament=event.tournament),
        "penalty": Penalty.objects.filter(tournament=event.tournament),
    }
    for kind in COMMITTED:
        keys = [str(pk) for pk in of_event[kind].order_by("pk").values_list("pk", flat=True)]
        for first in range(0, len(keys), AT_ONCE):
            held = KINDS[kind].read(keys[first : first + AT_ONCE])
            yield f"contents/{kind}-{first:07}.json", {f"{kind}:{key}": row for key, row in held.items()}
