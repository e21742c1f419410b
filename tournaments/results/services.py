"""Results: reported, confirmed, disputed, corrected; reports never change, a match points at the one that counts."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from scoring.models import SheetRevision
from scoring.standings.records import Outcome
from scoring.standings.results import MatchResult, ResultKind
from tournaments.core.contents import held_in
from tournaments.core.forecast_renewal import ask_to_renew
from tournaments.core.lapsed_calls import end_calls
from tournaments.core.ledger import log_act, require_reason
from tournaments.core.matches import check_version, lock_match, seats_in_order
from tournaments.core.rounds import rounds_after
from tournaments.models import Amendment, Match, ReportAct, ResultReport, Round, Seat, SeatResult, Tournament
from tournaments.permissions import TABLE, acting_role, check_issuer
from tournaments.results.checks import check_for
from tournaments.results.selectors import (
    accepted_report_of,
    is_absence_doubtful,
    know_results,
    load_reports,
    pending_of,
    waits_for_staff,
)
from tournaments.sheets.selectors import is_signed, uses_sheets, waits_for_names
from tournaments.standings.services import given_if_shown, record_amendment
from tournaments.structure.services.brackets import follow_bracket

Act = ReportAct.Name


class Status(StrEnum):
    """What became of a report."""

    STANDING = "standing"
    WAITING = "waiting"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """What the reporter is told: what became of it, the report stored (or the equal one found), the one that counts."""

    status: Status
    report: ResultReport
    standing: ResultReport | None


@in_transaction
def report_result(
    actor: Actor,
    match: Match,
    result: MatchResult,
    now: datetime,
    *,
    seat: Seat | None = None,
    version: int | None = None,
    sheet_revision: SheetRevision | None = None,
) -> ReportAnswer:
    """Report a match of an open round; `seat` is the reporter's own seat when a player reports, None for staff.

    A player's first report waits; an equal one from another seat confirms it; a different one is a conflict, which
    stays for staff to settle whatever the players report afterwards.
    Staff's report counts at once; over a player's differing report it settles. What already counts is not overwritten:
    an equal report is answered as stored, a different one is kept and answered as a conflict (staff correct instead).
    `version` is the match's as the reporter saw it: while nothing counts, a report on an older one stores nothing, but
    a player's against another that waits is kept as a conflict.
    Where only staff or a named player agree to what codes of tables told, an equal report by one, or of one, changes
    nothing; nor does one that makes somebody absent who could have said so.
    `sheet_revision` is the score sheet that says so; where tables fill in sheets, players report by them alone.
    Raises DomainError "bad_score", "bad_game", "needs_a_winner", "penalty_missing", "sheet_needed", Conflict
    "round_closed", "match_changed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED)
    if seat is not None:
        check_issuer(actor, match)
    if seat is not None and sheet_revision is None and uses_sheets(tournament):
        raise DomainError("sheet_needed", _("The result comes from your score sheet: fill it in and file it."))
    seats = seats_in_order(match)
    check_for(tournament, match, seats, result, by_sheet=sheet_revision is not None)
    load_reports(match)
    pending, standing = pending_of(match), accepted_report_of(match)
    rivals = (standing, *(pending if sheet_revision is None else ()))
    equal = next((report for report in rivals if report and as_result(report) == replace(result, games=())), None)
    if equal is not None and equal == standing:
        return ReportAnswer(Status.STANDING, equal, standing)
    if equal is not None and _is_now_named(tournament, equal, actor, seat):
        equal = None
    if equal is not None and seat is not None and _keeps_waiting(tournament, equal, seats, actor, seat):
        return ReportAnswer(Status.WAITING if match.state == Match.State.REPORTED else Status.CONFLICT, equal, None)
    if equal is not None and (seat is None or len(pending) == 1):
        return _confirm(tournament, match, equal, actor, now)
    if standing is not None:
        return _record_conflict(tournament, match, standing, seats, result, actor, now, seat)
    if seat is None or not pending:  # else two sides disagree: a word is never lost because the other came first
        check_version(match, version)
    report = _store_report(tournament, match, seats, result, actor, now, seat=seat, sheet_revision=sheet_revision)
    if seat is None:
        return _stand(tournament, match, report, actor, now, "result.settled" if pending else "result.reported")
    return _wait(tournament, match, [*pending, report], actor, now)


