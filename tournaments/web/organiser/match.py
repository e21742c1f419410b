"""One match as staff see it: everything that was reported, what counts, and how to settle or correct it."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.http.access import check_access, is_allowed
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from scoring.standings.results import MatchResult
from tournaments.core.forms import ReasonForm
from tournaments.core.round_names import round_name
from tournaments.core.service_errors import call_service
from tournaments.entries.selectors.teams import around_the_table
from tournaments.models import Match, ReportAct, ResultReport, Round, Tournament
from tournaments.permissions import require_staff_reporter
from tournaments.results.forms.games import games_as_initial
from tournaments.results.forms.results import ABSENT, PENALISED, CorrectionForm, StaffResultForm
from tournaments.results.forms.table_results import TableCorrectionForm, TableResultForm, table_values
from tournaments.results.selectors import accepted_report_of, contradictions_of, is_of_one_phone, pending_of
from tournaments.results.services.corrections import keep_result
from tournaments.results.services.stored_reports import ReportAnswer, Status
from tournaments.sheets.selectors.sheet_lines import sheet_line
from tournaments.sheets.selectors.sheets import signatures_of, uses_sheets
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.deck_ready import stacking_context
from tournaments.web.shared.game_words import describe_games, games_offered
from tournaments.web.shared.impact import EDIT, PendingChange, correction_labels, preview_or_apply, step_of
from tournaments.web.shared.impact_words import typed_result
from tournaments.web.shared.lookups import correction_rule, desk_of, find_match
from tournaments.web.shared.match_reporting import StaffReporting
from tournaments.web.shared.match_rows import (
    MatchRow,
    Names,
    absent_of,
    describe_report,
    line_of,
    outcomes_of,
    score_text,
    seats_of,
)
from tournaments.web.shared.penalty_words import describe_game_losses, may_give_penalties, shown_penalties

Kind = ResultReport.Kind
Forms = dict[str, Any]
StaffForm = StaffResultForm | TableResultForm


@event_view("desk")
@require_http_methods(["GET", "POST"])
def match(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """GET, POST …/match/<id>/: report, confirm, settle, correct, uphold. NotFound for other events' and hidden ones."""
    line = line_of(find_match(tournament, match_id), Names(tournament))
    forms: Forms = {}
    if request.method == "POST":
        require_staff_reporter(request.actor, tournament, line.match)
        answer = ACTS[request.POST.get("act", "")](request, tournament, line, forms) if _knows(request) else None
        if answer is not None:
            return answer
        line = line_of(find_match(tournament, match_id), Names(tournament))
    return _show(request, tournament, line, forms)


def _knows(request: ActorRequest) -> bool:
    return request.POST.get("act", "") in ACTS


def _back(tournament: Tournament, line: MatchRow) -> str:
    """To the desk while the round is played there, else to the match."""
    if line.match.round.state == Round.State.PUBLISHED:
        return desk_of(tournament, line.match.round, last=line.match.pk)
    return reverse("match", args=[tournament.slug, line.match.pk])


def _pair(line: MatchRow) -> tuple[str, str]:
    return line.names[0], line.names[-1]


def _form_facts(tournament: Tournament, line: MatchRow) -> dict[str, Any]:
    length = line.match.round.stage.match_length
    if line.is_table:
        return {"names": line.names, "length": length, "counts_scores": line.counts_scores}
    return {"names": _pair(line), "length": length, "offered": games_offered(tournament, line.match)}


