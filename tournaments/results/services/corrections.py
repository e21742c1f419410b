"""A result that counts is corrected, upheld, or replaced by what follows from a penalty."""

from dataclasses import replace
from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict
from scoring.models import SheetRevision
from scoring.standings.results import MatchResult
from tournaments.core.ledger import log_act, require_reason
from tournaments.core.matches import about_match, lock_match, seats_in_order
from tournaments.core.rounds import rounds_after
from tournaments.models import Amendment, Match, ReportAct, ResultReport, Round, Stage, Tournament
from tournaments.pairing.manual.minimal_repairing import MINIMAL_REPAIR
from tournaments.results.checks import check_for
from tournaments.results.services.stored_reports import (
    ReportAnswer,
    Status,
    accept,
    as_result,
    log_report,
    record_act,
    store_report,
)
from tournaments.standings.services import given_if_shown, record_amendment
from tournaments.structure.selectors.stages import rounds_in
from tournaments.structure.services.brackets import follow_bracket


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
    of a bracket follow it, unless one has begun (Conflict "bracket_moved_on"). A walkover of a bracket is corrected the
    same way. `seen` is the id of the report the corrector saw as accepted: if another counts by now, Conflict
    "result_changed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED, even_walkover=True)
    reason = require_reason(reason)
    old = match.accepted_report
    if old is None:
        raise Conflict("nothing_to_correct", _("This match has no accepted result yet. Report one instead."))
    _check_seen(old, seen)
    seats = seats_in_order(match)
    check_for(tournament, match, seats, result, scores_rank=sheet_revision is None)
    before = given_if_shown(tournament)
    report = store_report(
        tournament, match, seats, result, actor, now, corrects=old, reason=reason, sheet_revision=sheet_revision
    )
    answer = accept(tournament, match, report, actor, now, "result.corrected", reason)
    if as_result(old) != replace(result, games=()):
        _follow_change(tournament, match, actor, now, reason)
    record_amendment(tournament, Amendment.Kind.CORRECTION, before, now, report=report, reason=reason)
    return answer


@in_transaction
def keep_result(actor: Actor, match: Match, reason: str, now: datetime, *, seen: int | None = None) -> Match:
    """Keep the result that counts although a person reported another one afterwards; needs a reason.

    `seen` is the id of the report seen as accepted: if another counts by now, Conflict "result_changed".
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    reason = require_reason(reason)
    if match.accepted_report is None:
        raise Conflict("nothing_to_uphold", _("This match has no accepted result yet. Accept one of the reports."))
    _check_seen(match.accepted_report, seen)
    record_act(match.accepted_report, ReportAct.Name.SETTLE, actor, tournament, now, reason)
    log_report(tournament, "result.upheld", actor, now, match, match.accepted_report)
    return match


@in_transaction
def set_penalty_result(actor: Actor, match: Match, result: MatchResult, reason: str, now: datetime) -> ReportAnswer:
    """The result that follows from a penalty: in place of the one that counts, or the first one of an open match.

    What is equal to the one that counts changes nothing. `reason` is for everybody to read.
    """
    tournament, match = lock_match(match, Round.State.PUBLISHED, Round.State.CLOSED)
    old, seats = match.accepted_report, seats_in_order(match)
    if old is not None and as_result(old) == replace(result, games=()):
        return ReportAnswer(Status.ACCEPTED, old, old)
    check_for(tournament, match, seats, result, scores_rank=False)
    report = store_report(tournament, match, seats, result, actor, now, corrects=old, reason=require_reason(reason))
    answer = accept(tournament, match, report, actor, now, "result.imposed")
    if old is not None:
        _follow_change(tournament, match, actor, now, reason)
    return answer


def cut_changed_at(stage: Stage) -> datetime | None:
    """When a result that the cut into a stage was made by changed for the last time, as it counts now.

    None where none did, for the first stage, and once a round is paired: from there on each round has its own mark.
    """
    if stage.number == 1 or stage.started_at is None or rounds_in(stage).exists():
        return None
    return _changed_at(stage.tournament_id, _of_the_cut(stage))


def _of_the_cut(stage: Stage) -> Q:
    return Q(match__round__stage__number__lt=stage.number, reported_at__gt=stage.started_at)


def _changed_at(tournament_id: int, corrections: Q) -> datetime | None:
    """When the last of these corrections was entered, of matches whose result isn't again what the first replaced."""
    found = ResultReport.objects.filter(
        corrections, corrects__isnull=False, match__round__superseded_at=None,
        match__round__stage__tournament=tournament_id,
    )  # fmt: skip
    first: dict[int, ResultReport] = {}
    last: dict[int, ResultReport] = {}
    for report in found.select_related("corrects").order_by("match", "number"):
        first.setdefault(report.match_id, report)
        last[report.match_id] = report
    changed = [each for pk, each in last.items() if (old := first[pk].corrects) and as_result(old) != as_result(each)]
    return max((report.reported_at for report in changed), default=None)


def _check_seen(accepted: ResultReport, seen: int | None) -> None:
    if seen is not None and seen != accepted.pk:
        raise Conflict("result_changed", _("This result has changed; look at it again."), standing=accepted.pk)


def _follow_change(tournament: Tournament, match: Match, actor: Actor, now: datetime, reason: str) -> None:
    """What a changed result does to later rounds: matches of a bracket follow it, any other round is marked."""
    if match.bracket:
        follow_bracket(actor, match, now, reason)
    else:
        _mark_rounds_built_on(tournament, match, actor, now)


def _mark_rounds_built_on(tournament: Tournament, match: Match, actor: Actor, now: datetime) -> None:
    """Say of every later round that a result it was paired on changed, or is again what it was.

    Those paired without the match are not concerned.
    """
    later = rounds_after(match.round).select_related("stage")
    built = [round_ for round_ in later if match.pk not in round_.paired_without]
    if not built:
        return
    for round_ in built:
        marks = [_changed_at(tournament.pk, each) for each in _used_for(round_, match)]
        round_.results_changed_at = max((each for each in marks if each), default=None)
        round_.save(update_fields=["results_changed_at"])
    named = ", ".join(str(round_.number) for round_ in built)
    subjects = {**about_match(match), "rounds": named}
    log_act(tournament, "round.results_changed", actor, now, subjects)


def _used_for(round_: Round, match: Match) -> list[Q]:
    """The corrections since a round was paired, or paired again after others; those since the cut into its stage.

    That of the match just corrected is one, even if its time was read before that of the pairing.
    """
    stage, repaired = round_.stage, round_.changes.filter(after__engine=MINIMAL_REPAIR).order_by("-number").first()
    first = stage.number if stage.number > 1 and not stage.carries_points else 1
    since = Q(reported_at__gt=repaired.made_at if repaired else round_.paired_at) | Q(pk=match.accepted_report_id)
    within = Q(match__round__number__lt=round_.number, match__round__stage__number__gte=first, match__bracket="")
    paired_on = within & ~Q(match__in=round_.paired_without) & since
    return [paired_on, _of_the_cut(stage)] if stage.number > 1 and stage.started_at else [paired_on]
