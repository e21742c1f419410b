"""What is certain, by trying everything: a second answer that shares nothing with the one it judges.

`by_pairings` plays every pairing and every result of fields of up to eight; `by_known` every result of known matches;
`by_counts` follows, player by player, every way to give out results that are balanced round by round.
"""

from collections.abc import Collection, Iterator
from functools import cache
from itertools import product

import numpy as np

from scoring.standings.records import Outcome
from tournaments.forecast.stage_state import Situation, Verdict

W, D, L, B = 0, 1, 2, 3
NONE = 4
OUTCOMES = {Outcome.WIN: W, Outcome.DRAW: D, Outcome.LOSS: L}
Verdicts = dict[int, tuple[Verdict, dict[Outcome, Verdict]]]


def pairings(ids: tuple[int, ...]) -> Iterator[tuple[list[tuple[int, int]], int | None]]:
    """Every pairing of some players, with who sits out."""
    if len(ids) % 2:
        for bye in ids:
            for pairs, _none in pairings(tuple(each for each in ids if each != bye)):
                yield pairs, bye
    elif not ids:
        yield [], None
    else:
        for other in ids[1:]:
            for pairs, _none in pairings(tuple(each for each in ids[1:] if each != other)):
                yield [(ids[0], other), *pairs], None


@cache
def round_results(count: int, players: tuple[int, ...], awarded: frozenset[int]) -> np.ndarray:
    """Every row of results that a round can have, by place in the field."""
    rows = set()
    for pairs, bye in pairings(tuple(each for each in players if each not in awarded)):
        for ends in product((W, D, L), repeat=len(pairs)):
            row = [NONE] * count
            for place in awarded:
                row[place] = B
            if bye is not None:
                row[bye] = B
            for (one, other), end in zip(pairs, ends, strict=True):
                row[one], row[other] = end, (L, D, W)[end]
            rows.add(tuple(row))
    return np.array(sorted(rows), dtype=np.int8)


def known_results(situation: Situation, place: dict[int, int]) -> Iterator[np.ndarray]:
    """Rows of results of the known matches: (course, match, place)."""
    count, matches = len(place), situation.matches
    for head in product((W, D, L), repeat=max(0, len(matches) - 10)):
        tails = np.array(list(product((W, D, L), repeat=min(10, len(matches)))), dtype=np.int8)
        tails = tails.reshape(3 ** min(10, len(matches)), min(10, len(matches)))
        ends = np.concatenate([np.tile(np.array(head, dtype=np.int8), (len(tails), 1)), tails], axis=1)
        rows = np.full((len(ends), len(matches), count), NONE, dtype=np.int8)
        for number, match in enumerate(matches):
            rows[:, number, place[match[0]]] = ends[:, number]
            if len(match) == 2:
                rows[:, number, place[match[1]]] = 2 - ends[:, number]
        yield rows


def by_pairings(situation: Situation) -> Verdicts:
    """Every course: the known matches, then each round by every pairing."""
    place = {each.id: number for number, each in enumerate(situation.runners)}
    players = tuple(place[each.id] for each in situation.runners if each.plays)
    free = [
        round_results(len(place), players, frozenset(place[id] for id in awarded if place[id] in players))
        for awarded in situation.rounds
    ]
    seen = _Seen(situation)
    for known in known_results(situation, place):
        if not free:
            seen.add(known)
        for row in known if free else ():
            start = row[None]
            for number, results in enumerate(free[:-1]):
                start = np.concatenate(
                    [np.repeat(start, len(results), axis=0), np.tile(results[:, None], (len(start), 1, 1))], axis=1
                )
                assert number < 2
            for one in start:
                seen.add(np.concatenate([np.tile(one, (len(free[-1]), 1, 1)), free[-1][:, None]], axis=1))
    return seen.verdicts()


