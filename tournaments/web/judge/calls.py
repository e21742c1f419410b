"""The queue of calls for judges: claim one, put it back, hand it on, say how it ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import NotFound
from tournaments.core.rounds import with_all
from tournaments.models import JudgeCall, Match, Tournament
from tournaments.permissions import member_of
from tournaments.room.forms import OUTCOMES, OutcomeForm
from tournaments.room.selectors.calls import ended_calls, find_call, open_calls
from tournaments.room.services import calls as services
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view
from tournaments.web.judge.floor import render_floor
from tournaments.web.shared.match_rows import MatchRow, Names, line_of
from tournaments.web.shared.tiles import in_milliseconds

ENDED_SHOWN = 20
State = JudgeCall.State
FIRST = {State.ESCALATED: 0, State.OPEN: 1, State.CLAIMED: 2}
DONE: dict[str, str | Promise] = {
    "claim": gettext_lazy("You go to table %(table)s."),
    "release": gettext_lazy("Table %(table)s waits for another judge."),
    "escalate": gettext_lazy("Table %(table)s: handed on to the head judge."),
    "resolve": gettext_lazy("Table %(table)s: resolved."),
}


@dataclass(frozen=True, slots=True)
class CallLine:
    """A call as judges read it: the table's line, how long it waits, and what the viewer may do about it.

    `since` is the instant of the call in milliseconds of the epoch, `minutes` how long it took until now or its end;
    `extra` are minutes that its table can be given for it, 0 for none.
    """

    call: JudgeCall
    line: MatchRow
    minutes: int
    is_mine: bool
    is_own_table: bool

    @property
    def since(self) -> str:
        """When it was made, as scripts read it."""
        return in_milliseconds(self.call.called_at)

    @property
    def extra(self) -> int:
        """The minutes that it took, where its table still plays."""
        plays = self.line.match.state != Match.State.DONE and self.line.match.kind == Match.Kind.PLAYED
        return min(max(self.minutes, 1), 60) if plays else 0


@event_view("call.answer", fresh=True)
def floor_calls(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/floor/calls/: what was handed on, then who waits longest, then where judges go; the newest ended below."""
    now = database_now()
    waiting = sorted(open_calls(tournament), key=lambda call: (FIRST[State(call.state)], call.called_at, call.pk))
    ended = list(ended_calls(tournament)[:ENDED_SHOWN])
    lines = _lines(request, tournament, [*waiting, *ended], now)
    context = {
        "here": "floor",
        "waiting": lines[: len(waiting)],
        "ended": lines[len(waiting) :],
        "outcomes": OUTCOMES,
        "now": in_milliseconds(now),
    }
    return render_floor(request, tournament, "judge/calls.html", context)


def _lines(request: ActorRequest, tournament: Tournament, calls: Sequence[JudgeCall], now: datetime) -> list[CallLine]:
    names, own = Names(tournament), member_of(request.actor, tournament)
    matches = {each.pk: each for each in with_all(Match.objects.filter(pk__in=[call.match_id for call in calls]))}
    user = request.actor.user
    return [
        CallLine(
            call,
            line_of(matches[call.match_id], names),
            int(((call.ended_at or now) - call.called_at).total_seconds() // 60),
            user is not None and call.judge_id == user.pk,
            own is not None and own.entry_id in {seat.entry_id for seat in matches[call.match_id].seats.all()},
        )
        for call in calls
    ]


@event_view("call.answer", "POST")
def answer_call(request: ActorRequest, tournament: Tournament, call_id: int, act: str) -> HttpResponse:
    """POST …/floor/calls/<id>/<act>/: claim, release, escalate or resolve a call; back to the queue."""
    call = find_call(tournament, call_id)
    if act not in DONE:
        raise NotFound("unknown_call", _("There is no such call in this event."))
    form, back = OutcomeForm(request.POST), reverse("floor_calls", args=[tournament.slug])
    if not form.is_valid():
        messages.error(request, _("Say in a few words how it ended."))
        return redirect(f"{back}#call-{call.pk}")
    now, actor = database_now(), request.actor
    acts: dict[str, Callable[[], object]] = {
        "claim": lambda: services.claim_call(actor, call, now),
        "release": lambda: services.release_call(actor, call, now),
        "escalate": lambda: services.escalate_call(actor, call, now),
        "resolve": lambda: services.resolve_call(
            actor, call, form.outcome_text(), now, extra_seconds=(form.cleaned_data["extra"] or 0) * 60
        ),
    }
    return run_action(request, acts[act], str(DONE[act]) % {"table": call.match.table_number}, back)
