"""Tables run by score, fixed tables are kept, the first seat goes round."""

import random

import pytest

from tournaments.pairing.swiss.contenders import Contender, Order, PairingPolicy, RoundInput
from tournaments.pairing.swiss.seating import number_tables, order_couples, seat
from tournaments.pairing.swiss.swiss import pair_swiss, pairing_cost
from tournaments.pairing.swiss.table_numbers import needed_tables, number_seatings

LOTS = {number: number for number in range(1, 100)}


def couples(*tables):
    """Couples of new contenders with these pairs of fixed tables."""
    return [
        (Contender(2 * place, 0, fixed_table=one), Contender(2 * place + 1, 0, fixed_table=other))
        for place, (one, other) in enumerate(tables)
    ]


@pytest.mark.parametrize(
    ("fixed", "tables"),
    [
        ([], ()),
        ([(None, None)] * 3, (1, 2, 3)),
        ([(None, None), (None, 1), (None, None)], (2, 1, 3)),
        ([(None, None), (9, 4), (None, None)], (1, 4, 2)),
        ([(3, None), (None, 3), (None, None)], (3, 1, 2)),
        ([(3, None), (3, 7), (None, None)], (3, 7, 1)),
        ([(50, None), (None, None)], (50, 1)),
        ([(0, None), (-2, None)], (1, 2)),
    ],
)
def test_fixed_tables_come_first_and_the_others_fill_up(fixed, tables):
    assert number_tables(couples(*fixed)) == tables


def test_as_many_as_can_sit_at_a_table_that_they_need_and_none_loses_a_fixed_one():
    chance = random.Random(17)
    for _ in range(300):
        seatings = [(2 * place, 2 * place + 1) for place in range(chance.randint(1, 5))]
        people = [each for pair in seatings for each in pair]
        fixed = {each: each + 1 for each in people if chance.random() < 0.1}
        wanted = {
            each: tuple(
                frozenset(chance.sample(range(1, 8), chance.randint(1, 3))) for _need in range(chance.randint(1, 2))
            )
            for each in people
            if chance.random() < 0.5
        }
        taken = chance.sample(range(1, 8), 2)
        found = needed_tables(seatings, fixed, wanted, taken)
        numbers = number_seatings(seatings, fixed | found, taken)
        assert len(set(numbers)) == len(numbers)
        assert not set(numbers) & set(taken)
        assert [each for each in people if each in fixed and each in found] == []
        needs = {
            pair: [tables for each in pair for tables in wanted.get(each, ())]
            for pair in seatings
            if not any(each in fixed for each in pair)
        }
        met = [
            all(number in each for each in needs[pair])
            for pair, number in zip(seatings, numbers, strict=True)
            if needs.get(pair)
        ]
        free = [each for each in range(1, 8) if each not in {*taken, *fixed.values()}]
        assert sum(met) >= most_served([frozenset.intersection(*each) for each in needs.values() if each], free)


def most_served(sets, free):
    """How many of these sets can have a table of their own, by trying all."""
    if not sets:
        return 0
    first, *others = sets
    with_it = [1 + most_served(others, [each for each in free if each != one]) for one in free if one in first]
    return max([most_served(others, free), *with_it])


def test_tables_go_by_the_higher_score_then_the_lower():
    scores = [(0, 9), (6, 6), (9, 9), (9, 3), (9, 6)]
    made = [(Contender(2 * k, one), Contender(2 * k + 1, other)) for k, (one, other) in enumerate(scores)]
    assert [(one.score, other.score) for one, other in order_couples(made)] == [(9, 9), (9, 6), (9, 3), (0, 9), (6, 6)]


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ({"firsts": 2, "seconds": 1}, {"firsts": 1, "seconds": 1}, 2),
        ({"firsts": 1, "seconds": 2}, {"firsts": 5, "seconds": 5}, 1),
        ({"last_seat": 1}, {"last_seat": 2}, 2),
        ({"last_seat": 0}, {"last_seat": 1}, 1),
        ({"last_seat": 2}, {}, 1),
        ({"firsts": 1, "last_seat": 2}, {"last_seat": 1}, 2),
        ({}, {}, 1),
    ],
)
def test_first_seat_goes_to_whoever_had_it_less_then_not_last_then_by_lot(one, other, first):
    pair = (Contender(1, 0, **one), Contender(2, 0, **other))
    assert seat(pair, LOTS)[0] == seat(pair[::-1], LOTS)[0] == first


def test_first_seats_stay_balanced_over_an_event():
    firsts, seconds, last = (dict.fromkeys(range(40), 0) for _ in range(3))
    met = dict.fromkeys(range(40), ())
    for seed in range(9):
        field = [
            Contender(one, 0, met[one], firsts=firsts[one], seconds=seconds[one], last_seat=last[one]) for one in met
        ]
        for one, other in pair_swiss(RoundInput(tuple(field), seed=seed)).pairs:
            firsts[one] += 1
            seconds[other] += 1
            last[one], last[other] = 1, 2
            met[one] += (other,)
            met[other] += (one,)
    assert max(abs(firsts[one] - seconds[one]) for one in met) <= 3


def test_locked_pairs_keep_each_other_and_no_order():
    field = tuple(Contender(number, 0, firsts=number) for number in range(1, 7))
    one = pair_swiss(RoundInput(field, locked=((6, 1), (2, 4))))
    other = pair_swiss(RoundInput(field, locked=((4, 2), (1, 6))))
    assert one.pairs == other.pairs
    assert {(1, 6), (2, 4)} < set(one.pairs)


def test_awarded_bye_gives_way_to_a_locked_pair():
    field = (Contender(1, 6), Contender(2, 3, awarded_bye=True), Contender(3, 0, awarded_bye=True), Contender(4, 0))
    given = RoundInput(field, PairingPolicy(Order.TOP_DOWN), locked=((1, 1), (2, 9), (2, 1), (2, 4)))
    paired = pair_swiss(given)
    assert ({*paired.pairs[0]}, paired.bye, paired.awarded_byes) == ({1, 2}, 4, (3,))
    assert paired.cost == pairing_cost(given, paired.pairs, paired.bye)
    assert paired.cost.downfloats == (1, 0, 0)
