"""The command that judges decklist files: its JSON, its words, its exit codes."""

import json
from io import BytesIO, TextIOWrapper

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


@pytest.mark.parametrize("day", ["soon", "", "20260131", "2026-W05-6", "2026-02-30", "２０２６-01-31", "2026-01-31 "])
def test_only_a_plain_date_is_a_day(check, legal_text, day):
    code, out, err = check(legal_text, options=(f"--on={day}",))
    assert (code, out, len(err.splitlines())) == (2, "", 1)


@pytest.mark.parametrize(
    ("game", "format_slug"),
    [("doom_pile", "standard"), ("house_game", "open"), ("doomlings", "standard"), ("doomtrooper", "tournament-1997")],
)
def test_unknown_variant_is_unusable_in_every_format(check, game, format_slug):
    code, out, err = check("", game=game, format_slug=format_slug, options=("--variant=solo", "--json"))
    assert (code, out, len(err.splitlines())) == (2, "", 1)


def test_missing_file_is_unusable(check, tmp_path):
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


def test_words_tell_on_standard_error_what_was_assumed(check, legal_text):
    text = f"Zzyzx Quorum\n\n{legal_text}\n# 2 Ash Ledger"
    code, out, err = check(text, options=())
    first, second = err.splitlines()
    assert code == 0
    assert "0.txt:1: Taken as the name of the deck: Zzyzx Quorum." in first
    assert f"0.txt:{len(text.splitlines())}: Left out, as a comment: Ash Ledger." in second
    assert "Zzyzx" not in out
    assert check(text)[2] == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("as_json", [True, False])
def test_terminal_of_any_encoding_will_do(catalogue, tmp_path, encoding, as_json):
    (tmp_path / "Ü–猫.txt").write_text("3 Überkobolt 猫\n# 2 Überkobold")
    out, err = (TextIOWrapper(BytesIO(), encoding=encoding) for _ in range(2))
    options = {"game": "doom_pile", "format": "standard", "json": as_json}
    with pytest.raises(SystemExit) as stop:
        call_command("check_deck", str(tmp_path / "Ü–猫.txt"), stdout=out, stderr=err, **options)
    out.flush()
    printed = out.buffer.getvalue().decode(encoding)
    assert stop.value.code == 1
    if as_json:
        (deck,) = json.loads(printed)["decks"]
        assert (deck["file"], deck["unread"][0]["text"]) == (str(tmp_path / "Ü–猫.txt"), "3 Überkobolt 猫")
    else:
        assert ("猫" if encoding == "utf-8" else r"\u732b") in printed
