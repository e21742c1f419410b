"""Everybody's rounds as arrays, absences included: what `ResultTable.parts` holds, for sums over whole fields."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.standings.played_rounds import Presence
from scoring.standings.points import match_points_in
from scoring.standings.records import ContenderFacts, MatchKind, MatchRecord, Outcome, PointsBy, ScoringPolicy

Whole = NDArray[np.int64]
"""Of Python's own integers where a sum might not fit."""
Truth = NDArray[np.bool_]

PLAYED, BYE, REQUESTED_BYE, FORFEIT_WIN, FORFEIT_LOSS, ABSENT = range(len(Presence))
KINDS = {MatchKind.BYE: BYE, MatchKind.REQUESTED_BYE: REQUESTED_BYE, MatchKind.NO_SHOW: FORFEIT_WIN}
WIN, DRAW, LOSS = range(len(Outcome))
OUTCOMES = {Outcome.WIN: WIN, Outcome.DRAW: DRAW, Outcome.LOSS: LOSS}
FITS = 2**62
MAX_LINES = 2**20
"""More opponents and rounds than any contender has: what bounds a sum of products of points and sums of points."""


def array_of(numbers: Sequence[int], times: int) -> Whole:
    """Numbers of which `times` can be added up."""
    most = max(max(numbers, default=0), -min(numbers, default=0))
    return np.array(numbers, np.int64 if most * times < FITS else object)


class RoundArrays:
    """One number a contender and round: seats match by match, then absences.

    `who` by place in the field, the round's `number`, `presence` by its number among all; an unknown contender raises
    KeyError.
    """

    def __init__(
        self,
        facts: Sequence[ContenderFacts],
        index: Mapping[int, int],
        records: Sequence[MatchRecord],
        policy: ScoringPolicy,
        rounds: range,
    ) -> None:
        self._records, self._policy = records, policy
        seats = list(chain.from_iterable([record.seats for record in records]))
        sizes = np.array([len(record.seats) for record in records], np.int64)
        self._match = np.repeat(np.arange(len(sizes)), sizes)
        self._size, self._first = sizes[self._match], (np.cumsum(sizes) - sizes)[self._match]
        self._outcome = np.array([OUTCOMES[seat.outcome] for seat in seats], np.int64)
        kinds = [KINDS.get(record.kind) or (FORFEIT_WIN if record.forfeit else PLAYED) for record in records]
        presence = np.array(kinds, np.int64)[self._match]
        presence[(presence == FORFEIT_WIN) & (self._outcome == LOSS)] = FORFEIT_LOSS
        who = np.array([index[seat.contender] for seat in seats], np.int64)
        number = np.array([record.round_number for record in records], np.int64)[self._match]
        absent, missed = _absences(facts, who, number, rounds)
        self._absent = len(absent)
        self.who, self.number = np.concatenate([who, absent]), np.concatenate([number, missed])
        self.presence = np.concatenate([presence, np.full(len(absent), ABSENT)])

    def _with_absences(self, of_seats: NDArray[Any]) -> NDArray[Any]:
        """An absence brings nothing."""
        return np.concatenate([of_seats, np.zeros(self._absent, of_seats.dtype)])

    @property
    def played(self) -> Truth:
        """At the table, not by forfeit."""
        played: Truth = self.presence == PLAYED
        return played

    @property
    def won(self) -> Truth:
        """A win of any kind."""
        won: Truth = self._with_absences(self._outcome == WIN)
        return won

    @property
    def in_second_seat(self) -> Truth:
        """Played from the second seat."""
        second: Truth = self._with_absences(np.arange(len(self._first)) == self._first + 1)
        return second & self.played

    @cached_property
    def points(self) -> Whole:
        """What `match_points_of` gives."""
        policy, presence = self._policy, self.presence[: len(self._match)]
        if policy.points_by is not PointsBy.OUTCOME:
            special = [points for record in self._records for points in match_points_in(record, policy)]
            return self._with_absences(array_of(special, max(special, default=0) * MAX_LINES**2))
        points = np.array([policy.win, policy.draw, policy.loss])[self._outcome]
        winners = np.bincount(self._match[self._outcome == WIN], minlength=len(self._records))
        points[(self._outcome == WIN) & (winners[self._match] > 1)] = policy.draw
        points[presence == BYE] = policy.bye
        if policy.requested_bye is not None:
            points[presence == REQUESTED_BYE] = policy.requested_bye
        return self._with_absences(points)

    @cached_property
    def meetings(self) -> tuple[Whole, Whole]:
        """Everybody who sat at a table that was played, by number here, beside the place of each other one there."""
        rows = np.flatnonzero(self.played)
        size = self._size[rows]
        row = np.repeat(rows, size)
        seat = np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size)
        other = self.who[self._first[row] + seat]
        met = other != self.who[row]
        return row[met], other[met]


def _absences(facts: Sequence[ContenderFacts], who: Whole, number: Whole, rounds: range) -> tuple[Whole, Whole]:
    """Who was absent, and in which round; see `ResultTable.parts`."""
    there = np.zeros((len(facts), len(rounds)), np.bool_)
    there[who, number - rounds.start] = True
    entered = np.array([each.entered_round for each in facts], np.int64)
    left = np.array([rounds.stop if each.dropped_after is None else each.dropped_after for each in facts], np.int64)
    every = np.arange(rounds.start, rounds.stop)
    away = (every < entered[:, None]) | (every > left[:, None]) | (every < rounds.stop - 1)
    places, missed = np.nonzero(away & ~there)
    return places, missed + rounds.start
