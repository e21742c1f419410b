"""The gold text of every catastrophe on small tables, added up by hand."""

import pytest

from scoring.games.doomlings.tally import tally
from scoring.games.doomlings.tally.cards import BY_HAND
from scoring.games.doomlings.tally.catastrophes import GOLD, WITHOUT_POINTS
from tests.scoring.tallies.plain_doomlings import CATALOGUE, plain_tally

# catastrophe, the first player, the others' piles, what the gold text gives everybody
CASES = [
    ("Ice Age", {"traits": ["Antlers", "Curiosity", "Gills"]}, [["Fear"]], [-2, 0]),
    ("Retrovirus", {"traits": ["Bark", "Bloom"]}, [["Wild"]], [-2, -1]),
    ("Solar Flare", {"traits": ["Nocturnal"]}, [["Wild", "Acrobatic"]], [-1, -2]),
    ("Super Volcano", {"traits": ["Gills"]}, [["Antlers"]], [-1, 0]),
    ("The Big One", {"traits": ["Bloom", "Antlers"]}, [["Wild"], ["Fear"]], [-2, 0, -8]),
    ("The Big One (3e)", {"traits": ["Gills", "Spiny", "Bloom", "Mitosis"]}, [["Gills", "Fear", "Late"]], [-4, 0]),
    ("Overpopulation", {"traits": ["Gills"]}, [["Fear"], ["Bad", "Bark"]], [4, 4, 0]),
    ("Overpopulation (1e)", {"traits": ["Gills", "Late"]}, [["Fear"], ["Bad", "Bark"]], [0, 5, 0]),
    ("Grey Goo", {"traits": ["Gills"]}, [["Fear", "Bad"], ["Late", "Bark"]], [0, -5, -5]),
    ("Deus Ex Machina", {"traits": ["Gills"], "drawn_face": 9}, [["Fear"]], [5, 0]),
    ("Deus Ex Machina", {"traits": ["Gills"], "drawn_face": -2}, [["Fear"]], [-2, 0]),
    ("Deus Ex Machina (1e)", {"traits": ["Gills"], "drawn_face": 17}, [["Fear"]], [17, 0]),
    ("Impact Event", {"traits": ["Antlers", "Bark", "Kidney", "Tiny"]}, [["Fear"]], [-2, 0]),
    ("Algal Superbloom", {"traits": ["Gills"]}, [["Bark"], ["Spiny", "Bloom"]], [0, 2, 1]),
    ("Choking Vines", {"traits": ["Bark"]}, [["Bloom", "Leaves"]], [2, 1]),
    ("Tropical Superstorm", {"traits": ["Bark"]}, [["Nocturnal"]], [1, 0]),
    ("Volcanic Winter", {"traits": ["Antlers"]}, [], [0]),
    ("Ashlands", {"traits": ["Nocturnal", "Acrobatic"]}, [["Nosy", "Clever", "Selfish"]], [-4, 0]),
    ("Great Deluge", {"traits": []}, [["Gills", "Spiny", "Bloom"]], [-4, 0]),
    ("Jungle Rot", {"traits": ["Bark"]}, [["Leaves", "Mane", "Bloom"]], [-4, 0]),
    ("Sacrifice", {"traits": ["Bad"]}, [["Antlers", "Fangs", "Quick"]], [-4, 0]),
    ("Ancient Corruption", {"traits": ["Bad", "Antlers", "Clever"]}, [["Fear"]], [-2, 0]),
    ("Strange Matter", {"traits": ["Swarm", "Tiny", "Fear"]}, [["Gills"]], [-4, 0]),
    ("Ecological Collapse", {"traits": ["Parasitic", "Kidney", "Confusion"]}, [["Gills"]], [4, 0]),
    ("Endless Monsoon", {"traits": ["Gills"], "hand": ["Fear", "Bad"]}, [["Late"]], [-2, 0]),
    ("Endless Monsoon", {"traits": ["Gills"], "hand": ["Fear", "Bad"], "hand_size": 5}, [["Late"]], [-5, 0]),
    ("Invasive Species", {"traits": ["Gills"], "hand": ["Epic"], "hand_pick": "Epic"}, [["Late"]], [7, 0]),
    ("Invasive Species", {"traits": ["Gills"], "hand": ["Swarm"], "hand_pick": "Swarm"}, [["Late"]], [0, 0]),
    ("Planetary Deforestation", {"traits": ["Gills"], "gene_pool": 7}, [["Late"]], [-7, -5]),
    ("Titan's Call", {"traits": ["Legendary", "Gills"]}, [["Legendary", "Carnosaur Jaw"], ["Epic"]], [3, 5, 0]),
    ("Anoxic Event", {"traits": ["Kidney"] * 21}, [["Kidney"] * 20], [-7, 0]),
    ("Abyss Stares Back", {"traits": ["Kidney"] * 13}, [["Kidney"] * 12], [-5, 0]),
    ("Discovery of Magic", {"traits": ["Icy"], "hand": ["Destined", "Effigial", "Gills"]}, [["Late"]], [1, 0]),
    ("Moonpocalypse", {"traits": ["Gills"], "gene_pool": 3}, [["Late"]], [0, -5]),
    ("Isolation", {"traits": ["Gills"], "hand": ["Epic", "Bad", "Fear"], "hand_pick": "Epic"}, [["Late"]], [10, 0]),
    ("Isolation", {"traits": ["Gills"], "hand": ["Epic"], "hand_size": 4, "hand_pick": "Epic"}, [["Late"]], [0, 0]),
    ("Too Much Pink", {"traits": ["Gills", "Bloom"], "revealed": "blue"}, [["Spiny"]], [2, 0]),
    ("Too Much Pink", {"traits": ["Fear"], "revealed": "colorless"}, [["Spiny"]], [0, 0]),
]  # fmt: skip
DISCARDING = [
    # catastrophe, the pile of the owner of Amatoxins, what is discarded in order, how many colors are left to Amatoxins
    ("Glacial Meltdown", ["Gills", "Antlers"], ["Antlers", "Gills"], 1),
    ("Glacial Meltdown", ["Antlers", "Bark"], ["Antlers", "Bark"], 2),
    ("Glacial Meltdown", ["Bloom", "Tiny"], ["Bloom", "Tiny"], 1),
    ("Mega Tsunami", ["Gills", "Antlers", "Quick"], ["Quick", "Gills", "Antlers"], 2),
    ("Mega Tsunami", ["Curiosity", "Antlers"], ["Curiosity", "Antlers"], 2),
    ("Mega Tsunami", ["Curiosity", "Antlers"], ["Antlers", "Curiosity"], 1),
    ("Mass Extinction", ["Bloom", "Antlers"], ["Bloom", "Antlers"], 1),
    ("Pulse Event", ["Nocturnal", "Antlers"], ["Nocturnal", "Antlers"], 1),
    ("Nuclear Winter", ["Fear", "Antlers"], ["Antlers", "Fear"], 1),
    ("The Four Horsemen", ["Blubber", "Gills", "Antlers"], ["Gills", "Blubber"], 1),
    ("Eyes Open from Behind the Stars", ["Blubber", "Quick", "Gills"], ["Quick", "Blubber"], 1),
    ("Bioengineered Plague", ["Gills", "Spiny", "Antlers"], ["Antlers", "Gills"], 1),
    ("Tragedy of the Commons", ["Swarm", "Antlers"], ["Antlers", "Swarm"], 1),
    ("Planned Obsolescence", ["Cybernetic", "Lyonization", "Bad"], ["Cybernetic", "Lyonization", "Bad"], 1),
]  # fmt: skip


