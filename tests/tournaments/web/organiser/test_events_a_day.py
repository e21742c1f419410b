"""How many events an account creates in a day: on its pages and by the API, and who is free of it."""

from datetime import timedelta

import pytest

from accounts.actors import SYSTEM
from accounts.models import User
from rules_engine.errors import TooMany
from tests.races import race
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, account, draft, event
from tests.tournaments.web.organiser.test_organiser import VALUES
from tests.tournaments.web.visitors import browser, url
from tournaments.events.services import events
from tournaments.events.services.events import create_tournament
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
BODY = {"name": "Cup", "starts_at": "2026-05-10T10:00:00Z", "game": "doom_pile", "game_format": "standard"}


def test_a_refused_form_keeps_what_was_typed(settings):
    settings.EVENTS_A_DAY = 1
    olive = browser(account("olive"))
    assert olive.post("/new/", VALUES).status_code == 302
    answer = olive.post("/new/", {**VALUES, "name": "One cup too many"})
    text = answer.content.decode()
    assert "You can create 1 events and rehearsals a day" in text
    assert 'value="One cup too many"' in text
    assert Tournament.objects.count() == 1
    assert browser(account("mallory")).post("/new/", VALUES).status_code == 302


def test_the_api_answers_429(settings):
    settings.EVENTS_A_DAY = 1
    olive = caller("olive")
    answers = [olive.post("/api/v1/events/", BODY) for _again in range(2)]
    assert [answer.status_code for answer in answers] == [201, 429]
    assert answers[1].json()["code"] == "too_many_events"


def test_copies_and_rehearsals_count(settings):
    held = event()
    settings.EVENTS_A_DAY = 1
    Tournament.objects.update(created_at=NOW.now(NOW.tzinfo))
    olive = browser(account("olive"))
    copy = {"name": "Copy", "starts_at": "2026-05-10T10:00"}
    for path, fields in (("manage/copy/", copy), ("manage/rehearse/", {"players": "8"})):
        assert "You can create 1 events and rehearsals a day" in olive.post(url(held, path), fields).content.decode(), (
            path
        )
    assert Tournament.objects.count() == 1


def test_site_admins_the_site_itself_and_another_day_are_free(settings):
    settings.EVENTS_A_DAY = 1
    olive = account("olive")
    create_tournament(olive, draft(), NOW)
    with pytest.raises(TooMany):
        create_tournament(olive, draft(), NOW + timedelta(hours=23))
    create_tournament(olive, draft(), NOW + timedelta(hours=25))
    for actor in (SYSTEM, SYSTEM):
        create_tournament(actor, draft(), NOW)
    User.objects.update(is_staff=True)
    create_tournament(account("olive"), draft(), NOW)


def test_without_a_limit_or_its_guard_nothing_is_refused(settings, monkeypatch):
    for _again in range(3):
        create_tournament(account("olive"), draft(), NOW)
    settings.EVENTS_A_DAY = 1
    monkeypatch.setattr(events, "check_events_a_day", lambda user, now: None)
    create_tournament(account("olive"), draft(), NOW)
    assert Tournament.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_counted_one_after_the_other(settings):
    settings.EVENTS_A_DAY = 1
    olive = account("olive")

    def create(number: int) -> str:
        try:
            return create_tournament(olive, draft(name=f"Cup {number}"), NOW).name
        except TooMany as error:
            return error.code

    assert sorted(race(create, 2))[1] == "too_many_events"
    assert Tournament.objects.count() == 1
