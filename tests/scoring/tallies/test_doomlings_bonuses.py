"""One golden case and more for every kind of bonus, added up by hand; then every card with a bonus of the card file."""

import re
from pathlib import Path

import pytest

from scoring.games import doomlings
from scoring.games.doomlings.tally import tally
from scoring.games.doomlings.tally.bonuses import AROUND, COUNTS, GIVEN
from scoring.games.doomlings.tally.cards import COPY, FIXED_POINTS, traits
from tests.scoring.tallies.plain_doomlings import CATALOGUE, plain_tally

# kind, card, the rest of its pile, the other piles, what else is known of the owner, points of the card
CASES = [
    ("per_color", "Egg Clusters", ["Gills", "Bloom", "Wild", "Fear"], [["Blubber"]], {}, 4),
    ("per_color", "Mindful", ["Fear", "Late", "Gills"], [], {}, 3),
    ("per_color", "Tetrachromatic", ["Fear", "Late", "Gills"], [], {}, -2),
    ("per_color", "Puffy", ["Gills", "Spiny", "Scutes", "Mitosis"], [], {}, 3),
    ("per_color", "Puffy", ["Gills"], [], {}, 0),
    ("per_color", "Noxious", ["Antlers", "Curiosity"], [], {}, -2),
    ("per_color_pair", "Pack Behavior", ["Bark", "Bloom", "Gills", "Antlers", "Bad", "Fangs"], [], {}, 3),
    ("per_opponent_color_group", "Branches", ["Bark"], [["Leaves", "Bark", "Bloom"], ["Trunk"]], {}, 1),
    ("per_opponent_color_group", "Branches", [], [["Leaves", "Bloom"], ["Trunk", "Mane", "Jumpy", "Rover"]], {}, 3),
    ("per_trait", "Tiny", ["Antlers", "Swarm", "Viral"], [["Gills"]], {}, -4),
    ("per_trait", "Tiny (3e)", ["Antlers", "Swarm", "Viral"], [["Gills"]], {}, -2),
    ("per_negative_face", "Immunity", ["Parasitic", "Venomous", "Kidney", "Fear", "Mindful"], [["Confusion"]], {}, 4),
    ("per_face_equal", "Pollination", ["Leaves", "Gills", "Swarm", "Bark"], [["Fear"]], {}, 3),
    ("per_name", "Kidney", ["Kidney", "Kidney (green)"], [["Kidney"]], {}, 3),
    ("per_name", "Swarm", ["Swarm (red)"], [["Swarm", "Swarm (blue)"], ["Gills"]], {}, 4),
    ("per_set", "Elven Ears", ["Destined", "Gills"], [["Witchy", "Legendary"], ["Antlers"]], {}, 4),
    ("per_set", "Bionic Arm", ["Binary", "Gills"], [["Nano"]], {}, 2),
    ("per_set", "Bionic Arm", ["Binary", "Gills"], [["Nano"]], {"choices": {"Bionic Arm_host": "Gills"}}, 4),
    ("per_effectless", "Mecha", ["Antlers", "Gills", "Bad"], [], {"choices": {"Mecha_host": "Bad"}}, 2),
    ("per_effectless", "Mecha", ["Antlers", "Gills", "Bad"], [], {}, 0),
    ("per_dominant_own", "Serrated Teeth (1e)", ["Tiny", "Viral", "Gills"], [["Epic"]], {}, -4),
    ("distinct_colors_pile", "Gratitude", ["Bloom", "Gills", "Antlers"], [], {}, 3),
    ("distinct_colors_pile", "Gratitude", ["Fear"], [["Wild"]], {}, 0),
    ("distinct_colors_hand", "Saudade", ["Antlers"], [], {"hand": ["Acrobatic", "Bark", "Fear"]}, 2),
    ("per_hand_card", "Boredom", [], [], {"hand": ["Antlers", "Bad", "Swarm"]}, 2),
    ("per_hand_card", "Brave", [], [], {"hand": ["Epic", "Bad", "Tiny"]}, 4),
    ("per_hand_card", "Camouflage", [], [], {"hand": ["Epic", "Bad", "Tiny"]}, 3),
    ("per_hand_card", "Camouflage (1e)", [], [], {"hand": ["Epic"], "hand_size": 6}, 6),
    ("per_hand_card", "Fortunate", [], [], {"hand_size": 7}, 7),
    ("per_hand_card", "Sparkles", [], [], {"hand": ["Swarm", "Bad", "Tiny"], "hand_size": 9}, 2),
    ("gene_pool_own", "Altruistic", [], [], {}, 5),
    ("gene_pool_own", "Random Fertilization", [], [], {"gene_pool": 8}, 8),
    ("gene_pool_max", "Hyper-Myelination", [], [["Gills"]], {"gene_pool": 3}, 5),
    ("gene_pool_max", "Mutualism", [], [["Gills"]], {"gene_pool": 7}, 7),
    ("if_most_traits", "Apex Predator", ["Gills"], [["Fear"]], {}, 4),
    ("if_most_traits", "Apex Predator", ["Gills"], [["Fear", "Late"]], {}, 0),
    ("if_most_traits", "Apex Predator", [], [], {}, 4),
    ("if_color_strictly_most", "Fortunate (1e)", ["Bark", "Gills"], [], {}, 2),
    ("if_color_strictly_most", "Fortunate (1e)", ["Gills"], [], {}, 0),
    ("per_lowest_color", "Symbiosis", ["Bark", "Gills", "Spiny"], [], {}, 4),
    ("per_lowest_color", "Symbiosis", ["Bark", "Gills", "Spiny", "Antlers"], [], {}, 2),
    ("per_lowest_color", "Symbiosis", ["Bark"], [], {}, 0),
    ("per_lesser_of_two_colors", "Bitter Berries", ["Acrobatic", "Bark"], [], {}, 2),
    ("per_lesser_of_two_colors", "Sour Grapes", ["Antlers", "Bark"], [], {}, 1),
    ("if_all_four_colors", "Dragon Heart", ["Bloom", "Nocturnal"], [], {}, 4),
    ("if_all_four_colors", "Dragon Heart", ["Bloom"], [["Nocturnal"]], {}, 0),
    ("if_all_four_colors", "Shy", ["Wild", "Motley"], [], {}, 5),
    ("if_all_four_colors", "Shy", ["Wild", "Bloom", "Antlers"], [], {}, 0),
    ("per_full_color_set", "Harmony", ["Wild", "Bloom", "Snap-Trap", "Gills"], [], {}, 4),
    ("per_full_color_set", "Harmony", ["Bloom", "Gills", "Antlers"], [], {}, 0),
    ("per_color_with_at_least", "Nuptial Plumage", ["Bloom", "Bark", "Gills", "Spiny", "Antlers"], [], {}, 4),
    ("if_color_at_least", "Prolific", ["Bark", "Bloom", "Leaves", "Mane"], [], {}, 6),
    ("if_color_at_least", "Prolific", ["Bark", "Bloom", "Leaves"], [["Mane"]], {}, 0),
    ("if_any_opponent_color_at_least", "Sycophant", [], [["Bad", "Fangs", "Antlers", "Quick", "Wild"], []], {}, 5),
    ("if_any_opponent_color_at_least", "Sycophant", ["Wild"], [["Bad", "Fangs"], ["Wild", "Quick", "Exotic"]], {}, 0),
    ("if_any_negative_face", "Backbiter", ["Parasitic"], [], {}, 3),
    ("if_any_negative_face", "Backbiter", ["Kidney"], [["Parasitic"]], {}, 0),
    ("if_few_low_faces", "Big Feller", ["Gills", "Fear", "Leaves", "Parasitic", "Kidney", "Swarm"], [], {}, 6),
    ("if_few_low_faces", "Big Feller", ["Gills", "Fear", "Leaves", "Parasitic", "Mindful"], [], {}, 0),
    ("chosen_color_own", "Sentience", ["Bloom", "Gills"], [["Blubber"]], {"choices": {"Sentience": "blue"}}, 2),
    ("chosen_color_own", "Sentience", ["Bloom", "Gills"], [], {}, 0),
    ("chosen_color_opponents", "Viral", ["Gills"], [["Gills"]], {"choices": {"Viral": "blue"}}, 0),
    ("color_everyone", "Shiny", ["Fear", "Late"], [["Confusion"]], {}, -2),
    ("opponents_colors_fewer_than_owner", "Prowler", ["Wild"], [["Antlers"]], {}, 0),
    ("opponents_per_discarded_color", "Amatoxins", ["Gills"], [[]], {"discarded_at_worlds_end": ["Gills"]}, 0),
    ("host_color_count", "GMO", ["Bloom", "Gills", "Bark", "Leaves"], [], {"choices": {"GMO_host": "Bloom"}}, 5),
    ("host_color_count", "GMO", ["Fear"], [], {"choices": {"GMO_host": "Fear"}}, 0),
    ("host_color_count", "GMO", ["Bloom"], [], {}, 0),
    ("host_face", "Nano", ["Blubber"], [], {"choices": {"Nano_host": "Blubber"}}, 4),
    ("host_face", "Nano", ["Parasitic"], [], {"choices": {"Nano_host": "Parasitic"}}, -2),
    ("host_face", "Nano", ["Kidney"], [], {"choices": {"Nano_host": "Kidney"}}, 0),
    ("per_returned_trait", "Lily Pad", ["Gills", "Bad"], [], {"returned": ["Gills", "Bad"]}, 2),
    ("per_returned_trait", "Lily Pad", [], [], {"returned": ["Gills", "Bad", "Fear", "Late"]}, 3),
    ("if_in_hand_at_end", "Neoteny", [], [], {}, 0),
    ("per_other_drop_and_max_color", "Rainbow Keratin", ["Wild", "Gills", "Swarm"], [], {}, 2),
    ("per_other_drop_and_max_color", "Rainbow Keratin", ["Bloom", "Swarm", "Kidney"], [], {}, -4),
    (COPY, "Opposable Thumbs", ["Gills", "Tiny", "Apex Predator"], [[]], {}, -4),
    (COPY, "Opposable Thumbs", ["Gills"], [], {}, 0),
]  # fmt: skip
DISCARD_CASES = [
    ("Cranial Crest", ["Parasitic", "Venomous", "Confusion", "Quills", "Gills", "Kidney"], 1),
    ("Cranial Crest", ["Parasitic", "Venomous"], 0),
    ("Serrated Teeth", ["Tiny", "Epic", "Gills"], 2),
    ("Tiny Arms", ["Talons", "Bony Plates", "Gills"], 2),
]
GIVEN_CASES = [
    # card, the rest of its pile, the receiver's pile, what else is known of the owner, what the receiver gets
    ("Viral", ["Gills", "Spiny"], ["Gills", "Bloom", "Antlers"], {"choices": {"Viral": "blue"}}, -2),
    ("Viral", [], ["Gills"], {}, 0),
    ("Shiny", ["Fear"], ["Late", "Confusion", "Gills"], {}, -2),
    ("Prowler", ["Wild", "Nocturnal", "Quick"], ["Bloom", "Curiosity"], {}, -4),
    ("Prowler", ["Wild"], ["Antlers"], {}, -6),
    ("Amatoxins", ["Gills", "Fear"], [], {"discarded_at_worlds_end": ["Acrobatic", "Gills", "Fear"]}, -6),
    ("Amatoxins", ["Gills", "Bad"], [], {"discarded_at_worlds_end": ["Fear", "Late", "Bad", "Gills"]}, -2),
]  # fmt: skip


