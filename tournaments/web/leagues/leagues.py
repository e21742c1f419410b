"""Pages of leagues for everybody: the list, a new one, the standings with where they come from."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.http.access import access, answering, check_access, page_view
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service, render_refusals
from journal.clock import database_now
from rules_engine.systems import get_system
from scoring.standings.league_points import EventPoints
from tournaments.leagues.forms import LeagueForm
from tournaments.leagues.selectors import (
    LeagueLine,
    LeagueTable,
    PlayedEvent,
    find_league,
    league_table,
    listed_leagues,
    time_zone_of,
)
from tournaments.leagues.services import (
    LeagueDraft,
    create_league,
)
from tournaments.models import League, Tournament
from tournaments.permissions import runs_league

P = ParamSpec("P")
LEAGUES_A_PAGE = 20
LeagueView = Callable[Concatenate[ActorRequest, League, P], HttpResponse]


@dataclass(frozen=True, slots=True)
class EventCell:
    """What one event brought a player, with the event."""

    event: Tournament
    points: EventPoints


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a league as shown; `tied` where the rank is shared."""

    line: LeagueLine
    tied: bool
    cells: tuple[EventCell, ...]

    @property
    def dropped(self) -> int:
        """How many events do not count."""
        return sum(not cell.points.counted for cell in self.cells)


def league_page(rule: str, *methods: str) -> Callable[[LeagueView[P]], Callable[..., HttpResponse]]:
    """A view of one league under a permission, for GET and HEAD by default; hidden leagues are not found."""

    def decorate(view: LeagueView[P]) -> Callable[..., HttpResponse]:
        answers = answering(view, methods, fresh=False)

        @access(rule)
        @wraps(answers)
        def page(request: ActorRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            found = find_league(request.actor, slug)
            check_access(rule, request.actor, found)
            return answers(request, found, *args, **kwargs)

        return page

    return decorate


def render_league(request: ActorRequest, league: League, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page of a league in its frame, in the time zone of its events."""
    frame = {
        "league": league,
        "game": get_system(league.game).name if league.game else "",
        "is_organiser": runs_league(request.actor, league),
        "as_of": database_now(),
        "fresh_form": Form(),
    }
    with timezone.override(time_zone_of(league)):
        return render_refusals(request, template, {**frame, **context})


@page_view("public")
def leagues(request: ActorRequest) -> HttpResponse:
    """GET /leagues/: public leagues and the viewer's own, newest first."""
    page = Paginator(listed_leagues(request.actor), LEAGUES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "leagues/list.html", {"page": page})


@page_view("signed_in", "GET", "POST")
def new_league(request: ActorRequest) -> HttpResponse:
    """GET, POST /leagues/new/: make a league; its maker organises it."""
    form = LeagueForm(
        request.POST or None, stored=lambda: {"visibility": Tournament.Visibility.PUBLIC, "preset": "eight"}
    )
    if request.method == "POST" and form.is_valid():
        now = database_now()
        made = call_service(form, lambda: create_league(request.actor, LeagueDraft(**form.cleaned_data), now))
        if made is not None:
            messages.success(request, _("“%(name)s” created. Now add its events.") % {"name": made.name})
            return redirect("manage_league", made.slug)
    return render(request, "leagues/new.html", {"form": form})


@league_page("league.see")
def league(request: ActorRequest, found: League) -> HttpResponse:
    """GET /l/<slug>/: who stands where, and which events each line comes from."""
    table = league_table(found)
    words = request.GET.get("q", "").strip()[:120]
    lines = shown_lines(table)
    matching = [each for each in lines if words.casefold() in each.line.name.casefold()]
    context = {"table": table, "lines": matching, "total": len(lines), "q": words}
    return render_league(request, found, "leagues/league.html", context)


def shown_lines(table: LeagueTable) -> list[ShownLine]:
    """The standings with shared ranks marked, each line with its events."""
    ranks = [line.standing.rank for line in table.lines]
    shared = {one for one, other in pairwise(ranks) if one == other}
    return [ShownLine(line, line.standing.rank in shared, _cells(line, table.events)) for line in table.lines]


def _cells(line: LeagueLine, events: tuple[PlayedEvent, ...]) -> tuple[EventCell, ...]:
    return tuple(EventCell(events[each.event].event, each) for each in line.standing.events)
