"""The screens in the room: staff choose what they show, a television shows it by itself for as long as it is on."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from tournaments.core.parts import RANKING
from tournaments.models import Match, Tournament
from tournaments.room.selectors.announcements import announcements_of
from tournaments.room.selectors.clocks import timed_round
from tournaments.room.selectors.feature import MAX_DELAY_SECONDS, MAX_TABLE
from tournaments.timing import clock_words
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.page_cache import cached_page
from tournaments.web.screens import stream
from tournaments.web.screens.rows import TITLES, Row, Screen, Wall

MIN_SECONDS, USUAL_SECONDS, MAX_SECONDS = 5, 12, 120
IN_COLUMNS = ("pairings", "standings")
PLAIN_LINES = 11
"""The lines of a column of a page without scripts, which nothing measures: one fewer than fit, see static/wall.css."""
NEWS_LINES, MAX_NEWS = 2, 2
"""Those that an announcement above them takes, and how many stand there (screens/base.html)."""
IN_COLUMN, ACROSS = 18, 50
"""The characters of a line in one of two columns, and across the screen."""
USUAL = ("pairings", "standings")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a screen shows, as its address says: kinds in their order, seconds a page, dark or light."""

    kinds: tuple[str, ...]
    seconds: int = USUAL_SECONDS
    is_light: bool = False
    is_plain: bool = False
    at: int = 1

    def query(self, **changes: object) -> str:
        """The address of the same screen, `changes` aside."""
        values: dict[str, object] = {"show": ",".join(self.kinds), "seconds": self.seconds}
        values |= {"theme": "light"} if self.is_light else {}
        return "?" + urlencode({**values, **changes}, safe=",")


def choice_of(request: HttpRequest, kinds: tuple[str, ...] = ()) -> Choice:
    """The choice that an address makes; what it does not say, or says wrongly, is as usual."""
    asked = [kind for value in request.GET.getlist("show") for kind in value.split(",")]
    wanted = kinds or tuple(dict.fromkeys(kind for kind in asked if kind in TITLES))
    seconds = asked_number(request, "seconds", 9999)
    return Choice(
        wanted, min(max(USUAL_SECONDS if seconds is None else seconds, MIN_SECONDS), MAX_SECONDS),
        request.GET.get("theme") == "light", "plain" in request.GET, asked_number(request, "at", 9999) or 1,
    )  # fmt: skip


@event_view("event.see")
@cached_page(*RANKING)
def wall(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/wall/?show=pairings,clock&seconds=12&theme=light: the chosen screens in turn; to choose them without."""
    choice = choice_of(request)
    return _show(request, tournament, choice) if choice.kinds else _choose(request, tournament, choice)


def _choose(request: ActorRequest, tournament: Tournament, choice: Choice) -> HttpResponse:
    kinds = [
        (kind, title, reverse(f"wall_{kind}", args=[tournament.slug]), kind in USUAL) for kind, title in TITLES.items()
    ]
    context = {
        "here": "wall", "kinds": kinds, "seconds": choice.seconds, "least": MIN_SECONDS, "most": MAX_SECONDS,
        "overlay_parts": [(part, title, part in stream.USUAL) for part, title in stream.TITLES.items()],
        "most_table": MAX_TABLE, "most_delay": MAX_DELAY_SECONDS,
        "is_private": tournament.visibility == Tournament.Visibility.PRIVATE,
    }  # fmt: skip
    return render_event(request, tournament, "screens/choose.html", context)


def _screen_page(kind: str) -> Callable[[ActorRequest, Tournament], HttpResponse]:
    @cached_page(*RANKING)
    def page(request: ActorRequest, tournament: Tournament) -> HttpResponse:
        return _show(request, tournament, choice_of(request, (kind,)))

    return page


screen_pages = [(kind, event_view("event.see")(_screen_page(kind))) for kind in TITLES]
"""GET …/wall/<kind>/: one screen alone."""


def _show(request: ActorRequest, tournament: Tournament, choice: Choice) -> HttpResponse:
    announcements = announcements_of(tournament)
    made = Wall(tournament, announcements)
    with timezone.override(tournament.time_zone):
        screens = [made.screen(kind) for kind in choice.kinds]
    context: dict[str, Any] = {
        "choice": choice,
        "screens": screens,
        "round": made.round,
        "announcements": announcements,
        "urgent": [each for each in announcements if each.is_urgent],
        "extra_tables": _extra_tables(tournament) if "clock" in choice.kinds else [],
    }
    if choice.is_plain:
        context |= _plain_page(screens, choice, min(len(announcements), MAX_NEWS))
    else:
        context["plain_url"] = choice.query(plain=1)
    return render_event(request, tournament, "screens/plain.html" if choice.is_plain else "screens/wall.html", context)


def _extra_tables(tournament: Tournament) -> list[tuple[int, str]]:
    """The tables being played that have time beyond the clock, by number."""
    round_ = timed_round(tournament)
    playing = Match.objects.filter(round=round_, extra_seconds__gt=0).exclude(state=Match.State.DONE)
    found = playing.order_by("table_number").values_list("table_number", "extra_seconds") if round_ else []
    return [(table, clock_words(seconds)) for table, seconds in found if table is not None]


def _plain_page(screens: list[Screen], choice: Choice, news: int) -> dict[str, Any]:
    """The page `choice.at` of all screens one after the other, below `news` announcements, and the next address."""
    pages = [(screen, rows) for screen in screens for rows in _plain_rows(screen, news)]
    at = min(choice.at, len(pages))
    screen, rows = pages[at - 1]
    return {
        "screen": screen,
        "rows": rows,
        "at": at,
        "pages": len(pages),
        "next_url": choice.query(plain=1, at=at % len(pages) + 1),
        "says": _("page %(page)d of %(pages)d") % {"page": at, "pages": len(pages)},
    }


def _plain_rows(screen: Screen, news: int) -> list[list[Row]]:
    """The rows of a screen, page by page; one of a long text takes several lines."""
    columns, width = (2, IN_COLUMN) if screen.kind in IN_COLUMNS else (1, ACROSS)
    most, used = columns * (PLAIN_LINES - NEWS_LINES * news), 0
    pages: list[list[Row]] = [[]]
    for row in screen.rows:
        lines = ceil((len(row.text + " – ".join(row.players)) or 1) / width)
        used += lines
        if used > most and pages[-1]:
            pages.append([])
            used = lines
        pages[-1].append(row)
    return pages
