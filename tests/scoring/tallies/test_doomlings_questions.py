"""What a sheet still asks its players: just what the cards on it need, and all of that."""

import random

import pytest

from scoring.games.doomlings.tally import questions
from scoring.games.doomlings.tally.cards import COLORLESS, COLORS
from scoring.games.doomlings.tally.sheet import PLAYER_KEYS, SHEET_KEYS
from tests.scoring.tallies.doomlings_tables import random_table


def asked(*traits, catastrophe="Ice Age", others=(), options=None, **more):
    """The questions to the first player of a table with a catastrophe that asks nothing."""
    players = [{"traits": list(traits), **more}, *({"traits": list(pile)} for pile in others)]
    found = questions({"players": players, "catastrophe": catastrophe, "options": options or {}})
    return [each for each in found if each["place"] == 1]


def test_plain_cards_ask_nothing():
    assert asked("Antlers", "Tiny", "Swarm", "Branches", others=[["Gills"]]) == []


@pytest.mark.parametrize("card", ["Sentience", "Viral", "Free Will", "Rainbow Horn (1e)"])
def test_color_is_asked_for_a_card_that_has_one_chosen(card):
    question = {
        "place": 1,
        "card": card,
        "kind": "color",
        "field": "choices",
        "key": card,
        "options": list(COLORS),
        "copies": 1,
    }
    assert asked(card, "Gills") == [{**question, "answered": False}]
    assert asked(card, "Gills", choices={card: "blue"}) == [{**question, "answered": True}]


def test_two_colors_are_asked_for_what_recolors_a_pile():
    (question,) = asked("Faith", "Gills")
    assert (question["kind"], question["key"], question["options"]) == ("from_to", "Faith", list(COLORS))


@pytest.mark.parametrize("card", ["GMO", "Nano", "Mecha", "Bionic Arm"])
def test_host_is_asked_among_the_other_traits_of_the_pile(card):
    (question,) = asked(card, "Gills", "Bad", "Gills")
    assert (question["kind"], question["key"], question["options"]) == ("host", f"{card}_host", ["Gills", "Bad"])


def test_lonely_attachment_asks_for_no_host():
    assert asked("Nano") == []


def test_two_copies_are_asked_for_a_host_each():
    (question,) = asked("Nano", "Nano", "Gills")
    assert (question["copies"], question["options"]) == (2, ["Nano", "Gills"])


def test_copy_asks_what_the_copied_dominant_asks_under_its_own_name():
    keys = [each["key"] for each in asked("Opposable Thumbs", "Sentience")]
    assert keys == ["Opposable Thumbs", "Sentience"]


def test_traits_that_leave_are_asked_among_those_that_may():
    amatoxins, catastrophe = asked("Amatoxins", "Gills", "Antlers", "Tiny", catastrophe="Glacial Meltdown")
    assert (amatoxins["card"], amatoxins["options"], amatoxins["most"]) == ("Amatoxins", ["Gills", "Antlers"], 3)
    assert (catastrophe["card"], catastrophe["options"], catastrophe["most"]) == ("Glacial Meltdown", ["Gills"], 1)
    assert (amatoxins["least"], catastrophe["least"]) == (0, 1)
    assert (amatoxins["field"], catastrophe["field"]) == ("discarded_by_effects", "discarded_at_worlds_end")
    assert [each["field"] for each in asked("Lily Pad", "Gills")] == ["returned"]


def test_traits_that_leave_have_the_colors_of_worlds_end():
    recolored = asked(
        "Faith", "Antlers", catastrophe="Glacial Meltdown", choices={"Faith": {"from": "red", "to": "blue"}}
    )
    assert recolored[-1]["options"] == ["Antlers"]
    assert asked("Antlers", catastrophe="Glacial Meltdown") == []


def test_gold_text_is_answered_by_as_many_discards_as_are_due():
    pile = ["Cybernetic", "Lyonization", "Bad"]
    assert asked(*pile, catastrophe="Planned Obsolescence")[-1]["least"] == 2
    for gone, answered in ([], False), (["Lyonization"], False), (["Lyonization", "Cybernetic"], True):
        question = asked(*pile, catastrophe="Planned Obsolescence", discarded_at_worlds_end=gone)[-1]
        assert (question["field"], question["chosen"]) == ("discarded_at_worlds_end", gone)
        assert (question["options"], question["answered"]) == (["Cybernetic", "Lyonization"], answered)
    (one,) = [each for each in asked("Lyonization", catastrophe="Planned Obsolescence") if each["kind"] != "host"]
    assert (one["least"], one["most"]) == (1, 1)


def test_gold_text_takes_from_what_effects_left():
    pile, eyes = ("Amatoxins", "Antlers", "Quick", "Gills"), "Eyes Open from Behind the Stars"
    assert asked(*pile, catastrophe=eyes)[-1]["options"] == ["Antlers"]
    effects, gold = asked(*pile, catastrophe=eyes, discarded_by_effects=["Antlers"])
    assert (effects["chosen"], gold["options"], gold["answered"]) == (["Antlers"], ["Quick"], False)


