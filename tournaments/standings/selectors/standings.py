"""The standings of a tournament, always recomputed from the reports that count."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from django.core.cache import cache
from django.db.models import Max

from journal.ledger.selectors import Head, head_of, heads_of
from scoring.standings.final_order import StageFinish, append_below, order_finish
from scoring.standings.records import ContenderFacts, MatchKind, MatchRecord, Outcome, ScoringPolicy, SeatRecord
from scoring.standings.standings import Standing, compute_standings
from tournaments.models import Entry, Match, ResultReport, Round, Seat, Stage, Tournament
from tournaments.structure.selectors.brackets import StageBracket, bracket_of
from tournaments.structure.selectors.stages import begun_stages, field_of, sections

State = Entry.State

KINDS = {each.value: each for each in MatchKind}
OUTCOMES = {each.value: each for each in Outcome}
CACHE_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A ranked line and the entry it belongs to."""

    standing: Standing
    entry: Entry


@dataclass(frozen=True, slots=True)
class StandingsGiven:
    """Everything that standings depend on, as values: change a record to see what would follow (`with_record`).

    `contenders` and `records` (by match id, round by round) are those of the section being played: the stages whose
    points count together, its rounds counted from 1 on (`first_round` is the number of its first in the event).
    `stages` are those that rank their field above the others: the later stages of the section, and the `bracket` that
    comes after it. Where points started anew, `before` is the section before: whoever is not in this one stands below
    in the order of that.
    """

    contenders: tuple[ContenderFacts, ...]
    records: Mapping[int, MatchRecord]
    policy: ScoringPolicy
    stages: tuple[StageFinish, ...] = ()
    bracket: StageBracket | None = None
    before: "StandingsGiven | None" = None
    first_round: int = 1

    def compute(self) -> tuple[Standing, ...]:
        """The standings in final order."""
        standings = compute_standings(self.contenders, self.records.values(), self.policy)
        stages = self.stages if self.bracket is None else (*self.stages, self.bracket.finish)
        ordered = order_finish(standings, stages) if stages else standings
        return ordered if self.before is None else append_below(ordered, self.before.compute())

    def with_record(self, match: int, record: MatchRecord | None) -> "StandingsGiven":
        """The same with another result of a match (by id), or with none: in this section, in its bracket or before.

        The record's round is numbered as in the event. A match that counts nowhere changes nothing.
        """
        if self.bracket is not None and match in (known := {pk: id_ for id_, pk in self.bracket.matches.items()}):
            won = None if record is None else _winner_of(record)
            return replace(self, bracket=self.bracket.with_winners({known[match]: won}))
        if match not in self.records and self.before is not None and match in self.before:
            return replace(self, before=self.before.with_record(match, record))
        records = {pk: each for pk, each in self.records.items() if pk != match}
        if record is not None:
            moved = replace(record, round_number=record.round_number - self.first_round + 1)
            records = dict(sorted([*records.items(), (match, moved)], key=lambda item: (item[1].round_number, item[0])))
        return replace(self, records=records)

    def with_policy(self, policy: ScoringPolicy) -> "StandingsGiven":
        """The same by other points and tiebreakers; who came into later stages, and who won there, stays."""
        return replace(self, policy=policy, before=self.before and self.before.with_policy(policy))

    def with_drop(self, contender: int, after_round: int) -> "StandingsGiven":
        """The same had a contender left after a round, numbered as in the event; in no section it stays any longer."""
        last = max(0, after_round - self.first_round + 1)
        contenders = tuple(
            replace(each, dropped_after=last if each.dropped_after is None else min(each.dropped_after, last))
            if each.id == contender
            else each
            for each in self.contenders
        )
        before = self.before and self.before.with_drop(contender, after_round)
        return replace(self, contenders=contenders, before=before)

    def __contains__(self, match: int) -> bool:
        """Whether a match has a result here or before."""
        return match in self.records or (self.before is not None and match in self.before)

    def section_with(self, contender: int) -> "StandingsGiven":
        """The section that a contender's line comes from: its records explain the line."""
        if self.before is None or any(each.id == contender for each in self.contenders):
            return self
        return self.before.section_with(contender)


def _winner_of(record: MatchRecord) -> int | None:
    return next((seat.contender for seat in record.seats if seat.outcome is Outcome.WIN), None)


def lot_of(tournament: Tournament, number: int) -> int:
    """The lot of an entry by its number: nobody can choose it, everybody can draw it again."""
    return int.from_bytes(hashlib.sha256(f"{tournament.stream}:{number}".encode()).digest()[:6])