def table_of(catastrophe, first, others):
    players = [first, *({"traits": pile} for pile in others)]
    return {"players": players, "catastrophe": catastrophe, "options": {"check_limits": False}}


def texts_of(answer, catastrophe):
    """The points of the one line a player that a gold text with points has."""
    lines = [[line for line in player["lines"] if line["kind"] == "catastrophe"] for player in answer["players"]]
    assert all(len(each) == 1 and each[0]["card"] == catastrophe for each in lines)
    return [each[0]["points"] for each in lines]


@pytest.mark.parametrize(("catastrophe", "first", "others", "points"), CASES)
def test_gold_text_as_added_up_by_hand(catastrophe, first, others, points):
    sheet = table_of(catastrophe, first, others)
    answer = tally(sheet)
    assert texts_of(answer, catastrophe) == points == [player["catastrophe"] for player in answer["players"]]
    assert [each[2] for each in plain_tally(sheet)] == points


@pytest.mark.parametrize(("catastrophe", "pile", "discarded", "colors"), DISCARDING)
def test_discards_of_the_catastrophe_are_its_own_and_the_rest_the_effects(catastrophe, pile, discarded, colors):
    first = {"traits": ["Amatoxins", *pile], "discarded_at_worlds_end": discarded}
    owner, other = tally(table_of(catastrophe, first, [["Late"]]))["players"]
    assert [line for line in owner["lines"] + other["lines"] if line["kind"] == "catastrophe"] == []
    faces = [CATALOGUE[name]["face"] or 0 for name in pile if name not in discarded]
    assert owner["face_value"] == -1 + sum(faces)
    assert other["bonus"] == -2 * colors


