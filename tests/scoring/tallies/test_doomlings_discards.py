"""What leaves a pile at World's End: just what the gold text and the cards let their players move (DL-ORDER)."""

import io
import json
import random

import pytest
from django.core.management import call_command
from django.test import Client

from rules_engine.errors import DomainError
from scoring.games.doomlings.tally import limits, tally
from tests.scoring.tallies.doomlings_tables import random_table
from tests.scoring.tallies.plain_doomlings import CATALOGUE, Table

# catastrophe, a pile, the discards that follow the gold text, discards that do not
DUE = [
    (
        "Glacial Meltdown", ["Gills", "Bloom", "Bad"],
        [["Gills"], ["Bloom"]], [["Bad"], ["Gills", "Bad"], ["Gills", "Bloom"]],
    ),
    ("Mega Tsunami", ["Antlers", "Quick", "Gills"], [["Antlers"], ["Quick"]], [["Gills"], ["Antlers", "Quick"]]),
    ("Mass Extinction", ["Bark", "Gills"], [["Bark"]], [["Gills"]]),
    ("Pulse Event", ["Nocturnal", "Gills"], [["Nocturnal"]], [["Gills"]]),
    ("Nuclear Winter", ["Fear", "Late", "Gills"], [["Fear"], ["Late"]], [["Gills"], ["Fear", "Late"]]),
    ("The Four Horsemen", ["Adorable", "Gills"], [["Adorable"]], [["Gills"]]),
    ("Eyes Open from Behind the Stars", ["Blubber", "Quick", "Gills"], [["Blubber"]], [["Quick"], ["Gills"]]),
    ("Bioengineered Plague", ["Gills", "Spiny", "Antlers"], [["Gills"], ["Spiny"]], [["Antlers"]]),
    ("Tragedy of the Commons", ["Swarm", "Antlers"], [["Swarm"]], [["Antlers"]]),
    (
        "Planned Obsolescence", ["Cybernetic", "Lyonization", "Bad"],
        [["Cybernetic", "Lyonization"], ["Lyonization", "Cybernetic"]], [["Cybernetic"], ["Cybernetic", "Bad"]],
    ),
]  # fmt: skip
CHANGES = [(catastrophe, pile, wrong) for catastrophe, pile, _right, wrongs in DUE for wrong in [[], *wrongs]]


def table_of(catastrophe, pile, *, others=([],), options=None, **first):
    players = [{"name": "Ada", "traits": pile, **first}, *({"traits": each} for each in others)]
    return {"players": players, "catastrophe": catastrophe, "options": options or {}}


def broken(sheet):
    """The clauses and messages of the violations of a sheet, which is refused for them."""
    with pytest.raises(DomainError) as refused:
        tally(sheet)
    told = tally({**sheet, "options": {**sheet["options"], "check_limits": False}})["violations"]
    assert refused.value.details["violations"] == told
    assert {each["rule"] for each in told} == {"DL-ORDER"}
    return [each["message"] for each in told]


def test_every_discarding_catastrophe_is_tried():
    rows = [row["name"] for row in CATALOGUE.values() if row["worlds_end_kind"].startswith("discard_")]
    assert sorted(rows) == sorted(case[0] for case in DUE)


@pytest.mark.parametrize(("catastrophe", "pile", "lawful"), [(each[0], each[1], each[2]) for each in DUE])
def test_gold_text_is_followed_with_any_card_that_fits(catastrophe, pile, lawful):
    for gone in lawful:
        answer = tally(table_of(catastrophe, pile, discarded_at_worlds_end=gone))
        assert answer["violations"] == []
        left = [name for name in pile if name not in gone]
        assert [line["card"] for line in answer["players"][0]["lines"] if line["kind"] == "face"] == left


@pytest.mark.parametrize(("catastrophe", "pile", "gone"), CHANGES)
def test_gold_text_is_broken_by_fewer_or_other_discards(catastrophe, pile, gone):
    assert broken(table_of(catastrophe, pile, discarded_at_worlds_end=gone))


@pytest.mark.parametrize("catastrophe", [case[0] for case in DUE])
def test_nothing_is_due_from_a_pile_without_a_fitting_card(catastrophe):
    assert tally(table_of(catastrophe, [], others=([],)))["violations"] == []
    assert tally(table_of("The Four Horsemen", ["Gills", "Epic"]))["violations"] == []


def test_dominants_are_never_due():
    assert tally(table_of("Mega Tsunami", ["Apex Predator", "Gills"]))["violations"] == []


def test_dl_gold_the_four_horsemen_turn_the_winner():
    horsemen = table_of("The Four Horsemen", ["Adorable"], others=[["Kidney"]])
    assert broken(horsemen) == ["“The Four Horsemen”: Ada discards 1 more of Adorable."]
    horsemen["players"][0]["discarded_at_worlds_end"] = ["Adorable"]
    answer = tally(horsemen)
    assert (answer["winners"], [each["score"] for each in answer["players"]]) == (["Player 2"], [0, 1])


def test_glacial_meltdown_comes_out_even_with_either_lawful_choice():
    pile = ["Egg Clusters", "Puffy", "Adorable"]
    for gone in ("Egg Clusters", "Puffy"):
        sheet = table_of("Glacial Meltdown", pile, others=[["Kidney", "Kidney"]], discarded_at_worlds_end=[gone])
        assert [each["score"] for each in tally(sheet)["players"]] == [4, 4]


