"""The clock of a round: begun, paused, stopped, made longer or shorter; extra time for single tables.

Of two officials who act at once one is served, the other learns what happened (Conflict).
"""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, needed
from tournaments.core.ledger import log_act, require_reason
from tournaments.core.matches import still_there
from tournaments.models import Match, Round, RoundClock, Tournament
from tournaments.room.selectors.clocks import Clock, clock_at, phases_of
from tournaments.rounds.services.rounds import lock_round, publish_round
from tournaments.timing import ClockState

MAX_SECONDS = 12 * 60 * 60
MAX_EXTRA = 120 * 60
"""The most extra time of one table."""


@in_transaction
def publish_and_start(actor: Actor, round_: Round, now: datetime) -> Round:
    """Publish a round and start its clock with it; `publish_round` says what it raises. Without a clock: publish."""
    round_ = publish_round(actor, round_, now)
    if phases_of(round_.stage.tournament, round_, ()):
        start_clock(actor, round_, now)
    return round_


@in_transaction
def start_clock(actor: Actor, round_: Round, now: datetime) -> Clock:
    """Start the first phase of a round's clock; the next follows by itself. Conflict "clock_runs" when it was started.

    Raises DomainError "no_clock" where the event plays without one, Conflict "round_closed".
    """
    tournament, round_, clock = _lock(round_, now)
    if clock.timing.started_at is not None:
        raise Conflict("clock_runs", _("The clock was started already."))
    for phase, timing in clock.phases:
        RoundClock.objects.get_or_create(round=round_, phase=phase, defaults={"length_seconds": timing.length})
    _store(clock, started_at=now)
    return _log(actor, tournament, round_, clock, "clock.started", now)


@in_transaction
def pause_clock(actor: Actor, round_: Round, now: datetime) -> Clock:
    """Let the clock stand. Conflict "clock_stands" when it is paused, over or not started."""
    tournament, round_, clock = _lock(round_, now)
    if clock.timing.state(now) is not ClockState.RUNNING:
        raise Conflict("clock_stands", _("The clock is not running: it is paused, or its time is over."))
    _store(clock, started_at=clock.timing.started_at, paused_at=now)
    return _log(actor, tournament, round_, clock, "clock.paused", now)


@in_transaction
def resume_clock(actor: Actor, round_: Round, now: datetime) -> Clock:
    """Let a paused or stopped clock go on with what it had left. Conflict "clock_runs" when it stands in no such way.

    The time in which it stood does not count.
    """
    tournament, round_, clock = _lock(round_, now)
    timing = clock.timing
    since = needed(timing.paused_at or timing.stopped_at, Conflict("clock_runs", _("The clock is not paused.")))
    stood = round((now - since).total_seconds())
    _store(clock, paused_at=None, stopped_at=None, paused_seconds=timing.paused + max(stood, 0))
    return _log(actor, tournament, round_, clock, "clock.resumed", now)


@in_transaction
def stop_clock(actor: Actor, round_: Round, phase: str, now: datetime) -> Clock:
    """End a phase before its time: of stacking the round follows at once. Conflict "clock_stands" when it is over.

    `phase` is the one the official saw: Conflict "other_phase" once it is another.
    """
    tournament, round_, clock = _lock(round_, now)
    _expect_phase(clock, phase)
    if clock.timing.state(now) not in (ClockState.RUNNING, ClockState.PAUSED):
        raise Conflict("clock_stands", _("The clock does not run: its time is over, or it was not started."))
    stood = round((now - clock.timing.paused_at).total_seconds()) if clock.timing.paused_at else 0
    _store(
        clock, started_at=clock.timing.started_at, paused_at=None, stopped_at=now,
        paused_seconds=clock.timing.paused + stood,
    )  # fmt: skip
    return _log(actor, tournament, round_, clock, "clock.stopped", now)


@in_transaction
def reset_clock(actor: Actor, round_: Round, reason: str, now: datetime) -> Clock:
    """Put a round's clock back to where it was before it was started, with a reason; it can be started again."""
    reason = require_reason(reason)
    tournament, round_, clock = _lock(round_, now)
    round_.clocks.all().delete()
    return _log(actor, tournament, round_, clock, "clock.reset", now, reason=reason)


