"""Penalties: given and taken back by judges, with their effect on results and on who plays on.

The ledger names ids alone; kind, infraction and notes stand among its personal values, which officials read and which
can be erased. Of a penalty that decided a match everybody sees the result, and no more.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from scoring.standings.records import Outcome
from scoring.standings.results import with_game_losses, with_match_loss
from tournaments.core.ledger import expect_state, lock_tournament, log_act, require_reason
from tournaments.core.matches import check_version, lock_match, seats_in_order
from tournaments.core.rounds import current_round, missing_matches
from tournaments.entries.selectors.entries import last_round_seated
from tournaments.entries.services.attendance import expect_entry_state, promote_waiting
from tournaments.models import Amendment, Entry, Match, Penalty, ResultReport, Round, Seat, Tournament
from tournaments.penalties.selectors import game_losses_left, penalties_at
from tournaments.results.services.corrections import set_penalty_result
from tournaments.results.services.stored_reports import as_result
from tournaments.standings.services import given_if_shown, record_amendment

Kind = Penalty.Kind
MAX_INFRACTION, MAX_NOTES = 120, 1000
PUNISHABLE = (Entry.State.REGISTERED, Entry.State.DROPPED, Entry.State.DISQUALIFIED)


@in_transaction
def give_penalty(
    actor: Actor,
    entry: Entry,
    kind: str,
    infraction: str,
    now: datetime,
    *,
    notes: str = "",
    match: Match | None = None,
    version: int | None = None,
) -> Penalty:
    """Give an entry a penalty; `match` is the one it is for, `version` that match's as the judge saw it.

    A match loss or a disqualification loses that match at once, whether it had a result or not; a game loss is put into
    a result that counts, and asked of any that comes later. A disqualification also loses every match still being
    played, and ends the event for the entry: no rank, never paired again, its deck stays.
    Raises DomainError "infraction_needed", "match_needed", "not_at_match", Conflict "match_changed",
    "wrong_entry_state".
    """
    tournament, entry = _lock_entry(entry)
    if match is not None:
        match = _lock_match_of(entry, match, version)
    elif kind == Kind.MATCH_LOSS:
        raise DomainError("match_needed", _("Choose the match that is lost."), field="match")
    penalty = Penalty.objects.create(
        tournament=tournament, entry=entry, match=match, round=match.round if match else current_round(tournament),
        kind=Kind(kind).value, infraction=_needed_infraction(infraction), notes=notes.strip()[:MAX_NOTES],
        actor=actor.key, actor_label=actor.label[:120], given_at=now,
    )  # fmt: skip
    hit = _matches_hit(tournament, penalty)
    reports = [_apply(actor, penalty, each, now) for each in hit if each.accepted_report is None]
    before = given_if_shown(tournament) if kind != Kind.WARNING else None
    reports += [_apply(actor, penalty, each, now) for each in hit if each.accepted_report is not None]
    if kind == Kind.DISQUALIFICATION:
        _disqualify(actor, tournament, entry, now)
    penalty.report = next((report for report in reports if report is not None), None)
    penalty.save(update_fields=["report"])
    record_amendment(tournament, Amendment.Kind.PENALTY, before, now, report=penalty.report, entry=entry)
    _log(tournament, "penalty.given", actor, now, penalty)
    return penalty


@in_transaction
def take_back_penalty(actor: Actor, penalty: Penalty, reason: str, now: datetime) -> Penalty:
    """Say that a penalty does not count any more, with a reason for officials.

    A result that it changed stays until a person corrects it. Whoever was disqualified counts as dropped from then on,
    before the start as withdrawn: the rank is back, and staff take the entry back as any other. Raises Conflict
    "already_taken_back".
    """
    tournament, entry = _lock_entry(penalty.entry)
    penalty = Penalty.objects.select_for_update().get(pk=penalty.pk)
    penalty.entry = entry
    if penalty.taken_back_at is not None:
        raise Conflict("already_taken_back", _("This penalty is already undone."))
    penalty.taken_back_at, penalty.taken_back_by = now, actor.key
    penalty.taken_back_reason = require_reason(reason)
    penalty.save(update_fields=["taken_back_at", "taken_back_by", "taken_back_reason"])
    left = Penalty.objects.filter(entry=entry, kind=Kind.DISQUALIFICATION, taken_back_at=None).exists()
    if entry.state == Entry.State.DISQUALIFIED and not left:
        before = given_if_shown(tournament)
        entry.state = Entry.State.DROPPED
        if tournament.started_at is None:
            entry.state, entry.dropped_after = Entry.State.WITHDRAWN, None
        entry.save(update_fields=["state", "dropped_after"])
        record_amendment(tournament, Amendment.Kind.PENALTY, before, now, entry=entry)
    _log(tournament, "penalty.taken_back", actor, now, penalty, reason=penalty.taken_back_reason)
    return penalty


def carry_game_losses(actor: Actor, round_: Round, now: datetime) -> None:
    """Let the game losses of tables that gave way count at their players' new tables of the same round, each logged.

    That of a player without a match in it, as with a bye, stays where it is.
    """
    left = game_losses_left(round_)
    wanted = {penalty.entry_id for penalty in left}
    seats = Seat.objects.filter(round=round_, match__kind=Match.Kind.PLAYED, entry__in=wanted).select_related("match")
    match_of = {seat.entry_id: seat.match for seat in seats}
    for penalty in left:
        if (match := match_of.get(penalty.entry_id)) is not None:
            penalty.match, penalty.round = match, round_
            penalty.save(update_fields=["match", "round"])
            _log(round_.stage.tournament, "penalty.carried", actor, now, penalty)


def _lock_entry(entry: Entry) -> tuple[Tournament, Entry]:
    tournament = lock_tournament(entry.tournament)
    expect_state(tournament, Tournament.State.REGISTRATION, Tournament.State.RUNNING)
    return tournament, Entry.objects.get(pk=entry.pk)


def _lock_match_of(entry: Entry, match: Match, version: int | None) -> Match:
    """The entry's own match, locked and as the judge saw it."""
    _tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    if not match.seats.filter(entry=entry).exists():
        raise DomainError("not_at_match", _("%(name)s does not play this match.") % {"name": entry.name})
    check_version(match, version)
    return match


