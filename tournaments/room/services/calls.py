"""Calls for a judge: made at a table, claimed, put back, handed on, resolved, or taken back by who called.

The ledger names ids alone; the caller's note and the outcome stand among its personal values, which officials read.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import User
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound
from tournaments.core.lapsed_calls import OPEN_STATES
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.models import JudgeCall, Match, Round, Tournament
from tournaments.notifications.services import notify_of_judge
from tournaments.permissions import is_staff, member_of, speaks_for_table
from tournaments.room.selectors.calls import call_at, sits_at
from tournaments.room.services.clocks import give_extra_time

Kind, State = JudgeCall.Kind, JudgeCall.State
MAX_NOTE, MAX_OUTCOME = 300, 500


@in_transaction
def call_judge(actor: Actor, match: Match, kind: str, note: str, now: datetime) -> JudgeCall:
    """Ask for a judge at a table of a round that is being played; players for their own table, staff for any.

    A second call of the same match is refused: Conflict "call_open". Conflict "round_closed"; DomainError "bad_kind",
    "no_table"; NotAllowed "not_at_match".
    """
    tournament, match = _lock_match(match)
    _check_may_call(actor, tournament, match)
    if kind not in Kind.values:
        raise DomainError("bad_kind", _("Choose what the call is about."), field="kind")
    if call_at(match) is not None:
        raise Conflict("call_open", _("A judge was called to this table already."))
    member = member_of(actor, tournament) if sits_at(actor, tournament, match) else None
    call = JudgeCall.objects.create(
        tournament=tournament, match=match, member=member, kind=kind, note=" ".join(note.split())[:MAX_NOTE],
        called_at=now,
    )  # fmt: skip
    _log(call, "call.made", actor, now, note=call.note)
    return call


@in_transaction
def claim_call(actor: Actor, call: JudgeCall, now: datetime) -> JudgeCall:
    """A judge goes to the table. Claiming a call twice changes nothing.

    Of two who claim at once one learns who goes: Conflict "call_claimed". Conflict "call_ended"; NotAllowed
    "own_table", "no_account".
    """
    call = _lock_open(actor, call)
    user = _judge(actor)
    if call.state == State.CLAIMED:
        if call.judge_id == user.pk:
            return call
        raise Conflict(
            "call_claimed", _("%(name)s is on the way to this table already.") % {"name": _name_of(call.judge)}
        )
    call.state, call.judge, call.claimed_at = State.CLAIMED, user, now
    call.save(update_fields=["state", "judge", "claimed_at"])
    _log(call, "call.claimed", actor, now)
    notify_of_judge(call.tournament, call, now)
    return call


@in_transaction
def release_call(actor: Actor, call: JudgeCall, now: datetime) -> JudgeCall:
    """Put a claimed call back among those that wait, so that another judge goes.

    Conflict "not_claimed", "call_ended"; NotAllowed "own_table".
    """
    call = _lock_open(actor, call)
    if call.state != State.CLAIMED:
        raise Conflict("not_claimed", _("This call waits for a judge already."))
    return _put_back(actor, call, now)


def put_back_calls(actor: Actor, tournament: Tournament, user: User, now: datetime) -> None:
    """Put back all that an account claimed here, since it answers no call any more; for who holds the event's lock."""
    claimed = JudgeCall.objects.filter(tournament=tournament, judge=user, state=State.CLAIMED)
    for call in claimed.select_related("match", "tournament").order_by("pk"):
        _put_back(actor, call, now)


def _put_back(actor: Actor, call: JudgeCall, now: datetime) -> JudgeCall:
    call.state, call.judge = State.OPEN, None
    call.save(update_fields=["state", "judge"])
    _log(call, "call.released", actor, now)
    return call


@in_transaction
def escalate_call(actor: Actor, call: JudgeCall, now: datetime) -> JudgeCall:
    """Hand a call on to the head judge or organiser; it stands first in the queue until a person claims it.

    Conflict "call_escalated", "call_ended"; NotAllowed "own_table".
    """
    call = _lock_open(actor, call)
    if call.state == State.ESCALATED:
        raise Conflict("call_escalated", _("This call was handed on already."))
    call.state, call.judge, call.escalated_at = State.ESCALATED, None, now
    call.save(update_fields=["state", "judge", "escalated_at"])
    _log(call, "call.escalated", actor, now)
    return call


