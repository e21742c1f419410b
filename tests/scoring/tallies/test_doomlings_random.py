"""The tally of Doomlings on random tables, against the oracle and against its own laws."""

import io
import json
import os
import random
from functools import cache

import pytest
from django.core.management import call_command

from rules_engine.errors import DomainError
from scoring.games.doomlings.tally import tally
from tests.scoring.tallies.doomlings_tables import random_table
from tests.scoring.tallies.plain_doomlings import CATALOGUE, plain_tally

SEED = int(os.environ["DOOMDESK_SEED"])


@cache
def tables(count, salt):
    return [random_table(random.Random(f"{SEED} {salt} {number}")) for number in range(count)]


def sums(answer):
    return [(player["face_value"], player["bonus"], player["catastrophe"]) for player in answer["players"]]


def assert_answer_matches(sheet, answer):
    told = plain_tally(sheet)
    assert sums(answer) == told, json.dumps(sheet)
    assert [player["score"] for player in answer["players"]] == [sum(each) for each in told]
    best = max(sum(each) for each in told)
    names = [player["name"] for player in sheet["players"]]
    assert answer["winners"] == [name for name, each in zip(names, told, strict=True) if sum(each) == best]
    for player in answer["players"]:
        assert sum(line["points"] for line in player["lines"]) == player["score"]
        assert {line["card"] for line in player["lines"]} <= set(CATALOGUE)


def assert_agreement(count, tmp_path):
    sheets = tables(count, "oracle")
    file = tmp_path / "sheets.json"
    file.write_text(json.dumps({"sheets": sheets}))
    printed = io.StringIO()
    call_command("tally", "doomlings", str(file), json=True, stdout=printed)
    tallies = [tally(sheet) for sheet in sheets]
    assert json.loads(printed.getvalue()) == {"tallies": tallies}
    for sheet, answer in zip(sheets, tallies, strict=True):
        assert_answer_matches(sheet, answer)


def test_tally_and_command_agree_with_the_oracle_on_500_tables(tmp_path):
    assert_agreement(500, tmp_path)


@pytest.mark.long
def test_tally_and_command_agree_with_the_oracle_on_5000_tables(tmp_path):
    assert_agreement(5_000, tmp_path)


def test_random_tables_bring_every_kind_of_bonus_and_every_catastrophe():
    sheets = tables(500, "oracle")
    lying = {
        name for sheet in sheets for player in sheet["players"] for name in [*player["traits"], *player.get("hand", [])]
    }
    assert {CATALOGUE[name]["bonus_kind"] for name in lying} == {
        row["bonus_kind"] for row in CATALOGUE.values() if row["type"] == "Trait"
    }
    fallen = {CATALOGUE[sheet["catastrophe"]]["worlds_end_kind"] for sheet in sheets if sheet["catastrophe"]}
    assert fallen == {row["worlds_end_kind"] for row in CATALOGUE.values() if row["type"] == "Catastrophe"}


def is_copying(sheet):
    return any("Opposable Thumbs" in player["traits"] for player in sheet["players"])


def test_order_of_cards_in_a_pile_matters_only_to_copies():
    for number, sheet in enumerate(each for each in tables(100, "order") if not is_copying(each)):
        shuffler = random.Random(number)
        shuffled = json.loads(json.dumps(sheet))
        for player in shuffled["players"]:
            shuffler.shuffle(player["traits"])
            shuffler.shuffle(player.get("hand", []))
        assert sums(tally(shuffled)) == sums(tally(sheet))


def test_turned_table_turns_the_tally():
    for sheet in tables(100, "turn"):
        turned = {**sheet, "players": [*sheet["players"][1:], sheet["players"][0]]}
        answer = tally(sheet)["players"]
        by_name = {player["name"]: player for player in tally(turned)["players"]}
        for player in answer:
            other = by_name[player["name"]]
            assert sorted(map(str, other["lines"])) == sorted(map(str, player["lines"]))


def test_tally_changes_nothing_on_the_sheet():
    for sheet in tables(20, "untouched"):
        before = json.dumps(sheet)
        tally(sheet)
        assert json.dumps(sheet) == before


def test_names_are_found_in_any_spelling_and_answered_as_catalogued():
    for sheet in tables(20, "spelling"):
        loud = json.loads(json.dumps(sheet))
        for player in loud["players"]:
            player["traits"] = [name.upper().replace("-", " ").replace("'", "’") for name in player["traits"]]
        assert tally(loud) == tally(sheet)


def test_broken_limits_are_all_told_or_refused():
    for sheet in tables(50, "limits"):
        broken = json.loads(json.dumps(sheet))
        broken["players"][0]["gene_pool"] = 9
        broken["players"][0]["traits"] += ["Antlers"] * 3
        told = tally({**broken, "options": {**broken.get("options", {}), "check_limits": False}})["violations"]
        assert {each["rule"] for each in told} - {"DL-ORDER"} == {"DL-BOX", "DL-GENES"}
        with pytest.raises(DomainError) as refused:
            tally(broken)
        assert refused.value.details["violations"] == told