def _needed_infraction(infraction: str) -> str:
    infraction = " ".join(infraction.split())
    if not infraction:
        raise DomainError("infraction_needed", _("Say what the penalty is for."), field="infraction")
    return infraction[:MAX_INFRACTION]


def _disqualify(actor: Actor, tournament: Tournament, entry: Entry, now: datetime) -> None:
    expect_entry_state(entry, *PUNISHABLE)
    after = last_round_seated(entry) if entry.dropped_after is None else entry.dropped_after
    entry.state, entry.dropped_after = Entry.State.DISQUALIFIED, after
    entry.save(update_fields=["state", "dropped_after"])
    if tournament.state == Tournament.State.REGISTRATION:
        promote_waiting(actor, tournament, now)


def _matches_hit(tournament: Tournament, penalty: Penalty) -> list[Match]:
    """The matches whose result a penalty may change: its own, and all still being played for a disqualification."""
    if penalty.kind == Kind.WARNING:
        return []
    hit = [] if penalty.match is None else [penalty.match]
    if penalty.kind == Kind.DISQUALIFICATION:
        still = missing_matches(tournament).filter(seats__entry=penalty.entry, kind=Match.Kind.PLAYED)
        hit += still.exclude(pk=penalty.match.pk if penalty.match else 0).select_related("round__stage__tournament")
    return hit


def _apply(actor: Actor, penalty: Penalty, match: Match, now: datetime) -> ResultReport | None:
    """The report by which a penalty changes a match; None where it leaves it as it is."""
    seats = seats_in_order(match)
    seat = next(place for place, each in enumerate(seats) if each.entry_id == penalty.entry_id)
    length, standing = match.round.stage.match_length, match.accepted_report
    so_far = as_result(standing) if standing else None
    given = penalties_at(match, seats)
    others = {*given.game_losses, *given.match_losses}
    if penalty.kind == Kind.GAME_LOSS:
        result = with_game_losses(so_far, seat, given.game_losses[seat], length, others) if so_far else None
    else:
        result = with_match_loss(so_far, seat, len(seats), length, others)
    if result is None or result == so_far:
        return None
    if penalty.kind != Kind.MATCH_LOSS and match.round.stage.needs_winner and Outcome.WIN not in result.outcomes:
        return None  # staff say who goes on
    reason = _("Penalty") if penalty.kind != Kind.DISQUALIFICATION else _("Disqualification")
    return set_penalty_result(actor, match, result, reason, now).report


def _log(tournament: Tournament, act: str, actor: Actor, now: datetime, penalty: Penalty, **personal: str) -> None:
    subjects: dict[str, int | str] = {"penalty": penalty.pk, "entry": penalty.entry.number}
    if penalty.match is not None:
        subjects |= {"match": penalty.match.pk, "table": penalty.match.table_number or 0}
    said = {"kind": penalty.kind, "infraction": penalty.infraction, "notes": penalty.notes, **personal}
    log_act(tournament, act, actor, now, subjects, {key: value for key, value in said.items() if value})
