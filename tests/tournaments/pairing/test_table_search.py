"""What a swap is said to change is what it changes."""

import random

import pytest

from tournaments.pairing.pods.search import NO_SWAP, SearchTerms, Seating


def seating_with(chance, byes):
    hard = [{} for _ in range(14)]
    for _ in range(30):
        one, other = chance.sample(range(14), 2)
        hard[one][other] = hard[other][one] = chance.randrange(1, 9)
    terms = SearchTerms(
        hard=hard,
        repeat=1,
        scores=[chance.randrange(20) for _ in range(14)],
        off_size=[chance.randrange(3) for _ in range(14)],
        byes=byes,
        unit=10,
        bye_unit=1000,
    )
    return Seating(terms, [range(4), range(4, 8), range(8, 11), range(11, 14)], [0, 0, 1])


@pytest.mark.parametrize("seed", range(20))
def test_delta_is_the_difference_a_swap_makes(seed):
    chance = random.Random(seed)
    seating = seating_with(chance, byes=[1] * 14)
    for _ in range(40):
        one, other = chance.sample(range(14), 2)
        if seating.where[one] == seating.where[other]:
            continue
        before, said = seating.cost(), seating.delta(one, other)
        seating.swap(one, other)
        after = seating.cost()
        assert said == (after[0] - before[0], after[1] - before[1])


def test_nobody_sits_out_again_for_one_who_has_not():
    seating = seating_with(random.Random(1), byes=[2] * 11 + [0] * 3)
    assert seating.delta(0, 12) == seating.delta(12, 0) == NO_SWAP