@in_transaction
def change_clock(
    actor: Actor, round_: Round, phase: str, seconds: int, now: datetime, *, reason: str = "", seen: int | None = None
) -> Clock:
    """Add seconds to a phase, or take some away, which needs a reason; it may be over by that, but never begun anew.

    `seen` is the length in seconds that the official saw: Conflict "clock_changed" once it is another. Raises
    DomainError "bad_minutes", "reason_needed", Conflict "other_phase".
    """
    tournament, round_, clock = _lock(round_, now)
    _expect_phase(clock, phase)
    if seen is not None and seen != clock.timing.length:
        raise Conflict("clock_changed", _("The time of this clock has changed; look at it again."))
    length = clock.timing.length + seconds
    if not seconds or not 60 <= length <= MAX_SECONDS:
        raise DomainError("bad_minutes", _("A clock runs for one minute to twelve hours."), field="minutes")
    reason = require_reason(reason) if seconds < 0 else ""
    _store(clock, started_at=clock.timing.started_at, length_seconds=length)
    return _log(actor, tournament, round_, clock, "clock.changed", now, reason=reason, seconds=seconds)


@in_transaction
def give_extra_time(
    actor: Actor, match: Match, seconds: int, reason: str, now: datetime, *, seen: int | None = None
) -> Match:
    """Give a table so many seconds beyond the clock of its round, or take some of them back; both with a reason.

    `seen` are the extra seconds that the official saw: Conflict "extra_time_changed" once they are others. Raises
    DomainError "reason_needed", "bad_extra_time", Conflict "round_closed", "match_done", "pairings_changed".
    """
    reason = require_reason(reason)
    tournament, round_ = lock_round(match.round)
    match = still_there(Match.objects.select_for_update().filter(pk=match.pk, round=round_).first())
    _expect_played(round_, match)
    if seen is not None and seen != match.extra_seconds:
        raise Conflict("extra_time_changed", _("Another official gave this table time; look at it again."))
    total = match.extra_seconds + seconds
    if not seconds or not 0 <= total <= MAX_EXTRA:
        text = ngettext(
            "A table has up to %(most)d minute of extra time.", "A table has up to %(most)d minutes of extra time.",
            MAX_EXTRA // 60,
        )  # fmt: skip
        raise DomainError("bad_extra_time", text % {"most": MAX_EXTRA // 60}, field="minutes")
    match.extra_seconds, match.round = total, round_
    match.save(update_fields=["extra_seconds"])
    subjects: dict[str, int | str] = {
        "match": match.pk, "table": match.table_number or 0, "match_round": round_.number, "seconds": seconds,
        "total": total,
    }  # fmt: skip
    log_act(tournament, "match.extra_time", actor, now, subjects, {"reason": reason})
    return match


def _expect_played(round_: Round, match: Match) -> None:
    if round_.state != Round.State.PUBLISHED or match.kind != Match.Kind.PLAYED:
        raise Conflict("round_closed", _("This table is not playing."))
    if match.state == Match.State.DONE:
        raise Conflict("match_done", _("This table has a result already."))


def _lock(round_: Round, now: datetime) -> tuple[Tournament, Round, Clock]:
    """Tournament and round, locked in this order, and the clock as it stands; a round not being played is refused."""
    tournament, round_ = lock_round(round_)
    if round_.state != Round.State.PUBLISHED:
        raise Conflict("round_closed", _("Round %(number)d is not being played.") % {"number": round_.number})
    return tournament, round_, _read(tournament, round_, now)


def _read(tournament: Tournament, round_: Round, now: datetime) -> Clock:
    phases = phases_of(tournament, round_, list(RoundClock.objects.filter(round=round_)))
    if not phases:
        raise DomainError("no_clock", _("This event plays without a clock; its settings say how long a round is."))
    return clock_at(round_, phases, now)


def _expect_phase(clock: Clock, phase: str) -> None:
    if clock.phase != phase:
        raise Conflict(
            "other_phase", _("The clock is in another phase by now: %(phase)s.") % {"phase": clock.phase_words}
        )


def _store(clock: Clock, **values: object) -> None:
    """Write what changed of the phase the clock is in; its row is made where there was none."""
    length = {"length_seconds": clock.timing.length}
    RoundClock.objects.update_or_create(
        round=clock.round, phase=clock.phase, defaults=values, create_defaults={**length, **values}
    )


def _log(
    actor: Actor, tournament: Tournament, round_: Round, before: Clock, act: str, now: datetime, *, reason: str = "",
    seconds: int | None = None,
) -> Clock:  # fmt: skip
    """Write the act on the phase it was about, and read the clock as it stands after it."""
    subjects: dict[str, int | str] = {"round": round_.number, "phase": before.phase}
    if seconds is not None:
        subjects["seconds"] = seconds
    log_act(tournament, act, actor, now, subjects, {"reason": reason} if reason else None)
    return _read(tournament, round_, now)
