"""Events and leagues for calendars: read back, they say what the pages say, to whom the pages say it."""

from datetime import timedelta

import pytest
from icalendar import Calendar

from tests.tournaments.factories import NOW, account, event
from tests.tournaments.web.visitors import browser, url
from tournaments.events.services.events import cancel_tournament
from tournaments.events.services.settings import update_settings
from tournaments.leagues.services import LeagueDraft, add_league_event, create_league
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
NAME = "Autumn; Doom,\\Cup " + "é" * 60


def entries(path, client):
    answer = client.get(path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert max(map(len, answer.content.split(b"\r\n"))) <= 75
    return Calendar.from_ical(answer.content).walk("VEVENT")


def test_event_says_when_where_and_what():
    held = event(2, name=NAME, place="Hall 1; back\ndoor")
    path = url(held, "event.ics")
    (found,) = entries(path, browser())
    assert rb"X-WR-CALNAME:Autumn\; Doom\,\\Cup" in browser().get(path).content
    assert (found["summary"], found["location"]) == (NAME, "Hall 1; back\ndoor")
    assert found["url"] == f"http://testserver/e/{held.slug}/"
    assert (found.decoded("dtstart"), "dtend" in found) == (held.starts_at, False)
    assert found["status"] == "CONFIRMED"
    Tournament.objects.filter(pk=held.pk).update(finished_at=held.starts_at + timedelta(hours=5))
    (over,) = entries(path, browser())
    assert over.decoded("dtend") - over.decoded("dtstart") == timedelta(hours=5)
    assert over["uid"] == found["uid"]
    cancel_tournament(account("olive"), held, "No hall", NOW)
    (off,) = entries(path, browser())
    assert off["status"] == "CANCELLED"


def test_a_calendar_is_told_that_the_event_changed():
    """RFC 5545, 3.8.7: without a newer stamp and a higher number it keeps the time that it has."""
    held = event(1)
    (before,) = entries(url(held, "event.ics"), browser())
    later, day = NOW + timedelta(hours=1), held.starts_at + timedelta(days=7)
    update_settings(account("olive"), held, {"starts_at": day}, later)
    (moved,) = entries(url(held, "event.ics"), browser())
    assert moved.decoded("dtstart") == day
    assert moved["sequence"] > before["sequence"]
    assert moved.decoded("dtstamp") == moved.decoded("last-modified") == later


def test_calendar_is_for_those_who_may_see_the_event():
    held = event(1, visibility=Tournament.Visibility.PRIVATE)
    assert browser().get(url(held, "event.ics")).status_code == 404
    assert entries(url(held, "event.ics"), browser(account("olive")))


def test_calendar_of_a_league_holds_what_its_page_lists():
    league = create_league(account("olive"), LeagueDraft("Season", (3, 1)), NOW)
    shown, unlisted = event(1), event(1, name="Later")
    for each in (shown, unlisted):
        add_league_event(account("olive"), league, each, NOW)
    Tournament.objects.filter(pk=unlisted.pk).update(visibility=Tournament.Visibility.UNLISTED)
    found = entries(f"/l/{league.slug}/events.ics", browser())
    assert [each["summary"] for each in found] == [shown.name]