def table_of(card, rest, others=(), owner=(), **more):
    """A table whose first player has the card on top of the rest, limits not being the matter."""
    players = [{"traits": [card, *rest], **dict(owner)}, *({"traits": pile} for pile in others)]
    return {"players": players, "options": {"check_limits": False}, **more}


def bonus_of(card, sheet, place=0):
    lines = tally(sheet)["players"][place]["lines"]
    return sum(
        line["points"] for line in [each for each in lines if (each["card"], each["kind"]) == (card, "bonus")][:1]
    )


@pytest.mark.parametrize(("kind", "card", "rest", "others", "owner", "points"), CASES)
def test_bonus_kind_as_added_up_by_hand(kind, card, rest, others, owner, points):
    assert traits()[card].bonus.kind == kind
    sheet = table_of(card, rest, others, owner)
    assert bonus_of(card, sheet) == points
    face, bonus, _none = plain_tally(sheet)[0]
    answer = tally(sheet)["players"][0]
    assert (answer["face_value"], answer["bonus"]) == (face, bonus)


@pytest.mark.parametrize(("card", "discarded", "points"), DISCARD_CASES)
def test_discard_pile_is_counted_in_groups(card, discarded, points):
    assert bonus_of(card, table_of(card, [], discard_pile=discarded)) == points


