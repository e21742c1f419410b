"""What ships gets into the database once, and an organiser's own file replaces samples."""

import json

import pytest
from django.core.management import call_command

from decks.models import Card, CardList, CardSet
from decks.selectors.cards import cards_of
from decks.services.catalogues import Change, import_cards, load_catalogues
from rules_engine.errors import DomainError, NotFound
from rules_engine.systems import load_systems
from tests.rules_engine.test_loading import GAMES

pytestmark = pytest.mark.sqlite

HEADER = "name,type,subtype,countdown,strength,health,text\n"
OWN = HEADER + "Cold Tea,Plot,Butler,2,,,\nRude Awakening,Minion,Butler,1,2,3,\n"


def state():
    return (
        list(Card.objects.values_list("pk", "name", "card_set__slug")),
        list(CardSet.objects.values()),
        CardList.objects.count(),
    )


def test_shipped_cards_and_lists_are_stored_and_marked_as_sample(catalogue):
    counts = {each.game: (each.cards, each.card_lists) for each in catalogue}
    assert counts["doom_pile"] == (65, 1)
    assert counts["house_game"] == (0, 0)
    assert CardSet.objects.get(game="doom_pile").sample


def test_loading_again_changes_nothing(catalogue, now):
    before = state()
    assert load_catalogues(now) == catalogue
    assert state() == before


def test_loading_a_changed_game_brings_the_change(catalogue, now, tmp_path, settings):
    folder = tmp_path / "doom_pile"
    folder.mkdir()
    source = settings.BASE_DIR / "rules_engine/games/doom_pile"
    (folder / "rules.toml").write_text((source / "rules.toml").read_text().replace("copies = 2", "copies = 1"))
    (folder / "cards.csv").write_text(
        (source / "cards.csv")
        .read_text()
        .replace("Brass Hound,Minion,Engineer,2,2,2", "Tin Hound,Minion,Engineer,2,2,3")
    )
    assert "Brass Hound" in {card.name for card in cards_of("doom_pile").values()}
    load_catalogues(now, load_systems(tmp_path))
    cards = cards_of("doom_pile")
    assert cards["tin hound"].fields["health"] == 3
    assert "brass hound" not in cards
    assert CardList.objects.get(game="doom_pile").entries.get(normalised_name="toll of the drowned bell").max_copies == 1


def test_fifth_game_needs_its_folder_only(db, now):
    (counts,) = load_catalogues(now, load_systems(GAMES))
    assert (counts.game, counts.cards, counts.card_lists) == ("toy_skirmish", 11, 2)
    assert cards_of("toy_skirmish")["sir two"].fields == {"power": 2}


def test_import_adds_changes_removes_and_repeats(catalogue, now):
    assert import_cards("doom_pile", "Real cards", OWN, now).change == Change(added=2)
    assert import_cards("doom_pile", "Real cards", OWN, now).change == Change(unchanged=2)
    other = OWN.replace("Butler,2", "Butler,4").replace("Rude", "Kind")
    assert import_cards("doom_pile", "Real cards", other, now).change == Change(added=1, changed=1, removed=1)
    assert cards_of("doom_pile")["cold tea"].fields["countdown"] == 4
    assert "rude awakening" not in cards_of("doom_pile")


def test_dry_run_stores_nothing(catalogue, now):
    before = state()
    assert import_cards("doom_pile", "Real cards", OWN, now, dry_run=True).change == Change(added=2)
    assert state() == before


def test_sample_card_gives_way_and_does_not_come_back(catalogue, now):
    import_cards("doom_pile", "Real cards", HEADER + "ASH LEDGER,Plot,Clerk,9,,,\n", now)
    load_catalogues(now)
    card = cards_of("doom_pile")["ash ledger"]
    assert (card.set_slug, card.fields["countdown"]) == ("real-cards", 9)


def test_name_of_another_own_set_is_a_problem_with_its_line(catalogue, now):
    import_cards("doom_pile", "First", OWN, now)
    before = state()
    report = import_cards(
        "doom_pile", "Second", HEADER + "\nNew One,Plot,Clerk,1,,,\n\ncold tea,Plot,Clerk,1,,,\n", now
    )
    assert [(each.line, each.column) for each in report.problems] == [(5, "name")]
    assert state() == before


@pytest.mark.parametrize(
    ("game", "name", "code"),
    [
        ("house_game", "Mine", "no_cards"),
        ("doom_pile", "!!", "bad_set_name"),
        ("doom_pile", "Doomdesk sample", "bad_set_name"),
    ],
)
def test_import_refuses_what_cannot_be_a_set(catalogue, now, game, name, code):
    with pytest.raises(DomainError) as caught:
        import_cards(game, name, OWN, now)
    assert caught.value.code == code


def test_import_of_an_unknown_game_is_not_found(db, now):
    with pytest.raises(NotFound):
        import_cards("chess", "Mine", OWN, now)


def run(capsys, *args):
    code = 0
    try:
        call_command("import_cards", *args)
    except SystemExit as stop:
        code = stop.code
    return code, *capsys.readouterr()


def test_import_command_speaks_json_and_exit_codes(catalogue, capsys, tmp_path):
    good, bad, binary = tmp_path / "good.csv", tmp_path / "bad.csv", tmp_path / "binary.csv"
    good.write_text(OWN)
    bad.write_text(OWN + "Broken,Plot,,x,,,\nBroken Too,Spell,,,,,\n")
    binary.write_bytes(b"name,type\n\xff,Plot\n")
    code, out, err = run(capsys, "--game=doom_pile", "--json", str(good))
    assert (code, json.loads(out)["added"], err) == (0, 2, "")
    code, out, err = run(capsys, "--game=doom_pile", "--json", str(bad))
    assert code == 1
    assert [(each["line"], each["column"]) for each in json.loads(out)["problems"]] == [
        (4, "subtype"),
        (4, "countdown"),
        (5, "type"),
    ]
    for args in (
        ["--game=doom_pile", str(binary)],
        ["--game=doom_pile", str(tmp_path / "none.csv")],
        ["--game=chess", str(good)],
    ):
        code, out, err = run(capsys, *args)
        assert (code, out, len(err.splitlines())) == (2, "", 1)


def test_import_command_speaks_words(catalogue, capsys, tmp_path):
    file = tmp_path / "cards.csv"
    file.write_text(OWN)
    assert "2 would be added" in run(capsys, "--game=doom_pile", "--dry-run", str(file))[1]
    file.write_text(OWN + "Broken,Spell,,,,,\n")
    assert "line 4:" in run(capsys, "--game=doom_pile", str(file))[1]


def test_load_catalogues_command_counts_or_keeps_quiet(db, capsys):
    call_command("load_catalogues")
    assert "doom_pile: 65 cards, 1 card lists" in capsys.readouterr().out
    call_command("load_catalogues", "--quiet")
    assert capsys.readouterr().out == ""
