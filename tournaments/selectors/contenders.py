"""A tournament's entries as the pairing core takes them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from scoring.records import MatchKind, MatchRecord, ScoringPolicy
from scoring.standings import compute_standings
from scoring.tiebreakers import Sums
from tournaments.models import AwardedBye, Entry, KeptApart, Match, Seat, Tournament
from tournaments.pairing.contenders import Contender, Finish, RoundInput
from tournaments.selectors.standings import records_by_match


def round_input_of(
    tournament: Tournament, number: int, seed: int, *, instead: Mapping[int, MatchRecord] | None = None
) -> RoundInput:
    """Everything that the pairing of a tournament's round of this number depends on, as it stands now.

    Only the rounds before it count, so that a round can be paired again while it stands. `instead` are results by match
    id as they would be after a correction.
    """
    policy = tournament.pairing_policy.for_round(last=number == tournament.swiss_rounds)
    floats = policy.finish is Finish.FEWEST_FLOATS
    contenders = contenders_of(tournament, number, with_floats=floats, instead=instead)
    return RoundInput(tuple(contenders), policy, seed)


def contenders_of(
    tournament: Tournament,
    number: int,
    *,
    with_floats: bool = False,
    instead: Mapping[int, MatchRecord] | None = None,
) -> list[Contender]:
    """The active entries as the pairing core sees them before the round of this number, by entry number; five queries.

    A match of an earlier round without a result counts as met, and for nothing else. Clubs and teams are named by the
    lowest id of their mates, so that no text of a person's own is kept with the round. Floats are counted on demand.
    """
    rows = list(
        tournament.entries.filter(state__in=[Entry.State.REGISTERED, Entry.State.DROPPED])
        .order_by("number")
        .values_list("pk", "state", "club", "team", "fixed_table")
    )
    active = [row for row in rows if row[1] == Entry.State.REGISTERED]
    sittings = _sittings_before(tournament, number, instead or {})
    records = [sitting.record for sitting in sittings if sitting.record is not None]
    standings = compute_standings((row[0] for row in rows), records, tournament.scoring_policy)
    standing = {each.contender: each for each in standings}
    past = _pasts(sittings)
    downs, ups = _floats(sittings, tournament.scoring_policy) if with_floats else (Counter[int](), Counter[int]())
    clubs, teams = _mates((row[0], row[2]) for row in active), _mates((row[0], row[3]) for row in active)
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
            downfloats=downs[pk],
            upfloats=ups[pk],
            firsts=past[pk].firsts,
            seconds=past[pk].seconds,
            last_seat=past[pk].last_seat,
            fixed_table=fixed_table,
            awarded_bye=pk in awarded,
        )
        for pk, _state, _club, _team, fixed_table in active
    ]


@dataclass(frozen=True, slots=True)
class _Sitting:
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


def _sittings_before(tournament: Tournament, number: int, instead: Mapping[int, MatchRecord]) -> list[_Sitting]:
    """Every match of the rounds before, first round first, with a result or without; two queries."""
    done = (
        _Sitting(record.round_number, record.kind, tuple(seat.contender for seat in record.seats), record)
        for record in {**records_by_match(tournament), **instead}.values()
        if record.round_number < number
    )
    return sorted([*done, *_open_sittings(tournament, number)], key=lambda sitting: sitting.round_number)


def _open_sittings(tournament: Tournament, number: int) -> list[_Sitting]:
    rows = (
        Seat.objects.filter(round__stage__tournament=tournament, round__superseded_at=None, round__number__lt=number)
        .exclude(match__state=Match.State.DONE)
        .order_by("round__number", "match_id", "order")
        .values_list("round__number", "match_id", "match__kind", "entry_id")
    )
    return [
        _Sitting(round_number, MatchKind(kind), tuple(row[3] for row in seats))
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
    sums: defaultdict[int, Sums] = defaultdict(lambda: Sums(policy))
    for _number, round_ in groupby(sittings, key=lambda sitting: sitting.round_number):
        played = list(round_)
        for sitting in played:
            points = {entry: sums[entry].match_points for entry in sitting.seats}
            downs.update(entry for entry in points if points[entry] > min(points.values()))
            ups.update(entry for entry in points if points[entry] < max(points.values()))
        for record in (sitting.record for sitting in played if sitting.record is not None):
            for seat in record.seats:
                sums[seat.contender].add(record, seat)
    return downs, ups


def _mates(named: Iterable[tuple[int, str]]) -> dict[int, str]:
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
