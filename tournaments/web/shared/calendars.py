"""Events as an iCalendar file (RFC 5545), to be opened once or subscribed to."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.urls import reverse

from accounts.http.addresses import shared_address
from accounts.http.downloads import file_response
from accounts.http.requests import ActorRequest
from tournaments.core.events import revisions_of
from tournaments.models import Tournament
from tournaments.web.shared.event_lines import game_name

if TYPE_CHECKING:
    from icalendar import Event

ASK_AGAIN = timedelta(hours=6)
"""How often a calendar that subscribed may look for changes."""


def calendar_response(request: ActorRequest, events: Iterable[Tournament], name: str, file: str) -> HttpResponse:
    """One entry an event, in UTC; it ends where the event has ended, else its end is not known.

    Its number and time are those of the last change of the event, for a calendar passes over a change without them.
    """
    from icalendar import Calendar, Event, vText  # noqa: PLC0415 (4 MiB that no process needs before a person asks)

    calendar = Calendar()
    calendar.add("prodid", "-//Doomdesk//Doomdesk//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", vText(name))
    calendar.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    held = list(events)
    revisions = revisions_of(held)
    for event in held:
        entry = Event()
        _fill(entry, request, event, *revisions.get(event.stream, (0, event.created_at)))
        calendar.add_component(entry)
    return file_response(calendar.to_ical(), "text/calendar; charset=utf-8", f"{file}.ics", saved=False)


def _fill(entry: "Event", request: ActorRequest, event: Tournament, revision: int, changed_at: datetime) -> None:
    entry.add("uid", f"{event.slug}@doomdesk")
    entry.add("sequence", revision)
    entry.add("dtstamp", changed_at.astimezone(UTC))
    entry.add("last-modified", changed_at.astimezone(UTC))
    entry.add("dtstart", event.starts_at.astimezone(UTC))
    if event.finished_at is not None:
        entry.add("dtend", max(event.finished_at, event.starts_at).astimezone(UTC))
    entry.add("summary", event.name)
    entry.add("description", game_name(event))
    entry.add("url", shared_address(request, reverse("event", args=[event.slug])))
    if event.place:
        entry.add("location", event.place)
    entry.add("status", "CANCELLED" if event.state == Tournament.State.CANCELLED else "CONFIRMED")
