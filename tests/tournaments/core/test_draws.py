"""The draw of the next deck check: even, repeatable, from the least checked alone."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.draws import propose_check

TIMES = st.dictionaries(st.integers(1, 30), st.integers(0, 5))


@given(st.sets(st.integers(1, 30), min_size=1), TIMES, st.integers(0, 2**32))
def test_drawn_is_one_of_those_checked_least_often(candidates, times, seed):
    drawn = propose_check(candidates, times, seed)
    assert drawn in candidates
    assert times.get(drawn, 0) == min(times.get(number, 0) for number in candidates)
    assert propose_check(sorted(candidates, reverse=True), times, seed) == drawn


def test_nobody_is_drawn_from_nobody():
    assert propose_check([], {1: 2}, 7) is None


def test_each_is_as_likely():
    drawn = Counter(propose_check(range(1, 6), {1: 1}, seed) for seed in range(8000))
    assert set(drawn) == {2, 3, 4, 5}
    assert all(1800 < count < 2200 for count in drawn.values())


def test_everybody_is_checked_once_before_anybody_twice():
    times: dict[int, int] = {}
    for seed in range(20):
        drawn = propose_check(range(1, 11), times, seed)
        times[drawn] = times.get(drawn, 0) + 1
    assert set(times.values()) == {2}