def _report(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse | None:
    check_access("result.report", request.actor, tournament)
    made: type[StaffForm] = TableResultForm if line.is_table else StaffResultForm
    form = forms["form"] = made(request.POST, **_form_facts(tournament, line))
    if not form.is_valid():
        return None
    answer = call_service(form, lambda: StaffReporting(request, line.match).store(form.result()))
    if answer is None:
        return None
    if answer.status is Status.CONFLICT:
        messages.warning(request, _("Another result is accepted: keep or correct it."))
        return redirect("match", tournament.slug, line.match.pk)
    messages.success(request, _("Table %(table)s: saved.") % {"table": line.table})
    return redirect(_back(tournament, line))


def _confirm(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse:
    """A waiting report, or one side of a conflict, counts from now on."""
    check_access("result.report", request.actor, tournament)
    reporting = StaffReporting(request, line.match)
    report = reporting.sent_report()
    if report is None:
        messages.error(request, _("This report is not waiting any more; look at the match again."))
        return redirect("match", tournament.slug, line.match.pk)
    done = _("Table %(table)s: settled, %(words)s.") % {
        "table": line.table,
        "words": describe_report(report, line.names),
    }
    return reporting.confirm(report, done, _back(tournament, line))


def _correct(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse | None:
    check_access(correction_rule(line.match), request.actor, tournament)
    made: type[StaffForm] = TableCorrectionForm if line.is_table else CorrectionForm
    form = forms["form"] = made(request.POST, **_form_facts(tournament, line))
    if step_of(request) == EDIT or not form.is_valid():
        return None
    reason, seen = form.cleaned_data["reason"], form.cleaned_data["seen"]

    def act(now: datetime) -> ReportAnswer:
        return StaffReporting(request, line.match).correct(form.result(), reason, now, seen)

    deed = _correction(tournament, line, form.result(), reason)
    answer = preview_or_apply(request, tournament, deed, act, form, step=step_of(request))
    if not isinstance(answer, ReportAnswer):
        return answer
    messages.success(request, _("Table %(table)s corrected. The standings will update.") % {"table": line.table})
    return redirect(_back(tournament, line))


def _correction(tournament: Tournament, line: MatchRow, result: MatchResult, reason: str) -> PendingChange:
    """What a correction is about, for the page that shows what it would move."""
    where = {"table": line.table, "round": round_name(line.match.round)}
    instead = _("%(after)s instead of %(before)s") % {"after": typed_result(result), "before": line.score}
    facts = ((" – ".join(line.names), instead), (_("Reason"), reason))
    return PendingChange(
        _("%(round)s, table %(table)s: correct it?") % where,
        facts,
        correction_labels(),
        _("%(round)s, table %(table)s, corrected: %(reason)s") % {**where, "reason": reason},
        reverse("match", args=[tournament.slug, line.match.pk]),
        edits=True,
        tells_players=True,
    )


def _uphold(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse | None:
    check_access(correction_rule(line.match), request.actor, tournament)
    form = forms["uphold_form"] = ReasonForm(request.POST, auto_id="uphold_%s")
    if not form.is_valid():
        return None
    reason, seen = form.cleaned_data["reason"], posted_number(request, "seen")
    if call_service(form, lambda: keep_result(request.actor, line.match, reason, database_now(), seen=seen)) is None:
        return None
    messages.success(request, _("Table %(table)s: the result stays.") % {"table": line.table})
    return redirect(_back(tournament, line))


ACTS = {"report": _report, "confirm": _confirm, "correct": _correct, "uphold": _uphold}


def _show(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse:
    found, standing = line.match, accepted_report_of(line.match)
    pending, against = pending_of(found), contradictions_of(found)
    is_open = tournament.state == Tournament.State.RUNNING and found.round.superseded_at is None
    playable = is_open and found.kind == Match.Kind.PLAYED and len(line.names) >= 2
    context: dict[str, Any] = {
        "here": "desk",
        "line": line,
        "around": around_the_table(tournament, [seat.entry for seat in seats_of(line.match)]),
        "round": found.round,
        "standing": standing,
        "reports": [_report_context(line, report, standing, pending, against) for report in found.reports.all()],
        "pending": len(pending),
        "one_phone": is_of_one_phone(found, signatures_of(found)),
        "against": against,
        "may_report": playable and standing is None and found.round.state == Round.State.PUBLISHED,
        "may_correct": playable
        and standing is not None
        and is_allowed(correction_rule(line.match), request.actor, tournament),
        "is_played": found.kind == Match.Kind.PLAYED,
        "sheet_line": sheet_line(found) if playable and uses_sheets(tournament) else None,
        "penalties": shown_penalties(request.actor, tournament, line),
        "may_punish": _punishable(request, tournament, line) if is_open else [],
        "may_take_back": may_give_penalties(request.actor, tournament),
        "game_losses": describe_game_losses(line),
        "uphold_form": ReasonForm(auto_id="uphold_%s"),
        "form": _fresh_form(request, tournament, line, standing, against) if playable else None,
    }
    context |= stacking_context(request.actor, tournament, found, Names(tournament))
    return render_event(request, tournament, "organiser/match.html", context | forms)


def _punishable(request: ActorRequest, tournament: Tournament, line: MatchRow) -> list[tuple[int, str]]:
    """Number and name of everybody at the table to whom the viewer may give a penalty."""
    if not is_allowed("penalty.give", request.actor, tournament):
        return []
    return [(seat.entry.number, name) for seat, name in zip(seats_of(line.match), line.names, strict=True)]


def _fresh_form(
    request: ActorRequest,
    tournament: Tournament,
    line: MatchRow,
    standing: ResultReport | None,
    against: list[ResultReport],
) -> StaffForm:
    facts = _form_facts(tournament, line)
    if line.is_table:
        wanted = against[-1] if against else standing
        if wanted is None:
            return TableResultForm(None, **facts)
        return TableCorrectionForm(None, **facts, initial=_values_of_table(wanted))
    if standing is None:
        return StaffResultForm(None, **facts)
    wanted = against[-1] if against else standing
    initial = {**form_values(wanted), **games_as_initial(wanted.games, facts["offered"])}
    return CorrectionForm(None, **facts, initial=initial)


def _values_of_table(report: ResultReport) -> dict[str, Any]:
    """A report of a table of several players as the values of the form that would store it."""
    rows = list(report.seat_results.all())
    kind = report.kind if report.kind in (Kind.INTENTIONAL_DRAW, Kind.DOUBLE_LOSS) else "played"
    absent = absent_of(report) or (tuple(range(len(rows))) if report.kind == Kind.NO_SHOW else ())
    return {"kind": kind, **table_values([row.placing for row in rows], [row.score for row in rows], absent)}


def form_values(report: ResultReport) -> dict[str, Any]:
    """A report as the values of the form that would store it."""
    rows = list(report.seat_results.all())
    if report.kind == Kind.NO_SHOW:
        lost = tuple(place for place, outcome in enumerate(outcomes_of(report)) if outcome == "loss")
        return {"kind": next((kind for kind, absent in ABSENT.items() if absent == lost), "played")}
    if report.kind == Kind.MATCH_LOSS:
        offender = outcomes_of(report).index("loss")
        return {"kind": next(kind for kind, place in PENALISED.items() if place == offender)}
    if report.kind != Kind.PLAYED:
        return {"kind": report.kind}
    return {
        "kind": "played", "first": rows[0].games_won, "second": rows[-1].games_won, "drawn": report.games_drawn,
    }  # fmt: skip


def _report_context(
    line: MatchRow,
    report: ResultReport,
    standing: ResultReport | None,
    pending: list[ResultReport],
    against: list[ResultReport],
) -> dict[str, Any]:
    """One report with who, when, what, why, and what was done to it."""
    groups = (("stands", [standing]), ("waits", pending), ("against", against))
    state = next((name for name, members in groups if report in members), "past")
    return {
        "report": report,
        "score": score_text(report),
        "words": describe_report(report, line.names),
        "games": describe_games(line.match.round.stage.tournament, report, line.names),
        "state": state,
        "acts": [(act, ReportAct.Name(act.name).label) for act in report.acts.all()],
    }
