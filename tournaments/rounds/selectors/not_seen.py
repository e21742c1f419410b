"""Who has not been seen since a round: asked about before the next is paired. A suggestion, never an act of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Max, Q

from journal.models import LedgerEntry
from tournaments.core.rounds import is_played, rounds_of
from tournaments.models import Entry, EntryMember, Match, ResultReport, SeatResult, Tournament
from tournaments.structure.selectors.stages import contestants, current_stage

SEEN_BY = (
    "entry.seen", "entry.registered", "entry.promoted", "entry.returned", "entry.checked_in", "deck.checked",
)  # fmt: skip
"""Acts by which the entry that they are about is seen."""
Kind = ResultReport.Kind


@dataclass(frozen=True, slots=True)
class NotSeen:
    """An entry that nothing shows to be here since round `since`; 0: not since the start."""

    entry: Entry
    since: int


def not_seen(tournament: Tournament) -> list[NotSeen]:
    """Who would be paired next and was not seen in the newest round, by number; a constant number of queries.

    Seen is who played a match, had an opponent who did not come, acted on a page or a phone, or was the subject of a
    check; a bye shows nothing. Empty in a bracket, before the first round, and while the newest is not over.
    """
    newest = rounds_of(tournament).order_by("-number").select_related("stage").first()
    if newest is None or newest.published_at is None or newest.stage.is_bracket or is_played(newest):
        return []
    stage = current_stage(tournament)
    playing = [] if stage.is_bracket else list(contestants(stage).order_by("number"))
    last = _last_rounds(tournament)
    missing = [entry for entry in playing if last.get(entry.pk, 0) < newest.number]
    here = _seen_since(tournament, missing, newest.published_at)
    return [NotSeen(entry, last.get(entry.pk, 0)) for entry in missing if entry.pk not in here]


def _last_rounds(tournament: Tournament) -> dict[int, int]:
    """The last round in which a result says that an entry was there."""
    there = Q(report__kind__in=(Kind.PLAYED, Kind.INTENTIONAL_DRAW)) | Q(report__kind=Kind.NO_SHOW, outcome="win")
    counting = Q(seat__match__accepted_report=F("report")) & Q(
        seat__round__stage__tournament=tournament, seat__round__superseded_at=None
    )
    found = SeatResult.objects.filter(there & counting, seat__match__kind=Match.Kind.PLAYED)
    return dict(found.values_list("seat__entry").annotate(last=Max("seat__round__number")).order_by())


def _seen_since(tournament: Tournament, entries: Sequence[Entry], since: datetime) -> set[int]:
    """Which of the entries acted, or were seen by staff, from then on."""
    by_key: dict[str, int] = {}
    for member in EntryMember.objects.filter(entry__in=entries).select_related("person"):
        by_key[f"person:{member.person_id}"] = member.entry_id
        by_key[f"user:{member.person.user_id}"] = member.entry_id
    by_number = {entry.number: entry.pk for entry in entries}
    acts = LedgerEntry.objects.filter(stream=tournament.stream, at__gte=since)
    own = acts.filter(actor__in=by_key).values_list("actor", flat=True).distinct()
    about = acts.filter(act__in=SEEN_BY).values_list("subjects__entry", flat=True)
    return {by_key[key] for key in own} | {by_number[number] for number in about if number in by_number}
