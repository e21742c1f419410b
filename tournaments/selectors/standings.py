"""The standings of a tournament, always recomputed from the reports that count."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from django.core.cache import cache

from journal.selectors import Head, head_of, heads_of
from scoring.finish import StageFinish, order_finish
from scoring.records import ContenderFacts, MatchKind, MatchRecord, Outcome, ScoringPolicy, SeatRecord
from scoring.standings import Standing, compute_standings
from tournaments.models import Entry, Match, ResultReport, Tournament

State = Entry.State

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


@dataclass(frozen=True, slots=True)
class StandingsGiven:
    """Everything that standings depend on, as values: change a record to see what would follow.

    `records` by match id, round by round; `stages` are the stages after the first that have begun.
    """

    contenders: tuple[ContenderFacts, ...]
    records: Mapping[int, MatchRecord]
    policy: ScoringPolicy
    stages: tuple[StageFinish, ...] = ()

    def compute(self) -> tuple[Standing, ...]:
        """The standings in final order."""
        standings = compute_standings(self.contenders, self.records.values(), self.policy)
        return order_finish(standings, self.stages) if self.stages else standings


def lot_of(tournament: Tournament, number: int) -> int:
    """The lot of an entry by its number: nobody can choose it, everybody can draw it again."""
    return int.from_bytes(hashlib.sha256(f"{tournament.stream}:{number}".encode()).digest()[:6])


def standings_given(tournament: Tournament) -> StandingsGiven:
    """What the standings of a tournament depend on now; everybody who plays, played, dropped or was disqualified."""
    entries = tournament.entries.filter(state__in=[State.REGISTERED, State.DROPPED, State.DISQUALIFIED])
    rows = entries.order_by("number").values_list("pk", "number", "entered_round", "dropped_after", "state")
    contenders = tuple(
        ContenderFacts(
            pk, lot_of(tournament, number), entered, dropped, late=entered > 1, ranked=state != State.DISQUALIFIED
        )
        for pk, number, entered, dropped, state in rows
    )
    return StandingsGiven(contenders, records_by_match(tournament), tournament.scoring_policy)


def records_of(tournament: Tournament) -> list[MatchRecord]:
    """Every match with a standing report, as scoring's values, round by round; one query."""
    return list(records_by_match(tournament).values())


def records_by_match(tournament: Tournament) -> dict[int, MatchRecord]:
    """The same by match id."""
    rows = (
        Match.objects.filter(
            round__stage__tournament=tournament,
            round__superseded_at=None,
            standing_report__seat_results__isnull=False,
        )
        .order_by("round__number", "pk", "standing_report__seat_results__seat__order")
        .values_list(
            "pk", "round__number", "kind", "standing_report__kind", "standing_report__games_drawn",
            "standing_report__games_lost", "standing_report__seat_results__seat__entry_id",
            "standing_report__seat_results__outcome", "standing_report__seat_results__games_won",
            "standing_report__seat_results__placing", "standing_report__seat_results__score",
        )
    )  # fmt: skip
    return {
        pk: MatchRecord(
            number,
            KINDS[kind],
            tuple(_seat_record(*row[6:]) for row in seats),
            games_drawn=drawn,
            games_lost=lost,
            forfeit=reported == ResultReport.Kind.NO_SHOW,
        )
        for (pk, number, kind, reported, drawn, lost), seats in groupby(rows, key=itemgetter(0, 1, 2, 3, 4, 5))
    }


def _seat_record(entry: int, outcome: str, won: int, placing: int | None, score: Decimal | None) -> SeatRecord:
    return SeatRecord(entry, OUTCOMES[outcome], won, placing, None if score is None else Fraction(score))


def compute_standings_of(tournament: Tournament) -> tuple[Standing, ...]:
    """Standings from the database alone; contenders are entry ids."""
    return standings_given(tournament).compute()


def standings_of(tournament: Tournament) -> tuple[Standing, ...]:
    """The same, from the cache where it holds this very ledger position; wiping the cache changes no answer."""
    key = standings_key(tournament)
    found: tuple[Standing, ...] | None = cache.get(key)
    if found is None:
        found = compute_standings_of(tournament)
        cache.set(key, found, CACHE_SECONDS)
    return found


def standings_of_each(tournaments: Iterable[Tournament]) -> dict[int, tuple[Standing, ...]]:
    """Standings by tournament id; one query for all of them where workers left them in the cache."""
    by_id = {each.pk: each for each in tournaments}
    heads = heads_of(each.stream for each in by_id.values())
    keys = {pk: _key_at(each.stream, heads.get(each.stream, Head(0, ""))) for pk, each in by_id.items()}
    found: dict[str, tuple[Standing, ...]] = cache.get_many(keys.values())
    return {pk: found[key] if key in found else standings_of(by_id[pk]) for pk, key in keys.items()}


def standings_key(tournament: Tournament) -> str:
    """Where the cache holds the standings after everything that happened so far; another one after the next act."""
    return _key_at(tournament.stream, head_of(tournament.stream))


def _key_at(stream: str, head: Head) -> str:
    return f"standings:{SHAPE}:{stream}:{head}"


def standings_are_warm(key: str) -> bool:
    """Whether the cache holds what `standings_key` names; they stay there for another day."""
    return cache.touch(key, CACHE_SECONDS)


def standing_rows(tournament: Tournament) -> list[StandingRow]:
    """Standings with their entries, best first."""
    entries = {entry.pk: entry for entry in tournament.entries.all()}
    return [
        StandingRow(standing, entries[standing.contender])
        for standing in standings_of(tournament)
        if standing.contender in entries
    ]