def _is_now_named(tournament: Tournament, equal: ResultReport, actor: Actor, seat: Seat | None) -> bool:
    """Whether a player says by name what a code of the table said for them: that is a report of its own."""
    is_own = seat is not None and equal.by_seat_id == seat.pk
    return is_own and equal.role == TABLE and acting_role(actor, tournament) != TABLE


def _keeps_waiting(
    tournament: Tournament, equal: ResultReport, seats: Sequence[Seat], actor: Actor, seat: Seat
) -> bool:
    """Whether the same report from a player's seat leaves a waiting one waiting."""
    if equal.by_seat_id == seat.pk or waits_for_staff(tournament, equal, acting_role(actor, tournament), seat):
        return True
    return _is_doubtful(tournament, equal, seats, seat)


def _is_doubtful(tournament: Tournament, report: ResultReport, seats: Sequence[Seat], seat: Seat) -> bool:
    said = {seat.pk, *([report.by_seat_id] if report.by_seat_id else [])}
    return is_absence_doubtful(tournament, seats, as_result(report).absent, said)


@in_transaction
def confirm_report(
    actor: Actor,
    report: ResultReport,
    now: datetime,
    *,
    seat: Seat | None = None,
    version: int | None = None,
    reason: str = "",
) -> ReportAnswer:
    """Agree to a waiting report, from another seat than the reporter's (`seat`) or as staff (None): now it counts.

    A score sheet has its signatures instead; without all of them staff need a `reason`.
    `version` is the match's as seen. Raises Conflict "not_waiting" when something else came in meanwhile,
    "match_changed", DomainError "own_report" for the reporter, "staff_agree", "player_agrees",
    "absence_doubtful", "signatures_missing", "reason_needed",
    "penalty_missing" where a penalty came after the report.
    """
    tournament, match = lock_match(report.match, Round.State.PUBLISHED)
    if match.accepted_report_id == report.pk:
        return ReportAnswer(Status.STANDING, report, report)
    load_reports(match)
    pending = pending_of(match)
    check_version(match, version)
    if report not in pending or (len(pending) > 1 and seat is not None):
        raise Conflict("not_waiting", _("Another report came in for this match; look at it again."))
    report = pending[pending.index(report)]  # as it is now, with its match
    seats = seats_in_order(match)
    if report.sheet_revision is not None:
        reason = _check_signed(match, report.sheet_revision, seats, seat, reason)
    elif seat is not None and report.by_seat_id == seat.pk:
        raise DomainError("own_report", _("The other player or the staff confirms your report."))
    if seat is not None:
        _check_word(tournament, report, seats, actor, seat)
    check_for(tournament, match, seats, as_result(report), by_sheet=report.sheet_revision is not None)
    return _confirm(tournament, match, report, actor, now, reason)


def _check_word(tournament: Tournament, report: ResultReport, seats: Sequence[Seat], actor: Actor, seat: Seat) -> None:
    """Refuse a player's agreement that takes somebody's who is named, or the staff's."""
    check_issuer(actor, report.match)
    if report.sheet_revision is not None:
        if waits_for_names(tournament, report, seats):
            raise DomainError("staff_agree", _("This score sheet waits for the staff: they confirm it."))
        return
    if _is_doubtful(tournament, report, seats, seat):
        raise DomainError("absence_doubtful", _("The staff confirm who did not come."))
    waits = waits_for_staff(tournament, report, acting_role(actor, tournament), seat)
    if waits and tournament.table_reports == Tournament.TableReports.PLAYERS:
        text = _("A player with an account or a personal link agrees there, or the staff confirm the result.")
        raise DomainError("player_agrees", text)
    if waits:
        raise DomainError("staff_agree", _("At this event the staff confirm what the code on a table reports."))


