"""Pages on which an organiser makes an event, sees what comes next, changes its settings and its state."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.actors import Actor
from accounts.http.access import page_view
from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from scoring.standings.records import ScoringPolicy
from tournaments.core.forms import CancelForm, ReasonForm
from tournaments.decks.selectors.decks import open_policies
from tournaments.events.forms.new_event import NewEventForm
from tournaments.events.forms.settings import EventForm
from tournaments.events.forms.settings_parts import zone_names
from tournaments.events.selectors.events import Step, awaits_confirmation, is_decided, next_step
from tournaments.events.selectors.overview import EntryCounts, deck_overview, entry_counts, unfinished_matches
from tournaments.events.selectors.todo import Seen, todos_of
from tournaments.events.services.events import (
    SHOWN_AT_THE_END,
    cancel_tournament,
    close_registration,
    create_tournament,
    finish_tournament,
    open_registration,
    reopen_tournament,
    start_tournament,
)
from tournaments.events.services.settings import SettingsChange, changes_of, settings_mark, update_settings
from tournaments.models import Tournament
from tournaments.pairing.swiss.swiss import ROUNDS_WITHOUT_CUT
from tournaments.rehearsals.forms import USUAL_PLAYERS
from tournaments.room.selectors.clocks import clock_of
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.confirmations import ask_to_detach_decks, ask_to_publish_decks
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.event_drafts import (
    FIELD_OF_CODE,
    contradictions_of,
    draft_of,
    filled_values,
    usual_values,
    values_of,
    way_values,
)
from tournaments.web.organiser.missing import without_context
from tournaments.web.organiser.todo_words import todo_line
from tournaments.web.shared.stage_words import next_context
from tournaments.web.shared.timetable_words import timetable_words
from tournaments.web.shared.way_words import DifferenceLine

State = Tournament.State
ASKS = frozenset({"fill", "add_place", "use_way"})
"""Buttons that store nothing."""
Move = Callable[[Actor, Tournament, datetime], Tournament]
MoveWithReason = Callable[[Actor, Tournament, str, datetime], Tournament]


def manage_url(tournament: Tournament, page: str = "manage") -> str:
    """The address of a staff page of an event."""
    return reverse(page, args=[tournament.slug])


@page_view("signed_in", "GET", "POST")
def new_event(request: ActorRequest) -> HttpResponse:
    """GET, POST /new/: make an event; its maker becomes organiser."""
    now = database_now()
    contradictions: list[DifferenceLine] = []
    initial = usual_values(request.actor, now, request.POST.get("shown_play", ""))
    form = NewEventForm(request.POST or None, initial=initial, policy=ScoringPolicy(), user=request.actor.user)
    if asks_for_more(request, form):
        form = NewEventForm(initial=shown_again(request, form), policy=ScoringPolicy(), user=request.actor.user)
    elif request.method == "POST" and form.is_valid():
        draft = draft_of(form.cleaned_data)
        judges, structure = form.cleaned_data["also_judge"], form.cleaned_data.get("structure", "")
        contradictions = contradictions_of(request, draft)
        made = (
            None
            if contradictions
            else call_service(
                form,
                lambda: create_tournament(request.actor, draft, now, also_judge=judges, structure=structure),
                FIELD_OF_CODE,
            )
        )
        if made is not None:
            messages.success(request, _("“%(name)s” created, for staff only.") % {"name": made.name})
            return redirect(manage_url(made))
    return render(request, "organiser/new.html", settings_context(request, form) | {"contradictions": contradictions})


def settings_context(request: ActorRequest, form: EventForm) -> dict[str, Any]:
    """What both pages with the event form show."""
    opens = form.advanced_errors or "fill" in request.POST or "add_place" in request.POST
    return {"form": form, "zones": zone_names(), "round_table": ROUNDS_WITHOUT_CUT, "opens_scoring": opens}


def asks_for_more(request: ActorRequest, form: EventForm) -> bool:
    """Whether the form is to be shown again, filled in by a profile or a way to play, or with another criterion."""
    return request.method == "POST" and (form.is_other_play or not ASKS.isdisjoint(request.POST))


def shown_again(request: ActorRequest, form: EventForm) -> dict[str, Any]:
    """What was typed, as initial values, with the profile or the way to play filled in where that was asked for."""
    if "fill" in request.POST:
        return filled_values(form)
    typed = form.posted_values()
    if "add_place" in request.POST:
        return {**typed, "places": len(form.places) + 1}
    kept = {name: value for name, value in typed.items() if not name.startswith("tiebreaker_")}
    return {**kept, **way_values(typed["play"] if form.is_other_play else form.filled_for), "sheet_data": {}}


@event_view("event.settings", "GET", "POST")
def manage_settings(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/manage/settings/: change what may still be changed."""
    offered: dict[str, Any] = {
        "policy": tournament.scoring_policy,
        "state": tournament.state,
        "user": request.actor.user,
        "publishable": open_policies(tournament),
    }
    form = EventForm(request.POST or None, initial=values_of(tournament), **offered)
    mark = request.POST.get("seen") or settings_mark(tournament)
    if asks_for_more(request, form):
        form = EventForm(initial=shown_again(request, form), **offered)
    elif request.method == "POST" and form.is_valid():
        wanted = draft_of(form.cleaned_data, tournament)
        changes = changes_of(wanted)
        if contradictions := contradictions_of(request, wanted, tournament):
            return _show_settings(request, tournament, form, mark, contradictions)
        asked = ask_to_detach_decks(request, tournament, wanted.game, wanted.game_format)
        if asked is not None:
            return asked
        seen, now = request.POST.get("seen"), database_now()
        stored = call_service(
            form, lambda: update_settings(request.actor, tournament, changes, now, seen=seen), FIELD_OF_CODE
        )
        if stored is not None:
            messages.success(request, _stored_words(stored))
            return redirect(manage_url(tournament, "manage_settings"))
        tournament.refresh_from_db()
        mark = settings_mark(tournament)
    return _show_settings(request, tournament, form, mark)


