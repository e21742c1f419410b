"""Rules files: what ships is sound, and every mistake is named by file and key."""

import shutil
from pathlib import Path

import pytest

from rules_engine.constraints import cited_by
from rules_engine.errors import DomainError, NotFound
from rules_engine.systems import extra_games, get_system, list_systems, load_systems

GAMES = Path(__file__).parent / "games"


@pytest.fixture
def toy(tmp_path):
    """A copy of the toy game to break."""
    shutil.copytree(GAMES / "toy_skirmish", tmp_path / "toy_skirmish")
    return tmp_path


def break_file(folder, old, new, file="rules.toml"):
    path = folder / "toy_skirmish" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_shipped_games_load():
    assert {"doom_pile", "house_game"} <= {system.slug for system in list_systems()}
    doom_pile = get_system("doom_pile")
    assert doom_pile.shipped[0].sample
    assert len(doom_pile.shipped_cards) >= 60
    assert (doom_pile.match.seats_min, doom_pile.match.seats_max, doom_pile.match.best_of_default) == (2, 4, 3)
    assert {card.type for card in doom_pile.shipped_cards} == {"Master Plan", "Plot", "Minion", "Artifice"}
    assert not get_system("house_game").get_format("open").checks_decks


@pytest.mark.parametrize("slug", ["doom_pile", "house_game"])
def test_every_constraint_cites_a_clause_of_its_game(slug):
    system = get_system(slug)
    for rule in (rule for game_format in system.formats for rule in game_format.constraints):
        cited = set(cited_by(rule))
        assert cited <= set(system.clauses)


def test_unknown_game_and_format_are_not_found():
    with pytest.raises(NotFound, match="chess"):
        get_system("chess")
    with pytest.raises(NotFound, match="blitz"):
        get_system("doom_pile").get_format("blitz")


def test_extra_game_is_offered_while_asked_for():
    with extra_games(GAMES):
        assert get_system("toy_skirmish").name == "Toy Skirmish"
    with pytest.raises(NotFound):
        get_system("toy_skirmish")


def test_two_games_of_one_slug_are_refused():
    with pytest.raises(DomainError, match="toy_skirmish"), extra_games(GAMES), extra_games(GAMES):
        list_systems()


