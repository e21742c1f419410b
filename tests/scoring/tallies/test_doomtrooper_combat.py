"""Combat and opening hands of Doomtrooper: the book's example, each rule, and odds counted out one by one."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.doomtrooper.tally.combat import Combatant, Status, combat, odds_with_gift, opening_odds

U, W, K = Status.UNHARMED, Status.WOUNDED, Status.KILLED


def ends(attacker: Combatant, defender: Combatant) -> tuple[Status, Status]:
    one, two = combat(attacker, defender)
    return one.status, two.status


def test_dt_hit_the_books_example_wounds_both_as_equal_is_enough():
    sean, nepharite = Combatant(10, 8), Combatant(8, 7)
    assert ends(sean, nepharite) == (W, W)


@pytest.mark.parametrize(
    ("attacker", "defender", "expected"),
    [
        (Combatant(7, 9), Combatant(8, 8), (U, U)),
        (Combatant(10, 9), Combatant(8, 8, in_cover=True), (U, U)),
        (Combatant(11, 9), Combatant(8, 8, in_cover=True), (U, W)),
        (Combatant(8, 9, is_wounded=True), Combatant(9, 8, is_wounded=True), (K, K)),
        # who strikes first kills before the other strikes; a wounded survivor strikes back
        (Combatant(9, 5, strikes_first=True), Combatant(9, 5, is_wounded=True), (U, K)),
        (Combatant(9, 5, strikes_first=True), Combatant(9, 5), (W, W)),
        (Combatant(9, 5, strikes_first=True, ends_it=True), Combatant(9, 5), (U, W)),
        (Combatant(4, 5, strikes_first=True, ends_it=True), Combatant(9, 5), (W, U)),
        (Combatant(9, 5, is_wounded=True), Combatant(9, 5, strikes_first=True), (K, U)),
        (Combatant(9, 5, strikes_first=True), Combatant(9, 5, is_wounded=True, strikes_first=True), (W, K)),
    ],
)
def test_dt_strike_and_armor_say_who_is_wounded_and_who_is_killed(attacker, defender, expected):
    assert ends(attacker, defender) == expected


def test_dt_modify_ratings_below_zero_compare_as_numbers_do():
    assert ends(Combatant(-4, 0), Combatant(-1, -4)) == (U, W)
    assert ends(Combatant(-5, 0), Combatant(-1, -4)) == (U, U)


def test_a_kill_earns_the_value_also_to_who_dies_and_destiny_only_for_own_and_freelancers_kills():
    dying = [Combatant(9, 5, value=value, is_wounded=True, is_freelancer=value == 7) for value in (4, 7)]
    one, two = combat(*dying)
    assert [(each.points, each.destiny_only) for each in (one, two)] == [(7, False), (4, True)]
    assert [each.destiny_only for each in combat(*dying, one_player=True)] == [True, True]
    assert [each.points for each in combat(Combatant(9, 9, 3), Combatant(1, 5, 6))] == [0, 0]


RATINGS = st.integers(-12, 25)
WARRIORS = st.builds(Combatant, RATINGS, RATINGS, st.integers(-3, 12), st.booleans(), st.booleans(), st.booleans(),
                     st.booleans(), st.booleans())  # fmt: skip


@given(WARRIORS, WARRIORS)
def test_roles_do_not_matter_and_only_who_struck_harms(one, two):
    first, second = combat(one, two)
    assert combat(two, one) == (second, first)
    assert first.struck or second.struck
    for fate, warrior, other, other_fate in ((first, one, two, second), (second, two, one, first)):
        before = W if warrior.is_wounded else U
        assert fate.status == before or other_fate.struck
        assert (fate.status != before) == (other_fate.struck and other.attack >= warrior.defence)


@pytest.mark.parametrize(("deck", "warriors", "hand"), [(9, 3, 4), (8, 8, 3), (8, 0, 3), (7, 2, 7)])
def test_odds_are_those_of_every_hand_counted_out(deck, warriors, hand):
    hands = [sum(card < warriors for card in cards) for cards in combinations(range(deck), hand)]
    assert opening_odds(deck, warriors, hand) == tuple(Fraction(hands.count(n), len(hands)) for n in range(hand + 1))


def test_dt_gift_draws_seven_others_before_the_first_go_back():
    assert odds_with_gift(60, 15) == opening_odds(60, 15)[0] * opening_odds(53, 15)[0]
    assert odds_with_gift(14, 8) == 0
    deck = range(15)
    without = [set(cards) for cards in combinations(deck, 7) if min(cards) >= 1]  # card 0 is the only warrior
    again = sum(1 for first in without for second in combinations(set(deck) - first, 7) if min(second) >= 1)
    assert odds_with_gift(15, 1) == Fraction(again, 6435 * 8)


@pytest.mark.parametrize(("deck", "warriors"), [(60, 61), (60, -1), (5, 2)])
def test_no_such_deck(deck, warriors):
    with pytest.raises(ValueError, match="no such deck"):
        opening_odds(deck, warriors)