HANDS = [
    ("Camouflage", "hand_size", None), ("Fortunate", "hand_size", None), ("Boredom", "hand", "effect"),
    ("Brave", "hand", "dominant"), ("Sparkles", "hand", "drop_of_life"), ("Saudade", "hand", "any"),
]  # fmt: skip


@pytest.mark.parametrize(("card", "field", "counted"), HANDS)
def test_hand_is_asked_by_size_or_by_name_as_the_card_counts_it(card, field, counted):
    (question,) = asked(card)
    assert (question["field"], question.get("from")) == (field, counted)
    assert [each["answered"] for each in asked(card, hand=[], hand_size=0)] == [True]


CATASTROPHES = [
    ("Deus Ex Machina", "number", "drawn_face"), ("Invasive Species", "card", "hand_pick"),
    ("Endless Monsoon", "number", "hand_size"), ("Discovery of Magic", "cards", "hand"),
    ("Too Much Pink", "color", "revealed"), ("Planetary Deforestation", "number", "gene_pool"),
    ("Moonpocalypse", "number", "gene_pool"),
]  # fmt: skip


@pytest.mark.parametrize(("catastrophe", "kind", "field"), CATASTROPHES)
def test_catastrophe_asks_everybody(catastrophe, kind, field):
    sheet = {"players": [{"traits": ["Gills"]}, {"traits": []}], "catastrophe": catastrophe}
    found = [(each["place"], each["card"], each["kind"], each["field"]) for each in questions(sheet) if each["place"]]
    assert found == [(1, catastrophe, kind, field), (2, catastrophe, kind, field)]


def test_catastrophe_may_ask_two_things():
    assert [each["field"] for each in asked("Gills", catastrophe="Isolation", hand=["Bad"])] == [
        "hand_size",
        "hand_pick",
    ]


def test_revealed_color_may_be_none():
    (question,) = asked("Gills", catastrophe="Too Much Pink")
    assert question["options"] == [*COLORS, COLORLESS]


def test_largest_gene_pool_is_asked_of_everybody():
    sheet = {"players": [{"traits": ["Gills"]}, {"traits": ["Mutualism"]}], "catastrophe": "Ice Age"}
    found = questions(sheet)
    assert [(each["place"], each["field"], each["card"]) for each in found[1:]] == [
        (1, "gene_pool", "Mutualism"), (2, "gene_pool", "Mutualism"),
    ]  # fmt: skip


def test_discard_pile_is_asked_of_the_table_or_where_players_have_their_own_of_the_player():
    players = [{"traits": ["Serrated Teeth"]}, {"traits": []}]
    of_table = questions({"players": players, "catastrophe": "Ice Age"})[1]
    assert (of_table["place"], of_table["field"], of_table["from"]) == (0, "discard_pile", "dominant")
    of_player = questions({"players": players, "catastrophe": "Ice Age", "options": {"intelligent_design": True}})[1]
    assert (of_player["place"], of_player["field"]) == (1, "discard_pile")


def test_third_dominant_asks_for_the_birth_of_a_hero():
    sheet = {"players": [{"name": "Ada", "traits": ["Tiny", "Heroic", "Epic"]}]}
    question = questions(sheet)[1]
    assert (question["card"], question["field"], question["player"]) == ("Heroic", "birth_of_a_hero", "Ada")
    assert question["place"] == 0
    assert questions({"players": [{"traits": ["Heroic", "Epic"]}]})[1:] == []


def test_tie_asks_the_tied_for_the_next_round_of_draws():
    sheet = {
        "players": [{"name": "Ada", "traits": ["Bad"]}, {"name": "Ben", "traits": ["Gills"]}],
        "options": {"ties": "draw"},
    }
    first = {"place": 0, "card": "", "kind": "tie_draw", "field": "tie_draws", "answered": False}
    assert questions(sheet)[-1] == {**first, "options": ["Ada", "Ben"], "round": 1}
    once = {**sheet, "tie_draws": [[{"name": "Ada", "face": 3}, {"name": "Ben", "face": 3}]]}
    assert questions(once)[-1]["round"] == 2
    decided = {**sheet, "tie_draws": [[{"name": "Ada", "face": 3}, {"name": "Ben", "face": 4}]]}
    assert [each["kind"] for each in questions(decided)] == ["catastrophe"]


def test_draft_without_piles_asks_for_the_catastrophe_alone():
    assert [each["kind"] for each in questions({"players": [{"name": "Ada"}, {}], "options": {"ties": "draw"}})] == [
        "catastrophe"
    ]


def test_sums_ask_nothing():
    sheet = {"players": [{"sums": {}}, {"sums": {}}], "catastrophe": "Deus Ex Machina"}
    assert [each["place"] for each in questions(sheet)] == [0]


def test_questions_have_one_shape_and_are_asked_once():
    for number in range(100):
        found = questions(random_table(random.Random(number)))
        seen = [(each["place"], each["field"], each.get("key"), each["card"]) for each in found]
        assert len(seen) == len(set(seen))
        for each in found:
            assert each["field"] in (PLAYER_KEYS if each["place"] else SHEET_KEYS)
            assert (each["field"] == "choices") == ("key" in each)