def _show_settings(
    request: ActorRequest,
    tournament: Tournament,
    form: EventForm,
    mark: str,
    contradictions: Sequence[DifferenceLine] = (),
) -> HttpResponse:
    ended = tournament.state in (State.FINISHED, State.CANCELLED)
    context = {**settings_context(request, form), "here": "settings", "ended": ended, "seen": mark}
    context["contradictions"] = contradictions
    return render_event(request, tournament, "organiser/settings.html", context)


def _stored_words(stored: SettingsChange) -> str:
    words, count = _("Settings saved."), stored.decks_detached
    if not count:
        return words
    taken = ngettext(
        "%(count)d deck doesn't fit the new format: register it again.",
        "%(count)d decks don't fit the new format: register them again.",
        count,
    )
    return f"{words} {taken % {'count': count}}"


@event_view("desk")
def manage(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/: what comes next, and how things stand."""
    return _show_now(request, tournament)


def _show_now(request: ActorRequest, tournament: Tournament, **forms: ReasonForm) -> HttpResponse:
    step, now = next_step(tournament), database_now()
    counts, decks, clock = entry_counts(tournament), deck_overview(tournament), clock_of(tournament, now)
    todos = todos_of(request.actor, tournament, Seen(step, counts, decks, clock), now)
    context = {
        "here": "manage",
        "awaits_confirmation": awaits_confirmation(tournament),
        "rehearsal_players": USUAL_PLAYERS if _may_rehearse(tournament, counts) else None,
        "todos": [todo_line(tournament, each) for each in todos],
        "step": step,
        **next_context(tournament, step, clock),
        "tables": unfinished_matches(step),
        "timetable": timetable_words(tournament, now),
        "counts": counts,
        "decks": decks,
        "share": shared_address(request, manage_url(tournament, "event")),
        "early": step.round is not None and step.step in (Step.PAIR, Step.BEGIN_STAGE),
        "early_form": None if is_decided(tournament) else ReasonForm(prefix="finish"),
        "cancel_form": CancelForm(event_name=tournament.name),
        "reopen_form": ReasonForm(prefix="reopen"),
        **without_context(request, tournament, step),
        **forms,
    }
    return render_event(request, tournament, "organiser/now.html", context)


def _may_rehearse(tournament: Tournament, counts: EntryCounts) -> bool:
    """Whether an organiser who has only just made an event is offered to try it."""
    return tournament.state == State.DRAFT and not counts.registered and tournament.rehearsal_of_id is None


def _move(service: Move, done: Callable[[], str]) -> Callable[..., HttpResponseBase]:
    """A view that applies one change of state."""

    @event_view("event.settings", "POST")
    def view(request: ActorRequest, tournament: Tournament) -> HttpResponse:
        now = database_now()
        return run_action(request, lambda: service(request.actor, tournament, now), done(), manage_url(tournament))

    return view


open_event = _move(open_registration, lambda: _("Registration is open: share the link."))
close_event = _move(close_registration, lambda: _("Registration closed; only staff see the event. Entries stay."))


@event_view("event.settings", "POST")
def finish_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/finish/: make the standings final, with a reason while the stages are not played to the end."""
    now, early = database_now(), " ".join(request.POST.get("finish-reason", "").split())
    done = _("Event finished. Standings are final.")
    asked = ask_to_publish_decks(
        request,
        tournament,
        moments=SHOWN_AT_THE_END,
        title=_("Finish and publish decklists?"),
        label=_("Finish and publish"),
    )
    return asked or run_action(
        request, lambda: finish_tournament(request.actor, tournament, now, early=early), done, manage_url(tournament)
    )


@event_view("event.settings", "POST")
def start_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/start/: start, `without_decks` of some, with the advised rounds or the planned."""
    now = database_now()
    chosen = {name: bool(request.POST.get(name)) for name in ("without_decks", "takes_advice")}
    done = _("The event has started. Pair round 1.")
    return run_action(
        request,
        lambda: start_tournament(request.actor, tournament, now, **chosen),
        done,
        manage_url(tournament),
    )


@event_view("event.settings", "POST")
def cancel_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/cancel/: call the event off, with a reason and its name typed."""
    form = CancelForm(request.POST, event_name=tournament.name)
    return _move_with_reason(
        request, tournament, {"cancel_form": form}, cancel_tournament, _("The event is cancelled.")
    )


@event_view("event.settings", "POST")
def reopen_event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/reopen/: take a finished event back to running, with a reason."""
    form = ReasonForm(request.POST, prefix="reopen")
    done = _("Event reopened; its last round is open.")
    return _move_with_reason(request, tournament, {"reopen_form": form}, reopen_tournament, done)


def _move_with_reason(
    request: ActorRequest, tournament: Tournament, named: dict[str, ReasonForm], service: MoveWithReason, done: str
) -> HttpResponse:
    form, now = next(iter(named.values())), database_now()
    if (
        form.is_valid()
        and call_service(form, lambda: service(request.actor, tournament, form.cleaned_data["reason"], now)) is not None
    ):
        messages.success(request, done)
        return redirect(manage_url(tournament))
    return _show_now(request, tournament, **named)