@pytest.mark.parametrize(("card", "rest", "pile", "owner", "points"), GIVEN_CASES)
def test_card_gives_other_players_points_of_its_own_line(card, rest, pile, owner, points):
    sheet = table_of(card, rest, [pile, pile], owner)
    assert [bonus_of(card, sheet, place) for place in (1, 2)] == [points, points]


def test_hand_card_scores_from_the_hand():
    answer = tally({"players": [{"traits": ["Gills"], "hand": ["Neoteny", "Tiny"]}]})["players"][0]
    assert answer["lines"] == [
        {"card": "Gills", "kind": "face", "points": 1},
        {"card": "Neoteny", "kind": "bonus", "points": 4},
    ]


def test_hand_card_in_the_pile_has_its_face_alone():
    answer = tally({"players": [{"traits": ["Neoteny"]}]})["players"][0]
    assert (answer["face_value"], answer["bonus"]) == (-3, 0)


COPIES = [
    # pile, what else is known of the owner, face and bonus of the copy
    (["Tiny", "Opposable Thumbs"], {}, 17, -2),
    (["Opposable Thumbs", "Epic", "Tiny"], {}, 10, 0),
    (["Opposable Thumbs", "Sentience", "Antlers"], {"choices": {"Sentience": "red"}}, 2, 2),
    (["Opposable Thumbs", "Sentience", "Antlers"], {"choices": {"Sentience": "red", "Opposable Thumbs": "blue"}}, 2, 0),
    (["Opposable Thumbs", "Rainbow Keratin", "Swarm"], {}, 1, -4),
]


