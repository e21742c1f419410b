"""A fifth game needs one folder: it is loaded, judged by the command, and has its pages; nothing else is written."""

import json

import pytest
from django.core.management import call_command

from decks.models import Card, CardSet
from rules_engine.systems import extra_games
from tests.rules_engine.test_loading import GAMES

pytestmark = pytest.mark.sqlite

LEGAL = "Deck\n1 Sir One\n1 Sir Two\n1 Sir Nobody\n7 Pawn Swarm\n"


@pytest.fixture
def toy(db):
    """The test folder's game among the others, its cards in the database."""
    with extra_games(GAMES):
        call_command("load_catalogues", "--quiet")
        yield


def test_its_sets_and_cards_are_in_the_catalogue(toy):
    assert set(CardSet.objects.filter(game="toy_skirmish").values_list("slug", "sample")) == {
        ("toy", True),
        ("toy-extra", False),
    }
    assert Card.objects.filter(game="toy_skirmish").count() == 11
    assert Card.objects.get(game="toy_skirmish", name="Sir Nobody").facts == {"power": -1}


@pytest.mark.parametrize(
    ("text", "options", "code", "broken"),
    [
        (LEGAL, (), 0, []),
        (LEGAL + "Rook's Feint\n", (), 0, []),
        (LEGAL + "Rook's Feint\n", ("--variant=four",), 1, ["TS-BANNED"]),
        (LEGAL + "2 Lone Star\nSide Bar\n3 Endless Page\n", (), 1, ["TS-SIDE", "TS-CARD"]),
    ],
)
def test_its_decks_are_judged(toy, tmp_path, capsys, text, options, code, broken):
    file = tmp_path / "deck.txt"
    file.write_text(text)
    found = 0
    try:
        call_command("check_deck", "--game=toy_skirmish", "--format=duel", "--json", *options, str(file))
    except SystemExit as stop:
        found = stop.code
    (deck,) = json.loads(capsys.readouterr().out)["decks"]
    assert found == code
    assert [each["rule"] for each in deck["violations"]] == broken


@pytest.mark.parametrize(
    ("address", "words"),
    [("/rules/toy_skirmish/", "A card may say how often it is in a deck."), ("/cards/toy_skirmish/", "Endless Page")],
)
def test_it_has_its_pages(toy, client, address, words):
    response = client.get(address)
    assert response.status_code == 200
    assert words in response.content.decode()
