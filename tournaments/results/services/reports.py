"""Results are reported, confirmed and disputed; reports never change, a match points at the one that counts."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from scoring.models import SheetRevision
from scoring.standings.results import MatchResult
from tournaments.core.ledger import require_reason
from tournaments.core.matches import check_version, lock_match, seats_in_order
from tournaments.models import Match, ReportAct, ResultReport, Round, Seat, Tournament
from tournaments.notifications.services import notify_of_conflict
from tournaments.penalties.selectors import know_penalties
from tournaments.permissions import TABLE, acting_role, check_issuer
from tournaments.results.checks import check_for
from tournaments.results.selectors import (
    accepted_report_of,
    is_absence_doubtful,
    load_reports,
    pending_of,
    waits_for_staff,
)
from tournaments.results.services.stored_reports import (
    ReportAnswer,
    Status,
    accept,
    as_result,
    log_report,
    record_act,
    says,
    store_report,
    with_games,
)
from tournaments.sheets.selectors.sheets import is_signed, uses_sheets, waits_for_names


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
    by_client: bool = False,
) -> ReportAnswer:
    """Report a match of an open round; `seat` is the reporter's own seat when a player reports, None for staff.

    A player's first report waits; an equal one from another seat confirms it; a different one is a conflict, which
    stays for staff to settle whatever the players report afterwards.
    Staff's report counts at once; over a player's differing report it settles. What already counts is not overwritten:
    an equal report is answered as stored, a different one is kept and answered as a conflict (staff correct instead).
    `version` is the match's as the reporter saw it: while nothing counts, a report on an older one stores nothing, but
    a player's against another that waits is kept as a conflict.
    Where only staff or a named player agree to what codes of tables reported, an equal report by one, or of one,
    changes nothing; nor does one that makes a person absent who could have said so.
    What a game client sends (`by_client`) waits whoever made its code, and confirms nothing; what one reported for the
    staff is no player's word: it waits for the staff or for both sides.
    `sheet_revision` is the score sheet that says so; where tables fill in sheets, players report by them alone.
    Raises DomainError "bad_score", "bad_game", "needs_a_winner", "penalty_missing", "sheet_needed", Conflict
    "round_closed", "match_changed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED)
    _check_reporter(tournament, match, actor, seat, sheet_revision)
    seats = seats_in_order(match)
    check_for(tournament, match, seats, result, scores_rank=sheet_revision is None)
    load_reports(match)
    pending, accepted = pending_of(match), accepted_report_of(match)
    rivals = (accepted, *(pending if sheet_revision is None else ()))
    equal = next((each for each in rivals if each and says(each, result) and not _is_of_no_side(each, seat)), None)
    if by_client and equal is not None:
        return _left_waiting(match, equal)
    answer = _answer_equal(tournament, match, equal, pending, seats, actor, now, seat) if equal is not None else None
    if answer is not None:
        return answer
    if accepted is not None:
        return _record_conflict(tournament, match, accepted, seats, result, actor, now, seat)
    if seat is None or not pending:  # else two sides disagree: a word is never lost because the other came first
        check_version(match, version)
    report = store_report(tournament, match, seats, result, actor, now, seat=seat, sheet_revision=sheet_revision)
    if seat is None and not by_client:
        return accept(tournament, match, report, actor, now, "result.settled" if pending else "result.reported")
    others = [each for each in pending if not (_is_of_no_side(each, seat) and says(each, result))]
    return _wait(tournament, match, [*others, report], actor, now)


def _is_of_no_side(report: ResultReport, seat: Seat | None) -> bool:
    """Whether a game client reported it for the staff, where a player's word is asked for."""
    return seat is not None and report.by_seat_id is None and report.pk != report.match.accepted_report_id


def _left_waiting(match: Match, equal: ResultReport) -> ReportAnswer:
    return ReportAnswer(Status.WAITING if match.state == Match.State.REPORTED else Status.CONFLICT, equal, None)


def _check_reporter(
    tournament: Tournament, match: Match, actor: Actor, seat: Seat | None, sheet_revision: SheetRevision | None
) -> None:
    """Refuse a player whose link another player made, or who reports by hand where tables fill in sheets."""
    if seat is None:
        return
    check_issuer(actor, match)
    if sheet_revision is None and uses_sheets(tournament):
        raise DomainError("sheet_needed", _("The result comes from your score sheet: fill it in and file it."))