@pytest.mark.parametrize(("pile", "owner", "face", "bonus"), COPIES)
def test_copy_behaves_as_the_first_other_dominant(pile, owner, face, bonus):
    lines = tally(table_of(pile[0], pile[1:], (), owner))["players"][0]["lines"]
    assert [line["points"] for line in lines if line["card"] == "Opposable Thumbs"] == [face, bonus]


def test_copy_without_another_dominant_has_no_face_and_scores_nothing():
    lines = tally({"players": [{"traits": ["Opposable Thumbs", "Gills"]}]})["players"][0]["lines"]
    assert [line for line in lines if line["card"] == "Opposable Thumbs"] == [
        {"card": "Opposable Thumbs", "kind": "bonus", "points": 0}
    ]


def test_copied_face_counts_like_a_printed_one():
    assert bonus_of("Pollination", table_of("Pollination", ["Opposable Thumbs", "Mimicry"])) == 3


def test_two_attachments_have_a_host_each():
    owner = {"choices": {"Nano_host": ["Blubber", "Antlers"]}}
    lines = tally(table_of("Nano", ["Nano", "Antlers", "Blubber"], (), owner))["players"][0]["lines"]
    assert [line["points"] for line in lines if line["card"] == "Nano"] == [4, 3]


def test_host_that_left_the_pile_is_none():
    owner = {"choices": {"Nano_host": "Blubber"}, "discarded_at_worlds_end": ["Blubber"]}
    assert bonus_of("Nano", table_of("Nano", ["Blubber"], (), owner)) == 0