def _check_signed(match: Match, revision: SheetRevision, seats: Sequence[Seat], seat: Seat | None, reason: str) -> str:
    """The reason to keep with a confirmed sheet, "" with all signatures; only staff go without one."""
    if is_signed(match, revision, seats):
        return ""
    if seat is not None:
        raise DomainError("signatures_missing", _("Sign the score sheet: it counts once its signatures are there."))
    return require_reason(reason)


@in_transaction
def dispute_report(
    actor: Actor, report: ResultReport, reason: str, now: datetime, *, version: int | None = None
) -> Match:
    """Say that a waiting report is wrong, without a score of one's own; staff settle it."""
    tournament, match = lock_match(report.match, Round.State.PUBLISHED)
    check_issuer(actor, match)
    check_version(match, version)
    if report not in pending_of(match):
        raise Conflict("not_waiting", _("This report is not waiting any more; look at the match again."))
    _act(report, Act.DISPUTE, actor, tournament, now, " ".join(reason.split())[:500])
    match.state = Match.State.CONFLICT
    match.version += 1
    match.save(update_fields=["state", "version"])
    _log(tournament, "result.disputed", actor, now, match, report)
    return match


@in_transaction
def correct_result(
    actor: Actor,
    match: Match,
    result: MatchResult,
    reason: str,
    now: datetime,
    *,
    seen: int | None = None,
    sheet_revision: SheetRevision | None = None,
) -> ReportAnswer:
    """Replace the result that counts by a new report naming it, with a reason; also in a closed round.

    Rounds that were paired on the old result are marked, not paired again (docs/how-it-works/trust.md#p4); the matches
    of a bracket follow it, unless one has begun (Conflict "bracket_moved_on"). `seen` is the id of the report the
    corrector saw as standing: if another counts by now, Conflict "result_changed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    reason = require_reason(reason)
    old = match.accepted_report
    if old is None:
        raise Conflict("nothing_to_correct", _("No result counts for this match yet: report it instead."))
    _check_seen(old, seen)
    seats = seats_in_order(match)
    check_for(tournament, match, seats, result, by_sheet=sheet_revision is not None)
    before = given_if_shown(tournament)
    report = _store_report(
        tournament, match, seats, result, actor, now, corrects=old, reason=reason, sheet_revision=sheet_revision
    )
    answer = _stand(tournament, match, report, actor, now, "result.corrected", reason)
    if as_result(old) != replace(result, games=()):
        _follow_change(tournament, match, actor, now, reason)
    record_amendment(tournament, Amendment.Kind.CORRECTION, before, now, report=report, reason=reason)
    return answer


@in_transaction
def keep_result(actor: Actor, match: Match, reason: str, now: datetime, *, seen: int | None = None) -> Match:
    """Keep the result that counts although somebody reported another one afterwards; needs a reason.

    `seen` is the id of the report seen as standing: if another counts by now, Conflict "result_changed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    reason = require_reason(reason)
    if match.accepted_report is None:
        raise Conflict("nothing_to_uphold", _("No result counts for this match yet: settle it by choosing a report."))
    _check_seen(match.accepted_report, seen)
    _act(match.accepted_report, Act.SETTLE, actor, tournament, now, reason)
    _log(tournament, "result.upheld", actor, now, match, match.accepted_report)
    return match


