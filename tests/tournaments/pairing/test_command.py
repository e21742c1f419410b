"""`./run manage pair`: its answer, its refusals, without any database or queue, the same in every process."""

import io
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.pairing.families import golden_cases, state_of
from tests.tournaments.pairing.fields import random_state
from tests.tournaments.pairing.pair_checker import cost_of
from tournaments.pairing.statefile import read_state
from tournaments.pairing.swiss.contenders import Apart, Order, PairingPolicy

ROOT = Path(__file__).parents[3]
TERMS = ("second_byes", "rematches", "club_pairs", "bye_score", "sum_sq_diff")
SMALL = {
    "players": [
        {"id": "Ada", "score": 3, "opponents": ["Ben"], "had_bye": False, "club": "Ulm"},
        {"id": "Ben", "score": 0, "opponents": ["Ada", "Cem"], "had_bye": False},
        {"id": 7, "score": 3, "opponents": [], "had_bye": True},
    ],
    "seed": 5,
    "order": "least_squares",
    "keep_clubs_apart": True,
}


def process(*arguments, text="", program=(sys.executable, "manage.py"), **environment):
    """The finished command, on a machine where neither the database nor Redis answers."""
    nowhere = {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SETTINGS_MODULE": "config.settings.laptop",
    }
    return subprocess.run(
        [*program, "pair", *map(str, arguments)],
        input=text.encode(),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **nowhere, **environment},
    )


def printed(path, *arguments):
    """What the command prints in this process, in which tests may not open a connection."""
    out = io.StringIO()
    call_command("pair", str(path), *arguments, stdout=out)
    return out.getvalue()


def answer_to(state, folder):
    path = folder / "state.json"
    path.write_text(json.dumps(state), "utf-8")
    return json.loads(printed(path, "--json"))


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DOOMDESK_VAR", str(tmp_path / "var"))


def test_pair_answers_without_database_and_queue_the_same_through_the_launcher(tmp_path):
    done = process("--json", text=json.dumps(SMALL))
    assert (done.returncode, done.stderr) == (0, b"")
    launched = process("--json", text=json.dumps(SMALL), program=(sys.executable, "run", "manage"), DATABASE_URL="")
    assert (launched.returncode, launched.stderr, launched.stdout) == (0, b"", done.stdout)
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret-key"]
    assert json.loads(done.stdout) == answer_to(SMALL, tmp_path)


def test_pair_answers_with_these_keys(tmp_path):
    answer = answer_to(SMALL, tmp_path)
    assert list(answer) == ["pairs", "bye", "cost", "bound", "proved", "explanations"]
    assert [sorted(pair, key=str) for pair in answer["pairs"]] == [[7, "Ada"]]
    assert answer["bye"] == "Ben"
    assert list(answer["cost"]) == list(answer["bound"]) == list(TERMS)
    assert answer["cost"] == answer["bound"] == dict.fromkeys(TERMS, 0)
    assert answer["proved"] is True
    assert len(answer["explanations"]) == 2
    assert "Only these two have 3 points" in answer["explanations"][0]
    assert "Ben" in answer["explanations"][1]


def test_pair_tells_people_in_words(tmp_path):
    file = tmp_path / "state.json"
    file.write_text(json.dumps(SMALL), "utf-8-sig")
    words = printed(file)
    assert re.match(r"    1  (Ada \(3\) - 7 \(3\)|7 \(3\) - Ada \(3\))  Only these two have 3 points", words)
    assert "\n  bye  Ben (0)  " in words
    assert "\ncost: second byes 0, rematches 0, club pairs 0, bye score 0, sum sq diff 0\n" in words
    assert words.endswith("\nproved: no pairing costs less\n")


def test_pair_refuses_with_one_line_and_exit_code_two():
    done = process("--json", text='{"players": [{"id": "\u00d6\\ud800", "score": "3"}]}')
    assert (done.returncode, done.stdout) == (2, b"")
    assert b'score: "3" is not a whole number.' in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "it is not JSON"),
        (b"\xff\xfe", "is not UTF-8 text (byte 1)"),
        (b'{"players": [{"id": 4, "score": "3"}]}', 'player 4, score: "3" is not a whole number.'),
        (None, "No such file"),
    ],
)
def test_pair_refuses_what_it_cannot_read(content, told, tmp_path):
    file = tmp_path / "state.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError, match=re.escape(told)) as refused:
        printed(file)
    assert refused.value.returncode == 2


def test_pair_prints_the_same_bytes_in_processes_with_other_hash_seeds(seed):
    states = []
    for order in Order:
        given = random_state(random.Random(f"{seed} {order}"), 61, PairingPolicy(order, Apart.SOFT), density=0.3)
        states.append(with_texts_as_ids(state_of(given)))
    for state in states:
        turned = {**state, "players": state["players"][::-1]}
        told = ((0, state), (4242, turned))
        answers = {process("--json", text=json.dumps(each), PYTHONHASHSEED=str(hash_)).stdout for hash_, each in told}
        assert len(answers) == 1
        assert json.loads(answers.pop())["proved"] is True


def with_texts_as_ids(state):
    """The same state with p1, p2, … instead of 1, 2, …"""
    players = [
        {**each, "id": f"p{each['id']}", "opponents": [f"p{one}" for one in each["opponents"]]}
        for each in state["players"]
    ]
    return {**state, "players": players}


def test_pair_of_nobody_and_of_one(tmp_path):
    assert answer_to({"players": []}, tmp_path)["pairs"] == []
    alone = answer_to({"players": [{"id": "Ada", "score": 0}]}, tmp_path)
    assert (alone["pairs"], alone["bye"], len(alone["explanations"])) == ([], "Ada", 1)


COMMAND_CASES = {f"{family}-{name}": case for family, name, case in golden_cases() if "state" in case}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("case", COMMAND_CASES.values(), ids=list(COMMAND_CASES))
def test_pair_reaches_the_expected_cost_of_golden_states(case, tmp_path):
    answer, state = answer_to(case["state"], tmp_path), read_state(json.dumps(case["state"]))
    assert answer["cost"] == {term: case["expected"][term] for term in TERMS}
    number = {each: place for place, each in enumerate(state.ids, start=1)} | {None: None}
    pairs = [(number[one], number[other]) for one, other in answer["pairs"]]
    cost = cost_of(state.given, pairs, number[answer["bye"]])
    assert answer["cost"] == {term: getattr(cost, term) for term in TERMS}
    assert len(answer["explanations"]) == len(pairs) + len(state.ids) % 2
    assert all(answer["explanations"])
