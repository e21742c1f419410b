"""Somebody signed in who opens a personal link is asked whether they are that player."""

from datetime import timedelta

import pytest

from accounts.identity.services import issue_personal_link, rename_account
from accounts.models import Person
from decks.services.own_decks import create_deck
from journal.clock import database_now
from tests.tournaments.factories import NOW, account, entry, event, staff
from tests.tournaments.web.visitors import browser, page
from tournaments.entries.services.attendance import drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import Role

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


DATA = "/my/data/"


def taken_over(client, tournament):
    """The guest whom the browser's account has taken over."""
    person = offered(client, tournament)
    client.post(ADDRESS, {"idempotency_key": "k1"})
    return person


def give_back(client, person, name="Ada"):
    """The page after the guest was given back, with the name typed."""
    path = f"{DATA}guests/{person.public_id}/back/"
    return client.post(path, {"confirmed_name": name}, follow=True).content.decode()


def test_a_guest_taken_over_by_mistake_is_given_back_with_their_events(tournament):
    client, ben = browser(account("ben")), account("ben")
    person = taken_over(client, tournament)
    assert tournament.name in page(client, DATA)
    assert page(client, f"/e/{tournament.slug}/my/")
    asked = client.post(f"{DATA}guests/{person.public_id}/back/")
    assert (asked.status_code, f"{tournament.name} leaves your account" in asked.content.decode()) == (200, True)
    assert "name doesn't match" in give_back(client, person, "Eve")
    assert "Ada is a player without an account again" in give_back(client, person)
    person.refresh_from_db()
    assert (person.user, person.linked_at, person.linked_by, person.name) == (None, None, None, "Ada")
    assert client.get(f"/e/{tournament.slug}/my/").status_code == 403
    assert account("ben").person == ben.person
    link = issue_personal_link(person, account("olive"), database_now())
    assert "Are you Ada?" in client.get(f"/p/{link}/", follow=True).content.decode()


def test_nobody_gives_back_a_guest_of_another_account(tournament):
    person = taken_over(browser(account("ben")), tournament)
    mallory = browser(account("mallory"))
    assert mallory.post(f"{DATA}guests/{person.public_id}/back/", {"confirmed_name": "Ada"}).status_code == 404
    person.refresh_from_db()
    assert person.user == account("ben").user


def test_what_an_account_does_later_is_its_own_and_not_the_guests(tournament):
    client = browser(account("ben"))
    person = taken_over(client, tournament)
    sign_up(account("ben"), cup := event(2, name="Winter Cup"), account("ben").person, NOW)
    rename_account(account("ben").user, "Ben B.", account("ben"), NOW)
    assert "without an account again" in give_back(client, person)
    person.refresh_from_db()
    assert (person.name, person.memberships.count()) == ("Ada", 1)
    assert "Ben" in page(client, f"/e/{cup.slug}/my/")


def test_an_account_that_saved_decks_as_its_guest_keeps_the_guest(tournament):
    client = browser(account("ben"))
    person = taken_over(client, tournament)
    create_deck(account("ben"), person, "doom_pile", "standard", "New", database_now())
    assert "Ada has to stay" in give_back(client, person)


def test_who_is_on_the_staff_and_plays_stays_known_while_the_event_runs(tournament):
    juno, client = account("juno"), browser(account("juno"))
    staff(tournament, "juno", Role.Name.JUDGE)
    person = taken_over(client, tournament)
    start_tournament(account("olive"), tournament, NOW)
    assert f"You are on the staff of {tournament.name}" in give_back(client, person)
    person.refresh_from_db()
    assert person.user == juno.user
