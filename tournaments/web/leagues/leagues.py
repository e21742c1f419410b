"""Pages of leagues: the list, the standings with where they come from, and what their organisers set."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.core.paginator import Paginator
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http.access import access, check_access
from accounts.http.requests import ActorRequest
from accounts.http.typed_confirmation import require_typed_name
from journal.clock import database_now
from rules_engine.systems import get_system
from scoring.standings.league_points import EventPoints
from tournaments.core.names import name_key
from tournaments.core.service_errors import call_service
from tournaments.leagues.forms import JoinForm, LeagueEventForm, LeagueForm, OrganiserForm, values_of_league
from tournaments.leagues.selectors import (
    LeagueLine,
    LeagueTable,
    PlayedEvent,
    events_to_add,
    find_league,
    find_league_event,
    find_person,
    hidden_events,
    league_table,
    listed_leagues,
    shown_events,
)
from tournaments.leagues.services import (
    LeagueDraft,
    add_league_event,
    add_league_organiser,
    change_league,
    create_league,
    finish_league,
    join_players,
    remove_league_event,
    remove_league_organiser,
    reopen_league,
    tell_player_apart,
)
from tournaments.models import League, Tournament
from tournaments.permissions import runs_league
from tournaments.web.frame.actions import run_action

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


def league_page(rule: str) -> Callable[[LeagueView[P]], Callable[..., HttpResponse]]:
    """A view of one league under a permission; hidden leagues are not found."""

    def decorate(view: LeagueView[P]) -> Callable[..., HttpResponse]:
        @access(rule)
        @wraps(view)
        def page(request: ActorRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            found = find_league(request.actor, slug)
            check_access(rule, request.actor, found)
            return view(request, found, *args, **kwargs)

        return page

    return decorate


def _render(request: ActorRequest, league: League, template: str, context: dict[str, Any]) -> HttpResponse:
    frame = {
        "league": league,
        "game": get_system(league.game).name if league.game else "",
        "is_organiser": runs_league(request.actor, league),
        "as_of": database_now(),
        "fresh_form": Form(),
    }
    return render(request, template, {**frame, **context})


@access("public")
@require_safe
def leagues(request: ActorRequest) -> HttpResponse:
    """GET /leagues/: public leagues and the viewer's own, newest first."""
    page = Paginator(listed_leagues(request.actor), LEAGUES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "leagues/list.html", {"page": page})


@access("signed_in")
@require_http_methods(["GET", "POST"])
def new_league(request: ActorRequest) -> HttpResponse:
    """GET, POST /leagues/new/: make a league; its maker organises it."""
    form = LeagueForm(request.POST or None, initial={"visibility": Tournament.Visibility.PUBLIC, "preset": "eight"})
    if request.method == "POST" and form.is_valid():
        now = database_now()
        made = call_service(form, lambda: create_league(request.actor, LeagueDraft(**form.cleaned_data), now))
        if made is not None:
            messages.success(request, _("“%(name)s” created. Now add its events.") % {"name": made.name})
            return redirect("manage_league", made.slug)
    return render(request, "leagues/new.html", {"form": form})


@league_page("league.see")
@require_safe
def league(request: ActorRequest, found: League) -> HttpResponse:
    """GET /l/<slug>/: who stands where, and which events each line comes from."""
    table = league_table(found)
    words = request.GET.get("q", "").strip()[:120]
    lines = _shown(table)
    matching = [each for each in lines if words.casefold() in each.line.name.casefold()]
    context = {"table": table, "lines": matching, "total": len(lines), "q": words}
    return _render(request, found, "leagues/league.html", context)


def _shown(table: LeagueTable) -> list[ShownLine]:
    ranks = [line.standing.rank for line in table.lines]
    shared = {one for one, other in pairwise(ranks) if one == other}
    return [ShownLine(line, line.standing.rank in shared, _cells(line, table.events)) for line in table.lines]


def _cells(line: LeagueLine, events: tuple[PlayedEvent, ...]) -> tuple[EventCell, ...]:
    return tuple(EventCell(events[each.event].event, each) for each in line.standing.events)


@league_page("league.manage")
@require_http_methods(["GET", "POST"])
def manage_league(request: ActorRequest, found: League) -> HttpResponse:
    """GET /l/<slug>/manage/: the events that count; POST adds one, or gives it another weight."""
    form = LeagueEventForm(request.POST or None, events=events_to_add(request.actor, found))
    if request.method == "POST" and form.is_valid():
        event, weight, now = form.offered[form.cleaned_data["event"]], form.cleaned_data["weight"], database_now()
        added = call_service(form, lambda: add_league_event(request.actor, found, event, now, weight=weight))
        if added is not None:
            messages.success(request, _("“%(name)s” counts in this league.") % {"name": event.name})
            return redirect("manage_league", found.slug)
    context = {"here": "events", "form": form, "events": shown_events(found), "hidden": hidden_events(found)}
    return _render(request, found, "leagues/manage.html", context)