def standings_given(tournament: Tournament, stages: Sequence[Stage] | None = None) -> StandingsGiven:
    """What the standings of a tournament depend on now; everybody who plays, played, dropped or was disqualified.

    `stages` are those that have begun (the default), or the first of them: then as if there were no later ones.
    Three queries for an event of one stage, up to six for any other.
    """
    entries = tournament.entries.filter(state__in=[State.REGISTERED, State.DROPPED, State.DISQUALIFIED])
    columns = ("pk", "number", "entered_round", "dropped_after", "state")
    rows = [_Row(*row) for row in entries.order_by("number").values_list(*columns)]
    stages = begun_stages(tournament) if stages is None else stages
    records = _numbered_records(tournament)
    ends = last_rounds(tournament) if len(stages) > 1 else {}
    policy = tournament.scoring_policy
    given: StandingsGiven | None = None
    for section in sections(stages):
        first = 1 + (ends.get(section[0].number - 1, 0) if section else 0)
        field = set(field_of(section[0])) if section and section[0].number > 1 else {row.pk for row in rows}
        numbers = {stage.number for stage in section}
        given = StandingsGiven(
            tuple(_facts(tournament, row, section, ends, first) for row in rows if row.pk in field),
            {pk: _moved(record, first) for pk, (number, record) in records.items() if number in numbers},
            policy,
            tuple(StageFinish(field_of(stage)) for stage in section[1:]),
            before=given,
            first_round=first,
        )
    assert given is not None
    return replace(given, bracket=bracket_of(stages[-1]))


@dataclass(frozen=True, slots=True)
class _Row:
    """What an entry brings."""

    pk: int
    number: int
    entered: int
    dropped: int | None
    state: str


def _facts(
    tournament: Tournament, row: _Row, section: Sequence[Stage], ends: Mapping[int, int], first: int
) -> ContenderFacts:
    """An entry in one section: whoever did not reach a later stage of it was there to the end of the one before."""
    left = [ends.get(stage.number - 1, 0) for stage in section[1:] if row.pk not in field_of(stage)]
    left += [row.dropped] if row.dropped is not None else []
    return ContenderFacts(
        row.pk,
        lot_of(tournament, row.number),
        max(1, row.entered - first + 1),
        max(0, min(left) - first + 1) if left else None,
        late=row.entered > 1,
        ranked=row.state != State.DISQUALIFIED,
    )


def _moved(record: MatchRecord, first: int) -> MatchRecord:
    return record if first == 1 else replace(record, round_number=record.round_number - first + 1)


def last_rounds(tournament: Tournament) -> dict[int, int]:
    """The number of the last round of each stage that has one, by the stage's number."""
    rounds = Round.objects.filter(stage__tournament=tournament, superseded_at=None)
    return dict(rounds.values("stage__number").annotate(last=Max("number")).values_list("stage__number", "last"))


def records_of(tournament: Tournament) -> list[MatchRecord]:
    """Every match with a standing report, brackets left out, as scoring's values, round by round; one query."""
    return list(records_by_match(tournament).values())


def records_by_match(tournament: Tournament) -> dict[int, MatchRecord]:
    """The same by match id."""
    return {pk: record for pk, (_stage, record) in _numbered_records(tournament).items()}


def records_by_section(tournament: Tournament, entry: Entry) -> list[dict[int, MatchRecord]]:
    """One entry's records by match id, round by round, for each of the event's `sections`."""
    own = _numbered_records(tournament, entry)
    numbers = [{stage.number for stage in section} for section in sections(begun_stages(tournament))]
    return [{pk: record for pk, (stage, record) in own.items() if stage in section} for section in numbers]


def _numbered_records(tournament: Tournament, entry: Entry | None = None) -> dict[int, tuple[int, MatchRecord]]:
    """Records by match id, each with the number of its stage; those of one entry, or all."""
    matches = Match.objects.filter(
        round__stage__tournament=tournament,
        round__superseded_at=None,
        accepted_report__seat_results__isnull=False,
        bracket="",
    )
    if entry is not None:
        matches = matches.filter(pk__in=Seat.objects.filter(entry=entry).values("match"))
    rows = (
        matches.order_by("round__number", "pk", "accepted_report__seat_results__seat__order")
        .values_list(
            "pk", "round__stage__number", "round__number", "kind", "accepted_report__kind",
            "accepted_report__games_drawn", "accepted_report__games_lost",
            "accepted_report__seat_results__seat__entry_id",
            "accepted_report__seat_results__outcome", "accepted_report__seat_results__games_won",
            "accepted_report__seat_results__placing", "accepted_report__seat_results__score",
        )
    )  # fmt: skip
    return {
        pk: (
            stage,
            MatchRecord(
                number,
                KINDS[kind],
                tuple(_seat_record(*row[7:]) for row in seats),
                games_drawn=drawn,
                games_lost=lost,
                forfeit=reported == ResultReport.Kind.NO_SHOW,
            ),
        )
        for (pk, stage, number, kind, reported, drawn, lost), seats in groupby(
            rows, key=itemgetter(0, 1, 2, 3, 4, 5, 6)
        )
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
    return f"standings:{stream}:{head}"


def standings_are_warm(key: str) -> bool:
    """Whether the cache holds what `standings_key` names; they stay there for another day."""
    return cache.touch(key, CACHE_SECONDS)


def standing_rows(tournament: Tournament) -> list[StandingRow]:
    """Standings with their entries, best first."""
    return rows_of(tournament, standings_of(tournament))


def rows_of(tournament: Tournament, standings: Iterable[Standing]) -> list[StandingRow]:
    """The same of other standings of the event."""
    entries = {entry.pk: entry for entry in tournament.entries.all()}
    return [StandingRow(each, entries[each.contender]) for each in standings if each.contender in entries]