DRAFT = '[[drafts]]\noption = "x"\nclause = "TS-SIZE"\nsteps = [{ hold = 3, %s, minutes = 1 }]\n\n'


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('name = "Toy Skirmish"', "", "name"),
        ('name = "Toy Skirmish"', 'name = " "', "name"),
        ('name = "Toy Skirmish"', "name = 7", "name"),
        ('slug = "toy_skirmish"', 'slug = "Toy Skirmish"', "slug"),
        ('slug = "toy_skirmish"', 'slug = "other"', "slug"),
        ('book = "Toy rulebook"', 'bok = "Toy rulebook"', "bok"),
        ("seats_max = 4", "seats_max = 1", "match.seats_max"),
        ("seats_max = 4", "seats_max = true", "match.seats_max"),
        ("best_of = [1]", "best_of = [2]", "match.best_of"),
        ("best_of = [1]", 'best_of = ["1"]', "match.best_of"),
        ("best_of_default = 1", "best_of_default = 3", "match.best_of_default"),
        ('clause = "TS-SIDE"', 'clause = "TS-NONE"', "formats[0].constraints[1].clause"),
        ('id = "TS-SIDE"', 'id = "TS-SIZE"', "clauses"),
        ('section = "side", sizes', 'section = "bench", sizes', "formats[0].constraints[1].section"),
        ('sizes = ["0", "4"]', 'sizes = ["none"]', "formats[0].constraints[1].sizes"),
        ('sizes = ["0", "4"]', 'sizes = ["4-2"]', "formats[0].constraints[1].sizes"),
        (
            'sections = ["main", "side"], copies',
            'sections = ["main", "main"], copies',
            "formats[0].constraints[2].sections",
        ),
        ('types = ["Knight"]', 'types = ["Bishop"]', "formats[0].constraints[3].types"),
        ('kind = "legal_sets"', 'kind = "points"', "formats[0].constraints[4].kind"),
        ("copies = 0", "copies = -1", "formats[0].card_lists[0].cards[1].copies"),
        ('name = "Queen\'s Ruse"', 'name = "Nobody"', "formats[0].card_lists[0].cards[1].name"),
        ('name = "Queen\'s Ruse"', 'name = "Pawn swarm"', "formats[0].card_lists[0].cards[1].name"),
        ("valid_from = 2020-01-01", 'valid_from = "soon"', "formats[0].card_lists[0].valid_from"),
        ("valid_from = 2020-01-01", "valid_from = 2020-01-01T10:00:00", "formats[0].card_lists[0].valid_from"),
        ('file = "cards.csv"', 'file = "none.csv"', "cards.file"),
        ('banned = "TS-BANNED", ', "", "formats[0].constraints[2].banned"),
        ('own_text = "TS-CARD"', 'own_text = "TS-NONE"', "formats[0].constraints[2].own_text"),
        ('own_text_field = "limit"', 'own_text_field = "power_"', "formats[0].constraints[2].own_text_field"),
        ('variants = ["four"]', 'variants = ["six"]', "formats[0].card_lists[1].cards[2].variants"),
        (', variants = ["four"]', "", "formats[0].card_lists[1].cards[2].name"),
        ('slug = "four"', 'slug = "two"', "formats[0].variants"),
        ('note = "A game of ten cards."', 'secret_section = "bench"', "formats[0].secret_section"),
        ('slug = "toy-extra"', 'slug = "toy"', "cards.sets"),
        ('slug = "toy-extra"', 'slug = "toy-more"', "cards.file"),
        ('choices = ["any", "1"]', 'choices = ["any"]', "cards.file"),
        ("signed = true", "signed = false", "cards.file"),
        ("signed = true", "signed = true, listed = true, hidden = true", "cards.fields[0].hidden"),
        ("[[formats]]", "[[formatz]]", "formats"),
        ("[match]", DRAFT % 'keep = 1, pass = "left"' + "[match]", "drafts[0].steps"),
        ("[match]", DRAFT % 'keep = 1, pass = "up"' + "[match]", "drafts[0].steps[0].pass"),
        ("[match]", "[match", ""),
    ],
)
def test_mistake_is_reported_with_file_and_key(toy, old, new, key):
    break_file(toy, old, new)
    with pytest.raises(DomainError) as caught:
        load_systems(toy)
    assert caught.value.code == "bad_rules_file"
    assert (caught.value.details["file"], caught.value.details["key"]) == ("toy_skirmish/rules.toml", key)


RULEBOOK = """headings = ["Basics"]
without_rules = ["Preface"]
[[sections]]
title = "Play"
clauses = [{ id = "TS-PLAY", text = "Play a card.", book_section = "Basics", words = ["Play"] }]
"""


def test_a_rulebook_brings_its_clauses_by_section_after_those_of_the_rules_file(toy):
    (toy / "toy_skirmish" / "rulebook.toml").write_text(RULEBOOK)
    (system,) = load_systems(toy)
    assert [(each.title, len(each.clauses)) for each in system.rules][1:] == [("Play", 1)]
    assert system.clauses[-1].words == ("Play",)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('"Basics"]', '"Basics", "Combat"]', "headings"),
        ('book_section = "Basics"', 'book_section = "Basics; Combat"', "headings"),
        ('["Preface"]', '["Preface", "Basics"]', "headings"),
        ("TS-PLAY", "TS-SIZE", "clauses"),
        ('words = ["Play"]', 'terms = ["Play"]', "sections[0].clauses[0].terms"),
        ('title = "Play"', 'title = ""', "sections[0].title"),
    ],
)
def test_a_rulebook_leaves_out_no_heading_and_tells_none_that_is_not_there(toy, old, new, key):
    (toy / "toy_skirmish" / "rulebook.toml").write_text(RULEBOOK.replace(old, new))
    with pytest.raises(DomainError) as caught:
        load_systems(toy)
    assert (caught.value.details["file"], caught.value.details["key"]) == ("toy_skirmish/rulebook.toml", key)


def test_bad_card_row_is_reported_with_its_line(toy):
    break_file(toy, "Sir Two,Knight,2", "Sir Two,Knight,many", "cards.csv")
    with pytest.raises(DomainError, match=r"cards\.csv line 3"):
        load_systems(toy)
