"""Dead or Destroyed clause by clause: the sheet of a match, and the calculators with the book's examples.

See docs/how-it-works/score-sheets.md#dead-or-destroyed.
"""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.errors import DomainError
from rules_engine.systems import get_system
from scoring.games.dead_or_destroyed.tally import ROLES, WON_BY
from scoring.games.dead_or_destroyed.tally.rules import (
    RANKS,
    REASONS,
    REVEALS,
    Reason,
    Summon,
    attack_outcome,
    check_summons,
    paladin_wins,
    raised_rank,
    summon_cost,
)
from scoring.sheets.tallies.registry import get_tallier
from scoring.standings.result_checks import check_game_facts, check_result
from scoring.standings.results import GameResult, MatchLength

TALLIER = get_tallier("dead_or_destroyed")
NECROMANCER_FIRST, PALADIN_FIRST = list(ROLES), list(ROLES[::-1])


def sheet_of(*games, **options):
    return {"players": [{"name": "Ada"}, {"name": "Ben"}], "games": list(games), "options": options}


def game(winner="Ada", won_by="necromancer", roles=None, **facts):
    return {"winner": winner, "won_by": won_by, **({"roles": roles} if roles else {}), **facts}


def broken(*games):
    told = TALLIER.tally(sheet_of(*games, check_limits=False))["violations"]
    return [(violation["rule"], violation["game"]) for violation in told]


def test_a_pair_of_games_is_told_with_lines():
    told = TALLIER.tally(
        sheet_of(game(roles=NECROMANCER_FIRST), game(winner=None, won_by="unknown", roles=PALADIN_FIRST))
    )
    assert told["winners"] == ["Ada"]
    assert [player["score"] for player in told["players"]] == [1, 0]
    assert told["players"][0]["lines"] == [
        {"card": "", "kind": "necromancer", "points": 1, "game": 1, "role": "necromancer"}
    ]
    assert not told["violations"]


@pytest.mark.parametrize(
    ("games", "winners"),
    [
        ([game("Ada"), game("Ben")], ["Ada", "Ben"]),
        ([game("Ben", "paladin"), game("Ben")], ["Ben"]),
        ([game(None, "unknown")], []),
    ],
)
def test_more_games_win(games, winners):
    assert TALLIER.tally(sheet_of(*games))["winners"] == winners


def test_dd_roles_swap_within_a_pair_of_games():
    same = game("Ada", "concession", NECROMANCER_FIRST)
    swapped = game("Ben", "concession", PALADIN_FIRST)
    assert broken(same, same) == [("DD-ROLES", 2)]
    assert broken(same, swapped) == []
    assert broken(same, swapped, swapped) == [], "the deciding game is free"
    assert broken(same, swapped, same, same) == [("DD-ROLES", 4)]


def test_dd_roles_follow_from_a_win_by_role():
    told = TALLIER.tally(sheet_of(game("Ada", "paladin"), game("Ben", "paladin"), game("Ada", "time")))
    assert [each["roles"] for each in told["games"]] == [PALADIN_FIRST, NECROMANCER_FIRST, []]


@pytest.mark.parametrize(("won_by", "rule"), [("necromancer", "DD-WIN-NECRO"), ("paladin", "DD-WIN-PALADIN")])
def test_a_win_by_role_belongs_to_its_role(won_by, rule):
    for winner, roles in product(["Ada", "Ben"], [NECROMANCER_FIRST, PALADIN_FIRST]):
        fits = roles[["Ada", "Ben"].index(winner)] == won_by
        assert broken(game(winner, won_by, roles)) == ([] if fits else [(rule, 1)])


def test_dd_win_necro_the_last_attack_must_have_been_too_much():
    assert broken(game("Ada", last_attack={"zombies": 2, "deck": 5})) == []
    assert broken(game("Ada", last_attack={"zombies": 2, "deck": 6})) == [("DD-WIN-NECRO", 1)]


@pytest.mark.parametrize(
    ("zombies", "deck", "moved", "left", "wins"),
    [
        (2, 5, 5, 0, True),  # the book's example
        (2, 6, 6, 0, False),
        (2, 7, 6, 1, False),
        (0, 0, 0, 0, False),
        (1, 0, 0, 0, True),
        (1, 3, 3, 0, False),
        (3, 8, 8, 0, True),
        (4, 20, 12, 8, False),
    ],
)
def test_dd_win_necro_three_cards_a_zombie_and_exactly_empty_survives(zombies, deck, moved, left, wins):
    outcome = attack_outcome(zombies, deck)
    assert (outcome.asked, outcome.moved, outcome.deck_left) == (3 * zombies, moved, left)
    assert outcome.necromancer_wins is wins


