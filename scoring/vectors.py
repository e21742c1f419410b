"""Adding up large fields with arrays of whole numbers: the same answers as match by match, sooner."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from scoring.field import Field, Totals, add_up
from scoring.records import ContenderFacts, MatchKind, MatchRecord, Outcome, PointsBy, ScoringPolicy

Whole = NDArray[np.int64]

MANY = 400
"""From so many matches on arrays are worth their making."""
MOST_GAMES = 1 << 30
LIMB = 40
KINDS = {kind: number for number, kind in enumerate(MatchKind)}
OUTCOMES = {outcome: number for number, outcome in enumerate(Outcome)}


def field_of(
    contenders: Iterable[int | ContenderFacts], records: Iterable[MatchRecord], policy: ScoringPolicy
) -> Field:
    """The field of some contenders (facts, or ids where the usual facts hold) and their matches, added up."""
    facts = [ContenderFacts(each) if isinstance(each, int) else each for each in contenders]
    matches = list(records)
    return Field(facts, matches, policy, add_up_vectors if len(matches) >= MANY else add_up)


def add_up_vectors(index: Mapping[int, int], records: Sequence[MatchRecord], policy: ScoringPolicy) -> Totals:
    """What `add_up` answers; it is asked itself where the points are special, tables larger or numbers too great."""
    seats = [record.seats for record in records]
    sizes = np.fromiter(map(len, seats), np.int64, len(records))
    if policy.points_by is not PointsBy.OUTCOME or not len(sizes) or sizes.min() < 1 or sizes.max() > 2:
        return add_up(index, records, policy)
    flat = list(chain.from_iterable(seats))
    games = [list(map(attrgetter(name), records)) for name in ("games_drawn", "games_lost")]
    won = list(map(attrgetter("games_won"), flat))
    if max(*map(max, games), max(won)) > MOST_GAMES or min(*map(min, games), min(won)) < 0:
        return add_up(index, records, policy)
    who = _column(map(index.__getitem__, map(attrgetter("contender"), flat)))
    outcome = _column(map(OUTCOMES.__getitem__, map(attrgetter("outcome"), flat)))
    kind = _column(map(KINDS.__getitem__, map(attrgetter("kind"), records)))
    return _add_up(len(index), sizes, who, outcome, np.array(won), kind, np.array(games[0]), np.array(games[1]), policy)


def _column(numbers: Iterable[int]) -> Whole:
    return np.fromiter(numbers, np.int64)


def _add_up(
    size: int,
    sizes: Whole,
    who: Whole,
    outcome: Whole,
    won: Whole,
    kind: Whole,
    drawn: Whole,
    lost: Whole,
    policy: ScoringPolicy,
) -> Totals:
    first = np.cumsum(sizes) - sizes
    played = np.repeat(np.add.reduceat(won, first) + drawn + lost, sizes)
    drawn, kind = np.repeat(drawn, sizes), np.repeat(kind, sizes)
    points = np.array([policy.match_points(each) for each in Outcome])[outcome]
    bye, asked = kind == KINDS[MatchKind.BYE], kind == KINDS[MatchKind.REQUESTED_BYE]
    points[bye] = policy.bye
    if policy.requested_bye is not None:
        points[asked] = policy.requested_bye
    game_points = policy.game_win * won + policy.game_draw * drawn + policy.game_loss * (played - won - drawn)
    bye_won, bye_lost = policy.bye_games if policy.bye_in_own_game_pct else (0, 0)
    for free, value, count in (
        (bye, policy.game_win * bye_won + policy.game_loss * bye_lost, bye_won + bye_lost),
        (asked, 0, 0),
    ):
        game_points[free], played[free] = value, count
    left_out = (bye | asked) if not policy.bye_in_own_match_pct else np.zeros_like(bye)
    pairs = first[(sizes == 2) & ~(bye | asked)[first]]
    one, other = who[pairs], who[pairs + 1]

    def total(numbers: Whole | NDArray[np.bool_]) -> list[int]:
        found: list[int] = _sums(size, who, numbers.astype(np.int64)).tolist()
        return found

    counts: list[int] = np.bincount(np.concatenate([one, other]), minlength=size).tolist()
    results = [total(outcome == number) for number in OUTCOMES.values()]
    summed = [total(each) for each in (game_points, played, bye, points * left_out, left_out)]
    return Totals(counts, _opponent_sums(size, one, other), total(points), total(np.ones_like(who)), *results, *summed)


def _sums(size: int, who: Whole, numbers: Whole) -> Whole:
    found = np.zeros(size, np.int64)
    np.add.at(found, who, numbers)
    return found


def _opponent_sums(size: int, one: Whole, other: Whole) -> Callable[[Sequence[int]], list[int]]:
    """Sums over opponents of numbers of any size: cut into limbs so small that no sum can overflow."""
    who, whom = np.concatenate([one, other]), np.concatenate([other, one])

    def opponent_sums(numbers: Sequence[int]) -> list[int]:
        total = [0] * size
        shift = 0
        left = list(numbers)
        while any(left):
            limb = np.array([number & ((1 << LIMB) - 1) for number in left], np.int64)
            sums = _sums(size, who, limb[whom]).tolist()
            total = [so_far + (part << shift) for so_far, part in zip(total, sums, strict=True)]
            left, shift = [number >> LIMB for number in left], shift + LIMB
        return total

    return opponent_sums
