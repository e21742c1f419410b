"""A tournament's entries as the pairing core takes them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from scoring.standings.points import match_points_of
from scoring.standings.records import MatchKind, MatchRecord, ScoringPolicy
from scoring.standings.standings import Standing, compute_standings
from tournaments.models import AwardedBye, KeptApart, Match, Seat, Stage, Tournament
from tournaments.pairing.pods.contenders import TableContender, TableInput
from tournaments.pairing.pods.fairness import PlayedTables, contenders_from
from tournaments.pairing.swiss.contenders import Contender, Finish, RoundInput
from tournaments.standings.selectors.standings import StandingsGiven, last_rounds, standings_given
from tournaments.structure.selectors.stages import begun_stages, contestants, rounds_planned, sections


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before a round: its stage, who may play in it, what its section has played, and what that counts.

    `number` is the round's own within its stage, from 1. Rounds in `given` and `sittings` count within the section.
    """

    stage: Stage
    number: int
    given: StandingsGiven
    sittings: tuple["_Sitting", ...]

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The section's standings by what was played before the round alone."""
        records = [sitting.record for sitting in self.sittings if sitting.record is not None]
        return compute_standings(self.given.contenders, records, self.given.policy)


def before_round(tournament: Tournament, number: int) -> Before:
    """What stands before the round of this number, which may stand already; a constant number of queries."""
    stages = begun_stages(tournament)
    ends = last_rounds(tournament) if len(stages) > 1 else {}
    stage = next(each for each in reversed(stages) if number > ends.get(each.number - 1, 0))
    stages = [each for each in stages if each.number <= stage.number]
    given = standings_given(tournament, stages)
    sittings = _sittings_before(given, sections(stages)[-1], number)
    return Before(stage, number - ends.get(stage.number - 1, 0), given, tuple(sittings))


def round_input_of(tournament: Tournament, number: int, seed: int) -> RoundInput:
    """Everything that the pairing of a tournament's Swiss round of this number depends on, as it stands now.

    Only the rounds before it count, so that a round can be paired again while it stands.
    """
    before = before_round(tournament, number)
    policy = tournament.pairing_policy.for_round(last=before.number == rounds_planned(before.stage))
    contenders = _contenders(tournament, before, number, with_floats=policy.finish is Finish.FEWEST_FLOATS)
    return RoundInput(tuple(contenders), policy, seed)


def table_input_of(tournament: Tournament, number: int, seed: int) -> TableInput:
    """The same for a round at tables of several players: where all points scored rank first, they are the scores."""
    before = before_round(tournament, number)
    policy = before.stage.table_policy
    by_total = tournament.scoring_policy.tiebreakers[0] == "victory_points"
    totals = {each.contender: each.amounts[0] for each in before.standings} if by_total else {}
    active = (
        TableContender(
            each.id,
            totals.get(each.id, each.score),
            club=each.club,
            team=each.team,
            apart=each.apart,
            awarded_bye=each.awarded_bye,
        )
        for each in _contenders(tournament, before, number)
    )
    rounds = [_played(list(group)) for _round, group in groupby(before.sittings, key=lambda each: each.round_number)]
    return TableInput(contenders_from(rounds, active, policy.preferred), policy, seed)


def _played(sittings: Sequence["_Sitting"]) -> PlayedTables:
    alone = (sitting.seats[0] for sitting in sittings if len(sitting.seats) == 1)
    return PlayedTables(tuple(sitting.seats for sitting in sittings if len(sitting.seats) > 1), tuple(alone))


def fixed_tables_of(tournament: Tournament) -> dict[int, int]:
    """The tables of those who need one, by entry; one query."""
    rows = tournament.entries.filter(fixed_table__isnull=False).values_list("pk", "fixed_table")
    return {pk: table for pk, table in rows if table is not None}


def contenders_of(tournament: Tournament, number: int, *, with_floats: bool = False) -> list[Contender]:
    """Who plays in the round of this number as the pairing core sees them before it; a constant number of queries.

    Those active in its stage, by entry number; the rounds that count are those of its section. A match of an earlier
    round without a result counts as met, and for nothing else. Clubs and teams are named by the lowest id of their
    mates, so that no text of a person's own is kept with the round. Floats are counted on demand.
    """
    return _contenders(tournament, before_round(tournament, number), number, with_floats=with_floats)


