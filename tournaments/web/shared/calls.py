"""Calling a judge to a table: the part on the pages of those who sit there, and the buttons on it."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from rules_engine.errors import Conflict
from tournaments.kept_answers import keep, keeps_answers, time_of_reading
from tournaments.models import JudgeCall, Match, Tournament
from tournaments.permissions import member_of
from tournaments.room.forms import CallForm
from tournaments.room.selectors.calls import call_at, calls_by_match, find_table_to_call_from
from tournaments.room.selectors.no_shows import no_show_at
from tournaments.room.services.calls import call_judge as make_call
from tournaments.room.services.calls import withdraw_call as take_call_back
from tournaments.web.frame.actions import run_action, sent_back
from tournaments.web.frame.event_view import event_view, render_event


@dataclass(frozen=True, slots=True)
class TableCall:
    """What those at a table are shown of a judge's call: the open one, if any, and whether the viewer takes it back.

    `match` is the table's, `back` the page to come back to, `form` what a new call says.
    """

    match: Match
    back: str
    call: JudgeCall | None
    may_take_back: bool
    form: CallForm

    @property
    def address(self) -> str:
        """Where the form is sent."""
        return reverse("call_judge", args=[self.match.round.stage.tournament.slug, self.match.pk])


def call_context(actor: Actor, tournament: Tournament, match: Match, back: str) -> dict[str, Any]:
    """What `shared/call_judge_form.html` needs on a page for those who sit at `match`; two queries.

    `back` is the address of that page. Empty where nobody can be called: a bye, a round that is not being played.
    """
    if not can_call(tournament, match):
        return {}
    call = _call_at(tournament, match)
    caller = call.member if call is not None else None
    own = member_of(actor, tournament) if caller is not None else None
    is_theirs = caller is None or (own is not None and own.entry_id == caller.entry_id)
    may_take_back = call is not None and is_theirs
    return {
        "table_call": TableCall(match, back, call, may_take_back, CallForm(auto_id="call_%s")),
        "no_show": no_show_at(match, call, time_of_reading(tournament)),
    }


def _call_at(tournament: Tournament, match: Match) -> JudgeCall | None:
    """The open call of a match; all those of an event that keeps answers are asked for at once."""
    if not keeps_answers(tournament):
        return call_at(match)
    return keep(tournament, "open calls", lambda: calls_by_match(tournament)).get(match.pk)


def can_call(tournament: Tournament, match: Match) -> bool:
    """Whether a judge can be called to a match now: it is at a table and its round is being played."""
    is_running = tournament.state == Tournament.State.RUNNING and match.round.superseded_at is None
    return is_running and match.table_number is not None and match.round.state == match.round.State.PUBLISHED


@event_view("call.make", "GET", "POST", fresh=True)
def call_judge(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """GET, POST …/call/<match id>/: call a judge to your table; NotFound for every other table."""
    match = find_table_to_call_from(request.actor, tournament, match_id)
    form, back = CallForm(request.POST if request.method == "POST" else None, auto_id="call_%s"), sent_back(request, "")
    if form.is_bound and form.is_valid():
        kind, note = form.cleaned_data["kind"], form.cleaned_data["note"]
        if call_service(form, lambda: make_call(request.actor, match, kind, note, database_now())) is not None:
            messages.success(request, _("A judge is called to table %(table)s.") % {"table": match.table_number})
            return redirect(back or request.path)
    context = call_context(request.actor, tournament, match, back or request.path)
    if form.is_bound and context:
        context["table_call"] = TableCall(match, back or request.path, context["table_call"].call, False, form)
    return render_event(request, tournament, "shared/call_judge.html", {"here": "my", "match": match, **context})


@event_view("call.make", "POST")
def withdraw_call(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/call/<match id>/take-back/: your call is not needed any more."""
    match = find_table_to_call_from(request.actor, tournament, match_id)
    back = sent_back(request, "") or reverse("call_judge", args=[tournament.slug, match.pk])

    def act() -> None:
        call = call_at(match)
        if call is None or str(call.pk) != request.POST.get("call", str(call.pk)):
            raise Conflict("call_ended", _("This call is already closed."))
        take_call_back(request.actor, call, database_now())

    return run_action(request, act, _("Call cancelled."), back)
