"""The standings of a tournament, always recomputed from the reports that count."""

from dataclasses import dataclass, fields
from itertools import groupby
from operator import itemgetter

from django.core.cache import cache

from journal.selectors import head_of
from scoring.records import MatchKind, MatchRecord, Outcome, SeatRecord
from scoring.standings import Standing, compute_standings
from tournaments.models import Entry, Match, Tournament

KINDS = {each.value: each for each in MatchKind}
OUTCOMES = {each.value: each for each in Outcome}
CACHE_SECONDS = 24 * 3600
SHAPE = "-".join(each.name for each in fields(Standing))
"""Part of the cache's key: an upgrade that changes what a standing holds reads no old ones."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A ranked line and the entry it belongs to."""

    standing: Standing
    entry: Entry


def records_of(tournament: Tournament) -> list[MatchRecord]:
    """Every match with a standing report, as scoring's values, round by round; one query."""
    rows = (
        Match.objects.filter(
            round__stage__tournament=tournament,
            round__superseded_at=None,
            standing_report__seat_results__isnull=False,
        )
        .order_by("round__number", "pk", "standing_report__seat_results__seat__order")
        .values_list(
            "pk", "round__number", "kind", "standing_report__games_drawn", "standing_report__games_lost",
            "standing_report__seat_results__seat__entry_id", "standing_report__seat_results__outcome",
            "standing_report__seat_results__games_won",
        )
    )  # fmt: skip
    return [
        MatchRecord(
            number,
            KINDS[kind],
            tuple(SeatRecord(entry, OUTCOMES[outcome], won) for *_match, entry, outcome, won in seats),
            games_drawn=drawn,
            games_lost=lost,
        )
        for (_pk, number, kind, drawn, lost), seats in groupby(rows, key=itemgetter(0, 1, 2, 3, 4))
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