@league_page("league.manage")
@require_http_methods(["GET", "POST"])
def league_settings(request: ActorRequest, found: League) -> HttpResponse:
    """GET, POST /l/<slug>/manage/settings/: name, points, and who sees it."""
    form = LeagueForm(request.POST or None, initial=values_of_league(found))
    if request.method == "POST" and form.is_valid():
        now = database_now()
        if call_service(form, lambda: change_league(request.actor, found, LeagueDraft(**form.cleaned_data), now)):
            messages.success(request, _("The settings are stored."))
            return redirect("league_settings", found.slug)
    return _show_settings(request, found, form, OrganiserForm())


def _show_settings(request: ActorRequest, found: League, form: LeagueForm, organiser: OrganiserForm) -> HttpResponse:
    runs = found.organisers.order_by("username").values_list("username", flat=True)
    context = {"here": "settings", "form": form, "organiser_form": organiser, "organisers": runs}
    return _render(request, found, "leagues/settings.html", context)


@league_page("league.manage")
@require_POST
def league_organisers(request: ActorRequest, found: League) -> HttpResponse:
    """POST /l/<slug>/manage/organisers/: let a `username` run the league too, or with `remove` no more."""
    back, now = reverse("league_settings", args=[found.slug]), database_now()
    if name := request.POST.get("remove", ""):
        done = _("%(name)s does not run the league any more.") % {"name": name}
        if request.user.get_username() == name:
            asked = require_typed_name(
                request,
                title=_("Run this league no more?"),
                lost=[
                    _("Your right to change “%(name)s”. Only another organiser can restore it.") % {"name": found.name}
                ],
                name=name,
                label=_("Give it up"),
                back=back,
            )
            if asked is not None:
                return asked
            back = reverse("leagues")
        return run_action(request, lambda: remove_league_organiser(request.actor, found, name, now), done, back)
    form = OrganiserForm(request.POST)
    if form.is_valid():
        name = form.cleaned_data["username"]
        if call_service(form, lambda: (add_league_organiser(request.actor, found, name, now), True), OF_ORGANISER):
            messages.success(request, _("%(name)s runs the league too.") % {"name": name})
            return redirect(back)
    return _show_settings(request, found, LeagueForm(initial=values_of_league(found)), form)


OF_ORGANISER = {"not_staff": "username"}


@league_page("league.manage")
@require_http_methods(["GET", "POST"])
def league_players(request: ActorRequest, found: League) -> HttpResponse:
    """GET /l/<slug>/manage/players/: who counts as one player; POST joins two."""
    table = league_table(found)
    form = JoinForm(request.POST or None, players=list(_choices(table.lines)))
    if request.method == "POST" and form.is_valid():
        one, other = (find_person(form.cleaned_data[name]) for name in ("person", "other"))
        now = database_now()
        if call_service(form, lambda: join_players(request.actor, found, one, other, now)):
            messages.success(request, _("They count as one player."))
            return redirect("league_players", found.slug)
    several = [each for each in _shown(table) if len({every.person for every in each.line.persons}) > 1]
    context = {"here": "players", "form": form, "several": several, "events": table.events}
    return _render(request, found, "leagues/players.html", context)


def _choices(lines: Iterable[LeagueLine]) -> Iterable[tuple[int, str]]:
    for line in sorted(lines, key=lambda each: name_key(each.name)):
        yield line.standing.player, _("%(name)s (rank %(rank)d)") % {"name": line.name, "rank": line.standing.rank}


@league_page("league.manage")
@require_POST
def tell_apart(request: ActorRequest, found: League, person_id: int) -> HttpResponse:
    """POST /l/<slug>/manage/players/<person>/apart/: this person is nobody else."""
    person, now = find_person(person_id), database_now()
    back = reverse("league_players", args=[found.slug])
    return run_action(
        request, lambda: tell_player_apart(request.actor, found, person, now), _("They are now separate players."), back
    )


@league_page("league.manage")
@require_POST
def remove_event(request: ActorRequest, found: League, event_id: int) -> HttpResponse:
    """POST /l/<slug>/manage/events/<event>/remove/: the event counts no more."""
    event = find_league_event(found, pk=event_id)
    now, back = database_now(), reverse("manage_league", args=[found.slug])
    done = _("“%(name)s” does not count any more.") % {"name": event.name}
    return run_action(request, lambda: remove_league_event(request.actor, found, event, now), done, back)


@league_page("league.manage")
@require_POST
def finish(request: ActorRequest, found: League) -> HttpResponse:
    """POST /l/<slug>/manage/finish/: close the season."""
    now, back = database_now(), reverse("league", args=[found.slug])
    done = _("League finished. Its standings are final.")
    return run_action(request, lambda: finish_league(request.actor, found, now), done, back)


@league_page("league.manage")
@require_POST
def reopen(request: ActorRequest, found: League) -> HttpResponse:
    """POST /l/<slug>/manage/reopen/: change it again."""
    now, back = database_now(), reverse("manage_league", args=[found.slug])
    return run_action(request, lambda: reopen_league(request.actor, found, now), _("The league is open again."), back)
