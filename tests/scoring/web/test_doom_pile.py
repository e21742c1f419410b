"""Doom Pile at the table: the lot, the clock for stacking, a player's own countdown in the address of the page."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.games.doom_pile.tally.countdown import first_player

pytestmark = pytest.mark.django_db

TABLE = "/scores/doom_pile/table/"
COUNTDOWN = "/scores/doom_pile/countdown/"


def after(*cards: str, **fields: object) -> list[str]:
    """The cards in countdown after an act."""
    answer = Client().get(COUNTDOWN, {"c": list(cards), **fields})
    assert answer.status_code == 302, answer.content.decode()
    return parse_qs(urlsplit(answer.url).query).get("c", [])


def page(*cards: str, **fields: object) -> str:
    return Client().get(COUNTDOWN, {"c": list(cards), **fields}).content.decode()


def test_dp_first_is_drawn_by_the_server_and_told_with_its_lot():
    answer = Client().post(TABLE, {"act": "lot", "names": "Ada\nBen"})
    told = Client().get(answer.url).content.decode()
    seed = re.search(r"Seed (\d+) gives", told)
    assert seed is not None
    assert f'<p class="outcome">{first_player(["Ada", "Ben"], int(seed[1]))}</p>' in told


def test_a_lot_that_this_site_did_not_draw_is_not_told():
    answer = Client().post(TABLE, {"act": "lot", "names": "Ada\nBen"})
    forged = answer.url.split("#")[0][:-2] + "xx"
    told = Client().get(forged)
    assert told.status_code == 200
    assert "Drawn among" not in told.content.decode()


@pytest.mark.parametrize("names", ["Ada", "Ada\nada", "", "\n".join("ABCDEFG")])
def test_lot_wants_two_to_six_different_names(names):
    assert "Nothing was saved" in Client().post(TABLE, {"act": "lot", "names": names}).content.decode()


def test_names_of_a_match_stand_in_the_form_already():
    assert "Ada\nBen" in Client().get(TABLE, {"name": ["Ada", "Ben"]}).content.decode()


def test_dp_stack_runs_until_a_time_of_the_server_and_keeps_the_lot():
    lot = Client().post(TABLE, {"act": "lot", "names": "Ada\nBen"}).url.split("#")[0]
    answer = Client().post(lot, {"act": "stack", "minutes": "10"})
    told = Client().get(answer.url).content.decode()
    assert re.search(r'data-left="(59\d|600)"', told)
    assert "Drawn among" in told
    assert '<noscript><meta http-equiv="refresh"' in told
    over = Client().get(TABLE, {"until": "1000000000"}).content.decode()
    assert "Time is up" in over
    assert "http-equiv" not in over


@pytest.mark.parametrize("until", ["x", "-1", "9" * 30, ""])
def test_clock_bears_nonsense(until):
    assert "data-left" not in Client().get(TABLE, {"until": until}).content.decode()


def test_a_turn_counts_every_card_down_at_once():
    assert after("3.4.Ash Ledger", "1.2.", do="turn") == ["2.4.Ash Ledger", "0.2."]


def test_what_is_ready_resolves_before_the_next_turn():
    told = page("0.1.Ash Ledger", "2.2.", do="turn")
    assert "Resolve the cards that are ready first" in told
    assert after("0.1.Ash Ledger", "2.2.", do="resolve 0") == ["2.2."]
    assert "not ready" in page("1.1.Ash Ledger", do="resolve 0")


def test_counts_are_adjusted_and_cards_taken_away():
    assert after("2.2.A", do="more 0") == ["3.2.A"]
    assert after("2.2.A", do="less 0") == ["1.2.A"]
    assert after("2.2.A", "1.1.B", do="remove 0") == ["1.1.B"]
    assert "no longer in countdown" in page("2.2.A", do="more 7")


def test_a_card_is_put_in_countdown_with_its_own_number_or_the_one_typed():
    assert after(do="play", name="ash ledger", start="4") == ["4.4.ash ledger"]
    known = after(do="play", name="Ash Ledger", start="")
    assert re.fullmatch(r"(\d+)\.\1\.Ash Ledger", known[0])
    assert "Type the starting countdown" in page(do="play", name="Nobody knows this", start="")


def test_dp_win_empty_needs_an_empty_deck_and_nothing_in_countdown():
    assert "you have won" in page(deck="0")
    assert "you have won" not in page("1.1.", deck="0")
    assert "you have won" not in page(deck="1")


@pytest.mark.parametrize("card", ["", "x", "1", "1.", "a.b.c", "9999.1.x", "1.1." + "x" * 500, "-1.2.x"])
def test_addresses_that_say_nonsense_are_read_as_far_as_they_go(card):
    assert Client().get(COUNTDOWN, {"c": card, "deck": "x"}).status_code == 200


def test_looking_at_the_countdown_reads_the_sites_cards_and_stores_nothing():
    with CaptureQueriesContext(connection) as caught:
        page("1.1.Ash Ledger")
    assert [query["sql"].split()[0] for query in caught] == ["SELECT"]
