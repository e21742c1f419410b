"""Words that readers of the rules looked up in vain: kept without who asked, bounded, shown to site admins."""

from datetime import timedelta

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.db import OperationalError
from django.test import RequestFactory

from decks.models import MissedSearch
from decks.services import missed_searches
from decks.services.missed_searches import keep_missed_search
from tests.decks.conftest import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
TODAY = NOW.date()


@pytest.fixture(autouse=True)
def _fresh_hour():
    cache.delete("missed-searches")


def kept():
    return list(MissedSearch.objects.values_list("game", "words", "count"))


def test_what_nothing_fits_is_counted_and_what_is_found_is_not(client):
    for words in ("Zebra", "zebra", "thwart", "quagga!", "", "  "):
        assert client.get("/rules/doom_pile/search/", {"q": words}).status_code == 200
    assert kept() == [("doom_pile", "zebra", 2), ("doom_pile", "quagga", 1)]
    client.get("/rules/house_game/search/", {"q": "zebra"})
    assert len(kept()) == 2


def test_only_letters_are_kept_and_not_many():
    keep_missed_search("doom_pile", "zebra@example.org +49 170 1234567 <b>", TODAY)
    keep_missed_search("doom_pile", "12345", TODAY)
    keep_missed_search("doom_pile", "quagga " * 30, TODAY)
    first, second = sorted(words for _game, words, _count in kept())
    assert (len(first) <= 60, second) == (True, "zebra example org b")


def test_no_more_than_so_many_an_hour_and_of_each_game_are_kept(monkeypatch):
    monkeypatch.setattr(missed_searches, "MOST_AN_HOUR", 5)
    for number in range(9):
        keep_missed_search("doom_pile", "z" * (number + 3), TODAY)
    assert len(kept()) == 5
    monkeypatch.setattr(missed_searches, "MOST_AN_HOUR", 60)
    monkeypatch.setattr(missed_searches, "MOST_KEPT", 2)
    keep_missed_search("doomlings", "other", TODAY)
    keep_missed_search("doom_pile", "newest", TODAY + timedelta(days=1))
    assert {words for game, words, _count in kept() if game == "doom_pile"} == {"newest", "zzzzzzz"}
    assert ("doomlings", "other", 1) in kept()


def test_a_search_is_answered_when_its_words_cannot_be_stored(client, monkeypatch):
    def fail(*_args):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(missed_searches, "_count", fail)
    assert "Nothing fits" in client.get("/rules/doom_pile/search/?q=zebra").content.decode()


def test_site_admins_see_the_words_looked_up_most_often_first():
    for words in ("rare", "often", "often"):
        keep_missed_search("doom_pile", words, TODAY)
    rows = admin.site._registry[MissedSearch].get_queryset(RequestFactory().get("/admin/"))
    assert [row.words for row in rows] == ["often", "rare"]
