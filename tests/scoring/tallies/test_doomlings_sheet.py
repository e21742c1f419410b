"""What a sheet of Doomlings may say, and how a refusal names the player and the card at fault."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.errors import DomainError
from rules_engine.messages import Message
from scoring.games.doomlings.tally import questions, tally
from scoring.games.doomlings.tally import sheet as doomlings_sheet
from scoring.games.doomlings.tally.options import OPTIONS
from scoring.games.doomlings.tally.sheet import OPTION_KEYS, PLAYER_KEYS, SHEET_KEYS
from tests.scoring.tallies.plain_doomlings import CATALOGUE


def refusal(sheet):
    with pytest.raises(DomainError) as refused:
        tally(sheet)
    assert refused.value.code == "bad_sheet"
    return refused.value


HINT = "Add it to “own_cards”."


def of_ada(**keys):
    return {"players": [{"name": "Ada", "traits": ["Gills"], **keys}]}


REFUSED = [
    ({}, "The sheet names no players."),
    ({"players": []}, "The sheet names no players."),
    ([], "Use an object such as {…}, not a list of 0."),
    ({"players": {"Ada": []}}, "“players”: use a list of at most 20, not an object."),
    ({"players": [{"name": "Ada"}]}, "Ada: Enter “traits” (names in the pile) or three “sums”."),
    ({"players": [{}]}, "Player 1: Enter “traits” (names in the pile) or three “sums”."),
    ({"players": [{"traits": []}, 4]}, "Player 2: Use an object such as {…}, not 4."),
    ({"players": [{"traits": []}] * 21}, "“players”: use a list of at most 20, not a list of 21."),
    ({"players": [{"name": "Ada", "traits": []}] * 2}, "Two players are called “Ada”: rename one."),
    ({"playrs": [], "players": []}, "“playrs” is unknown. Did you mean “players”?"),
    (of_ada(sums={"bonus": 3}), "Ada: Enter “traits” (names in the pile) or three “sums”."),
    (of_ada(genepool=4), "Ada: “genepool” is unknown. Did you mean “gene_pool”?"),
    (of_ada(traits="Gills"), "Ada: “traits”: use a list of at most 500, not Gills."),
    (of_ada(traits=[7]), "Ada: “traits”: 7 is no card name."),
    (of_ada(traits=["Antlrs"]), "Ada: “traits”: no card “Antlrs”. Did you mean “Antlers”? Or add it to “own_cards”."),
    (of_ada(hand=["Xq Vj Zw"]), "Ada: “hand”: no card “Xq Vj Zw”. " + HINT),
    (of_ada(hand=["Ice Age"]), "Ada: “hand”: no card “Ice Age”. " + HINT),
    (of_ada(hand_size=-1), "Ada: “hand_size”: use a whole number, 0 to 999, not -1."),
    (of_ada(hand_size=True), "Ada: “hand_size”: use a whole number, 0 to 999, not true."),
    (of_ada(gene_pool=5.5), "Ada: “gene_pool”: use a whole number, -999 to 999, not 5.5."),
    (of_ada(hand_size=10**50),
     "Ada: “hand_size”: use a whole number, 0 to 999, not a number of many digits."),
    (of_ada(drawn_face="7"), "Ada: “drawn_face”: use a whole number, -999 to 999, not 7."),
    (of_ada(revealed="pink"), "Ada: “revealed”: use one of blue, green, purple, red, colorless, not pink."),
    (of_ada(hand=["Bad"], hand_pick="Fear"), "Ada: “hand_pick”: “Fear” is not in hand."),
    (of_ada(choices=["blue"]), "Ada: “choices”: key an object by card, not a list of 1."),
    (of_ada(choices={"Antlrs": "blue"}),
     "Ada: “choices”: no card “Antlrs”. Did you mean “Antlers”? Or add it to “own_cards”."),
    (of_ada(choices={"Viral": "pink"}),
     "Ada: “choices”, “Viral”: use one of blue, green, purple, red, not pink."),
    (of_ada(choices={"Viral": {"from": "red", "to": "blue"}}),
     "Ada: “choices”, “Viral”: use one of blue, green, purple, red, not an object."),
    (of_ada(choices={"Faith": "red"}),
     "Ada: “choices”, “Faith”: use “from” and “to” with blue, green, purple, red, not red."),
    (of_ada(choices={"Nano_host": "Bad"}),
     "Ada: Attach “Nano” to another trait of this pile, not “Bad”."),
    (of_ada(traits=["Nano"], choices={"Nano_host": "Nano"}),
     "Ada: Attach “Nano” to another trait of this pile, not “Nano”."),
    ({"players": [{"sums": {"bonus": "7"}}]},
     "Player 1, sums: “bonus”: use a whole number, -9999 to 9999, not 7."),
    ({"players": [{"sums": {"bonuss": 7}}]}, "Player 1, sums: “bonuss” is unknown. Did you mean “bonus”?"),
    (of_ada(name=7), "Player 1: “name”: use up to 120 visible characters, not 7."),
    (of_ada(name="A\x00"), "Player 1: “name”: use up to 120 visible characters, not A\\x00."),
    ({**of_ada(), "catastrophe": "Ise Age"}, "“catastrophe”: no card “Ise Age”. Did you mean “Ice Age”?"),
    ({**of_ada(), "options": []}, "options: Use an object such as {…}, not a list of 0."),
    (
        {**of_ada(), "options": {"check_limit": False}},
        "options: “check_limit” is unknown. Did you mean “check_limits”?",
    ),
    ({**of_ada(), "options": {"check_limits": 0}}, "options: Option “check_limits” can't be “0”."),
    ({**of_ada(), "options": {"ties": ["draw"]}}, "options: Option “ties” can't be “a list of 1”."),
    ({**of_ada(), "tie_draws": [{"name": "Ada", "face": 4}]},
     "“tie_draws” is a list of lists of draws, not an object."),
    ({**of_ada(), "tie_draws": [[{"name": "Ada", "face": "4"}]]},
     "tie_draws: “face”: use a whole number, -999 to 999, not 4."),
]  # fmt: skip


@pytest.mark.parametrize(("sheet", "message"), REFUSED)
def test_sheet_is_refused_with_place_and_cure(sheet, message):
    assert refusal(sheet).message == message


def test_refusal_can_be_translated():
    assert isinstance(refusal(of_ada(traits=["Antlrs"])).wording, Message)


def test_key_that_looks_like_no_other_is_passed_over():
    assert tally({**of_ada(entry=7, seat="left"), "remark": "late"}) == tally(of_ada())


def test_null_is_the_same_as_a_missing_key():
    nulls = {key: None for key in PLAYER_KEYS if key not in ("name", "traits")}
    sheet = {key: None for key in SHEET_KEYS if key != "players"} | of_ada(**nulls)
    assert tally(sheet) == tally(of_ada())
    assert tally({**of_ada(), "options": dict.fromkeys(OPTION_KEYS)}) == tally(of_ada())


def test_players_without_names_are_numbered():
    assert [each["name"] for each in tally({"players": [{"traits": []}, {"traits": []}]})["players"]] == [
        "Player 1", "Player 2",
    ]  # fmt: skip


def test_unanswered_choices_count_nothing():
    pile = ["Sentience", "Viral", "GMO", "Nano", "Mecha", "Free Will"]
    half = {"players": [{"traits": ["Faith", "Bad"], "choices": {"Faith": {"from": "red", "to": None}}}]}
    assert tally({"players": [{"traits": pile}]})["players"][0]["bonus"] == 0
    assert tally({**half, "catastrophe": "Ice Age"})["players"][0]["catastrophe"] == -1


def test_choices_of_cards_that_are_not_there_are_kept_quiet():
    assert tally(of_ada(choices={"Viral": "red", "Antlers": "blue"})) == tally(of_ada())


def test_every_key_is_documented():
    for key in (*SHEET_KEYS, *PLAYER_KEYS, *(option.key for option in OPTIONS)):
        assert key in doomlings_sheet.__doc__


KEYS = [*PLAYER_KEYS, *SHEET_KEYS, *OPTION_KEYS, "from", "to", "face", "Nano_host", "Faith"]
WORDS = [*list(CATALOGUE)[::9], "blue", "Nano_host", "Faith", "draw", 10**500, -(10**40)]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)
ODD_PLAYER = st.dictionaries(st.sampled_from(PLAYER_KEYS), JUNK, max_size=5).map(lambda odd: {"traits": [], **odd})
ODD_SHEET = st.dictionaries(st.sampled_from(SHEET_KEYS), JUNK, max_size=3).flatmap(
    lambda odd: st.lists(ODD_PLAYER, min_size=1, max_size=3).map(lambda players: {"players": players, **odd})
)


def refusal_or_none(act, sheet):
    try:
        json.dumps(act(sheet))
    except DomainError as refused:
        return refused
    return None


@settings(max_examples=120, deadline=None)
@given(JUNK | ODD_SHEET)
def test_junk_is_tallied_or_refused_in_a_clear_sentence(sheet):
    for refused in filter(None, (refusal_or_none(act, sheet) for act in (tally, questions))):
        assert refused.code == "bad_sheet"
        assert refused.message.isprintable()
        assert len(refused.message) < 2_000
