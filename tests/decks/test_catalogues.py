"""What ships gets into the database once, and an organiser's own file replaces samples."""

import json
import shutil

import pytest
from django.core.management import call_command

from decks.models import Card, CardList, CardSet
from decks.selectors.cards import cards_of, find_cards
from decks.services.card_imports import CardChange, import_cards
from decks.services.catalogues import hide_samples, load_catalogues, remove_set, show_samples
from journal.models import LedgerEntry
from rules_engine.catalogue import write_cards
from rules_engine.errors import NotFound
from rules_engine.systems import get_system, load_systems
from tests.decks.conftest import NOW
from tests.decks.owners import save_deck_version
from tests.refusals import refusal
from tests.rules_engine.test_loading import GAMES

pytestmark = pytest.mark.sqlite


@pytest.fixture
def catalogue(db):
    """Every shipped game's cards and lists, into a database without any."""
    return load_catalogues(NOW)


HEADER = "name,type,subtype,countdown,strength,health,text\n"
OWN = HEADER + "Cold Tea,Plot,Butler,2,,,\nRude Awakening,Minion,Butler,1,2,3,\n"


ADMIN = "user:1"


def counts(report):
    change = report.change
    return len(change.added), len(change.changed), len(change.removed), change.unchanged


def do(text, name="Real cards", game="doom_pile", **more):
    return import_cards(ADMIN, game, name, text, NOW, **more)


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
    shutil.copy(source / "rulebook.toml", folder)
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
    assert (
        CardList.objects.get(game="doom_pile").entries.get(normalised_name="toll of the drowned bell").max_copies == 1
    )


def test_fifth_game_needs_its_folder_only(db, now):
    (counts,) = load_catalogues(now, load_systems(GAMES))
    assert (counts.game, counts.cards, counts.card_lists) == ("toy_skirmish", 11, 2)
    assert cards_of("toy_skirmish")["sir two"].fields == {"power": 2}


def test_import_adds_changes_removes_and_repeats(catalogue):
    assert counts(do(OWN)) == (2, 0, 0, 0)
    assert counts(do(OWN)) == (0, 0, 0, 2)
    report = do(OWN.replace("Butler,2", "Butler,4").replace("Rude", "Kind"))
    assert counts(report) == (1, 1, 1, 0)
    assert report.change.added == ("Kind Awakening",)
    assert report.change.changed == (CardChange("Cold Tea", (("countdown", "2", "4"),)),)
    assert report.change.removed == ("Rude Awakening",)
    assert cards_of("doom_pile")["cold tea"].fields["countdown"] == 4
    assert "rude awakening" not in cards_of("doom_pile")


def test_dry_run_stores_nothing(catalogue):
    before = state()
    assert counts(do(OWN, dry_run=True)) == (2, 0, 0, 0)
    assert state() == before
    assert LedgerEntry.objects.count() == 0


def test_json_imports_like_csv(catalogue):
    do(OWN)
    cards = [{"name": "Cold Tea", "type": "Plot", "subtype": "Butler", "countdown": 2}]
    assert counts(do(json.dumps(cards))) == (0, 0, 1, 1)


def test_import_is_in_the_journal_unless_nothing_changed(catalogue):
    do(OWN)
    do(OWN)
    (entry,) = LedgerEntry.objects.filter(stream="cards:doom_pile")
    assert (entry.act, entry.actor) == ("cards.imported", ADMIN)
    assert entry.subjects == {"game": "doom_pile", "sets": "real-cards", "added": 2, "changed": 0, "removed": 0}


def test_rows_may_fill_several_own_sets_and_move_between_them(catalogue):
    do(OWN, "First")
    do(HEADER + "Lone Plot,Plot,Butler,1,,,\n", "Second")
    text = "name,type,set,subtype,countdown\nCold Tea,Plot,second,Butler,2\nLone Plot,Plot,First,Butler,1\n"
    report = do(text, "Third")
    assert (counts(report), report.card_sets) == ((0, 2, 1, 0), ("first", "second"))
    assert {key: card.set_slug for key, card in cards_of("doom_pile").items() if key in ("cold tea", "lone plot")} == {
        "cold tea": "second",
        "lone plot": "first",
    }
    assert not CardSet.objects.filter(slug="third").exists()


def test_cards_that_ship_are_never_changed(catalogue):
    before = state()
    report = do("name,type,set,suit,rank\nAce of Clubs,Playing card,standard-52,Clubs,2\n", game="dead_or_destroyed")
    assert [(each.line, each.column) for each in report.problems] == [(2, "set")]
    report = do("name,type,suit,rank\nACE of clubs,Playing card,Clubs,Ace\n", game="dead_or_destroyed")
    assert [(each.line, each.column) for each in report.problems] == [(2, "name")]
    assert state() == before