@in_transaction
def set_penalty_result(actor: Actor, match: Match, result: MatchResult, reason: str, now: datetime) -> ReportAnswer:
    """The result that follows from a penalty: in place of the one that counts, or the first one of an open match.

    What is equal to the one that counts changes nothing. `reason` is for everybody to read.
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    old, seats = match.accepted_report, seats_in_order(match)
    if old is not None and as_result(old) == replace(result, games=()):
        return ReportAnswer(Status.STANDING, old, old)
    check_for(tournament, match, seats, result)
    report = _store_report(tournament, match, seats, result, actor, now, corrects=old, reason=require_reason(reason))
    answer = _stand(tournament, match, report, actor, now, "result.imposed")
    if old is not None:
        _follow_change(tournament, match, actor, now, reason)
    return answer


def as_result(report: ResultReport) -> MatchResult:
    """A stored report as the value that was reported, without its single games: what two reports must agree on."""
    rows = sorted(report.seat_results.all(), key=lambda row: row.seat_id)
    kind = ResultKind(report.kind)
    placings = tuple(row.placing for row in rows if row.placing is not None)
    last = max(placings, default=None)
    losing = tuple(place for place, row in enumerate(rows) if row.outcome == Outcome.LOSS and row.placing == last)
    return MatchResult(
        kind,
        tuple(row.games_won for row in rows),
        report.games_drawn,
        absent=losing if kind is ResultKind.NO_SHOW else (),
        placings=placings,
        scores=tuple(Fraction(row.score) for row in rows if row.score is not None),
        penalised=losing if kind is ResultKind.MATCH_LOSS else (),
    )


def _check_seen(standing: ResultReport, seen: int | None) -> None:
    if seen is not None and seen != standing.pk:
        raise Conflict(
            "result_changed", _("Somebody else changed this result meanwhile; look at it again."), standing=standing.pk
        )


def _log(
    tournament: Tournament, act: str, actor: Actor, now: datetime, match: Match, report: ResultReport, reason: str = ""
) -> None:
    subjects: dict[str, int | str] = {"match": match.pk, "table": match.table_number or 0}
    subjects |= {"report": report.pk, "number": report.number}
    personal = {"reason": reason} if reason else None
    log_act(tournament, act, actor, now, subjects, personal, held=held_in(match, report))


def _store_report(
    tournament: Tournament,
    match: Match,
    seats: list[Seat],
    result: MatchResult,
    actor: Actor,
    now: datetime,
    *,
    seat: Seat | None = None,
    corrects: ResultReport | None = None,
    reason: str = "",
    sheet_revision: SheetRevision | None = None,
) -> ResultReport:
    report = match.reports.create(
        number=match.reports.count() + 1, by_seat=seat, kind=result.kind.value,
        games_drawn=result.games_drawn,
        games=[asdict(game) for game in result.games], actor=actor.key, actor_label=actor.label[:120],
        role=acting_role(actor, tournament), corrects=corrects, reason=reason,
        sheet_revision=sheet_revision, reported_at=now, issuer=actor.issuer or None, device=actor.device or None,
    )  # fmt: skip
    outcomes, placings, scores = result.outcomes, result.placings, result.scores
    results = SeatResult.objects.bulk_create(
        SeatResult(
            report=report, seat=seat_, outcome=outcomes[place].value, games_won=result.games_won[place],
            placing=placings[place] if placings else None, score=_as_decimal(scores[place]) if scores else None,
        )
        for place, seat_ in enumerate(seats)
    )  # fmt: skip
    know_results(report, results)
    return report


def _as_decimal(score: Fraction) -> Decimal:
    return Decimal(score.numerator) / Decimal(score.denominator)


def _act(
    report: ResultReport, name: Act, actor: Actor, tournament: Tournament, now: datetime, reason: str = ""
) -> None:
    ReportAct.objects.create(
        report=report, name=name, actor=actor.key, actor_label=actor.label[:120], role=acting_role(actor, tournament),
        reason=reason, acted_at=now, after_report=report.match.reports.count(),
        issuer=actor.issuer or None, device=actor.device or None,
    )  # fmt: skip


def _confirm(
    tournament: Tournament, match: Match, report: ResultReport, actor: Actor, now: datetime, reason: str = ""
) -> ReportAnswer:
    settles = match.state == Match.State.CONFLICT
    _act(report, Act.SETTLE if settles else Act.CONFIRM, actor, tournament, now, reason)
    return _stand(tournament, match, report, actor, now, "result.settled" if settles else "result.confirmed", reason)


def _record_conflict(
    tournament: Tournament,
    match: Match,
    standing: ResultReport,
    seats: list[Seat],
    result: MatchResult,
    actor: Actor,
    now: datetime,
    seat: Seat | None,
) -> ReportAnswer:
    """A report against the one that counts: kept once for staff to see, however often it is sent."""
    told, told_by = replace(result, games=()), (seat and seat.pk, actor.key)
    later = (report for report in match.reports.all() if report.number > standing.number)
    for report in later:
        if (report.by_seat_id, report.actor) == told_by and as_result(report) == told:
            return ReportAnswer(Status.CONFLICT, report, standing)
    report = _store_report(tournament, match, seats, result, actor, now, seat=seat)
    _log(tournament, "result.contradicted", actor, now, match, report)
    return ReportAnswer(Status.CONFLICT, report, standing)


def _wait(
    tournament: Tournament, match: Match, pending: Sequence[ResultReport], actor: Actor, now: datetime
) -> ReportAnswer:
    """A player's report, the last one pending: alone it waits; a conflict or a dispute stays one until settled."""
    report = pending[-1]
    clash = match.state == Match.State.CONFLICT or len({each.by_seat_id for each in pending}) > 1
    match.state = Match.State.CONFLICT if clash else Match.State.REPORTED
    match.version += 1
    match.save(update_fields=["state", "version"])
    _log(tournament, "result.contradicted" if clash else "result.reported", actor, now, match, report)
    return ReportAnswer(Status.CONFLICT if clash else Status.WAITING, report, None)