@pytest.mark.parametrize(
    ("battlefield", "graveyard", "wins"), [(0, 0, True), (1, 0, False), (0, 1, False), (2, 9, False)]
)
def test_dd_win_paladin_without_zombies_on_battlefield_and_in_graveyard(battlefield, graveyard, wins):
    assert paladin_wins(battlefield, graveyard) is wins


def top(rank, *, battlefield=False):
    return Summon(rank, to_battlefield=battlefield)


def below(rank, *, battlefield=False):
    return Summon(rank, from_top=False, to_battlefield=battlefield)


LATER, NOT_ON_TOP, BATTLEFIELD = Reason.LATER, Reason.NOT_ON_TOP, Reason.BATTLEFIELD


def reasons(*summons):
    return [(cost.number, cost.reason) for cost in summon_cost(summons).costs]


def test_dd_summon_first_worked_example_costs_four():
    """The bottom card straight to the Battlefield, then the top two to the Crypt."""
    summons = below("9", battlefield=True), top("K"), top("8")
    cost = summon_cost(summons)
    assert (cost.by_rule, cost.by_example) == (4, 4)
    assert reasons(*summons) == [(1, NOT_ON_TOP), (1, BATTLEFIELD), (2, LATER), (3, LATER)]


def test_dd_summon_second_worked_example_costs_two_by_the_book_and_three_by_the_rule():
    """A 3 from the top to the Crypt, the next card to the Crypt, then one from the middle to the Battlefield."""
    summons = top("3"), top("K"), below("9", battlefield=True)
    cost = summon_cost(summons)
    assert (cost.by_example, cost.by_rule) == (2, 3)
    assert (cost.by("example"), cost.by("rule")) == (2, 3)
    assert reasons(*summons) == [(3, LATER), (3, NOT_ON_TOP), (3, BATTLEFIELD)]


@pytest.mark.parametrize(
    ("summons", "cost"),
    [
        ([], 0),
        ([top("K")], 0),
        ([below("K")], 1),
        ([top("K", battlefield=True)], 1),
        ([below("K", battlefield=True)], 2),
        ([top("K"), top("Q")], 1),
        ([top("K"), top("Q"), top("J")], 2),
        ([top("K"), below("Q"), below("J", battlefield=True)], 5),
    ],
)
def test_dd_summon_costs(summons, cost):
    assert summon_cost(summons).by_rule == cost


@pytest.mark.parametrize("rank", ["2", "3", "4"])
@pytest.mark.parametrize(("place", "others"), [(0, []), (0, ["K"]), (1, ["K"]), (2, ["K", "Q"]), (1, ["K", "Q"])])
def test_dd_minor_from_the_top_to_the_crypt_costs_nothing(rank, place, others):
    """Neither itself, nor more for what comes with it."""
    without = [top(other) for other in others]
    summons = [*without[:place], top(rank), *without[place:]]
    assert summon_cost(summons).by_rule == summon_cost(without).by_rule
    assert place + 1 not in {number for number, _reason in reasons(*summons)}


def test_dd_minor_first_leaves_the_first_summon_to_the_next():
    assert reasons(top("2"), top("K")) == []
    assert reasons(top("2"), top("4"), top("K")) == []
    assert reasons(top("2"), top("K"), top("Q")) == [(3, LATER)]
    assert reasons(top("K"), top("2"), top("Q")) == [(3, LATER)]


@pytest.mark.parametrize("summons", [[top("2", battlefield=True)], [top("K"), top("2", battlefield=True)]])
def test_dd_minor_straight_to_the_battlefield_costs_one(summons):
    cost = summon_cost(summons)
    assert (cost.by_rule, cost.by_example) == (1, 1)


def test_dd_minor_not_on_top_is_a_summon_like_any_other():
    assert reasons(below("2"), top("K")) == [(1, NOT_ON_TOP), (2, LATER)]
    assert reasons(top("5"), top("K")) == [(2, LATER)]


summon = st.builds(Summon, st.sampled_from(RANKS), st.booleans(), st.booleans())


@given(st.lists(summon, max_size=3))
def test_dd_summon_readings_differ_by_later_summons_to_the_battlefield_alone(summons):
    cost = summon_cost(summons)
    majors = [number for number, each in enumerate(summons) if not each.is_minor]
    later = [number for number in majors[1:] if summons[number].to_battlefield]
    assert cost.by_rule - cost.by_example == len(later)
    assert cost.by_rule == (
        sum(each.to_battlefield for each in summons)
        + sum(not each.from_top for each in summons)
        + max(len(majors) - 1, 0)
    )


