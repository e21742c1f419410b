"""The command that judges decklist files: its JSON, its words, its exit codes."""

import json

import pytest
from django.core.management import call_command

from decks.services.decks import read_decklist, write_decklist


@pytest.fixture
def check(catalogue, capsys, tmp_path):
    """Write texts to files and judge them: exit code, standard output, standard error."""

    def run(*texts, game="doom_pile", format_slug="standard", options=("--json",)):
        files = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.txt"
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            files.append(str(path))
        code = 0
        try:
            call_command("check_deck", f"--game={game}", f"--format={format_slug}", *options, *files)
        except SystemExit as stop:
            code = stop.code
        return code, *capsys.readouterr()

    return run


def test_legal_deck_exits_with_zero(check, legal_text):
    code, out, _err = check(legal_text)
    (deck,) = json.loads(out)["decks"]
    assert code == 0
    assert deck["legal"] is True
    assert (deck["counts"], deck["violations"], deck["unread"]) == ({"main": 30, "master_plan": 1}, [], [])


def test_illegal_deck_exits_with_one_and_says_all(check, legal_text):
    code, out, _err = check(legal_text, legal_text + "\nAsh Ledger")
    legal, illegal = json.loads(out)["decks"]
    assert (code, legal["legal"], illegal["legal"]) == (1, True, False)
    assert [each["rule"] for each in illegal["violations"]] == ["DP-SIZE", "DP-COPIES"]
    copies = illegal["violations"][1]
    assert copies["cards"] == [{"name": "Ash Ledger", "found": 4, "allowed": 3}]
    assert (copies["severity"], copies["section"]) == ("error", "main")
    assert copies["source"] == "Doom Pile rulebook, What You Need; Card Types"
    assert set(copies) == {"rule", "severity", "section", "cards", "message", "source"}


def test_unread_line_is_never_legal(check, legal_text):
    code, out, _err = check(legal_text + "\n3 Glas Widow")
    (deck,) = json.loads(out)["decks"]
    assert (code, deck["legal"], deck["violations"]) == (1, False, [])
    assert deck["unread"] == [{"line": 13, "text": "3 Glas Widow", "suggestions": ["Glass Widow"]}]


@pytest.mark.parametrize(("day", "legal"), [("2025-12-31", True), ("2026-01-01", False)])
def test_date_decides_which_list_counts(check, legal_text, day, legal):
    text = legal_text.replace("3x Ash Ledger", "3x Borrowed Apocalypse")
    assert json.loads(check(text, options=("--json", f"--on={day}"))[1])["decks"][0]["legal"] is legal


def test_format_without_checks_says_null(check):
    code, out, _err = check("anything", game="house_game", format_slug="open")
    assert (code, json.loads(out)["decks"][0]["legal"]) == (0, None)


@pytest.mark.parametrize(
    ("text", "game", "format_slug"),
    [
        (b"\xff\xfe", "doom_pile", "standard"),
        (b"x" * (256 * 1024 + 1), "doom_pile", "standard"),
        ("", "chess", "standard"),
        ("", "doom_pile", "blitz"),
    ],
)
def test_unusable_input_exits_with_two_and_one_line(check, text, game, format_slug):
    code, out, err = check(text, game=game, format_slug=format_slug)
    assert (code, out, len(err.splitlines())) == (2, "", 1)


def test_bad_date_and_missing_file_are_unusable(check, legal_text, tmp_path):
    assert check(legal_text, options=("--on=soon",))[0] == 2
    assert check(options=(str(tmp_path / "none.txt"),))[0] == 2


def test_words_name_rule_card_and_line(check, legal_text):
    out = check(legal_text + "\nAsh Ledger\n3 Glas Widow", options=())[1]
    assert "not legal" in out
    assert "DP-COPIES" in out
    assert "Ash Ledger 4 (3 allowed)" in out
    assert "line 14 not understood: 3 Glas Widow. Near: Glass Widow." in out


def test_files_of_other_formats_are_read_too(check, legal_text):
    decklist = read_decklist(legal_text, "doom_pile", "standard").decklist
    for key in ("cockatrice", "octgn", "csv", "json"):
        code, out, _err = check(write_decklist(decklist, key, "doom_pile", "standard"))
        assert (code, json.loads(out)["decks"][0]["counts"]) == (0, {"main": 30, "master_plan": 1}), key
