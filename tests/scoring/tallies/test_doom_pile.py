"""Helpers for Doom Pile clause by clause: the lot, the countdown, the win with an empty deck.

See docs/how-it-works/score-sheets.md#doom-pile.
"""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.systems import get_system
from scoring.games.doom_pile.tally import TALLIER, WIN_CLAUSES, WON_BY
from scoring.games.doom_pile.tally.countdown import (
    Countdown,
    CountedCard,
    first_player,
    read_countdown,
    wins_with_empty_deck,
)
from scoring.standings.results import GAME_LOSS
from tests.refusals import refusal


def counts(countdown):
    return [(card.name, card.remaining) for card in countdown.cards]


def test_dp_first_is_drawn_by_lot_and_can_be_drawn_again():
    names = ["Ada", "Ben", "Cay"]
    drawn = [first_player(names, seed) for seed in range(900)]
    assert drawn == [first_player(names, seed) for seed in range(900)]
    assert all(240 < count < 360 for count in Counter(drawn).values())
    with pytest.raises(ValueError, match="nobody"):
        first_player([], 1)


def test_countdown_step_lowers_every_count_at_once():
    pile = Countdown().play("Plot", 3).play("Minion", 1)
    assert counts(pile.begin_turn()) == [("Plot", 2), ("Minion", 0)]
    assert pile.begin_turn().ready == (1,)
    assert counts(pile) == [("Plot", 3), ("Minion", 1)], "values never change"


def test_ready_cards_resolve_in_the_order_of_their_owner():
    pile = Countdown().play("One", 1).play("Two", 1).play("Three", 2).begin_turn()
    assert pile.ready == (0, 1)
    assert counts(pile.resolve(1).resolve(0)) == [("Three", 1)]
    assert counts(pile.resolve(0).resolve(0)) == [("Three", 1)]
    assert refusal(pile.resolve, 2) == "not_ready"


def test_a_turn_waits_for_what_is_ready():
    pile = Countdown().play("One", 1).begin_turn()
    assert refusal(pile.begin_turn) == "resolve_first"
    assert pile.resolve(0).begin_turn() == Countdown()


def test_a_count_of_zero_resolves_at_once():
    assert Countdown().play("Instant", 0).ready == (0,)
    pile = Countdown().play("Slow", 4)
    assert pile.adjust(0, -3).ready == ()
    assert pile.adjust(0, -4).ready == (0,)
    assert counts(pile.adjust(0, -9)) == [("Slow", 0)]
    assert counts(pile.adjust(0, 2)) == [("Slow", 6)]


def test_a_thwarted_card_leaves_without_resolving():
    assert counts(Countdown().play("One", 3).play("Two", 2).remove(0)) == [("Two", 2)]


@pytest.mark.parametrize(
    "act", [lambda pile: pile.remove(1), lambda pile: pile.resolve(-1), lambda pile: pile.adjust(7, 1)]
)
def test_a_card_that_is_gone_is_refused(act):
    assert refusal(act, Countdown().play("One", 1)) == "no_such_card"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), max_size=8))
def test_every_card_resolves_in_the_turn_its_countdown_says(starts):
    """A card played in one turn with a countdown of n resolves in the n-th turn after it."""
    pile, resolved = Countdown(), {}
    for number, start in enumerate(starts):
        pile = pile.play(str(number), start)
    for turn in range(8):
        pile = pile.begin_turn() if turn else pile
        while pile.ready:
            resolved[int(pile.cards[pile.ready[-1]].name)] = turn
            pile = pile.resolve(pile.ready[-1])
    assert resolved == dict(enumerate(starts))


@given(st.lists(st.tuples(st.text(st.characters(categories=["L"]), max_size=9), st.integers(0, 99)), max_size=6))
def test_a_countdown_is_kept_by_a_page(cards):
    kept = [{"name": name, "start": start, "remaining": start} for name, start in cards]
    assert read_countdown(kept) == Countdown(tuple(CountedCard(name, start, start) for name, start in cards))


@pytest.mark.parametrize("value", [3, "x", [3], [{"name": 3}], [{"name": "x", "start": -1}], [{}] * 61])
def test_a_countdown_that_cannot_be_read_is_refused(value):
    assert refusal(read_countdown, value) == "bad_sheet"


@pytest.mark.parametrize(("deck", "start", "wins"), [(0, None, True), (1, None, False), (0, 1, False), (2, 2, False)])
def test_dp_win_empty_needs_an_empty_deck_and_countdown(deck, start, wins):
    pile = Countdown() if start is None else Countdown().play("Last", start)
    assert wins_with_empty_deck(deck, pile) is wins


def assert_kind_of_win(kind, clause):
    system = get_system("doom_pile")
    assert WIN_CLAUSES[kind] == clause
    assert kind in system.match.win_kinds
    assert clause in {known.id for known in system.clauses}


@pytest.mark.parametrize(("kind", "clause"), [("master_plan", "DP-WIN-PLAN"), ("empty_deck", "DP-WIN-EMPTY")])
def test_dp_win_plan_and_empty_deck_are_kinds_of_win(kind, clause):
    assert_kind_of_win(kind, clause)


def test_dp_win_other_is_a_kind_of_win():
    assert_kind_of_win("card_effect", "DP-WIN-OTHER")


def test_dp_bo3_is_the_usual_match():
    facts = get_system("doom_pile").match
    assert (facts.best_of_default, 3 in facts.best_of_choices) == (3, True)


def test_dp_multi_the_lot_takes_any_number_of_players():
    names = ["Ada", "Ben", "Cay", "Dan", "Eve"]
    assert {first_player(names, seed) for seed in range(200)} == set(names)


def told(*games, names=("Ada", "Ben")):
    return {"players": [{"name": name} for name in names], "games": list(games)}


def test_dp_bo3_a_match_is_told_game_by_game():
    games = [{"winner": "Ada", "won_by": "empty_deck"}, {"winner": "Ben"}, {"winner": None}, {"winner": "Ada"}]
    tally = TALLIER.tally(told(*games))
    assert [player["score"] for player in tally["players"]] == [2, 1]
    assert (tally["winners"], tally["games"][0]["won_by"], tally["games"][1]["won_by"]) == (
        ["Ada"], "empty_deck", "unknown",
    )  # fmt: skip
    result = TALLIER.result(tally)
    assert (result.games_won, result.games_drawn) == ((2, 1), 1)
    assert [game.win_kind for game in result.games] == ["empty_deck", "unknown", "", "unknown"]


def test_dp_multi_of_a_table_the_winner_is_first_and_the_others_share_the_second_place():
    tally = TALLIER.tally(told({"winner": "Cem", "won_by": "master_plan"}, names=("Ada", "Ben", "Cem")))
    assert TALLIER.result(tally).placings == (2, 2, 1)


@pytest.mark.parametrize(
    "sheet",
    [told(), told({"winner": "Zed"}), told({"winner": None, "won_by": "time"}),
     told({"winner": "Ada", "won_by": "luck"}),
     told({"winner": "Ada"}, names=("Ada",)), told({"winner": "Ada"}, names=("Ada", "Ada")),
     told({"winner": "A"}, names="ABCDE")],
)  # fmt: skip
def test_what_is_no_match_is_refused(sheet):
    assert refusal(TALLIER.tally, sheet) == "bad_sheet"


def test_every_way_to_win_is_one_of_the_rules():
    assert {kind for kind in WON_BY if kind != GAME_LOSS} == set(get_system("doom_pile").match.win_kinds)
