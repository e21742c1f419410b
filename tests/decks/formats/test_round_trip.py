"""Writing a deck and reading it again gives the same deck, in every format and for any names of cards."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.formats.registry import EXPORTS, TITLES
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.errors import NotFound
from tests.decks.formats.material import BENCHES, DECK_NAMES, DOOM_PILE, NAMES, TROOPER, hostile

KEYS = [each.key for each in EXPORTS]
NAMED = {"text", "arena", "netrunnerdb", "lackey", "json", "cockatrice"}
HOSTILE = hostile()


def assert_same(bench, deck, key, name=""):
    text = bench.write(deck, key, name)
    reading = bench.read(text)
    assert reading.problems == (), text
    assert reading.notices == (), text
    assert reading.decklist == deck, text
    if key in NAMED and deck.entries:
        assert reading.name == name[:200], text


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("game", BENCHES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_real_cards_come_back(game, key, data):
    bench = BENCHES[game]
    assert_same(bench, data.draw(bench.decks(largest=2500)), key, data.draw(DECK_NAMES))


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_hostile_names_come_back(key, data):
    assert_same(HOSTILE, data.draw(HOSTILE.decks(largest=30, entries=40)), key, data.draw(DECK_NAMES))


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=100, deadline=None)
@given(st.lists(NAMES, min_size=1, max_size=8), st.data())
def test_any_names_come_back(key, names, data):
    bench = hostile(names)
    assert_same(bench, data.draw(bench.decks()), key)


@pytest.mark.parametrize("key", KEYS)
def test_a_deck_without_cards_comes_back_though_a_card_is_called_like_a_heading(key):
    assert_same(hostile(["EXPANSIONS"]), Decklist(()), key)


@pytest.mark.parametrize("key", KEYS)
def test_every_card_of_a_catalogue_comes_back(key):
    for bench in (TROOPER, DOOM_PILE, HOSTILE):
        entries = (
            DeckEntry(card.name, 12, section) for card in bench.cards.values() for section in bench.sections[-1:]
        )
        assert_same(bench, Decklist(tuple(entries)[:900]), key, "Everything")


@pytest.mark.parametrize("key", KEYS)
def test_written_format_is_recognised_again(key):
    deck = Decklist((DeckEntry("INFANTRY", 5), DeckEntry("NARROW ESCAPE!", 2, "side_bar")))
    reading = TROOPER.read(TROOPER.write(deck, key, "My deck"))
    assert reading.format == key
    assert reading.decklist == deck
    assert TITLES[reading.format]


@pytest.mark.parametrize("key", KEYS)
def test_empty_deck_is_written_and_read(key):
    reading = TROOPER.read(TROOPER.write(Decklist(), key), key)
    assert reading.entries == ()
    assert reading.problems == ()


@pytest.mark.parametrize("key", KEYS)
def test_section_that_the_format_does_not_know_is_not_lost_silently(key):
    deck = Decklist((DeckEntry("INFANTRY", 5), DeckEntry("SNIPER", 1, "vault")))
    assert TROOPER.read(TROOPER.write(deck, key)).problems


def test_unknown_key_is_refused():
    with pytest.raises(NotFound):
        TROOPER.write(Decklist(), "dek")
