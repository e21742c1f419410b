"""Calls for a judge that nobody answered before their round was over."""

from collections.abc import Collection
from datetime import datetime

from accounts.actors import Actor
from tournaments.core.ledger import log_act
from tournaments.models import JudgeCall, Tournament

State = JudgeCall.State
OPEN_STATES = (State.OPEN, State.CLAIMED, State.ESCALATED)


def end_calls(actor: Actor, tournament: Tournament, rounds: Collection[int], now: datetime) -> None:
    """End the calls of rounds, by id, that are over: no judge goes to a table where nobody plays; each is logged.

    For services that close rounds, under their lock and in their transaction. A round that opens again has no calls:
    whoever still needs a judge calls again.
    """
    calls = JudgeCall.objects.filter(match__round__in=rounds, state__in=OPEN_STATES).select_related("match")
    for call in calls:
        call.state, call.ended_at = State.LAPSED, now
        call.save(update_fields=["state", "ended_at"])
        subjects = {"call": call.pk, "match": call.match_id, "table": call.match.table_number or 0}
        log_act(tournament, "call.lapsed", actor, now, subjects)
