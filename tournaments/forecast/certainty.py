"""What points alone make certain: exact with known matches and up to two rounds that are not paired yet.

A person is in if in no continuation as many others as there are places end with as many points: every tie counts as
lost. A person is out if in every continuation as many others as there are places end with more: every tie counts as
won. Losing whatever is left is the worst that can happen to oneself, winning it the best; sitting out is tried besides.

One long module, since every step of the search asks the same field of players, and keeps there what it found.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import comb, prod

from scoring.standings.records import Outcome
from tournaments.forecast.point_bounds import (
    BYE,
    DRAW,
    LOSS,
    NOTHING,
    WIN,
    Table,
    Way,
    either,
    is_possible,
    join,
    table_of,
    way_of,
    ways,
)
from tournaments.forecast.stage_state import Prospect, Runner, Situation, Verdict

MAX_STATES = 300
"""So many sums of points are followed at once through matches that hang together; beyond, players count one by one."""

RESULTS = {Outcome.WIN: WIN, Outcome.DRAW: DRAW, Outcome.LOSS: LOSS}
OF_TWO = ((Outcome.WIN, Outcome.LOSS), (Outcome.DRAW, Outcome.DRAW), (Outcome.LOSS, Outcome.WIN))

Matches = tuple[tuple[int, ...], ...]
Sums = tuple[tuple[int, int], ...]
"""Points of those whose matches are under way, by id."""


def compute_prospects(situation: Situation) -> dict[int, Prospect]:
    """The prospect of everybody who takes a place; empty where points cannot say anything.

    That is at tables of several players, and under rules by which losing may be better than winning.
    """
    if not situation.stakes.is_usual or any(len(match) != 2 for match in situation.matches):
        return {}
    field = _Field(situation)
    return {each.id: field.prospect(each) for each in situation.runners if each.takes_place}


@dataclass(frozen=True, slots=True)
class _Question:
    """Whether so many others can end with `points` or more; `hopeful`: whether all but so few can end with no more."""

    points: int
    hopeful: bool


@dataclass(frozen=True, slots=True)
class _Own:
    """What happens to the one asked about: results of its known matches, in order, and its way through the rounds."""

    id: int
    results: tuple[Outcome, ...]
    way: Way


class _Field:
    """A situation prepared for many questions."""

    def __init__(self, situation: Situation) -> None:
        self._stakes, self._places, self._goal = situation.stakes, situation.places, situation.goal
        playing = frozenset(each.id for each in situation.runners if each.plays)
        awarded = tuple(playing if len(playing) == 1 else round_ & playing for round_ in situation.rounds)
        self._runners = {
            each.id: replace(each, points=each.points + sum(each.id in ids for ids in awarded) * situation.stakes.bye)
            for each in situation.runners
        }
        self._free = {each.id: sum(each.id in playing - ids for ids in awarded) for each in situation.runners}
        self._byes = sum(len(playing - ids) % 2 for ids in awarded)
        self._two = len(awarded) == 2 and not any(awarded)
        self._own_matches: defaultdict[int, list[int]] = defaultdict(list)
        for number, match in enumerate(situation.matches):
            for each in match:
                self._own_matches[each].append(number)
        self._matches = situation.matches
        self._tables: dict[tuple[object, ...], Table] = {}
        self._answers: dict[tuple[object, ...], bool] = {}

    def prospect(self, runner: Runner) -> Prospect:
        """What is certain for a person."""
        now = self._verdict(runner.id, None)
        if not self._own_matches[runner.id] and not self._free[runner.id]:
            return Prospect(runner.id, now, {})
        if now is not Verdict.OPEN:
            return Prospect(runner.id, now, dict.fromkeys(Outcome, now))
        return Prospect(runner.id, now, {outcome: self._verdict(runner.id, outcome) for outcome in Outcome})

    def _verdict(self, id: int, next_result: Outcome | None) -> Verdict:
        if not any(self._can(own, hopeful=False) for own in self._fates(id, next_result, Outcome.LOSS)):
            return Verdict.IN
        if not any(self._can(own, hopeful=True) for own in self._fates(id, next_result, Outcome.WIN)):
            return Verdict.OUT
        return Verdict.OPEN

    def _fates(self, id: int, next_result: Outcome | None, rest: Outcome) -> Iterator[_Own]:
        """What may happen to a person after its next result, if the rest goes that way; it may sit out instead."""
        known, free = len(self._own_matches[id]), self._free[id]
        results, first = (rest,) * known, list[str]()
        if next_result is not None and known:
            results = (next_result, *results[1:])
        elif next_result is not None:
            first, free = [RESULTS[next_result]], free - 1
        for byes in range(min(free, self._byes) + 1):
            through = (*first, *[RESULTS[rest]] * (free - byes), *[BYE] * byes)
            yield _Own(id, results, way_of(through, self._stakes, two=self._two))

    def _can(self, own: _Own, *, hopeful: bool) -> bool:
        """Whether what would keep a person out (hopeful: in) can happen."""
        points = self._runners[own.id].points + own.way.value + sum(self._stakes.of(each) for each in own.results)
        if self._goal is not None:
            return (points >= self._goal) is hopeful
        asked = _Question(points, hopeful)
        if (plain := self._plain_answer(own, asked)) is not None:
            return plain
        others = self._others_key(own)
        key = (asked, own.results, own.way, others)
        if key not in self._answers:
            self._answers[key] = self._search(own, asked)
        return self._answers[key]

    def _plain_answer(self, own: _Own, asked: _Question) -> bool | None:
        """The answer where counting each other by itself gives it; None where they depend on each other."""
        least, most = self._ends
        runner, spread = self._runners[own.id], self._spread(own.id)
        mine = (runner.points + spread[0], runner.points + spread[1])
        if asked.hopeful:
            surely = len(least) - bisect_right(least, asked.points) - (mine[0] > asked.points)
            perhaps = len(most) - bisect_right(most, asked.points) - (mine[1] > asked.points)
            return False if surely >= self._places else True if perhaps < self._places else None
        surely = len(least) - bisect_left(least, asked.points) - (mine[0] >= asked.points)
        perhaps = len(most) - bisect_left(most, asked.points) - (mine[1] >= asked.points)
        return True if surely >= self._places else False if perhaps < self._places else None

    @cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        """The fewest and the most points that those who take a place may end with, each sorted."""
        taking = [each for each in self._runners.values() if each.takes_place]
        spreads = [(each.points, *self._spread(each.id)) for each in taking]
        return sorted(points + low for points, low, _high in spreads), sorted(
            points + high for points, _low, high in spreads
        )

    def _spread(self, id: int) -> tuple[int, int]:
        left = len(self._own_matches[id]) + self._free[id]
        return left * self._stakes.loss, left * self._stakes.win

    def _search(self, own: _Own, asked: _Question) -> bool:
        component = self._component_of(own.id)
        own_part = self._component_table(component, asked, own) if component else self._own_table(own, asked)
        table = self._join(self._others_table(own, asked), own_part, asked)
        needed = self._places
        return any(
            is_possible(balance, state, self._byes)
            for (count, state), balance in table.items()
            if (count < needed if asked.hopeful else count >= needed)
        )

    def _join(self, one: Table, other: Table, asked: _Question) -> Table:
        most = self._places - 1 if asked.hopeful else self._places
        return join(one, other, most, self._byes, drops=asked.hopeful)

    def _own_table(self, own: _Own, asked: _Question) -> Table:
        return table_of([(0, _turned(own.way) if asked.hopeful else own.way)])

    def _runner_table(self, id: int, points: int, asked: _Question) -> Table:
        """What a person with these points after its known matches adds."""
        runner = self._runners[id]
        key = (asked, points, runner.takes_place, self._free[id])
        if key not in self._tables:
            through = ways(self._stakes, self._free[id], two=self._two, odd=self._byes > 0)
            self._tables[key] = table_of(self._choices(points, runner.takes_place, through, asked))
        return self._tables[key]

    @staticmethod
    def _choices(points: int, takes_place: bool, through: Sequence[Way], asked: _Question) -> Iterator[tuple[int, Way]]:
        for each in through:
            ends = points + each.value
            if asked.hopeful:
                yield int(takes_place and ends > asked.points), _turned(each)
            else:
                yield int(takes_place and ends >= asked.points), each

    # Those who do not depend on the one asked about

    def _others_key(self, own: _Own) -> object:
        """What tells two questions of equal points apart: whom they leave out."""
        component = self._component_of(own.id)
        if component is None:
            return self._kind_of_runner(own.id)
        if not component.is_single:
            return own.id
        [match] = component.matches
        return tuple(self._kind_of_runner(each) for each in sorted(match, key=lambda each: each != own.id))

    def _component_of(self, id: int) -> "_Component | None":
        return next((each for each in self._components if id in each.ids), None)

    def _kind_of_runner(self, id: int) -> tuple[int, bool, int]:
        runner = self._runners[id]
        return runner.points, runner.takes_place, self._free[id]

    def _others_table(self, own: _Own, asked: _Question) -> Table:
        """Everybody but the one asked about and those whose matches hang together with its own."""
        table: Table = NOTHING
        for kind, ids in self._lone_kinds.items():
            count = len(ids) - (own.id in ids)
            one = self._runner_table(ids[0], kind[0], asked)
            table = self._join(table, self._power(one, count, asked), asked)
        for components in self._component_kinds.values():
            count = sum(own.id not in each.ids for each in components)
            if count:
                one = self._shared_table(components[0], asked)
                table = self._join(table, self._power(one, count, asked), asked)
        return table

    def _shared_table(self, component: "_Component", asked: _Question) -> Table:
        key = (asked, component.matches)
        if key not in self._tables:
            self._tables[key] = self._component_table(component, asked, None)
        return self._tables[key]

    def _power(self, table: Table, count: int, asked: _Question) -> Table:
        """So many alike together."""
        power: Table = NOTHING
        while count:
            if count % 2:
                power = self._join(power, table, asked)
            count //= 2
            if count:
                table = self._join(table, table, asked)
        return power

    @cached_property
    def _lone_kinds(self) -> dict[tuple[int, bool, int], list[int]]:
        """Those without a known match, alike together."""
        kinds: defaultdict[tuple[int, bool, int], list[int]] = defaultdict(list)
        for id in self._runners:
            if not self._own_matches[id]:
                kinds[self._kind_of_runner(id)].append(id)
        return dict(kinds)

    @cached_property
    def _components(self) -> tuple["_Component", ...]:
        return tuple(_components(self._matches))

    @cached_property
    def _component_kinds(self) -> dict[object, list["_Component"]]:
        """Matches that hang together, alike together."""
        kinds: defaultdict[object, list[_Component]] = defaultdict(list)
        for each in self._components:
            ids = each.matches[0] if each.is_single else ()
            kinds[tuple(sorted(self._kind_of_runner(id) for id in ids)) or each.matches].append(each)
        return dict(kinds)

    def _component_table(self, component: "_Component", asked: _Question, own: _Own | None) -> Table:
        """What those of a component add, over every course of its matches."""
        if component.states > MAX_STATES:
            return self._relaxed_table(component, asked, own)
        courses: dict[Sums, Table] = {(): NOTHING}
        for number, match in component.ordered:
            following: defaultdict[Sums, list[Table]] = defaultdict(list)
            for (sums, table), outcomes in product(courses.items(), self._outcomes(number, match, own)):
                points = dict(sums)
                for id, outcome in zip(match, outcomes, strict=True):
                    points[id] = points.get(id, self._runners[id].points) + self._stakes.of(outcome)
                for id in component.ending[number]:
                    table = self._join(table, self._ended_table(id, points.pop(id), asked, own), asked)
                following[tuple(sorted(points.items()))].append(table)
            courses = {sums: either(tables) for sums, tables in following.items()}
        return courses.get((), {})

    def _outcomes(self, number: int, match: tuple[int, ...], own: _Own | None) -> list[tuple[Outcome, ...]]:
        """How a match may end, seat by seat; one's own as it is said to."""
        if own is None or own.id not in match:
            return list(OF_TWO)
        wanted, seat = own.results[self._own_matches[own.id].index(number)], match.index(own.id)
        return [each for each in OF_TWO if each[seat] is wanted]

    def _ended_table(self, id: int, points: int, asked: _Question, own: _Own | None) -> Table:
        if own is not None and id == own.id:
            return self._own_table(own, asked)
        return self._runner_table(id, points, asked)

    def _relaxed_table(self, component: "_Component", asked: _Question, own: _Own | None) -> Table:
        """The same as if everybody's matches went as is best for the answer: never too little."""
        table: Table = NOTHING
        for id in component.ids:
            through = ways(self._stakes, len(self._own_matches[id]), two=False, odd=False)
            sums = {self._runners[id].points + each.value for each in through}
            table = self._join(table, either(self._ended_table(id, each, asked, own) for each in sums), asked)
        return table


