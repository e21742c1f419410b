"""What a league's organisers set: its events and their weight, its rules, who runs it, who is who."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from accounts.http.typed_confirmation import require_typed_name
from journal.clock import database_now
from tournaments.core.names import name_key
from tournaments.leagues.forms import JoinForm, LeagueEventForm, LeagueForm, OrganiserForm, values_of_league
from tournaments.leagues.selectors import (
    LeagueLine,
    events_to_add,
    find_league_event,
    find_person,
    hidden_events,
    league_table,
    shown_events,
)
from tournaments.leagues.services import (
    MAX_WEIGHT,
    LeagueDraft,
    add_league_event,
    add_league_organiser,
    change_league,
    finish_league,
    join_players,
    lock_open_league,
    remove_league_event,
    remove_league_organiser,
    reopen_league,
    tell_player_apart,
)
from tournaments.models import League
from tournaments.permissions import is_organiser
from tournaments.web.frame.actions import run_action
from tournaments.web.leagues.leagues import league_page, render_league, shown_lines


@league_page("league.manage", "GET", "POST")
def manage_league(request: ActorRequest, found: League) -> HttpResponse:
    """GET /l/<slug>/manage/: the events that count; POST adds one."""
    form = LeagueEventForm(request.POST or None, events=events_to_add(request.actor, found))
    if request.method == "POST" and form.is_valid():
        event, weight, now = form.offered[form.cleaned_data["event"]], form.cleaned_data["weight"], database_now()
        added = call_service(form, lambda: add_league_event(request.actor, found, event, now, weight=weight))
        if added is not None:
            messages.success(request, _("“%(name)s” counts in this league.") % {"name": event.name})
            return redirect("manage_league", found.slug)
    context = {
        "here": "events", "form": form, "events": shown_events(found), "hidden": hidden_events(found),
        "weights": range(1, MAX_WEIGHT + 1),
    }  # fmt: skip
    return render_league(request, found, "leagues/manage.html", context)


@league_page("league.manage", "GET", "POST")
def league_settings(request: ActorRequest, found: League) -> HttpResponse:
    """GET, POST /l/<slug>/manage/settings/: name, points, and who sees it."""
    now, is_late = database_now(), request.method == "POST" and found.finished_at is not None
    form = _settings_form(found, None if is_late else request.POST or None)
    if is_late:
        messages.error(request, _("The league is finished. Reopen it to change it."))

    def lock() -> None:
        lock_open_league(found)
        found.refresh_from_db()

    def act() -> League:
        return change_league(request.actor, found, LeagueDraft(**form.cleaned_data), now)

    if request.method == "POST" and form.is_valid() and form.store(lock, act) is not None:
        messages.success(request, _("Settings saved."))
        return redirect("league_settings", found.slug)
    return _show_settings(request, found, form, OrganiserForm())


def _settings_form(found: League, data: QueryDict | None = None) -> LeagueForm:
    return LeagueForm(data, stored=lambda: values_of_league(found))


def _show_settings(request: ActorRequest, found: League, form: LeagueForm, organiser: OrganiserForm) -> HttpResponse:
    runs = found.organisers.order_by("username").values_list("username", flat=True)
    context = {"here": "settings", "form": form, "organiser_form": organiser, "organisers": runs}
    return render_league(request, found, "leagues/settings.html", context)


@league_page("league.manage", "POST")
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
    return _show_settings(request, found, _settings_form(found), form)


OF_ORGANISER = {"not_staff": "username"}


@league_page("league.manage", "GET", "POST")
def league_players(request: ActorRequest, found: League) -> HttpResponse:
    """GET /l/<slug>/manage/players/: who counts as one player; POST joins two."""
    table = league_table(found)
    form = JoinForm(request.POST or None, players=list(_choices(table.lines)))
    if request.method == "POST" and form.is_valid():
        one, other = (find_person(form.cleaned_data[name]) for name in ("person", "other"))
        now = database_now()
        if call_service(form, lambda: (join_players(request.actor, found, one, other, now), True)):
            messages.success(request, _("They count as one player."))
            return redirect("league_players", found.slug)
    several = [each for each in shown_lines(table) if len({every.person for every in each.line.persons}) > 1]
    context = {"here": "players", "form": form, "several": several, "events": table.events}
    return render_league(request, found, "leagues/players.html", context)


def _choices(lines: Iterable[LeagueLine]) -> Iterable[tuple[int, str]]:
    for line in sorted(lines, key=lambda each: name_key(each.name)):
        yield line.standing.player, _("%(name)s (rank %(rank)d)") % {"name": line.name, "rank": line.standing.rank}


@league_page("league.manage", "POST")
def tell_apart(request: ActorRequest, found: League, person_id: int) -> HttpResponse:
    """POST /l/<slug>/manage/players/<person>/apart/: this person is nobody else."""
    person, now = find_person(person_id), database_now()
    back = reverse("league_players", args=[found.slug])
    return run_action(
        request, lambda: tell_player_apart(request.actor, found, person, now), _("They are now separate players."), back
    )


@league_page("league.manage", "POST")
def weigh_event(request: ActorRequest, found: League, event_id: int) -> HttpResponse:
    """POST /l/<slug>/manage/events/<event>/weight/: the event's points count so many times, a `weight`."""
    event, weight = find_league_event(found, pk=event_id), posted_number(request, "weight") or 0
    now, back = database_now(), reverse("manage_league", args=[found.slug])
    done = ngettext("“%(name)s” counts once.", "“%(name)s” counts %(times)d times.", weight)
    done %= {"name": event.name, "times": weight}
    return run_action(request, lambda: add_league_event(request.actor, found, event, now, weight=weight), done, back)


@league_page("league.manage", "POST")
def remove_event(request: ActorRequest, found: League, event_id: int) -> HttpResponse:
    """POST /l/<slug>/manage/events/<event>/remove/: the event counts no more; asks first where it is another's."""
    event = find_league_event(found, pk=event_id)
    now, back = database_now(), reverse("manage_league", args=[found.slug])
    if not is_organiser(request.actor, event):
        asked = require_typed_name(
            request,
            title=_("Take the event out of the league?"),
            lost=[_("Its points in this league. Only who organises the event can add it again.")],
            name=event.name,
            label=_("Take it out"),
            back=back,
        )
        if asked is not None:
            return asked
    done = _("“%(name)s” does not count any more.") % {"name": event.name}
    return run_action(request, lambda: remove_league_event(request.actor, found, event, now), done, back)


@league_page("league.manage", "POST")
def finish(request: ActorRequest, found: League) -> HttpResponse:
    """POST /l/<slug>/manage/finish/: close the season."""
    now, back = database_now(), reverse("league", args=[found.slug])
    done = _("League finished. Its standings are final.")
    return run_action(request, lambda: finish_league(request.actor, found, now), done, back)


@league_page("league.manage", "POST")
def reopen(request: ActorRequest, found: League) -> HttpResponse:
    """POST /l/<slug>/manage/reopen/: change it again."""
    now, back = database_now(), reverse("manage_league", args=[found.slug])
    return run_action(request, lambda: reopen_league(request.actor, found, now), _("The league is open again."), back)