def test_effects_change_colors_before_bonuses_count_them():
    owner = {"choices": {"Faith": {"from": "red", "to": "blue"}, "Free Will": "red"}}
    sheet = table_of("Egg Clusters", ["Faith", "Antlers", "Curiosity", "Free Will", "Snap-Trap"], [["Bad"]], owner)
    assert bonus_of("Egg Clusters", sheet) == 4
    assert bonus_of("Heat Vision", table_of("Heat Vision", ["Faith", "Antlers", "Free Will"], (), owner)) == 1
    assert bonus_of("Mindful", table_of("Mindful", ["Rainbow Horn (1e)", "Fear"])) == 3
    chosen = {"choices": {"Rainbow Horn (1e)": "green"}}
    assert bonus_of("Mindful", table_of("Mindful", ["Rainbow Horn (1e)", "Fear"], (), chosen)) == 2


def test_every_kind_of_bonus_has_a_function_and_a_golden_case():
    kinds = {row["bonus_kind"] for row in CATALOGUE.values() if row["bonus_kind"]}
    assert kinds == set(COUNTS) - {FIXED_POINTS} | {COPY}
    tried = {case[0] for case in CASES} | {traits()[case[0]].bonus.kind for case in DISCARD_CASES}
    assert tried == kinds
    assert {traits()[case[0]].bonus.kind for case in GIVEN_CASES} == set(GIVEN)
    assert kinds > AROUND


FULL_PILE = [
    "Antlers", "Gills", "Bark", "Nocturnal", "Wild", "Parasitic", "Swarm", "Kidney", "Destined", "Binary", "Bloom",
    "Tiny", "Free Will", "Acrobatic", "Quick",
]  # fmt: skip


@pytest.mark.parametrize("name", [name for name, row in CATALOGUE.items() if row["bonus_kind"]])
def test_every_card_with_a_bonus_is_counted_as_its_row_says(name):
    """In a pile that gives most bonuses something to count, against the oracle."""
    owner = {
        "choices": {name: "green", f"{name}_host": "Bloom", "Free Will": "blue"},
        "hand": ["Epic", "Neoteny", "Bad", "Swarm"], "gene_pool": 6,
        "discarded_at_worlds_end": ["Quick"], "returned": ["Acrobatic"],
    }  # fmt: skip
    others = [["Leaves", "Jumpy", "Fear", "Bad", "Fangs", "Fused", "Exotic", "Freckles"], ["Witchy", "Swarm (red)"]]
    discarded = ["Parasitic", "Venomous", "Confusion", "Talons", "Fierce"]
    sheet = table_of(name, FULL_PILE, others, owner, discard_pile=discarded)
    answer = tally(sheet)["players"]
    assert [(each["face_value"], each["bonus"], each["catastrophe"]) for each in answer] == plain_tally(sheet)


def test_no_card_is_a_case_of_its_own_but_for_what_the_file_does_not_tell():
    """Bonuses come from the card file: it names those whose effect has no kind, Heroic, and two ages."""
    sources = sorted(Path(doomlings.__file__).parent.rglob("*.py"))
    texts = {text for source in sources for text in re.findall(r'"([^"\n]*)"', source.read_text(encoding="utf-8"))}
    without_kind = {"Faith", "Free Will", "Rainbow Horn (1e)"}
    assert texts & set(CATALOGUE) == without_kind | {"Heroic", "Birth of a Hero", "The Birth of Life"}
