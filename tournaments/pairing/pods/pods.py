"""Seating at tables of several: proved for small fields, seeded search beyond, seats last.

See docs/how-it-works/pairing.md#pods.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb

from tournaments.pairing.pods.bounds import cost_bound, cut_evenly
from tournaments.pairing.pods.contenders import TABLE_ENGINE, SeatedRound, TableContender, TableCost, TableInput
from tournaments.pairing.pods.costs import Ties, asked_sizes, tables_cost, ties_between
from tournaments.pairing.pods.exact import best_groups, search_work
from tournaments.pairing.pods.search import SearchTerms, Seating, improve
from tournaments.pairing.pods.sizes import TableSizes
from tournaments.pairing.swiss.seat_order import EXACT_SEATS, balance_seats, best_order

EXACT_WORK = 600_000  # fillings looked at, about 0.2 s: every field up to 12, and fours up to 16
LARGE_TABLES = 4_000  # tables above EXACT_SEATS weighed, 0.3 s: any single table, and two of seven
FORBIDDEN, REPEAT, CLUB = 1 << 12, 1 << 6, 1
FORBIDDEN_AT_LARGE = 1 << 20  # a swap of two at tables of 20 changes 38 meetings
TERM_BITS = 64


@dataclass(frozen=True, slots=True)
class Task:
    """The part of a round that is to be seated: contenders in the order of the lot, tables, what each has with others.

    `left[place]` counts who sat next to it, where primary targets matter.
    """

    given: TableInput
    field: Sequence[TableContender]
    asked: TableSizes
    ties: Ties
    left: Sequence[Mapping[int, int]]
    seats: Sequence[tuple[int, ...]]


def seat_tables(given: TableInput) -> SeatedRound:
    """Seat one round at least cost; the same input gives the same round, in whatever order contenders come.

    Any field is answered: where no lawful tables fit, as few as possible sit out, and `fault` says why. Up to 12
    contenders at tables of up to six the seating is the cheapest there is in every term, proved; beyond, it is proved
    when it meets `bound`. Ids in `locked` must be in the field, each once.
    """
    lots = random.Random(given.seed)  # noqa: S311 - reproducible on purpose
    task = _task(given, lots)
    bound = cost_bound(task.field, task.asked, given.policy, task.ties)
    exact = _can_be_proved(task)
    groups, out = _cheapest(task) if exact else _searched(task, lots, bound)
    tables = [_in_order(task, group, lots) for group in groups] + list(given.locked)
    byes = tuple(sorted(task.field[place].id for place in out))
    cost = tables_cost(given, tables, byes)
    floor = cost if exact else _with_locked(bound, given)
    return SeatedRound(
        tables=_from_the_top(given, tables),
        byes=byes,
        awarded_byes=tuple(sorted(each.id for each in given.contenders if each.awarded_bye)),
        cost=cost,
        bound=floor,
        proved=cost == floor,
        fault=task.asked.fault,
        seed=given.seed,
        engine=TABLE_ENGINE,
        input_hash=given.digest(),
    )


def _can_be_proved(task: Task) -> bool:
    """Whether all seatings can be weighed; at larger tables seats are exact, neighbours in turn order are not."""
    count, sizes = len(task.field), task.asked.sizes
    large = [size for size in set(sizes) if size > EXACT_SEATS]
    if large and (task.given.policy.primary_targets or sum(comb(count, size) for size in large) > LARGE_TABLES):
        return False
    return search_work(count, sizes, task.asked.byes) <= EXACT_WORK


def _task(given: TableInput, lots: random.Random) -> Task:
    locked = {seat for table in given.locked for seat in table}
    free = (each for each in given.contenders if not each.awarded_bye and each.id not in locked)
    field = sorted(free, key=lambda each: each.id)
    lots.shuffle(field)
    places = {each.id: place for place, each in enumerate(field)}
    next_to = [Counter(each.left) if given.policy.primary_targets else Counter[int]() for each in field]
    left = [{places[each]: number for each, number in row.items() if each in places} for row in next_to]
    ties = ties_between(field, given.policy)
    return Task(given, field, asked_sizes(given), ties, left, [each.seats for each in field])


def _with_locked(bound: TableCost, given: TableInput) -> TableCost:
    """The bound of the rest and what the locked tables cost anyway."""
    fixed = tables_cost(given, given.locked, ())
    terms = {name: getattr(bound, name) + getattr(fixed, name) for name in TableCost.__dataclass_fields__}
    return TableCost(**terms | {"wrong_sizes": 0})


def _from_the_top(given: TableInput, tables: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    score = {each.id: each.score for each in given.contenders}
    return tuple(sorted(tables, key=lambda table: (sorted(-score[each] for each in table), table)))


def _in_order(task: Task, group: Sequence[int], lots: random.Random) -> tuple[int, ...]:
    members = list(group)
    lots.shuffle(members)
    return tuple(task.field[place].id for place in best_order(members, task.seats, task.left)[1])


def _cheapest(task: Task) -> tuple[list[tuple[int, ...]], list[int]]:
    """The best of all seatings: every term packed into one integer, the weightiest on top."""
    lowest = min((each.score for each in task.field), default=0)
    balance = task.given.policy.balance
    byes = [_packed(each.byes, 0, 0, 0, (each.score - lowest) * balance, 0, 0, 0, 0) for each in task.field]
    return best_groups(len(task.field), task.asked.sizes, task.asked.byes, lambda group: _table_cost(task, group), byes)


def _table_cost(task: Task, group: tuple[int, ...]) -> int:
    policy = task.given.policy
    forbidden = repeats = mates = spread = 0
    for spot, one in enumerate(group):
        ties, score = task.ties[one], task.field[one].score
        for other in group[spot + 1 :]:
            tie = ties.get(other)
            if tie:
                forbidden, repeats, mates = forbidden + tie[0], repeats + tie[1], mates + tie[2]
            spread += (score - task.field[other].score) ** 2
    distance = abs(len(group) - policy.preferred)
    off_size = distance and distance * sum(task.field[place].off_size for place in group)
    (seats, targets), _ = best_order(group, task.seats, task.left)
    return _packed(0, forbidden, repeats, mates, 0, spread * policy.balance, off_size, seats, targets)


def _packed(*terms: int) -> int:
    total = 0
    for term in terms:
        total = (total << TERM_BITS) + term
    return total


def _searched(task: Task, lots: random.Random, bound: TableCost) -> tuple[list[list[int]], list[int]]:
    groups, sizes = _start(task)
    distances = [abs(size - task.given.policy.preferred) for size in sizes]
    terms = _search_terms(task, max(distances))
    seating = Seating(terms, groups, distances)
    hard = _forbidden(task) * bound.forbidden_pairs + REPEAT * bound.repeats + CLUB * bound.club_pairs
    soft = terms.bye_unit * bound.bye_score + terms.unit * bound.spread + bound.off_size
    improve(seating, lots, (hard, soft))
    balance_seats(seating, task.seats, task.left)
    return seating.groups[:-1], seating.groups[-1]


def _start(task: Task) -> tuple[list[list[int]], list[int]]:
    """The byes that cost least, and the best cut of the others as if nobody had met: (groups, sizes of tables)."""
    balance = task.given.policy.balance
    scores = [each.score * balance for each in task.field]
    waiting = sorted(range(len(scores)), key=lambda place: (task.field[place].byes, scores[place]))
    out = waiting[: task.asked.byes]
    seated = sorted(waiting[task.asked.byes :], key=lambda place: (-scores[place], place))
    sizes = cut_evenly([scores[place] for place in seated], TableSizes(task.asked.sizes, 0))[1]
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    return [*(seated[start : start + size] for start, size in zip(starts, sizes, strict=True)), out], sizes


def _forbidden(task: Task) -> int:
    """What a pair that must not meet weighs in the search, more than all that one swap can save."""
    return FORBIDDEN if max(task.asked.sizes) <= EXACT_SEATS else FORBIDDEN_AT_LARGE


def _search_terms(task: Task, farthest: int) -> SearchTerms:
    balance = task.given.policy.balance
    scores = [each.score * balance for each in task.field]
    off_size = [each.off_size * bool(farthest) for each in task.field]
    unit = 1 + 2 * max(off_size) * farthest
    width = max(scores) - min(scores)
    most = max(task.asked.sizes)
    forbidden = _forbidden(task)
    return SearchTerms(
        hard=[
            {other: forbidden * tie[0] + REPEAT * tie[1] + CLUB * tie[2] for other, tie in row.items()}
            for row in task.ties
        ],
        repeat=REPEAT,
        scores=scores,
        off_size=off_size,
        byes=[each.byes for each in task.field],
        unit=unit,
        bye_unit=unit * (1 + 2 * max(most, EXACT_SEATS) * width * width),
    )
