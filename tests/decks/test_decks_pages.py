"""The pages around own decks: the list, a new one, history, export, and what is seldom done; nobody else's opens."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Person
from decks.formats.registry import EXPORTS
from decks.models import CardList, Deck, Recheck, RecheckResult
from decks.services.decks import freeze_version, read_decklist
from journal.clock import database_now
from tests.decks.conftest import NOW
from tests.decks.owners import GAME, begun, browser_of, guest_browser, resaved, saved
from tests.decks.test_own_decks import walk_in_deck


def text_of(answer, status=200):
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def without_nonces(answer, public_id):
    """The page without CSRF tokens and the address it was asked for."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=")[^"]*', r"\1", answer.content.decode()).replace(public_id, "")


def pages_of(deck):
    address = f"/decks/{deck.public_id}/"
    return [address, f"{address}history/", f"{address}more/", f"{address}versions/1/text/"]


@pytest.mark.django_db
def test_visitor_signs_in_first_and_learns_nothing(catalogue, legal_text):
    deck = saved("ada", legal_text).deck
    for address in ("/decks/", "/decks/new/", *pages_of(deck)):
        answer = Client().get(address)
        assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/accounts/login/")
    assert Client().get("/decks/no-such-deck/")["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("method", ["get", "post"])
def test_foreign_deck_answers_like_none(catalogue, legal_text, method):
    mallory, deck = browser_of("mallory"), saved("ada", legal_text).deck
    for address in pages_of(deck):
        here = getattr(mallory, method)(address, {"act": "delete", "sure": "1", "version": "1"})
        nowhere = getattr(mallory, method)(address.replace(deck.public_id, "A" * 16), {"act": "delete"})
        assert here.status_code == nowhere.status_code == 404
        assert without_nonces(here, deck.public_id) == without_nonces(nowhere, "A" * 16)
    assert Deck.objects.count() == 1


def test_no_deck_leads_to_the_first_one(catalogue):
    ada = browser_of("ada")
    assert "No decks yet" in text_of(ada.get("/decks/"))
    page = text_of(ada.get("/decks/new/"))
    assert 'value="doom_pile/standard"' in page
    assert 'value="doomtrooper/tournament-1997"' in page
    assert "house_game/open" not in page
    answer = ada.post("/decks/new/", {"format": "doom_pile/standard", "name": "Winter"})
    assert answer["Location"] == f"/decks/{Deck.objects.get().public_id}/"
    assert "empty" in text_of(ada.get("/decks/"))


def test_new_deck_is_refused_with_what_was_typed(catalogue):
    begun("ada")
    ada = browser_of("ada")
    page = text_of(ada.post("/decks/new/", {"format": "doom_pile/standard", "name": "Winter"}))
    assert "You already have a deck of this name" in page
    assert 'value="Winter"' in page
    assert "Select a valid choice" in text_of(ada.post("/decks/new/", {"format": "chess/open"}))


def test_list_shows_verdicts_and_costs_the_same_for_many(catalogue, legal_text):
    ada, counts = browser_of("ada"), []
    saved("ada", legal_text)
    saved("ada", "4 Ash Ledger", "Small")
    page = text_of(ada.get("/decks/"))
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            text_of(ada.get("/decks/"))
        counts.append(len(queries))
        for number in range(60):
            saved("ada", legal_text, f"Deck {number}")
    assert counts[0] == counts[1]
    assert re.search(r'state done">\s*legal', page)
    assert "3 faults" in page
    assert "62 in all" in text_of(ada.get("/decks/?page=2"))


def test_history_says_what_each_version_changed(catalogue, legal_text):
    deck = saved("ada", legal_text).deck
    resaved("ada", deck, legal_text.replace("3x Brass Hound", "1x Brass Hound\n2x Bog Notary"))
    page = text_of(browser_of("ada").get(f"/decks/{deck.public_id}/history/"))
    assert '+2 <a class="tap" href="/cards/doom_pile/card/bog-notary/">Bog Notary</a>' in page
    assert '−2 <a class="tap" href="/cards/doom_pile/card/brass-hound/">Brass Hound</a>' in page
    assert "3 before, 1 now" in page


def test_old_version_is_made_the_newest(catalogue, legal_text):
    ada, deck = browser_of("ada"), saved("ada", legal_text).deck
    resaved("ada", deck, "3 Ash Ledger")
    address = f"/decks/{deck.public_id}/history/"
    answer = ada.post(address, {"version": "1"}, follow=True)
    assert "Version 1 restored as version 3." in text_of(answer)
    assert deck.versions.count() == 3
    for number in ("9", "x", "", "1" * 40, "-1"):
        assert ada.post(address, {"version": number}).status_code == 404


@pytest.mark.parametrize("export", EXPORTS, ids=lambda each: each.key)
def test_export_is_a_file_that_reads_back(catalogue, legal_text, export):
    version = saved("ada", legal_text, "Wintér / 2026")
    answer = browser_of("ada").get(f"/decks/{version.deck.public_id}/versions/1/{export.key}/")
    text = text_of(answer)
    assert answer["Content-Type"] == f"{export.media_type}; charset=utf-8"
    assert f".{export.extension}" in answer["Content-Disposition"]
    assert answer["Content-Disposition"].startswith("attachment")
    assert read_decklist(text, *GAME, f"x.{export.extension}").decklist == version.decklist


def test_unknown_export_and_version_are_not_found(catalogue, legal_text):
    ada, deck = browser_of("ada"), saved("ada", legal_text).deck
    for rest in ("1/pdf", "2/text", f"{10**30}/text"):
        assert ada.get(f"/decks/{deck.public_id}/versions/{rest}/").status_code == 404


def test_rename_and_copy_say_what_is_wrong_beside_their_own_field(catalogue, legal_text):
    ada, deck = browser_of("ada"), saved("ada", legal_text).deck
    begun("ada", "Spring")
    address = f"/decks/{deck.public_id}/more/"
    for act in ("rename", "copy"):
        page = text_of(ada.post(address, {"act": act, f"{act}-name": "Spring"}))
        assert page.count("You already have a deck of this name") == 1
    assert "“Summer”" in text_of(ada.post(address, {"act": "rename", "rename-name": "Summer"}, follow=True))
    answer = ada.post(address, {"act": "copy", "copy-name": "Winter"}, follow=True)
    assert "This is the copy" in text_of(answer)
    assert Deck.objects.count() == 3


def test_deleting_asks_to_be_sure(catalogue, legal_text):
    ada, deck = browser_of("ada"), saved("ada", legal_text).deck
    address = f"/decks/{deck.public_id}/more/"
    for words, status in (({}, 200), ({"confirmed_name": "Some other deck"}, 422)):
        answer = ada.post(address, {"act": "delete", **words})
        assert (answer.status_code, "Nothing has happened yet" in answer.content.decode()) == (status, True)
        assert Deck.objects.count() == 1
    sure = {"act": "delete", "confirmed_name": f" {deck.name.upper()} "}
    assert "deleted." in text_of(ada.post(address, sure, follow=True))
    assert not Deck.objects.exists()


def test_deleting_a_registered_deck_says_that_the_event_keeps_it(catalogue, legal_text):
    deck = freeze_version(saved("ada", legal_text), NOW).deck
    answer = browser_of("ada").post(
        f"/decks/{deck.public_id}/more/", {"act": "delete", "confirmed_name": deck.name}, follow=True
    )
    assert "keeps the registered version" in text_of(answer)
    assert Deck.objects.count() == 1


def test_guest_by_link_has_decks_too(catalogue, legal_text):
    wanda = Person.objects.create(name="Wanda", created_at=NOW)
    old = walk_in_deck(wanda, legal_text, NOW.replace(year=2020), "Old secret")
    guest = guest_browser(wanda)
    assert "Old secret" not in text_of(guest.get("/decks/"))
    assert guest.get(f"/decks/{old.deck.public_id}/").status_code == 404
    guest.post("/decks/new/", {"format": "doom_pile/standard", "name": "Mine"})
    deck = Deck.objects.get(name="Mine")
    assert deck.owner == wanda
    saved_page = guest.post(f"/decks/{deck.public_id}/", {"act": "save", "text": legal_text}, follow=True)
    assert "Saved as version 1." in text_of(saved_page)
    assert "Mine" in text_of(guest.get("/decks/"))


def test_pages_are_kept_in_no_cache(catalogue, legal_text):
    ada, deck = browser_of("ada"), saved("ada", legal_text).deck
    for address in ("/decks/", "/decks/new/", *pages_of(deck)):
        assert "no-store" in ada.get(address)["Cache-Control"]


def test_list_warns_of_a_coming_card_list(catalogue, legal_text):
    version, now = saved("ada", legal_text), database_now()
    facts = {"game": "doom_pile", "format": "standard", "slug": "spring", "name": "Spring list", "digest": ""}
    coming = CardList.objects.create(**facts, valid_from=now.date() + timedelta(days=30))
    recheck = Recheck.objects.create(card_list=coming, total=1, requested_at=now, finished_at=now)
    RecheckResult.objects.create(recheck=recheck, version=version, legal_before=True, legal_after=False)
    page = text_of(browser_of("ada").get("/decks/"))
    assert re.search(r"not legal from [^<]*: Spring list", page)
    assert "Spring list" not in text_of(browser_of("ben").get("/decks/"))


@pytest.mark.parametrize("field", ["game", "format"])
def test_deck_whose_game_or_format_is_gone_is_shown_bare_and_can_be_deleted(catalogue, legal_text, field):
    deck = saved("ada", legal_text).deck
    Deck.objects.update(**{field: "no-more"})
    ada = browser_of("ada")
    for rest in ("", "history/", "more/", "versions/1/text/"):
        answer = ada.get(f"/decks/{deck.public_id}/{rest}")
        assert answer.status_code == 200
        assert "Ash Ledger" in answer.content.decode()
    assert browser_of("ben").get(f"/decks/{deck.public_id}/").status_code == 404
    assert ada.post(f"/decks/{deck.public_id}/more/", {"act": "delete", "confirmed_name": deck.name}).status_code == 302
    assert not Deck.objects.exists()
