"""How the rest may go, down to the last tiebreaker: every course where they are few, chance where they are many.

Odds are even: who wins is as likely as who loses, whatever they did before. A draw is as likely as it was among the
matches so far (counted as if one of twenty more had been drawn, so that it is never impossible); the usual scores of a
win are as likely as each other.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from math import prod, sqrt
from random import Random

from scoring.standings.records import MatchKind, MatchRecord, Outcome, SeatRecord
from scoring.standings.results import MatchLength, MatchResult
from scoring.standings.simulated import simulated_result
from scoring.standings.standings import Standing
from tournaments.forecast.inputs import OpenMatch, OutlookGiven
from tournaments.pairing.swiss.contenders import Contender, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss

PAIRED_EXACTLY = 32
"""Fields of up to so many are paired by the pairing core, larger ones by neighbours of equal points."""

LINES_AT_ONCE = 30_000
"""Courses times players tried while a page waits."""

BATCH = 20
"""Courses between two looks whether to go on."""

Score = tuple[Outcome, int, int, int]
"""How it ended for the first seat, games won by the first, by the second, drawn."""


def usual_scores(length: MatchLength) -> tuple[Score, ...]:
    """The scores with which a match usually ends: 2–0, 2–1, 1–1, 1–2, 0–2 in a best of three."""
    if length.exactly:
        whole = [(won, length.games - won, 0) for won in range(length.games + 1) if 2 * won != length.games]
        half = length.games // 2
        scores = [*whole, (half, half, length.games % 2)]
    else:
        needed = length.wins_needed
        lost = [(needed, other, 0) for other in range(needed)]
        scores = [*lost, *((other, won, 0) for won, other, _drawn in lost), (needed - 1, needed - 1, int(needed == 1))]
    return tuple((_outcome(one, other), one, other, drawn) for one, other, drawn in scores)


def _outcome(one: int, other: int) -> Outcome:
    return Outcome.DRAW if one == other else Outcome.WIN if one > other else Outcome.LOSS


TURNED = {Outcome.WIN: Outcome.LOSS, Outcome.DRAW: Outcome.DRAW, Outcome.LOSS: Outcome.WIN}


def record_of(match: OpenMatch, score: Score) -> MatchRecord:
    """A match of two that ended so."""
    outcome, won, lost, drawn = score
    one, other = match.seats
    seats = (SeatRecord(one, outcome, won), SeatRecord(other, TURNED[outcome], lost))
    return MatchRecord(match.round_number, MatchKind.PLAYED, seats, games_drawn=drawn)


@dataclass(slots=True)
class Tally:
    """In how many courses a person was in, by the result of its own next match (None: it has none).

    `seen` are all courses, `inside` those in which it was in, `level` those in which it was tied on the line in every
    tiebreaker. Courses weigh by their odds, as whole numbers.
    """

    seen: dict[Outcome | None, int] = field(default_factory=lambda: defaultdict(int))
    inside: dict[Outcome | None, int] = field(default_factory=lambda: defaultdict(int))
    level: dict[Outcome | None, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, result: Outcome | None, weight: int, *, inside: bool, level: bool) -> None:
        self.seen[result] += weight
        self.inside[result] += weight * inside
        self.level[result] += weight * level

    def as_list(self) -> list[int]:
        """As whole numbers: seen, inside, level for each result in the order of RESULTS."""
        return [part[result] for part in (self.seen, self.inside, self.level) for result in RESULTS]

    def add_list(self, counts: Sequence[int]) -> None:
        """Add what `as_list` gave."""
        for part, found in zip(
            (self.seen, self.inside, self.level), (counts[0:4], counts[4:8], counts[8:12]), strict=True
        ):
            for result, count in zip(RESULTS, found, strict=True):
                part[result] += count

    def share(self, *results: Outcome | None) -> tuple[int, int, int]:
        """Inside, level and seen over some results; over all of them without any."""
        wanted = results or RESULTS
        inside, level, seen = (sum(part[each] for each in wanted) for part in (self.inside, self.level, self.seen))
        return inside, level, seen


RESULTS: tuple[Outcome | None, ...] = (Outcome.WIN, Outcome.DRAW, Outcome.LOSS, None)
Tallies = dict[int, Tally]


def standard_error(inside: int, seen: int) -> float:
    """Of a share found in so many samples; never 0, because what was not seen may still happen."""
    share = (inside + 1) / (seen + 2)
    return sqrt(share * (1 - share) / seen)


class Playouts:
    """Everything that may still happen from one position on."""

    def __init__(self, given: OutlookGiven) -> None:
        self.given = given
        self._scores = usual_scores(given.length)

    @cached_property
    def number(self) -> int | None:
        """How many courses there are; None where rounds are not paired yet or tables seat several."""
        if self.given.rounds or any(len(match.seats) > 2 for match in self.given.matches):
            return None
        return prod(len(self._scores) for match in self.given.matches if len(match.seats) == 2)

    def is_few(self) -> bool:
        """Whether all of them can be tried while a page waits."""
        return self.number is not None and self.number * len(self.given.contenders) <= LINES_AT_ONCE

    def tally_all(self) -> Tallies:
        """Every course of known matches, each with its odds."""
        assert self.number is not None
        tallies: Tallies = defaultdict(Tally)
        weights = self._weights()
        for place in range(self.number):
            records, weight = list[MatchRecord](), 1
            for match in self.given.matches:
                if len(match.seats) == 1:
                    records.append(self._alone(match))
                    continue
                place, choice = divmod(place, len(self._scores))
                records.append(record_of(match, self._scores[choice]))
                weight *= weights[choice]
            self._count(records, weight, tallies)
        return tallies

    def tally_samples(self, seed: str, samples: int, goes_on: Callable[[], bool]) -> Tallies | None:
        """So many courses by chance: the same seed, the same courses. None once it does not go on."""
        tallies: Tallies = defaultdict(Tally)
        chance = Random(seed)  # noqa: S311 - reproducible on purpose
        for sample in range(samples):
            if sample % BATCH == 0 and not goes_on():
                return None
            self._count(self._sample(chance), 1, tallies)
        return tallies

    def _weights(self) -> tuple[int, ...]:
        """The odds of each usual score, as whole numbers."""
        wins = sum(score[0] is Outcome.WIN for score in self._scores)
        drawn, all_ = self.given.draws + 1, self.given.decided + 20
        return tuple(2 * wins * drawn if score[0] is Outcome.DRAW else all_ - drawn for score in self._scores)

    def _count(self, records: Sequence[MatchRecord], weight: int, tallies: Tallies) -> None:
        following: dict[int, Outcome] = {}
        for record in records:
            if record.kind is MatchKind.PLAYED:
                for seat in record.seats:
                    following.setdefault(seat.contender, seat.outcome)
        for contender, inside, level in self._placed(self.given.standings(records)):
            tallies[contender].add(following.get(contender), weight, inside=inside, level=level)

    def _placed(self, lines: Sequence[Standing]) -> Iterator[tuple[int, bool, bool]]:
        """Who is in, who is tied on the line, among those who can be in."""
        gone, above = set(self.given.gone), 0
        for _rank, tied in groupby(lines, key=lambda line: line.rank):
            group = list(tied)
            taking = [line for line in group if line.contender not in gone or self.given.gone_take_places]
            for line in taking:
                if self.given.places is None:
                    yield line.contender, line.match_points >= (self.given.points or 0), False
                else:
                    inside = above + len(taking) <= self.given.places
                    yield line.contender, inside, not inside and above < self.given.places
            above += len(taking)

    # One course by chance

    @cached_property
    def _odds(self) -> list[int]:
        return list(accumulate(self._weights()))

    def _sample(self, chance: Random) -> list[MatchRecord]:
        records = [self._played(match, chance) for match in self.given.matches]
        for number, awarded in enumerate(self.given.rounds, start=self.given.next_round):
            records += self._round(number, frozenset(awarded), records, chance)
        return records

    def _played(self, match: OpenMatch, chance: Random) -> MatchRecord:
        if len(match.seats) == 1:
            return self._alone(match)
        if len(match.seats) == 2:
            score = self._scores[bisect(self._odds, chance.randrange(self._odds[-1]))]
            return record_of(match, score)
        return _from_result(match, simulated_result([0.0] * len(match.seats), self.given.length, chance))

    def _round(
        self, number: int, awarded: frozenset[int], so_far: Sequence[MatchRecord], chance: Random
    ) -> list[MatchRecord]:
        """A round that is not paired yet, paired and played."""
        gone = set(self.given.gone)
        lines = self.given.standings(so_far)
        scores = {line.contender: line.match_points for line in lines if line.contender not in gone}
        opponents, byes = self._past(so_far)
        playing = [id for id in scores if id not in awarded]
        groups = self._groups(playing, scores, opponents, byes, chance)
        alone = [(id,) for id in scores if id in awarded]
        return [self._played(OpenMatch(number, group), chance) for group in (*groups, *alone)]

    def _groups(
        self,
        playing: list[int],
        scores: dict[int, int],
        opponents: dict[int, list[int]],
        byes: set[int],
        chance: Random,
    ) -> list[tuple[int, ...]]:
        if self.given.table_size > 2:
            return _tables(_by_points(playing, scores, chance), self.given.table_size)
        if len(playing) > PAIRED_EXACTLY:
            return _neighbours(_by_points(playing, scores, chance), opponents, byes)
        field_ = tuple(Contender(id, scores[id], tuple(opponents[id]), id in byes) for id in playing)
        pairing = pair_swiss(RoundInput(field_, seed=chance.getrandbits(32)))
        return [*pairing.pairs, *([(pairing.bye,)] if pairing.bye is not None else [])]

    def _past(self, so_far: Sequence[MatchRecord]) -> tuple[dict[int, list[int]], set[int]]:
        """Whom everybody met, and who had a bye."""
        opponents: defaultdict[int, list[int]] = defaultdict(list)
        byes: set[int] = set()
        for record in (*self.given.records, *so_far):
            ids = [seat.contender for seat in record.seats]
            for id in ids:
                opponents[id] += [each for each in ids if each != id]
            if record.kind is MatchKind.BYE:
                byes.update(ids)
        return opponents, byes

    def _alone(self, match: OpenMatch) -> MatchRecord:
        won, _lost = self.given.policy.bye_games
        return MatchRecord(match.round_number, MatchKind.BYE, (SeatRecord(match.seats[0], Outcome.WIN, won),))


def _from_result(match: OpenMatch, result: MatchResult) -> MatchRecord:
    places = result.placings or (None,) * len(match.seats)
    scores = result.scores or (None,) * len(match.seats)
    seats = zip(match.seats, result.outcomes, result.games_won, places, scores, strict=True)
    return MatchRecord(match.round_number, MatchKind.PLAYED, tuple(SeatRecord(*each) for each in seats))


def _by_points(playing: list[int], scores: dict[int, int], chance: Random) -> list[int]:
    """The most points first, in chance order among equals."""
    shuffled = list(playing)
    chance.shuffle(shuffled)
    return sorted(shuffled, key=lambda id: -scores[id])


def _neighbours(ordered: list[int], opponents: dict[int, list[int]], byes: set[int]) -> list[tuple[int, ...]]:
    """Each with the next it has not met; in an odd field the last who had no bye sits out."""
    left, groups = list(ordered), list[tuple[int, ...]]()
    if len(left) % 2:
        alone = next((id for id in reversed(left) if id not in byes), left[-1])
        left.remove(alone)
        groups.append((alone,))
    while left:
        one = left.pop(0)
        other = next((id for id in left if id not in opponents[one]), left[0])
        left.remove(other)
        groups.append((one, other))
    return groups


def _tables(ordered: list[int], size: int) -> list[tuple[int, ...]]:
    """Tables as even as can be, the best together; alone whoever is left."""
    count = max(1, -(-len(ordered) // size))
    bounds = [len(ordered) * number // count for number in range(count + 1)]
    return [tuple(ordered[first:last]) for first, last in pairwise(bounds) if last > first]