def _contenders(tournament: Tournament, before: Before, number: int, *, with_floats: bool = False) -> list[Contender]:
    columns = ("pk", "club", "team", "fixed_table")
    active = list(contestants(before.stage).order_by("number").values_list(*columns))
    standing = {each.contender: each for each in before.standings}
    past = _pasts(before.sittings)
    floats = _floats(before.sittings, tournament.scoring_policy) if with_floats else (Counter[int](), Counter[int]())
    clubs, teams = mates_by_name((row[0], row[1]) for row in active), mates_by_name((row[0], row[2]) for row in active)
    apart, awarded = _kept_apart(tournament), _awarded_byes(tournament, number)
    return [
        Contender(
            id=pk,
            score=standing[pk].match_points,
            opponents=tuple(sorted(past[pk].opponents)),
            had_bye=past[pk].had_bye,
            club=clubs.get(pk),
            team=teams.get(pk),
            apart=tuple(sorted(apart[pk])),
            place=standing[pk].rank,
            downfloats=floats[0][pk],
            upfloats=floats[1][pk],
            firsts=past[pk].firsts,
            seconds=past[pk].seconds,
            last_seat=past[pk].last_seat,
            fixed_table=fixed_table,
            awarded_bye=pk in awarded,
        )
        for pk, _club, _team, fixed_table in active
    ]


class _Sitting(NamedTuple):
    """Who sat at a match, by entry id in order of seats, and what came of it: None while it has no result."""

    round_number: int
    kind: MatchKind
    seats: tuple[int, ...]
    record: MatchRecord | None = None


@dataclass(slots=True)
class _Past:
    """What the rounds so far left with one entry."""

    opponents: list[int] = field(default_factory=list)
    had_bye: bool = False
    firsts: int = 0
    seconds: int = 0
    last_seat: int = 0


def _sittings_before(given: StandingsGiven, section: Sequence[Stage], number: int) -> list[_Sitting]:
    """Every match of the section's rounds before, first round first, with a result or without; one query.

    Rounds are numbered as in the section.
    """
    done = (
        _Sitting(record.round_number, record.kind, tuple(seat.contender for seat in record.seats), record)
        for record in given.records.values()
        if record.round_number + given.first_round - 1 < number
    )
    return sorted(
        [*done, *_open_sittings(section, number, given.first_round)], key=lambda sitting: sitting.round_number
    )


def _open_sittings(section: Sequence[Stage], number: int, first: int) -> list[_Sitting]:
    rows = (
        Seat.objects.filter(round__stage__in=section, round__superseded_at=None, round__number__lt=number)
        .exclude(match__state=Match.State.DONE)
        .order_by("round__number", "match_id", "order")
        .values_list("round__number", "match_id", "match__kind", "entry_id")
    )
    return [
        _Sitting(round_number - first + 1, MatchKind(kind), tuple(row[3] for row in seats))
        for (round_number, _match, kind), seats in groupby(rows, key=lambda row: row[:3])
    ]


def _pasts(sittings: Iterable[_Sitting]) -> defaultdict[int, _Past]:
    found: defaultdict[int, _Past] = defaultdict(_Past)
    for sitting in sittings:
        for seat, entry in enumerate(sitting.seats, start=1):
            past = found[entry]
            past.opponents += [other for other in sitting.seats if other != entry]
            past.had_bye |= sitting.kind is MatchKind.BYE
            if sitting.kind is MatchKind.PLAYED:
                past.firsts += seat == 1
                past.seconds += seat == 2
                past.last_seat = seat
    return found


def _floats(sittings: Sequence[_Sitting], policy: ScoringPolicy) -> tuple[Counter[int], Counter[int]]:
    """How often each entry was paired down and up, by the points that both had before the round."""
    downs, ups = Counter[int](), Counter[int]()
    so_far = Counter[int]()
    for _number, round_ in groupby(sittings, key=lambda sitting: sitting.round_number):
        played = list(round_)
        for sitting in played:
            down, up = floats_at(sitting.seats, so_far)
            downs.update(down)
            ups.update(up)
        add_points(so_far, (sitting.record for sitting in played if sitting.record is not None), policy)
    return downs, ups


def floats_at(seats: Sequence[int], points: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """Who at a table is paired down and who up, by the points that all had before the round."""
    scores = {each: points.get(each, 0) for each in seats}
    least, most = min(scores.values()), max(scores.values())
    return [each for each in seats if scores[each] > least], [each for each in seats if scores[each] < most]


def add_points(points: Counter[int], records: Iterable[MatchRecord], policy: ScoringPolicy) -> None:
    """Add what each seat of these matches brings in."""
    for record in records:
        for seat in record.seats:
            points[seat.contender] += match_points_of(record, seat, policy)


def mates_by_name(named: Iterable[tuple[int, str]]) -> dict[int, str]:
    """For everybody who has mates, the lowest id among them as text; names are compared without case."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for pk, name in named:
        groups[" ".join(name.split()).casefold()].append(pk)
    groups.pop("", None)
    return {pk: str(min(mates)) for mates in groups.values() if len(mates) > 1 for pk in mates}


def _kept_apart(tournament: Tournament) -> defaultdict[int, set[int]]:
    apart: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in KeptApart.objects.filter(one__tournament=tournament).values_list("one_id", "other_id"):
        apart[one].add(other)
        apart[other].add(one)
    return apart


def _awarded_byes(tournament: Tournament, number: int) -> set[int]:
    awarded = AwardedBye.objects.filter(entry__tournament=tournament, round_number=number)
    return set(awarded.values_list("entry_id", flat=True))
