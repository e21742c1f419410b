"""The standings of a tournament, always recomputed from the reports that count."""

from collections import defaultdict
from dataclasses import dataclass, fields

from django.core.cache import cache
from django.db.models import F

from journal.selectors import head_of
from scoring.records import MatchKind, MatchRecord, Outcome, SeatRecord
from scoring.standings import Standing, compute_standings
from tournaments.models import Entry, SeatResult, Tournament

CACHE_SECONDS = 24 * 3600
SHAPE = "-".join(each.name for each in fields(Standing))
"""Part of the cache's key: an upgrade that changes what a standing holds reads no old ones."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A ranked line and the entry it belongs to."""

    standing: Standing
    entry: Entry


def records_of(tournament: Tournament) -> list[MatchRecord]:
    """Every match with a standing report, as scoring's values; one query."""
    rows = (
        SeatResult.objects.filter(
            report__match__round__stage__tournament=tournament,
            report__match__round__superseded_at=None,
            report__match__standing_report=F("report"),
        )
        .order_by("report__match__round__number", "report__match_id", "seat__order")
        .values_list(
            "report__match_id", "report__match__round__number", "report__match__kind",
            "report__games_drawn", "report__games_lost", "seat__entry_id", "outcome", "games_won",
        )
    )  # fmt: skip
    seats: dict[tuple[int, int, str, int, int], list[SeatRecord]] = defaultdict(list)
    for match, number, kind, drawn, lost, entry, outcome, won in rows:
        seats[match, number, kind, drawn, lost].append(SeatRecord(entry, Outcome(outcome), won))
    return [
        MatchRecord(number, MatchKind(kind), tuple(found), games_drawn=drawn, games_lost=lost)
        for (_match, number, kind, drawn, lost), found in seats.items()
    ]


def compute_standings_of(tournament: Tournament) -> tuple[Standing, ...]:
    """Standings from the database alone: everybody who plays, played or dropped; contenders are entry ids."""
    entries = Entry.objects.filter(tournament=tournament, state__in=[Entry.State.REGISTERED, Entry.State.DROPPED])
    return compute_standings(
        entries.order_by("number").values_list("pk", flat=True), records_of(tournament), tournament.scoring_policy
    )


def standings_of(tournament: Tournament) -> tuple[Standing, ...]:
    """The same, from the cache where it holds this very ledger position; wiping the cache changes no answer."""
    key = f"standings:{SHAPE}:{tournament.stream}:{head_of(tournament.stream)}"
    found: tuple[Standing, ...] | None = cache.get(key)
    if found is None:
        found = compute_standings_of(tournament)
        cache.set(key, found, CACHE_SECONDS)
    return found


def standing_rows(tournament: Tournament) -> list[StandingRow]:
    """Standings with their entries, best first."""
    entries = {entry.pk: entry for entry in tournament.entries.all()}
    return [
        StandingRow(standing, entries[standing.contender])
        for standing in standings_of(tournament)
        if standing.contender in entries
    ]