@in_transaction
def resolve_call(actor: Actor, call: JudgeCall, outcome: str, now: datetime, *, extra_seconds: int = 0) -> JudgeCall:
    """End a call and say in a few words how. Whoever resolves it without a claim is its judge.

    `extra_seconds` go to the table for what the call took, with the outcome as their reason; all or nothing.
    DomainError "outcome_needed"; Conflict "call_ended"; NotAllowed "own_table", "no_account"; for extra time what
    `give_extra_time` raises.
    """
    call = _lock_open(actor, call)
    outcome = " ".join(outcome.split())[:MAX_OUTCOME]
    if not outcome:
        raise DomainError("outcome_needed", _("Say in a few words how it ended."), field="outcome")
    call.judge = call.judge or _judge(actor)
    call.state, call.outcome, call.ended_at = State.RESOLVED, outcome, now
    call.save(update_fields=["state", "judge", "outcome", "ended_at"])
    if extra_seconds:
        give_extra_time(actor, call.match, extra_seconds, outcome, now)
    _log(call, "call.resolved", actor, now, outcome=outcome)
    return call


@in_transaction
def withdraw_call(actor: Actor, call: JudgeCall, now: datetime) -> JudgeCall:
    """Take a call back; one made by staff or by the table's code may be taken back by who may make it, a
    player's also by a team-mate.

    Conflict "call_ended"; NotAllowed "not_your_call", "not_at_match".
    """
    call = _lock(call)
    _check_may_call(actor, call.tournament, call.match)
    own = member_of(actor, call.tournament)
    if call.member is not None and (own is None or own.entry_id != call.member.entry_id):
        text = _("Only the player who called the judge, or their team, can cancel the call.")
        raise NotAllowed("not_your_call", text)
    call.state, call.ended_at = State.WITHDRAWN, now
    call.save(update_fields=["state", "ended_at"])
    _log(call, "call.withdrawn", actor, now)
    return call


def _lock_match(match: Match) -> tuple[Tournament, Match]:
    tournament = lock_tournament(match.round.stage.tournament)
    found = Match.objects.select_related("round__stage__tournament").filter(pk=match.pk).first()
    is_open = found is not None and found.round.superseded_at is None and found.round.state == Round.State.PUBLISHED
    if found is None or not is_open or tournament.state != Tournament.State.RUNNING:
        raise Conflict("round_closed", _("This table is not being played at now; look at your match again."))
    if found.table_number is None:
        raise DomainError("no_table", _("There is no table for a judge to come to."))
    return tournament, found


def _check_may_call(actor: Actor, tournament: Tournament, match: Match) -> None:
    """Players call to their own table, the code on a table to where it lies, staff to any."""
    if actor.via == "command" or speaks_for_table(actor, match):
        return
    if not sits_at(actor, tournament, match) and not is_staff(actor, tournament):
        raise NotAllowed("not_at_match", _("You do not play at this table."))


def _lock(call: JudgeCall) -> JudgeCall:
    """The call as it is now, its event locked; Conflict "call_ended" once it is over."""
    tournament = lock_tournament(call.tournament)
    found = JudgeCall.objects.select_related("match__round__stage", "member", "judge").filter(pk=call.pk).first()
    if found is None:
        raise NotFound("unknown_call", _("There is no such call in this event."))
    found.tournament = found.match.round.stage.tournament = tournament
    if found.state not in OPEN_STATES:
        raise Conflict("call_ended", _("This call is over: %(state)s.") % {"state": found.get_state_display()})
    return found


def _lock_open(actor: Actor, call: JudgeCall) -> JudgeCall:
    """The same for a judge, who answers no call of their own table (docs/how-it-works/trust.md#access)."""
    call = _lock(call)
    if sits_at(actor, call.tournament, call.match):
        raise NotAllowed("own_table", _("You play at this table: another judge answers the call."))
    return call


def _judge(actor: Actor) -> User:
    if actor.user is None:
        raise NotAllowed("no_account", _("Sign in with an account to answer calls."))
    return actor.user


def _name_of(judge: User | None) -> str:
    return judge.get_full_name() if judge is not None else _("Another judge")


def _log(call: JudgeCall, act: str, actor: Actor, now: datetime, **personal: str) -> None:
    subjects: dict[str, int | str] = {"call": call.pk, "match": call.match_id, "table": call.match.table_number or 0}
    log_act(call.tournament, act, actor, now, subjects, {key: value for key, value in personal.items() if value})