@pytest.mark.parametrize(
    ("summons", "in_crypt", "graveyard", "said"),
    [
        ([top("K")] * 3, 0, 5, []),
        ([top("K")] * 3, 0, 4, ["The Graveyard has 4 of 5 cards needed."]),
        ([top("K")] * 4, 0, 20, ["At most 3 summons", "4 zombies don't fit in the Crypt; the limit is 3"]),
        ([top("2")] * 4, 0, 20, ["At most 3 summons", "4 zombies don't fit in the Crypt; the limit is 3"]),
        ([top("K")], 3, 9, ["4 zombies don't fit"]),
        ([top("K", battlefield=True)], 3, 9, []),
        ([top("K"), top("Q")], 2, 9, ["4 zombies don't fit"]),
        ([top("2"), top("K"), below("Q", battlefield=True)], 0, 6, []),
        ([top("2"), top("K"), below("Q", battlefield=True)], 0, 5, ["has 5 of 6 cards needed"]),
    ],
)
def test_dd_summon_limits(summons, in_crypt, graveyard, said):
    told = [str(message) for message in check_summons(summons, in_crypt, graveyard, "rule")]
    assert len(told) == len(said)
    assert all(words in message for words, message in zip(said, told, strict=True))


def test_dd_summon_goes_from_the_top_to_the_crypt_unless_told_otherwise():
    assert Summon("K") == Summon("K", from_top=True, to_battlefield=False)


def test_dd_summon_limits_follow_the_reading():
    summons = [top("2"), top("K"), below("Q", battlefield=True)]
    assert not check_summons(summons, 0, 5, "example")


def test_dd_reveal_one_effect_for_each_number():
    assert sorted(REVEALS) == [1, 2, 3, 4, 5, 6, 7]
    assert len(set(REVEALS.values())) == 7
    assert set(REASONS) == set(Reason)


@pytest.mark.parametrize(
    ("rank", "revealed", "raised"),
    [
        ("3", 1, "4"), ("J", 1, "Q"), ("A", 1, "A"), ("3", 2, "5"), ("J", 2, "K"), ("A", 2, "A"),
        ("10", 1, "J"), ("K", 1, "A"), ("K", 2, "A"), ("Q", 1, "K"), ("Q", 2, "A"),
        *(("7", number, "7") for number in (3, 4, 5, 6, 7)),
    ],
)  # fmt: skip
def test_dd_reveal_step_raises_values(rank, revealed, raised):
    assert raised_rank(rank, revealed) == raised


def test_limits_stop_the_tally_unless_they_are_off():
    with pytest.raises(DomainError) as caught:
        TALLIER.tally(sheet_of(game("Ada", "paladin", NECROMANCER_FIRST)))
    assert caught.value.code == "bad_sheet"
    assert caught.value.message == "game 1: Ada won as necromancer: correct the roles or the win."
    assert [each["rule"] for each in caught.value.details["violations"]] == ["DD-WIN-PALADIN"]


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({}, "two different names"),
        ({"players": [{"name": "Ada"}], "games": [game()]}, "two different names"),
        ({"players": [{"name": "Ada"}] * 2, "games": [game()]}, "two different names"),
        (sheet_of(), "No games: "),
        (sheet_of(game("Eve")), "game 1: “winner”: Eve does not play here"),
        (sheet_of(game(), game(won_by="magic")), "game 2: “won_by”"),
        (sheet_of(game(None, "paladin")), "game 1: No winner"),
        (sheet_of(game(roles=["paladin", "paladin"])), "“roles”"),
        (sheet_of(game(roles=["paladin"])), "“roles”"),
        (sheet_of({"winer": "Ada"}), "Did you mean “winner”?"),
        (sheet_of(game(), summon_reading="mine"), "summon_reading"),
        (sheet_of(game(last_attack={"zombies": -1})), "last_attack"),
    ],
)
def test_a_sheet_that_cannot_be_tallied_says_where_it_is_wrong(sheet, said):
    with pytest.raises(DomainError) as caught:
        TALLIER.tally(sheet)
    assert caught.value.code == "bad_sheet"
    assert said in caught.value.message


def test_result_is_told_game_by_game():
    games = game("Ada", roles=NECROMANCER_FIRST), game("Ben", roles=PALADIN_FIRST), game(None, "unknown")
    result = TALLIER.result(TALLIER.tally(sheet_of(*games)))
    assert (result.games_won, result.games_drawn) == ((1, 1), 1)
    assert result.games == (
        GameResult(0, "necromancer", ROLES), GameResult(1, "necromancer", ROLES[::-1]), GameResult(None),
    )  # fmt: skip
    check_result(result, 2, MatchLength(3))
    facts = get_system("dead_or_destroyed").match
    check_game_facts(result.games, facts.win_kinds, tuple(facts.role_labels))


def test_kinds_of_win_and_roles_are_those_of_the_game():
    facts = get_system("dead_or_destroyed").match
    assert set(facts.role_labels) == set(ROLES)
    assert set(WON_BY) == {*facts.win_kinds, "game_loss"}
