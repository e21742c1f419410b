"""Everybody's matches added up as whole numbers, and round by round: what tiebreakers are made from."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from scoring.standings.played_rounds import PlayedRound, Presence, presence_in
from scoring.standings.points import BYES, is_shared_win, match_points_in, match_points_of
from scoring.standings.records import (
    ContenderFacts,
    MatchKind,
    MatchRecord,
    Outcome,
    PointsBy,
    ScoringPolicy,
    SeatRecord,
)
from scoring.standings.round_arrays import RoundArrays

if TYPE_CHECKING:
    from scoring.standings.head_to_head import Tie


class Column(NamedTuple):
    """One value of each contender: whole `amounts` over one `scale`, so that comparing is comparing whole numbers."""

    amounts: list[int]
    scale: int = 1


@dataclass(slots=True)
class Totals:
    """What the matches add up to, one number a contender in the order of the field.

    `left_out_*` are byes that do not count in the player's match %. `opponents` counts every meeting;
    `opponent_sums(numbers)` adds up everybody's opponents' numbers, each meeting counted.
    """

    opponents: list[int]
    opponent_sums: Callable[[Sequence[int]], list[int]]
    points: list[int]
    rounds: list[int]
    wins: list[int]
    draws: list[int]
    losses: list[int]
    game_points: list[int]
    games: list[int]
    byes: list[int]
    left_out_points: list[int]
    left_out_rounds: list[int]


def add_up(index: Mapping[int, int], records: Sequence[MatchRecord], policy: ScoringPolicy) -> Totals:
    """Add up in whole numbers of any size, match by match; an unknown contender raises KeyError."""
    wins, draws, losses, won, drawn, played = ([0] * len(index) for _ in range(6))
    met: list[list[int]] = [[] for _ in index]
    results = {Outcome.WIN: wins, Outcome.DRAW: draws, Outcome.LOSS: losses}
    byes, shared_wins = [], []
    for record in records:
        if record.kind in BYES:
            byes.append(record)
            continue
        seats, undecided = record.seats, record.games_drawn
        games, places = record.games_lost + undecided, []
        for seat in seats:
            games += seat.games_won
        for seat in seats:
            place = index[seat.contender]
            places.append(place)
            results[seat.outcome][place] += 1
            won[place] += seat.games_won
            played[place] += games
            if undecided:
                drawn[place] += undecided
        if len(places) == 2:
            one, other = places
            met[one].append(other)
            met[other].append(one)
        else:
            for place in places:
                met[place] += [other for other in places if other != place]
            shared_wins += [place for place, seat in zip(places, seats, strict=True) if is_shared_win(record, seat)]

    def opponent_sums(numbers: Sequence[int]) -> list[int]:
        number = numbers.__getitem__
        return [sum(map(number, others)) for others in met]

    opponents = [len(others) for others in met]
    counts = Counts(opponents, opponent_sums, wins, draws, losses, won, drawn, played, shared_wins)
    return total_up(index, records, policy, counts, byes)


class Counts(NamedTuple):
    """What was counted at tables, one number a contender; byes are not in it.

    `shared_wins` names a contender's place once for every win that it shared, which two at a table never do.
    """

    opponents: list[int]
    opponent_sums: Callable[[Sequence[int]], list[int]]
    wins: list[int]
    draws: list[int]
    losses: list[int]
    won: list[int]
    drawn: list[int]
    played: list[int]
    shared_wins: Sequence[int] = ()


def total_up(
    index: Mapping[int, int],
    records: Sequence[MatchRecord],
    policy: ScoringPolicy,
    counts: Counts,
    byes: Iterable[MatchRecord],
) -> Totals:
    """Points from what was counted; then the byes among the records are added."""
    opponents, opponent_sums, wins, draws, losses, won, drawn, played, shared_wins = counts
    win, draw, loss = policy.win, policy.draw, policy.loss
    points = [win * w + draw * d + loss * less for w, d, less in zip(wins, draws, losses, strict=True)]
    for place in shared_wins:
        points[place] += draw - win
    if policy.points_by is not PointsBy.OUTCOME:
        points = [0] * len(index)
        for record in records:
            if record.kind not in BYES:
                for seat, number in zip(record.seats, match_points_in(record, policy), strict=True):
                    points[index[seat.contender]] += number
    win, draw, loss = policy.game_win, policy.game_draw, policy.game_loss
    game_points = [win * w + draw * d + loss * (g - w - d) for w, d, g in zip(won, drawn, played, strict=True)]
    rounds = [w + d + less for w, d, less in zip(wins, draws, losses, strict=True)]
    free, left_points, left_rounds = ([0] * len(index) for _ in range(3))
    totals = Totals(
        opponents,
        opponent_sums,
        points,
        rounds,
        wins,
        draws,
        losses,
        game_points,
        played,
        free,
        left_points,
        left_rounds,
    )
    for record in byes:
        for seat in record.seats:
            _add_bye(totals, index[seat.contender], record, seat, policy)
    return totals


def _add_bye(totals: Totals, place: int, record: MatchRecord, own: SeatRecord, policy: ScoringPolicy) -> None:
    points = match_points_of(record, own, policy)
    totals.points[place] += points
    totals.rounds[place] += 1
    {Outcome.WIN: totals.wins, Outcome.DRAW: totals.draws, Outcome.LOSS: totals.losses}[own.outcome][place] += 1
    if not policy.bye_in_own_match_pct:
        totals.left_out_points[place] += points
        totals.left_out_rounds[place] += 1
    if record.kind is MatchKind.BYE:
        totals.byes[place] += 1
        if policy.bye_in_own_game_pct:
            won, lost = policy.bye_games
            totals.game_points[place] += policy.game_win * won + policy.game_loss * lost
            totals.games[place] += won + lost


class ResultTable:
    """Contenders and their matches, ready to be looked at in every way that a tiebreaker needs; columns are kept."""

    def __init__(
        self,
        facts: Sequence[ContenderFacts],
        records: Sequence[MatchRecord],
        policy: ScoringPolicy,
        adding: Callable[[Mapping[int, int], Sequence[MatchRecord], ScoringPolicy], Totals] = add_up,
    ) -> None:
        self.facts, self.records, self.policy = facts, records, policy
        self.index = {each.id: place for place, each in enumerate(facts)}
        self.totals = adding(self.index, records, policy)
        self.columns: dict[str, Column] = {}
        self.shares: dict[str, list[tuple[int, int]]] = {}
        self.ties: dict[int, Tie] | None = None

    @cached_property
    def rounds(self) -> range:
        """The rounds so far: from the first to the last that has a finished match."""
        numbers = {record.round_number for record in self.records}
        return range(min(numbers), max(numbers) + 1) if numbers else range(0)

    @cached_property
    def arrays(self) -> RoundArrays:
        """Everybody's rounds, to add up for the whole field."""
        return RoundArrays(self.facts, self.index, self.records, self.policy, self.rounds)

    @cached_property
    def parts(self) -> list[tuple[PlayedRound, ...]]:
        """Everybody's rounds so far, first to last, absences included.

        Who has no match in a round before the last was absent. In the last it may still be played, so only who had left
        or not yet come was absent: what is known of a round never depends on who leaves after it.
        """
        found: list[list[PlayedRound]] = [[] for _ in self.facts]
        for record in self.records:
            places = [self.index[seat.contender] for seat in record.seats]
            points_in = match_points_in(record, self.policy)
            for place, seat, points in zip(places, record.seats, points_in, strict=True):
                others = tuple(other for other in places if other != place)
                found[place].append(
                    PlayedRound(record.round_number, presence_in(record, seat), points, others, record, seat)
                )
        return [self._with_absences(facts, parts) for facts, parts in zip(self.facts, found, strict=True)]

    def _with_absences(self, facts: ContenderFacts, parts: list[PlayedRound]) -> tuple[PlayedRound, ...]:
        there = {part.round_number for part in parts}
        left = facts.dropped_after
        for number in self.rounds:
            away = number < facts.entered_round or (left is not None and number > left)
            if number not in there and (away or number != self.rounds[-1]):
                parts.append(PlayedRound(number, Presence.ABSENT))
        return tuple(sorted(parts, key=lambda part: part.round_number))

    @cached_property
    def last_available(self) -> list[int]:
        """The last round in which each contender could have played; 0 where there is none."""
        return [
            max((part.round_number for part in parts if part.presence.available), default=0) for parts in self.parts
        ]

    @cached_property
    def score_scale(self) -> int:
        """The common denominator of all scores at tables."""
        return lcm(
            *{seat.score.denominator for record in self.records for seat in record.seats if seat.score is not None}
        )

    @cached_property
    def weight_scale(self) -> int:
        """The common denominator of the weights of rounds."""
        return lcm(*(each.denominator for each in self.policy.round_weights))

    def weight(self, round_number: int) -> int:
        """The weight of a round over `weight_scale`."""
        weights = self.policy.round_weights
        weight = weights[round_number - 1] if round_number <= len(weights) else Fraction(1)
        return weight.numerator * (self.weight_scale // weight.denominator)


def common(rationals: Iterable[tuple[int, int]]) -> Column:
    """Numerators and denominators over one denominator."""
    pairs = list(rationals)
    scale = lcm(*{bottom for _top, bottom in pairs})
    factor = {bottom: scale // bottom for bottom in {bottom for _top, bottom in pairs}}
    return Column([top * factor[bottom] for top, bottom in pairs], scale)