def test_dl_gold_three_discards_for_one_are_refused():
    pile = ["Egg Clusters", "Puffy", "Kidney", "Overgrowth", "Adorable"]
    sheet = table_of("Glacial Meltdown", pile, discarded_at_worlds_end=["Kidney", "Overgrowth", "Adorable"])
    assert broken(sheet) == [
        "“Glacial Meltdown”: Ada discards 1 more of Egg Clusters, Puffy.",
        "“Glacial Meltdown”: Ada can't discard Kidney, Overgrowth, Adorable.",
    ]


def test_discard_without_any_card_that_lets_it_is_refused():
    assert broken(table_of("Ice Age", ["Parasitic", "Gills"], discarded_at_worlds_end=["Parasitic"])) == [
        "No card lets Ada discard Parasitic."
    ]


def test_lily_pad_returns_up_to_three():
    pile = ["Lily Pad", "Gills", "Bad", "Fear", "Late"]
    for count in range(4):
        assert tally(table_of(None, pile, returned=pile[1 : count + 1]))["violations"] == []
    assert broken(table_of(None, pile, returned=pile[1:])) == ["No card lets Ada take back Late."]
    assert broken(table_of(None, ["Gills"], returned=["Gills"])) == ["No card lets Ada take back Gills."]


def test_amatoxins_discard_up_to_three_and_the_catastrophe_takes_its_own():
    pile = ["Amatoxins", "Gills", "Spiny", "Bad", "Fear"]
    lawful = table_of(
        "Glacial Meltdown", pile, discarded_by_effects=["Gills", "Bad", "Fear"], discarded_at_worlds_end=["Spiny"]
    )
    assert tally(lawful)["violations"] == []
    four = table_of(None, pile, discarded_at_worlds_end=pile[1:])
    assert broken(four) == ["No card lets Ada discard Fear."]
    owed = table_of("Glacial Meltdown", pile, discarded_by_effects=["Gills"])
    assert broken(owed) == ["“Glacial Meltdown”: Ada discards 1 more of Spiny."]


def test_nothing_leaves_a_pile_that_was_not_there():
    message = "Ada can't discard or return Gills: too few."
    assert message in broken(table_of("Glacial Meltdown", ["Bad"], discarded_at_worlds_end=["Gills"]))
    assert message in broken(table_of(None, ["Lily Pad", "Gills"], returned=["Gills", "Gills"]))


@pytest.mark.parametrize("other", ["Prepper", "Chompers"])
def test_effects_that_the_card_facts_do_not_tell_may_move_more(other):
    free = table_of("Ice Age", ["Gills", "Bad"], others=[[other]], discarded_at_worlds_end=["Bad"], returned=["Gills"])
    assert tally(free)["violations"] == []
    owed = table_of("Glacial Meltdown", ["Gills", "Bad"], others=[[other]], discarded_at_worlds_end=["Bad"])
    assert len(broken(owed)) == 1


def test_sums_owe_no_discards():
    sheet = table_of("The Four Horsemen", None, sums={"face_value": 4})
    assert tally(sheet)["violations"] == []


def test_one_discard_less_or_more_is_always_told(seed):
    """Lawful random tables, each spoiled by one discard: taken back, or one that nothing lets."""
    spoiled = 0
    for number in range(300):
        sheet = random_table(random.Random(f"{seed} spoiled {number}"))
        gold = CATALOGUE[sheet["catastrophe"]]["worlds_end_kind"] if sheet["catastrophe"] else ""
        for player in sheet["players"] if gold.startswith("discard_") else ():
            if player.get("discarded_at_worlds_end") and not player.get("discarded_by_effects"):
                table = Table(sheet)
                taken = player["discarded_at_worlds_end"].pop()
                if len(table.effects[sheet["players"].index(player)]) == 0:
                    assert any(taken in each for each in broken(with_options(sheet)))
                    spoiled += 1
                player["discarded_at_worlds_end"].append(taken)
    assert spoiled > 10


def with_options(sheet):
    """The sheet with its options, and without the discard pile, where the box would hold the card twice."""
    return {**sheet, "options": sheet.get("options", {}), "discard_pile": []}


def test_command_tells_the_missing_discard(tmp_path):
    file, out = tmp_path / "sheet.json", io.StringIO()
    file.write_text(json.dumps({"sheets": [table_of("The Four Horsemen", ["Adorable"])]}))
    call_command("tally", "doomlings", str(file), json=True, stdout=out)
    (answer,) = json.loads(out.getvalue())["tallies"]
    assert answer["violations"][0]["cards"] == ["Adorable"]
    assert "Ada discards 1 more of Adorable" in answer["error"]


@pytest.mark.django_db
def test_api_tells_the_missing_discard():
    address, sheet = "/api/v1/tally/doomlings/", table_of("The Four Horsemen", ["Adorable"])
    refused = Client().post(address, sheet, content_type="application/json")
    assert refused.status_code == 422
    assert "DL-ORDER" in refused.content.decode()
    sheet["players"][0]["discarded_at_worlds_end"] = ["Adorable"]
    assert Client().post(address, sheet, content_type="application/json").json()["violations"] == []


def test_control_without_the_check_the_winner_is_wrong(monkeypatch):
    """What the check is for: left out, a skipped discard wins the game."""
    monkeypatch.setattr(limits, "discards_of", lambda sheet, piles: [])
    answer = tally(table_of("The Four Horsemen", ["Adorable"], others=[["Kidney"]]))
    assert (answer["winners"], answer["violations"]) == (["Ada"], [])
