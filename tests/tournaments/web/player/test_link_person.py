"""Somebody signed in who opens a personal link is asked whether they are that player."""

from datetime import timedelta

import pytest

from accounts.identity.services import issue_personal_link
from accounts.models import Person
from journal.clock import database_now
from tests.tournaments.factories import NOW, account, entry, event
from tests.tournaments.web.visitors import browser, page
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
ADDRESS = "/accounts/link-person/"


@pytest.fixture
def tournament():
    return event(2)


def offered(client, tournament):
    """The person of a link that the browser opened."""
    person = entry(tournament, "Ada").members.get().person
    client.get(f"/p/{issue_personal_link(person, account('olive'), database_now())}/")
    return person


def test_somebody_signed_in_is_offered_the_person_of_a_link(tournament):
    client = browser(account("ben"))
    person = offered(client, tournament)
    assert "Are you Ada?" in page(client, ADDRESS)
    person.refresh_from_db()
    assert person.user is None
    assert client.post(ADDRESS, {"idempotency_key": "k1"})["Location"] == "/my/"
    person.refresh_from_db()
    assert person.user == account("ben").user
    assert timedelta(0) <= database_now() - person.linked_at < timedelta(minutes=1)


def test_the_offer_needs_a_link_that_was_opened():
    client = browser(account("mallory"))
    assert client.post(ADDRESS)["Location"] == "/my/"
    assert Person.objects.get().user == account("mallory").user


def test_who_plays_there_already_is_told_and_may_come_back(tournament):
    client, ada = browser(account("ada")), account("ada")
    person, own = offered(client, tournament), sign_up(ada, tournament, ada.person, NOW)
    assert f"You play at {tournament.name} already" in client.post(ADDRESS).content.decode()
    drop_entry(account("olive"), own, NOW)
    assert client.post(ADDRESS)["Location"] == "/my/"
    person.refresh_from_db()
    assert person.user == ada.user