@pytest.mark.parametrize("game", ["doom_pile", "doomtrooper", "doomlings", "dead_or_destroyed"])
def test_export_imports_to_the_same(catalogue, game):
    schema = get_system(game).card_schema
    if game == "doom_pile":
        do(OWN)
    before = state()
    text = write_cards(find_cards(game), schema)
    report = do(text, game=game)
    assert report.problems == ()
    assert report.change.is_empty
    assert report.change.unchanged == len(cards_of(game))
    assert state() == before
    assert write_cards(find_cards(game), schema) == text


def test_stored_decks_that_name_cards_that_go_are_counted(catalogue, ada, ben):
    do(OWN)
    for person, text in ((ada, "1 Cold Tea"), (ben, "1 Rude Awakening"), (ben, "1 Ash Ledger")):
        save_deck_version("person:1", person, "doom_pile", "standard", "Mine", text, NOW)
    report = do(HEADER + "New One,Plot,Clerk,1,,,\n", dry_run=True)
    assert (len(report.change.removed), report.decks, report.card_lists) == (2, 1, 0)


def test_import_refuses_what_no_longer_is_what_was_shown(catalogue):
    shown = do(OWN, dry_run=True).fingerprint
    do(HEADER + "Cold Tea,Plot,Clerk,1,,,\n")
    before = state()
    assert refusal(do, OWN, expected=shown) == "import_changed"
    assert state() == before
    do(OWN, expected=do(OWN, dry_run=True).fingerprint)
    assert "rude awakening" in cards_of("doom_pile")


def test_samples_hide_only_beside_own_cards(catalogue):
    assert refusal(hide_samples, ADMIN, "doom_pile", NOW) == "only_samples"
    assert len(cards_of("doom_pile")) == 65


def test_hidden_samples_stay_away_until_shown(catalogue):
    do(OWN + "Ash Ledger,Plot,Clerk,9,,,\n")
    hide_samples(ADMIN, "doom_pile", NOW)
    hide_samples(ADMIN, "doom_pile", NOW)
    assert set(cards_of("doom_pile")) == {"cold tea", "rude awakening", "ash ledger"}
    load_catalogues(NOW)
    assert len(cards_of("doom_pile")) == 3
    show_samples(ADMIN, "doom_pile", NOW)
    show_samples(ADMIN, "doom_pile", NOW)
    cards = cards_of("doom_pile")
    assert (len(cards), cards["ash ledger"].set_slug) == (67, "real-cards")
    acts = [entry.act for entry in LedgerEntry.objects.filter(stream="cards:doom_pile").order_by("sequence")]
    assert acts == ["cards.imported", "cards.samples_hidden", "cards.samples_shown"]


def test_own_set_can_be_removed_and_a_shipped_one_not(catalogue):
    do(OWN)
    remove_set(ADMIN, "doom_pile", "real-cards", NOW)
    assert "cold tea" not in cards_of("doom_pile")
    for slug in ("real-cards", "doomdesk-sample"):
        with pytest.raises(NotFound):
            remove_set(ADMIN, "doom_pile", slug, NOW)
    assert LedgerEntry.objects.get(act="cards.set_removed").subjects["removed"] == 2


def test_sample_card_gives_way_and_does_not_come_back(catalogue, now):
    import_cards(ADMIN, "doom_pile", "Real cards", HEADER + "ASH LEDGER,Plot,Clerk,9,,,\n", now)
    load_catalogues(now)
    card = cards_of("doom_pile")["ash ledger"]
    assert (card.set_slug, card.fields["countdown"]) == ("real-cards", 9)


def test_name_of_another_own_set_is_a_problem_with_its_line(catalogue):
    do(OWN, "First")
    before = state()
    report = do(HEADER + "\nNew One,Plot,Clerk,1,,,\n\ncold tea,Plot,Clerk,1,,,\n", "Second")
    assert [(each.line, each.column) for each in report.problems] == [(5, "name")]
    assert state() == before


@pytest.mark.parametrize(
    ("game", "name", "code"),
    [
        ("house_game", "Mine", "no_cards"),
        ("doom_pile", "!!", "bad_set_name"),
        ("doom_pile", "x" * 201, "bad_set_name"),
        ("doom_pile", "Doomdesk sample", "bad_set_name"),
    ],
)
def test_import_refuses_what_cannot_be_a_set(catalogue, now, game, name, code):
    assert refusal(import_cards, ADMIN, game, name, OWN, now) == code


def test_import_of_an_unknown_game_is_not_found(db, now):
    with pytest.raises(NotFound):
        import_cards(ADMIN, "chess", "Mine", OWN, now)


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