class _Seen:
    """Which verdicts the courses seen so far have left."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        stakes = situation.stakes
        self.worth = np.array([stakes.win, stakes.draw, stakes.loss, stakes.bye, 0], dtype=np.int16)
        self.start = np.array([each.points for each in situation.runners], dtype=np.int16)
        self.takes = np.array([each.takes_place for each in situation.runners])
        count = len(situation.runners)
        self.fails, self.passes = np.zeros((count, 4), bool), np.zeros((count, 4), bool)
        """By place and own next result (3: whatever it was): some course in which it is not surely in; not out."""
        self.happens = np.zeros((count, 4), bool)

    def add(self, courses: np.ndarray) -> None:
        """Courses as (course, step, place)."""
        points = self.start + self.worth[courses].sum(axis=1, dtype=np.int16)
        firsts = np.full(points.shape, NONE, dtype=np.int8)
        for step in range(courses.shape[1] - 1, -1, -1):
            here = courses[:, step]
            firsts = np.where(here <= L, here, firsts)
        for own in range(points.shape[1]):
            others = self.takes.copy()
            others[own] = False
            mine = points[:, own, None]
            failed = (points[:, others] >= mine).sum(axis=1) >= self.situation.places
            passed = (points[:, others] > mine).sum(axis=1) < self.situation.places
            for result in (W, D, L):
                now = firsts[:, own] == result
                self.fails[own, result] |= bool((failed & now).any())
                self.passes[own, result] |= bool((passed & now).any())
                self.happens[own, result] |= bool(now.any())
            self.fails[own, 3] |= bool(failed.any())
            self.passes[own, 3] |= bool(passed.any())

    def verdicts(self) -> Verdicts:
        """For everybody who takes a place: now, and after each result."""

        def told(own: int, result: int) -> Verdict:
            if not self.fails[own, result]:
                return Verdict.IN
            return Verdict.OPEN if self.passes[own, result] else Verdict.OUT

        return {
            each.id: (
                told(own, 3),
                {outcome: told(own, code) for outcome, code in OUTCOMES.items() if self.happens[own, code]},
            )
            for own, each in enumerate(self.situation.runners)
            if each.takes_place
        }


def by_counts(situation: Situation, asked: Collection[int]) -> Verdicts:
    """Every way to give out results with as many winners as losers in each round, in fields of any size."""
    found: Verdicts = {}
    for id in asked:
        after = {outcome: _told(situation, id, code) for outcome, code in OUTCOMES.items()}
        now = _told(situation, id, None)
        assert now is not None
        found[id] = now, {outcome: verdict for outcome, verdict in after.items() if verdict}
    return found


def _told(situation: Situation, own: int, first: int | None) -> Verdict | None:
    """None where such a result cannot happen."""
    happens = fails = passes = False
    for fate in _fates(situation, own, first):
        level, above = (_counts(situation, own, fate, strict=strict) for strict in (False, True))
        happens |= bool(level)
        fails |= max(level, default=-1) >= situation.places
        passes |= min(above, default=99) < situation.places
    if not happens:
        return None
    if not fails:
        return Verdict.IN
    return Verdict.OPEN if passes else Verdict.OUT


def _fates(situation: Situation, own: int, first: int | None) -> Iterator[tuple[int, ...]]:
    """Everything that may happen to oneself: known matches, then rounds."""
    known = sum(own in match for match in situation.matches)
    plays = next(each for each in situation.runners if each.id == own).plays
    for fate in product((W, D, L), repeat=known):
        for rest in product((W, D, L, B), repeat=len(situation.rounds) if plays else 0):
            played = [each for each in (*fate, *rest) if each != B]
            if first is None or played[:1] == [first]:
                yield (*fate, *rest)


def _counts(situation: Situation, own: int, fate: tuple[int, ...], *, strict: bool) -> list[int]:
    """How many others can end level with or above oneself (strict: above).

    Follows every sum of winners less losers of each round, byes of each round, and others that have reached the need.
    """
    worth = [situation.stakes.win, situation.stakes.draw, situation.stakes.loss, situation.stakes.bye]
    runners = {each.id: each for each in situation.runners}
    goal = runners[own].points + sum(worth[each] for each in fate)
    rounds, known, size = len(situation.rounds), sum(own in match for match in situation.matches), len(runners)
    assert not any(situation.rounds), "awarded byes are judged by pairings alone"

    def ends(reached: np.ndarray, id: int, points: int) -> np.ndarray:
        """Somebody's way through the rounds, after the known matches."""
        ways = product((W, D, L, B), repeat=rounds) if runners[id].plays else [()]
        found = np.zeros_like(reached)
        for way in [fate[known:]] if id == own else ways:
            total = points + sum(worth[each] for each in way)
            counts = id != own and runners[id].takes_place and (total > goal if strict else total >= goal)
            moved = np.roll(reached, int(counts), axis=-1)
            for number, each in enumerate(way):
                if each == B:
                    moved = np.roll(moved, 1, axis=rounds + number)
                    moved[(slice(None),) * (rounds + number) + (0,)] = False  # nobody has the second bye of a round
                else:
                    moved = np.roll(moved, 1 - each, axis=number)
            found |= moved
        return found

    reached = np.zeros((2 * size + 3,) * rounds + (2,) * rounds + (size + 1,), bool)
    reached[(size + 1,) * rounds + (0,) * rounds + (0,)] = True
    for match in situation.matches:
        assert sum(match[0] in each for each in situation.matches) == 1, "one known match each"
        found = np.zeros_like(reached)
        for mine, theirs in ((W, L), (D, D), (L, W)):
            if own not in match or (mine, theirs)[match.index(own)] == fate[0]:
                one = ends(reached, match[0], runners[match[0]].points + worth[mine])
                found |= ends(one, match[1], runners[match[1]].points + worth[theirs])
        reached = found
    seated = {id for match in situation.matches for id in match}
    for each in situation.runners:
        if each.id not in seated:
            reached = ends(reached, each.id, each.points)
    odd = sum(each.plays for each in situation.runners) % 2
    return list(np.flatnonzero(reached[(size + 1,) * rounds + (odd,) * rounds]))
