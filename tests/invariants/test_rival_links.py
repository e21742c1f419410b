"""Decks that a player keeps on the site: nobody reads them by a personal link they made for somebody they play with."""

from datetime import timedelta

import pytest
from django.test import Client
from rules import set_rule
from rules.predicates import always_false

from accounts.identity.selectors import actor_of_link
from accounts.models import PersonalLink
from decks.models import Deck
from decks.permissions import RIVALS_LINK
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from tests.decks.owners import save_deck_version
from tests.tournaments.factories import account, entry, event, staff
from tournaments.decks.selectors.own_decks import own_decks
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.entries import sign_up
from tournaments.management.demo import sample_decklist
from tournaments.models import Role, Tournament
from tournaments.permissions import _is_made_by_rival

pytestmark = pytest.mark.django_db

NAME = "Winter of Ada"


@pytest.fixture
def without_guard():
    yield lambda: set_rule(RIVALS_LINK, always_false)
    set_rule(RIVALS_LINK, _is_made_by_rival)


def kept_since(*, kit_plays: bool) -> tuple[Tournament, Deck, Client]:
    """Kit makes Ada's link for an event, opens it too; then Ada stores a deck. The event, the deck, Kit's browser."""
    load_catalogues(database_now(), [get_system("doom_pile")])
    held = event(1, scorekeepers_issue=True)
    kit = staff(held, "kit", Role.Name.SCOREKEEPER)
    if kit_plays:
        sign_up(kit, held, kit.person, database_now())
    client = Client()
    client.get(f"/p/{issue_entry_link(kit, entry(held, 'Ada'), database_now())}/")
    ada = entry(held, "Ada").members.get().person
    game, later = ("doom_pile", "standard"), database_now() + timedelta(minutes=1)
    version = save_deck_version(f"person:{ada.pk}", ada, *game, NAME, sample_decklist(copies=3), later)
    return held, version.deck, client


def shown(deck: Deck, client: Client) -> set[str]:
    """Where the deck is shown, by page and by program."""
    pages = ("/decks/", f"/decks/{deck.public_id}/", f"/decks/{deck.public_id}/history/")
    programs = ("/api/v1/decks/", f"/api/v1/decks/{deck.public_id}/")
    answers = {path: client.get(path) for path in (*pages, *programs)}
    return {path for path, answer in answers.items() if NAME in answer.content.decode()}


def test_the_maker_who_plays_reads_no_stored_deck_however_young(without_guard):
    held, deck, client = kept_since(kit_plays=True)
    link = PersonalLink.objects.get(scope=held.stream)
    assert shown(deck, client) == set()
    assert own_decks(actor_of_link(link), held) == []
    begin = {"name": "Spring", "format": "doom_pile/standard"}
    assert "The person who created your personal link" in client.post("/decks/new/", begin).content.decode()
    assert not Deck.objects.filter(name="Spring").exists()
    without_guard()
    assert client.post("/decks/new/", begin).status_code == 302
    assert {"/decks/", f"/decks/{deck.public_id}/", "/api/v1/decks/"} <= shown(deck, client), "the control"


def test_who_does_not_play_makes_links_that_open_the_players_decks():
    held, deck, client = kept_since(kit_plays=False)
    assert {"/decks/", f"/decks/{deck.public_id}/"} <= shown(deck, client)
    assert [each.deck for each in own_decks(actor_of_link(PersonalLink.objects.get(scope=held.stream)), held)] == [deck]


def test_playing_together_at_another_event_is_playing_together():
    held, deck, client = kept_since(kit_plays=False)
    other, ada = event(0, name="Another cup"), entry(held, "Ada").members.get().person
    for person in (account("kit").person, ada):
        sign_up(account("olive"), other, person, database_now())
    assert shown(deck, client) == set()