RECOLORED = {"Free Will": "red"}
FIXED = [
    ("AI Takeover", ["Confusion", "Swarm (colorless)", "Faith", "Free Will", "Mindful"], RECOLORED, 12, 0),
    ("AI Takeover", ["Opposable Thumbs", "Harmony"], {}, 8, 0),
    ("AI Takeover (1e)", ["Opposable Thumbs", "Harmony", "Motley"], {}, 8, 0),
    ("AI Takeover (1e)", ["Rainbow Keratin", "Nano", "Fear"], {"Nano_host": "Fear"}, 4, 2),
]  # fmt: skip


@pytest.mark.parametrize(("catastrophe", "pile", "choices", "faces", "bonus"), FIXED)
def test_fixed_value_replaces_face_and_bonus_of_colorless_traits(catastrophe, pile, choices, faces, bonus):
    answer = tally(table_of(catastrophe, {"traits": pile, "choices": choices}, []))["players"][0]
    assert (answer["face_value"], answer["bonus"], answer["catastrophe"]) == (faces, bonus, 0)


def test_fixed_value_of_an_empty_face_is_a_line():
    answer = tally(table_of("AI Takeover", {"traits": ["Gratitude", "Gills"]}, []))["players"][0]
    assert answer["lines"] == [
        {"card": "Gratitude", "kind": "face", "points": 2},
        {"card": "Gills", "kind": "face", "points": 1},
        {"card": "Gratitude", "kind": "bonus", "points": 0},
    ]


def test_second_dominant_is_paid_for_as_agreed():
    sheet = table_of("Titan's Call", {"traits": ["Legendary", "Carnosaur Jaw"]}, [])
    sheet["options"]["second_dominant"] = "instead"
    assert texts_of(tally(sheet), "Titan's Call") == [2]


def test_recolored_traits_are_what_a_catastrophe_counts_and_takes():
    choices = {"Faith": {"from": "red", "to": "blue"}}
    sheet = table_of("Super Volcano", {"traits": ["Faith", "Antlers"], "choices": choices}, [])
    assert texts_of(tally(sheet), "Super Volcano") == [-1]
    first = {"traits": ["Faith", "Amatoxins", "Antlers"], "choices": choices, "discarded_at_worlds_end": ["Antlers"]}
    assert tally(table_of("Glacial Meltdown", first, [["Late"]]))["players"][1]["bonus"] == 0
    assert tally(table_of("Mega Tsunami", first, [["Late"]]))["players"][1]["bonus"] == -2


def test_every_catastrophe_has_a_golden_case_and_every_kind_a_function():
    rows = [row for row in CATALOGUE.values() if row["type"] == "Catastrophe"]
    assert {row["worlds_end_kind"] for row in rows} | {BY_HAND} == set(GOLD) | set(WITHOUT_POINTS)
    assert not set(GOLD) & set(WITHOUT_POINTS)
    assert {row["name"] for row in rows} == {case[0] for case in [*CASES, *DISCARDING, *FIXED]}