@dataclass(frozen=True, slots=True)
class _Component:
    """Matches that share players, in an order in which few players are under way; `ending` is who is done after each.

    `states` is how many sums of points may stand side by side.
    """

    ids: frozenset[int]
    ordered: tuple[tuple[int, tuple[int, ...]], ...]
    ending: Mapping[int, tuple[int, ...]]
    states: int

    @property
    def matches(self) -> Matches:
        return tuple(match for _number, match in self.ordered)

    @property
    def is_single(self) -> bool:
        return len(self.ordered) == 1


def _components(matches: Matches) -> Iterator[_Component]:
    groups: list[tuple[set[int], list[int]]] = []
    for number, match in enumerate(matches):
        touched = [group for group in groups if group[0].intersection(match)]
        groups = [group for group in groups if group not in touched]
        ids = set(match).union(*(group[0] for group in touched))
        groups.append((ids, sorted([number, *(each for group in touched for each in group[1])])))
    for ids, numbers in groups:
        yield _component(frozenset(ids), numbers, matches)


def _component(ids: frozenset[int], numbers: list[int], matches: Matches) -> _Component:
    left = Counter(id for number in numbers for id in matches[number])
    played, waiting = Counter[int](), list(numbers)
    ordered, ending, states = [], {}, 1
    while waiting:
        number = min(waiting, key=lambda each: (_grown(matches[each], left, played), each))
        waiting.remove(number)
        left.subtract(matches[number])
        played.update(matches[number])
        ordered.append((number, matches[number]))
        ending[number] = tuple(id for id in matches[number] if not left[id])
        under_way = [id for id in ids if played[id] and left[id]]
        states = max(states, prod(comb(played[id] + 2, 2) for id in under_way))
    return _Component(ids, tuple(ordered), ending, states)


def _grown(match: tuple[int, ...], left: Counter[int], played: Counter[int]) -> int:
    """How many more are under way once this match is played."""
    return sum(not played[id] and left[id] > 1 for id in match) - sum(played[id] > 0 and left[id] == 1 for id in match)


def _turned(way: Way) -> Way:
    """A way as hope sees it: there, losses are what others have to make up for."""
    beside = None if way.beside_bye is None else -way.beside_bye
    return replace(way, balance=-way.balance, beside_bye=beside)
