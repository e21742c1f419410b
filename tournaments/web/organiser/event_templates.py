"""Pages on which an organiser uses an event again: as a template, and for a rehearsal with made-up players."""

from secrets import randbelow

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from accounts.http.typed_confirmation import require_typed_name
from journal.clock import database_now
from tournaments.entries.selectors.entries import active_entries
from tournaments.events.forms.acts import CopyForm
from tournaments.events.services.event_templates import copy_tournament
from tournaments.models import Tournament
from tournaments.rehearsals.forms import USUAL_PLAYERS, RehearseForm
from tournaments.rehearsals.selectors import rehearsals_of
from tournaments.rehearsals.services import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    discard_rehearsal,
    expect_rehearsal,
    play_open_matches,
    play_to_the_end,
    rehearse,
)
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.events import manage_url

SEEDS = 2**31


@event_view("event.settings", "GET", "POST")
def copy_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/copy/: a new event with the settings of this one."""
    form = CopyForm(request.POST or None, tournament=tournament, initial={"name": tournament.name})
    if request.method == "POST" and form.is_valid():
        values, now = form.cleaned_data, database_now()
        changes = {"name": values["name"], "starts_at": values["starts_at"]}
        copy = call_service(
            form, lambda: copy_tournament(request.actor, tournament, changes, now, same_staff=values["same_staff"])
        )
        if copy is not None:
            messages.success(request, _("“%(name)s” created, for staff only.") % {"name": copy.name})
            return redirect(manage_url(copy))
    return render_event(request, tournament, "organiser/duplicate.html", {"form": form})


@event_view("event.settings", "GET", "POST")
def rehearse_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/rehearse/: the viewer's rehearsals of this event; POST begins another one."""
    entered = active_entries(tournament).count() or USUAL_PLAYERS
    initial = {"players": min(max(entered, MIN_PLAYERS), MAX_PLAYERS)}
    form = RehearseForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        players, now = form.cleaned_data["players"], database_now()
        made = call_service(form, lambda: rehearse(request.actor, tournament, players, randbelow(SEEDS), now))
        if made is not None:
            messages.success(request, _("Rehearsal started. Pair round 1."))
            return redirect(manage_url(made))
    context = {"form": form, "rehearsals": rehearsals_of(request.actor, tournament)}
    return render_event(request, tournament, "organiser/rehearse.html", context)


@event_view("event.settings", "POST")
def play_round(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/rehearsal/play/: made-up results for every match that waits."""
    played: list[int] = []
    now = database_now()

    def act() -> None:
        played.append(play_open_matches(request.actor, tournament, now))

    def tell(request: HttpRequest, done: str) -> None:
        if played == [0]:
            messages.info(request, _("No open match: publish a round."))
        else:
            messages.success(request, done)

    return run_action(request, act, _("All matches are played."), manage_url(tournament), tell=tell)


@event_view("event.settings", "POST")
def play_on(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/rehearsal/play-on/: the workers play to the end."""
    done = _("The rehearsal plays by itself until you act. Reload to see progress.")
    now = database_now()
    return run_action(request, lambda: play_to_the_end(request.actor, tournament, now), done, manage_url(tournament))


@event_view("event.settings", "POST")
def discard(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/rehearsal/delete/: throw the rehearsal away and go back to the event."""
    now, real = database_now(), expect_rehearsal(tournament).rehearsal_of or tournament
    asked = require_typed_name(
        request,
        title=_("Delete this rehearsal?"),
        lost=[_("With its players, rounds and results. The event stays.")],
        name=tournament.name,
        label=_("Delete the rehearsal"),
        back=manage_url(tournament),
    )
    back = manage_url(real, "rehearse_event")
    return asked or run_action(
        request, lambda: discard_rehearsal(request.actor, tournament, now), _("Rehearsal deleted."), back
    )
