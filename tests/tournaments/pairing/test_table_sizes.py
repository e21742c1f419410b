"""Table sizes for every count and policy, against all lawful numbers of tables."""

from itertools import product

import pytest

from tournaments.pairing.pods.contenders import Remainder, TablePolicy
from tournaments.pairing.pods.sizes import BYES_FORCED, TOO_FEW, TableSizes, table_sizes

POLICIES = [
    TablePolicy(preferred, least, most, remainder)
    for least, preferred, most in product(range(2, 7), repeat=3)
    if least <= preferred <= most
    for remainder in Remainder
]


@pytest.mark.parametrize(
    ("count", "policy", "expected"),
    [
        (10, TablePolicy(), ((4, 3, 3), 0, "")),
        (10, TablePolicy(remainder=Remainder.LARGER), ((5, 5), 0, "")),
        (10, TablePolicy(remainder=Remainder.BYES), ((4, 4), 2, "")),
        (9, TablePolicy(), ((3, 3, 3), 0, "")),
        (9, TablePolicy(remainder=Remainder.LARGER), ((5, 4), 0, "")),
        (5, TablePolicy(), ((5,), 0, "")),
        (5, TablePolicy(least=2), ((3, 2), 0, "")),
        (5, TablePolicy(4, 4, 4), ((4,), 1, BYES_FORCED)),
        (11, TablePolicy(4, 4, 4, Remainder.LARGER), ((4, 4), 3, BYES_FORCED)),
        (11, TablePolicy(remainder=Remainder.LARGER), ((4, 4, 3), 0, "")),
        (3, TablePolicy(remainder=Remainder.BYES), ((3,), 0, "")),
        (2, TablePolicy(), ((), 2, TOO_FEW)),
        (1, TablePolicy(), ((), 1, TOO_FEW)),
        (0, TablePolicy(), ((), 0, "")),
        (2001, TablePolicy(), ((4,) * 498 + (3,) * 3, 0, "")),
    ],
)
def test_table_sizes_answer_each_case(count, policy, expected):
    assert table_sizes(count, policy) == TableSizes(*expected)


def lawful_numbers(count, policy):
    """Every number of tables that seats exactly this many lawfully."""
    return [number for number in range(1, count + 1) if number * policy.least <= count <= number * policy.most]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_table_sizes_seat_as_many_as_lawful_sizes_can(policy):
    for count in [*range(80), 997, 5000]:
        given = table_sizes(count, policy)
        assert sum(given.sizes) + given.byes == count
        assert list(given.sizes) == sorted(given.sizes, reverse=True)
        assert not given.sizes or given.sizes[0] - given.sizes[-1] <= 1
        assert all(policy.least <= size <= policy.most for size in given.sizes)
        if policy.remainder is Remainder.BYES and count >= policy.preferred:
            assert given.byes == count % policy.preferred
            assert given.fault == ""
        else:
            most_seated = next((seated for seated in range(count, 0, -1) if lawful_numbers(seated, policy)), 0)
            assert given.byes == count - most_seated
            assert bool(given.fault) == bool(given.byes)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("policy", [each for each in POLICIES if each.remainder is not Remainder.BYES], ids=str)
def test_number_of_tables_is_the_nearest_on_the_side_asked_for(policy):
    for count in range(1, 80):
        given = table_sizes(count, policy)
        numbers = lawful_numbers(sum(given.sizes), policy)
        if not numbers:
            continue
        share = sum(given.sizes) / policy.preferred
        smaller = [number for number in numbers if number >= share]
        larger = [number for number in numbers if number <= share]
        first, second = (smaller, larger) if policy.remainder is Remainder.SMALLER else (larger, smaller)
        assert len(given.sizes) == min(first or second, key=lambda number: abs(number - share))


@pytest.mark.parametrize("sizes", [(4, 5, 5), (4, 3, 3), (21, 2, 21), (2, 1, 2), (3, 2, 21)])
def test_policy_refuses_sizes_out_of_order(sizes):
    with pytest.raises(ValueError, match="2 <= least"):
        TablePolicy(*sizes)