def _stand(
    tournament: Tournament, match: Match, report: ResultReport, actor: Actor, now: datetime, act: str, reason: str = ""
) -> ReportAnswer:
    """The one place that decides which report counts."""
    match.accepted_report, match.state = report, Match.State.DONE
    match.version += 1
    match.save(update_fields=["accepted_report", "state", "version"])
    _log(tournament, act, actor, now, match, report, reason)
    _close_if_complete(tournament, match.round, actor, now)
    return ReportAnswer(Status.STANDING, report, report)


def _close_if_complete(tournament: Tournament, round_: Round, actor: Actor, now: datetime) -> None:
    """With its last result, end a round where the next one is paired already: nothing else would."""
    waits = round_.matches.exclude(state=Match.State.DONE).exists()
    if not waits:
        ask_to_renew(tournament, now)
    if round_.state != Round.State.PUBLISHED or waits or not rounds_after(round_).exists():
        return
    round_.state, round_.closed_at = Round.State.CLOSED, now
    round_.save(update_fields=["state", "closed_at"])
    end_calls(actor, tournament, [round_.pk], now)
    log_act(tournament, "round.closed", actor, now, {"round": round_.number, "version": round_.version})


def _follow_change(tournament: Tournament, match: Match, actor: Actor, now: datetime, reason: str) -> None:
    """What a changed result does to later rounds: matches of a bracket follow it, any other round is marked."""
    if match.bracket:
        follow_bracket(actor, match, now, reason)
    else:
        _mark_rounds_built_on(tournament, match, actor, now)


def _mark_rounds_built_on(tournament: Tournament, match: Match, actor: Actor, now: datetime) -> None:
    """Say of every later round that a result it was paired on changed; those paired without it are not concerned."""
    built = [round_ for round_ in rounds_after(match.round) if match.pk not in round_.paired_without]
    if not built:
        return
    Round.objects.filter(pk__in=[round_.pk for round_ in built]).update(results_changed_at=now)
    named = ", ".join(str(round_.number) for round_ in built)
    subjects: dict[str, int | str] = {"match": match.pk, "table": match.table_number or 0, "rounds": named}
    log_act(tournament, "round.results_changed", actor, now, subjects)
