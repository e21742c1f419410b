"""The draw of the next deck check: repeatable with its key, hidden without it, fair, and where it costs little."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from statistics import NormalDist

from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.draws import COSTS_NOTHING, LOOKED_AHEAD, propose_check

TIMES = st.dictionaries(st.integers(1, 30), st.integers(0, 5))
COSTS = st.dictionaries(st.integers(1, 30), st.floats(0, 600))
KEYS = st.binary(min_size=32, max_size=32)
NUMBERS = st.sets(st.integers(1, 30), min_size=1)


def key_of(seed: object) -> bytes:
    return Random(f"{seed}").randbytes(32)


@given(NUMBERS, TIMES, COSTS, KEYS, st.booleans())
def test_drawn_is_one_of_those_checked_least_often(candidates, times, costs, key, last):
    drawn = propose_check(candidates, times, key, costs, in_order=last)
    assert drawn in candidates
    assert times.get(drawn, 0) == min(times.get(number, 0) for number in candidates)
    assert propose_check(sorted(candidates, reverse=True), times, key, costs, in_order=last) == drawn


def test_nobody_is_drawn_from_nobody():
    assert propose_check([], {1: 2}, b"key") is None


def test_each_is_as_likely_to_be_next_whatever_was_drawn_before():
    drawn = Counter(propose_check(range(1, 6), {1: 1}, key_of(seed)) for seed in range(8000))
    assert set(drawn) == {2, 3, 4, 5}
    assert all(1800 < count < 2200 for count in drawn.values())


def test_everybody_is_checked_once_before_anybody_twice():
    times: dict[int, int] = {}
    for _draw in range(20):
        drawn = propose_check(range(1, 11), times, b"key")
        times[drawn] = times.get(drawn, 0) + 1
    assert set(times.values()) == {2}


def test_a_second_time_round_has_another_order():
    first = [propose_check([1, 2, 3, 4], {}, key_of(seed)) for seed in range(40)]
    again = [propose_check([1, 2, 3, 4], dict.fromkeys(range(1, 5), 1), key_of(seed)) for seed in range(40)]
    assert first != again


def test_a_check_that_costs_nothing_goes_before_and_the_one_passed_over_is_next():
    order = list(drawn_in_order(30))
    costs = dict.fromkeys(order, 100.0) | {order[5]: COSTS_NOTHING - 1}
    assert propose_check(order, {}, b"key", costs) == order[5]
    assert propose_check(order, {order[5]: 1}, b"key") == order[0]
    assert propose_check(order, {}, b"key", costs, in_order=True) == order[0]
    beyond = dict.fromkeys(order, 100.0) | {order[LOOKED_AHEAD]: 0}
    assert propose_check(order, {}, b"key", beyond) == order[0]


def drawn_in_order(players: int) -> Iterator[int]:
    times: dict[int, int] = {}
    while len(times) < players:
        drawn = propose_check(range(players), times, b"key")
        times[drawn] = 1
        yield drawn


# A thousand events: 32 players, of whom the first four are slow, seven rounds of 50 minutes, three checks a round from
# the twentieth minute on.
PLAYERS, SLOW, ROUNDS, CHECKS, EVENTS, MINUTE = 32, 4, 7, 3, 1000, 60.0
Draw = Callable[[dict[int, int], bytes, dict[int, float], bool], int | None]


def safe(times: dict[int, int], key: bytes, costs: dict[int, float], last: bool) -> int | None:
    return propose_check(range(PLAYERS), times, key, costs, in_order=last)


def by_lot(times: dict[int, int], key: bytes, _costs: dict[int, float], _last: bool) -> int | None:
    return propose_check(range(PLAYERS), times, key)


def always_the_cheapest(times: dict[int, int], key: bytes, costs: dict[int, float], _last: bool) -> int | None:
    cheapest = min(costs[number] for number in range(PLAYERS) if number not in times)
    return propose_check((n for n in range(PLAYERS) if costs[n] == cheapest and n not in times), times, key)


def made_up_round(chance: Random) -> dict[int, float]:
    """When each player's table reports: slow players take half as long again, time is over after 50 minutes."""
    seats, ends = list(range(PLAYERS)), {}
    chance.shuffle(seats)
    for one, other in zip(seats[::2], seats[1::2], strict=True):
        end = 27 * MINUTE * (1 + ((one < SLOW) + (other < SLOW)) / 2) * chance.lognormvariate(0, 0.35)
        ends[one] = ends[other] = end if end < 50 * MINUTE else 50 * MINUTE + chance.uniform(20, 400)
    return ends


def tried(draw: Draw, seed: int) -> tuple[float, float]:
    """Chi square of how often each player is checked, 31 degrees of freedom, and the mean delay by a check of ten
    minutes. The draw knows that tables that play cost two minutes, and no more: whether they do is up to the truth.
    """
    counts, delays = [0] * PLAYERS, []
    for event in range(EVENTS):
        chance, times = Random(f"{seed} {event}"), {}
        key = chance.randbytes(32)
        for round_ in range(ROUNDS):
            ends = made_up_round(chance)
            for _check in range(CHECKS):
                now = chance.uniform(20, 50) * MINUTE
                costs = {number: 0.0 if end <= now else 120.0 for number, end in ends.items()}
                drawn = draw(times, key, costs, round_ == ROUNDS - 1)
                times[drawn] = times.get(drawn, 0) + 1
                counts[drawn] += 1
                late = ends[drawn] > now
                delays.append(max(0.0, ends[drawn] + 10 * MINUTE - max(ends.values())) if late else 0.0)
    mean = sum(counts) / PLAYERS
    share = mean / EVENTS
    spread = EVENTS * share * (1 - share) * PLAYERS / (PLAYERS - 1)
    return sum((count - mean) ** 2 for count in counts) / spread, sum(delays) / len(delays)


def limit_of(freedom: int, chance: float) -> float:
    """What chi square exceeds so seldom (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + NormalDist().inv_cdf(1 - chance) * part**0.5) ** 3


def test_a_thousand_events_are_fair_and_delayed_a_quarter_as_much_as_by_lot(seed):
    limit = limit_of(PLAYERS - 1, 0.0001)
    unevenness, delay = tried(safe, seed)
    assert unevenness < limit
    fair, delay_by_lot = tried(by_lot, seed)
    assert fair < limit
    assert delay <= delay_by_lot / 4
    # Controls: a lot is too slow; the cheapest table first lets slow players off.
    assert tried(always_the_cheapest, seed)[0] > limit