def _answer_equal(
    tournament: Tournament,
    match: Match,
    equal: ResultReport,
    pending: Sequence[ResultReport],
    seats: list[Seat],
    actor: Actor,
    now: datetime,
    seat: Seat | None,
) -> ReportAnswer | None:
    """What a report does that says the same as an `equal` one before; None where it is stored as one of its own."""
    if equal.pk == match.accepted_report_id:
        return ReportAnswer(Status.ACCEPTED, equal, equal)
    if _is_now_named(tournament, equal, actor, seat):
        return None
    if seat is not None and _keeps_waiting(tournament, equal, seats, actor, seat):
        return _left_waiting(match, equal)
    if seat is None or len(pending) == 1:
        return _confirm(tournament, match, equal, actor, now)
    return None


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

    What a game client reported for the staff becomes the player's own report, which waits for the other side. A score
    sheet has its signatures instead; without all of them staff need a `reason`. `version` is the match's as seen.
    Raises Conflict "not_waiting" when something else came in meanwhile, "match_changed", DomainError "own_report" for
    the reporter, "staff_agree", "player_agrees", "absence_doubtful", "signatures_missing", "reason_needed",
    "penalty_missing" where a penalty came after the report.
    """
    tournament, match = lock_match(report.match, Round.State.PUBLISHED)
    if match.accepted_report_id == report.pk:
        return ReportAnswer(Status.ACCEPTED, report, report)
    load_reports(match)
    pending = pending_of(match)
    check_version(match, version)
    if report not in pending or (len(pending) > 1 and seat is not None):
        raise Conflict("not_waiting", _("Another report came in for this match; look at it again."))
    report = pending[pending.index(report)]  # as it is now, with its match
    seats = seats_in_order(match)
    if seat is not None and _is_of_no_side(report, seat) and report.sheet_revision is None:
        return report_result(actor, match, with_games(report), now, seat=seat)  # the other side's word is missing
    if report.sheet_revision is not None:
        reason = _check_signed(match, report.sheet_revision, seats, seat, reason)
    elif seat is not None and report.by_seat_id == seat.pk:
        raise DomainError("own_report", _("The other player or the staff confirms your report."))
    _check_agreement(tournament, report, seats, actor, seat)
    return _confirm(tournament, match, report, actor, now, reason)


def why_not_agree(actor: Actor, report: ResultReport, seats: Sequence[Seat], seat: Seat | None) -> str:
    """Why `confirm_report` would be refused, for the page that offers it; "" where not. One query at most."""
    know_penalties([report.match])
    try:
        _check_agreement(report.match.round.stage.tournament, report, seats, actor, seat)
    except DomainError as error:
        return error.message
    return ""


def _check_agreement(
    tournament: Tournament, report: ResultReport, seats: Sequence[Seat], actor: Actor, seat: Seat | None
) -> None:
    """Refuse an agreement that is another's to give, or to a result that the match can't have, as after a penalty."""
    by_sheet = report.sheet_revision_id is not None
    if seat is not None and (by_sheet or not _is_of_no_side(report, seat)):
        _check_word(tournament, report, seats, actor, seat)
    check_for(tournament, report.match, seats, as_result(report), scores_rank=not by_sheet)


def _check_word(tournament: Tournament, report: ResultReport, seats: Sequence[Seat], actor: Actor, seat: Seat) -> None:
    """Refuse a player's agreement that takes a person's who is named, or the staff's."""
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
        raise DomainError("staff_agree", _("At this event the staff confirm results reported with a table code."))


def _check_signed(match: Match, revision: SheetRevision, seats: Sequence[Seat], seat: Seat | None, reason: str) -> str:
    """The reason to keep with a confirmed sheet, "" with all signatures; only staff go without one."""
    if is_signed(match, revision, seats):
        return ""
    if seat is not None:
        raise DomainError("signatures_missing", _("Sign the score sheet: the result is final once all have signed."))
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
    record_act(report, ReportAct.Name.DISPUTE, actor, tournament, now, " ".join(reason.split())[:500])
    match.state = Match.State.CONFLICT
    match.version += 1
    match.save(update_fields=["state", "version"])
    log_report(tournament, "result.disputed", actor, now, match, report)
    notify_of_conflict(tournament, match, now)
    return match


def _confirm(
    tournament: Tournament, match: Match, report: ResultReport, actor: Actor, now: datetime, reason: str = ""
) -> ReportAnswer:
    settles = match.state == Match.State.CONFLICT
    record_act(report, ReportAct.Name.SETTLE if settles else ReportAct.Name.CONFIRM, actor, tournament, now, reason)
    return accept(tournament, match, report, actor, now, "result.settled" if settles else "result.confirmed", reason)


def _record_conflict(
    tournament: Tournament,
    match: Match,
    accepted: ResultReport,
    seats: list[Seat],
    result: MatchResult,
    actor: Actor,
    now: datetime,
    seat: Seat | None,
) -> ReportAnswer:
    """A report against the one that counts: kept once for staff to see, however often it is sent."""
    reporter = (seat and seat.pk, actor.key)
    later = (report for report in match.reports.all() if report.number > accepted.number)
    for report in later:
        if (report.by_seat_id, report.actor) == reporter and says(report, result):
            return ReportAnswer(Status.CONFLICT, report, accepted)
    report = store_report(tournament, match, seats, result, actor, now, seat=seat)
    log_report(tournament, "result.contradicted", actor, now, match, report)
    return ReportAnswer(Status.CONFLICT, report, accepted)


def _wait(
    tournament: Tournament, match: Match, pending: Sequence[ResultReport], actor: Actor, now: datetime
) -> ReportAnswer:
    """A player's report, the last one pending: alone it waits; a conflict or a dispute stays one until settled."""
    report = pending[-1]
    was_one = match.state == Match.State.CONFLICT
    clash = was_one or len({each.by_seat_id for each in pending}) > 1
    match.state = Match.State.CONFLICT if clash else Match.State.REPORTED
    match.version += 1
    match.save(update_fields=["state", "version"])
    log_report(tournament, "result.contradicted" if clash else "result.reported", actor, now, match, report)
    if clash and not was_one:
        notify_of_conflict(tournament, match, now)
    return ReportAnswer(Status.CONFLICT if clash else Status.WAITING, report, None)
