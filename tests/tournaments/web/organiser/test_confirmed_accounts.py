"""Whose events a public site lists: those of accounts that a site admin agreed to, once."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from accounts.actors import SYSTEM, Actor
from accounts.identity.keys import set_account_confirmed
from accounts.identity.services import create_account
from accounts.models import User
from journal.models import LedgerEntry
from rules_engine.errors import Conflict, NotAllowed
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, draft, event, running, staff
from tests.tournaments.web.visitors import browser, page, url
from tournaments.events.selectors import events
from tournaments.events.services.events import create_tournament, open_registration
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
LISTED = "/api/v1/events/"
YOURS = "Listed on the start page once a site admin confirms your account."
ANOTHERS = "Listed on the start page once a site admin confirms its creator."


@pytest.fixture
def strict(settings) -> None:
    settings.LISTS_CONFIRMED_ONLY = True


def rhea() -> Actor:
    """A site admin."""
    actor = account("rhea")
    User.objects.filter(pk=actor.user.pk).update(is_staff=True, is_superuser=True)
    actor.user.refresh_from_db()
    return actor


def confirm(name: str = "olive", *, confirmed: bool = True, by: Actor | None = None) -> None:
    set_account_confirmed(User.objects.get(username=name), by or rhea(), NOW, confirmed=confirmed)


def places(held: Tournament) -> tuple[bool, bool]:
    """Whether strangers find the event on the start page, and in the list of the API."""
    slugs = [each["slug"] for each in caller().get(LISTED).json()["results"]]
    return url(held) in page(Client(), "/"), held.slug in slugs


def test_without_the_setting_every_public_event_is_listed():
    held = event()
    assert places(held) == (True, True)
    assert YOURS not in page(browser(account("olive")), url(held, "manage/"))


def test_an_event_of_a_new_account_is_left_out_until_a_site_admin_agrees(strict):
    held = event()
    assert places(held) == (False, False)
    confirm()
    assert places(held) == (True, True)
    confirm(confirmed=False)
    assert places(held) == (False, False)


def test_without_the_guard_it_would_be_listed(strict, monkeypatch):
    held = event()
    monkeypatch.setattr(events, "_of_confirmed", events.Q)
    assert places(held) == (True, True)


def test_the_link_sign_up_and_the_organisers_own_lists_work_as_usual(strict):
    held = event()
    assert held.name in page(Client(), url(held))
    assert caller().get(f"{LISTED}{held.slug}/").status_code == 200
    assert url(held) in page(browser(account("olive")), "/")
    assert held.slug in caller("olive").get(LISTED).content.decode()
    assert url(held) not in page(browser(account("mallory")), "/")
    assert url(running()) not in page(browser(account("mallory")), "/")


def test_events_of_site_admins_and_of_the_site_are_listed(strict):
    boss = rhea()
    own = open_registration(boss, create_tournament(boss, draft(name="Own"), NOW), NOW)
    sites = open_registration(SYSTEM, create_tournament(SYSTEM, draft(name="Sites"), NOW), NOW)
    made = Actor(create_account("made", "quite a long one 7", SYSTEM, NOW), None, "session")
    commands = open_registration(made, create_tournament(made, draft(name="Commands"), NOW), NOW)
    assert [places(each) for each in (own, sites, commands)] == [(True, True)] * 3


def test_the_now_page_says_why_to_staff_alone(strict):
    held = event()
    olive, sky = browser(account("olive")), browser(staff(held, "sky", "organiser"))
    for _again in range(2):
        assert YOURS in page(olive, url(held, "manage/"))
        assert ANOTHERS in page(sky, url(held, "manage/"))
        assert YOURS not in page(olive, url(held))
    confirm()
    assert YOURS not in page(olive, url(held, "manage/"))
    assert ANOTHERS not in page(sky, url(held, "manage/"))
    confirm(confirmed=False)
    assert YOURS in page(olive, url(held, "manage/"))


def test_an_event_that_is_listed_nowhere_anyway_has_no_notice(strict):
    held = event(visibility=Tournament.Visibility.UNLISTED)
    assert YOURS not in page(browser(account("olive")), url(held, "manage/"))


def test_only_another_site_admin_confirms_and_each_time_is_logged_once(strict):
    olive, boss = account("olive"), rhea()
    for actor, refused in ((olive, NotAllowed), (account("mallory"), NotAllowed)):
        with pytest.raises(refused):
            confirm(by=actor)
    with pytest.raises(Conflict):
        confirm("rhea", by=boss)
    for confirmed in (True, True, False, False):
        confirm(confirmed=confirmed, by=boss)
    found = LedgerEntry.objects.filter(act__contains="confirm").order_by("pk")
    assert [(each.act, each.actor, each.subjects) for each in found] == [
        ("account_confirmed", f"user:{boss.user.pk}", {"user": olive.user.pk}),
        ("confirmation_taken_back", f"user:{boss.user.pk}", {"user": olive.user.pk}),
    ]


def test_signing_up_does_not_confirm(strict, redis_url):
    fields = {"username": "nova", "password1": "quite a long one 7"}
    assert Client().post("/accounts/signup/", {**fields, "is_confirmed": "on"}).status_code == 302
    assert not User.objects.get(username="nova").is_confirmed


@pytest.mark.django_db(transaction=True)
def test_accounts_from_before_count_as_confirmed():
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    try:
        executor.migrate([("accounts", "0007_link_issuers")])
        state = executor.loader.project_state([("accounts", "0007_link_issuers")])
        state.apps.get_model("accounts", "User").objects.create(username="old", date_joined=NOW - timedelta(days=9))
    finally:
        after = MigrationExecutor(connection)
        after.migrate(newest)
    User.objects.create(username="new")
    assert dict(User.objects.values_list("username", "is_confirmed")) == {"old": True, "new": False}
