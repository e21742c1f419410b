"""`./run manage tally`: sheets in, tallies out, without any database or queue."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring.games.doomlings.tally import tally
from scoring.management.commands.tally import Command

ROOT = Path(__file__).parents[2]
NOWHERE = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DJANGO_SETTINGS_MODULE": "config.settings.laptop",
}
SHEET = {
    "players": [{"name": "Ada", "traits": ["Tiny", "Swarm"]}, {"name": "Ben", "traits": ["Swarm"]}],
    "catastrophe": "Overpopulation",
}
BROKEN = {"players": [{"name": "Ada", "traits": ["Antlers", "Antlers"]}]}


def process(*arguments, text=""):
    """The finished command, on a machine where neither the database nor Redis answers."""
    command = [sys.executable, "manage.py", "tally", *arguments]
    return subprocess.run(command, input=text.encode(), capture_output=True, cwd=ROOT, env={**os.environ, **NOWHERE})


@pytest.fixture
def run(tmp_path):
    """Runs the command in this process, in which tests may not open a connection: what it printed."""

    def printed(content, *arguments, game="doomlings"):
        file = tmp_path / "sheet.json"
        file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        out = io.StringIO()
        try:
            call_command("tally", game, str(file), *arguments, stdout=out)
        except CommandError as refused:
            return out.getvalue(), refused
        return out.getvalue(), None

    return printed


def test_command_answers_the_tally(run):
    printed, refused = run(SHEET, "--json")
    assert (json.loads(printed), refused) == (tally(SHEET), None)


def test_command_prints_a_table_for_people(run):
    assert run(SHEET)[0].splitlines() == [
        "    17  Ada  (wins)",
        "          17  face          Tiny",
        "          -2  bonus         Tiny",
        "           2  bonus         Swarm",
        "           0  catastrophe   Overpopulation",
        "     6  Ben",
        "           2  bonus         Swarm",
        "           4  catastrophe   Overpopulation",
    ]
    told, refused = run({**BROKEN, "options": {"check_limits": False}})
    assert told.splitlines()[-1] == "  DL-BOX: “Antlers”: 2 listed, but a box has 1."
    assert refused is None


def test_command_tallies_many_sheets_in_their_order(run):
    misspelt = {"players": [{"traits": ["Swrm"]}]}
    printed, refused = run({"sheets": [SHEET, BROKEN, misspelt, 7, SHEET]}, "--json")
    first, broken, unknown, junk, last = json.loads(printed)["tallies"]
    assert refused is None
    assert first == last == tally(SHEET)
    assert broken["error"] == "“Antlers”: 2 listed, but a box has 1."
    assert [each["rule"] for each in broken["violations"]] == ["DL-BOX"]
    assert list(unknown) == ["error"]
    assert unknown["error"].startswith("Player 1: “traits”: no card “Swrm”.")
    assert junk == {"error": "A score sheet is a JSON object."}
    assert json.loads(run({"sheets": []}, "--json")[0]) == {"tallies": []}
    assert "This sheet cannot be tallied" in run({"sheets": [SHEET, BROKEN]})[0]


def test_command_refuses_a_single_sheet_with_its_reason_and_status_2(run):
    printed, refused = run(BROKEN, "--json")
    assert [each["rule"] for each in json.loads(printed)["violations"]] == ["DL-BOX"]
    assert refused.returncode == 2
    printed, refused = run(BROKEN)
    assert (printed, refused.returncode, str(refused)) == ("", 2, "“Antlers”: 2 listed, but a box has 1.")


JUNK = [
    b"", b"[", b"[]", b"7", b"null", b'"text"', b"\xff\xfe", b'{"players": NaN}', b'{"players": Infinity}',
    b'{"players": ' + b"9" * 5000 + b"}", b"[" * 100_000, b'{"a":' * 100_000, b'{"sheets": {}}', b'{"sheets": 4}',
]  # fmt: skip


@pytest.mark.parametrize("content", JUNK, ids=range(len(JUNK)))
def test_command_refuses_junk_in_one_line(run, content):
    printed, refused = run(content, "--json")
    assert list(json.loads(printed)) == ["error"]
    assert refused.returncode == 2
    assert "\n" not in str(refused)


def test_command_refuses_a_game_without_sheets(run):
    assert str(run(SHEET, game="house_game")[1]) == "“house_game” is not scored by sheet."
    assert run(SHEET, game="options")[1].returncode == 2
    assert run(SHEET, game="../doomlings")[1].returncode == 2


def test_command_needs_no_database_and_no_queue():
    done = process("doomlings", "--json", text=json.dumps(SHEET))
    assert (done.returncode, json.loads(done.stdout), done.stderr) == (0, tally(SHEET), b"")


def test_command_tells_the_keys_of_a_sheet(capsys):
    with pytest.raises(SystemExit):
        Command().run_from_argv(["manage.py", "tally", "doomlings", "--help"])
    told = capsys.readouterr().out
    assert "discarded_at_worlds_end" in told
    assert "gene_pool      number. Default: 5." in told
