"""The desk: results typed by table, what is missing and done, and one match with all that was said about it."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.http.access import check_access
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from scoring.standings.records import Outcome
from scoring.standings.results import MatchLength, MatchResult
from tournaments.core.rounds import missing_matches, with_all
from tournaments.core.service_errors import call_service
from tournaments.models import Match, ResultReport, Round, Tournament
from tournaments.permissions import PLAYER, require_staff_reporter
from tournaments.results.forms.results import DeskForm
from tournaments.results.forms.scores import MORE, read_score, usual_scores
from tournaments.results.forms.table_text import read_table
from tournaments.results.selectors import accepted_report_of, contradictions_of, is_of_one_phone, pending_of
from tournaments.results.services.stored_reports import ReportAnswer, Status
from tournaments.room.slips import is_slip
from tournaments.sheets.selectors.sheet_lines import NEEDS_SOMEBODY, SheetLine, sheet_lines
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.web.desk.desk_data import desk_data, desk_words
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.lookups import desk_of, desk_url
from tournaments.web.shared.match_reporting import StaffReporting
from tournaments.web.shared.match_rows import (
    MatchRow,
    Names,
    describe_report,
    line_of,
    lines_of,
    outcomes_of,
    placings_of,
    published_rounds,
    score_text,
)
from tournaments.web.shared.slips import Slip, slip_at

BY_SCRIPT = "X-Desk"
"""The header with which `static/desk.js` asks for an answer in JSON."""
FIELD_FOR_ERROR = {"bad_score": "result", "unread_score": "result", "scores_missing": "result"}
URGENCY = {Match.State.CONFLICT: 0, Match.State.REPORTED: 1, Match.State.OPEN: 2}


class Came(StrEnum):
    """What became of a typed result; `LOOK` asks who sits at a table and `MORE` for what no code says."""

    STORED = "stored"
    SAME = "same"
    CONFLICT = "conflict"
    STALE = "stale"
    REFUSED = "refused"
    LOOK = "look"
    MORE = "more"


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a typed result, in a sentence where there is one to say, and where to go on."""

    came: Came
    url: str
    text: str = ""


LEVEL = {Came.STALE: messages.ERROR, Came.CONFLICT: messages.WARNING, Came.SAME: messages.INFO}


@event_view("desk")
@require_http_methods(["GET", "POST"])
def desk(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/desk/?round=N&table=N&slip=CODE&last=ID&q=…: type table and result; see what is missing and done.

    Where an earlier round still waits for results, each round has a desk of its own, the newest unless asked. A script
    that sends the header "X-Desk" is answered in JSON: what came of the entry or slip.
    """
    rounds = published_rounds(tournament)
    being_played = [each for each in rounds if each.state == Round.State.PUBLISHED]
    if request.method == "POST" and request.POST.get("act") == "confirm":
        return _confirm(request, tournament, being_played)
    shown = _shown_round(request, being_played)
    if request.method == "POST" and is_slip(scanned := request.POST.get("table", "")):
        return redirect(desk_url(tournament, slip="".join(filter(str.isdecimal, scanned))))
    slip = slip_at(tournament, shown, request.GET["slip"]) if "slip" in request.GET else None
    if slip is not None and BY_SCRIPT in request.headers:
        return JsonResponse({"text": slip.notice, "table": slip.table, "url": slip.url})
    form = _desk_form(request, shown, being_played, slip)
    if request.method == "POST":
        taken = _take(request, tournament, shown, being_played, form)
        if BY_SCRIPT in request.headers:
            return _answer_script(taken)
        if taken.came is not Came.REFUSED:
            return _lead_on(request, taken)
    return _show_desk(request, tournament, shown, rounds, form, slip)


def _answer_script(taken: Taken) -> HttpResponse:
    """201 where a report is kept; 200 where nothing is: a form that is answered so changed nothing."""
    status = 201 if taken.came in (Came.STORED, Came.SAME, Came.CONFLICT) else 200
    return JsonResponse({"came": taken.came, "text": taken.text, "url": taken.url}, status=status)


def _lead_on(request: ActorRequest, taken: Taken) -> HttpResponse:
    if taken.text:
        messages.add_message(request, LEVEL[taken.came], taken.text)
    return redirect(taken.url)


def _shown_round(request: ActorRequest, being_played: list[Round]) -> Round | None:
    """The round asked for by number, or whose desk sent the form; the newest unless it is being played."""
    newest = being_played[-1] if being_played else None
    if request.method == "POST":
        return next((each for each in being_played if str(each.pk) == request.POST.get("round")), newest)
    return next((each for each in being_played if str(each.number) == request.GET.get("round")), newest)


def _desk_form(request: ActorRequest, round_: Round | None, being_played: list[Round], slip: Slip | None) -> DeskForm:
    asked = str(slip.table or "") if slip else request.GET.get("table", "")[:9]
    facts = {"round": round_.pk, "newest": being_played[-1].pk} if round_ else {}
    return DeskForm(request.POST if request.method == "POST" else None, initial={**facts, "table": asked})


def _at(lines: list[MatchRow], table: str) -> MatchRow | None:
    return next((line for line in lines if line.table is not None and str(line.table) == table), None)


def _take(
    request: ActorRequest, tournament: Tournament, round_: Round | None, being_played: list[Round], form: DeskForm
) -> Taken:
    """What was typed is stored; refused with the reason in the form. Of the round one table alone is loaded.

    A desk that was open before the newest round began stores nothing: whoever types there may mean either.
    """
    check_access("result.report", request.actor, tournament)
    if round_ is None:
        return Taken(Came.STALE, desk_url(tournament), _("No round is being played. Nothing was stored."))
    if not form.is_valid():
        return _refused(tournament, form)
    newest = form.cleaned_data["newest"] or form.cleaned_data["round"]
    if form.cleaned_data["round"] != round_.pk or newest != being_played[-1].pk:
        text = _("Not saved: that was an earlier round. It's now round %(number)d.")
        return Taken(Came.STALE, desk_url(tournament), text % {"number": being_played[-1].number})
    match = with_all(round_.matches.filter(table_number=form.cleaned_data["table"])).first()
    if match is None:
        text = _("Round %(number)d has no table %(table)d.")
        form.add_error("table", text % {"number": round_.number, "table": form.cleaned_data["table"]})
        return _refused(tournament, form)
    line, typed = line_of(match, Names(tournament)), form.cleaned_data["result"].strip()
    if not typed:
        return Taken(Came.LOOK, desk_of(tournament, round_, table=line.table))
    if typed == MORE:
        return Taken(Came.MORE, _page_of(tournament, line))
    return _store(request, tournament, form, line, typed)


def _refused(tournament: Tournament, form: DeskForm) -> Taken:
    """What the form says, in one line."""
    texts = [str(text) for errors in form.errors.values() for text in errors]
    return Taken(Came.REFUSED, desk_url(tournament), " ".join(texts))


def _page_of(tournament: Tournament, line: MatchRow) -> str:
    return reverse("match", args=[tournament.slug, line.match.pk])


def _store(request: ActorRequest, tournament: Tournament, form: DeskForm, line: MatchRow, typed: str) -> Taken:
    stood, back = line.match.accepted_report_id, desk_of(tournament, line.match.round, last=line.match.pk)

    def act() -> ReportAnswer:
        require_staff_reporter(request.actor, tournament, line.match)
        return StaffReporting(request, line.match).store(_typed_result(line, typed))

    answer = call_service(form, act, FIELD_FOR_ERROR)
    if answer is None:
        return _refused(tournament, form)
    if answer.status is Status.CONFLICT and answer.accepted is not None:
        text = _contradiction_text(line, answer.report, answer.accepted)
        return Taken(Came.CONFLICT, _page_of(tournament, line), text)
    if stood is not None and answer.report.pk == stood:
        text = _("Table %(table)d: already saved.") % {"table": line.table}
        return Taken(Came.SAME, back, text)
    return Taken(Came.STORED, back)


def _typed_result(line: MatchRow, typed: str) -> MatchResult:
    """What was typed for a table: a score, or everybody's place or score where such tell how it ended."""
    length = line.match.round.stage.match_length
    if line.is_table:
        return read_table(typed, len(line.names), length, counts_scores=line.counts_scores)
    return read_score(typed, length).as_result()


def _contradiction_text(line: MatchRow, typed: ResultReport, standing: ResultReport) -> str:
    text = _("Table %(table)d already has %(standing)s, which still counts. You typed %(typed)s.")
    return text % {
        "table": line.table, "standing": f"{score_text(standing)}, {describe_report(standing, line.names)}",
        "typed": f"{score_text(typed)}, {describe_report(typed, line.names)}",
    }  # fmt: skip


def _confirm(request: ActorRequest, tournament: Tournament, being_played: list[Round]) -> HttpResponse:
    """One press on a reported line: the report that the page showed counts."""
    check_access("result.report", request.actor, tournament)
    reports = ResultReport.objects.select_related("match__round__stage").filter(match__round__in=being_played)
    report = reports.filter(pk=posted_number(request, "report") or 0).first()
    if report is None:
        messages.error(request, _("Nothing changed: this isn't the current round."))
        return redirect(desk_url(tournament))
    done = _("Table %(table)s: confirmed.") % {"table": report.match.table_number}
    back = desk_of(tournament, report.match.round, last=report.match_id)
    require_staff_reporter(request.actor, tournament, report.match)
    return StaffReporting(request, report.match).confirm(report, done, back)


def _show_desk(
    request: ActorRequest,
    tournament: Tournament,
    round_: Round | None,
    rounds: list[Round],
    form: DeskForm,
    slip: Slip | None,
) -> HttpResponse:
    lines = lines_of(round_, Names(tournament)) if round_ else []
    tables = [line for line in lines if line.table is not None]
    found = _at(tables, str(form["table"].value() or "").strip())
    form.focus_on("result" if found else "table")
    words = request.GET.get("q", "").strip()[:120]
    missing = sorted(
        (line for line in tables if line.match.state != Match.State.DONE),
        key=lambda line: (URGENCY[Match.State(line.match.state)], line.table or 0),
    )
    done = [line for line in tables if line.match.state == Match.State.DONE]
    sheets = _sheets_of(tournament, missing)
    context: dict[str, Any] = {
        "here": "desk",
        "form": form,
        "round": round_,
        "latest": rounds[-1] if rounds else None,
        "has_tables": any(line.is_table for line in tables),
        "has_pairs": not all(line.is_table for line in tables),
        "codes": _codes(tournament, round_),
        "found": found,
        "last": next((line for line in done if str(line.match.pk) == request.GET.get("last")), None),
        "missing": [_waiting_line(line, sheets.get(line.match.pk)) for line in missing if line.has(words)],
        "done": [_done_line(line) for line in _newest_first(done) if line.has(words)],
        "counts": {"tables": len(tables), "done": len(done), "missing": len(missing)},
        "conflicts": sum(line.match.state == Match.State.CONFLICT for line in missing),
        "next_table": next((line.table for line in missing if line.match.state == Match.State.OPEN), None),
        "uses_sheets": uses_sheets(tournament),
        "stuck_sheets": sum(each.state in NEEDS_SOMEBODY for each in sheets.values()),
        "q": words,
        "slip": slip,
        "data": desk_data(request.actor, tournament, round_, _newest(rounds), tables) if round_ else None,
        "words": desk_words(),
        **_rounds_context(request, tournament, round_, rounds),
    }
    return render_event(request, tournament, "desk/desk.html", context)


def _newest(rounds: list[Round]) -> Round:
    """The newest round that is being played."""
    return next(each for each in reversed(rounds) if each.state == Round.State.PUBLISHED)


def _codes(tournament: Tournament, round_: Round | None) -> list[tuple[int, str]]:
    """What one digit stands for; draws keep theirs and are not offered where a match needs a winner."""
    scores = enumerate(usual_scores(_length(tournament, round_)), start=1)
    wins_only = round_ is not None and round_.stage.needs_winner
    return [(code, score.text) for code, score in scores if not wins_only or score.won != score.lost]


def _length(tournament: Tournament, round_: Round | None) -> MatchLength:
    """How long the matches of a round are; the event's usual length while none is played."""
    return round_.stage.match_length if round_ else tournament.match_length


def _rounds_context(
    request: ActorRequest, tournament: Tournament, round_: Round | None, rounds: list[Round]
) -> dict[str, Any]:
    """The rounds to choose from, where there are several; `at` goes before every query of a link on the page."""
    being_played = [each for each in rounds if each.state == Round.State.PUBLISHED]
    waiting = Counter(missing_matches(tournament).values_list("round", flat=True)) if len(being_played) > 1 else {}
    is_earlier = round_ is not None and round_ != being_played[-1]
    complete = [each for each in rounds if each.state == Round.State.CLOSED]
    return {
        "tabs": [(each, waiting.get(each.pk, 0)) for each in being_played] if len(being_played) > 1 else [],
        "is_earlier": is_earlier,
        "at": f"round={round_.number}&" if round_ is not None and is_earlier else "",
        "complete": next((each for each in complete if str(each.number) == request.GET.get("round")), None),
    }


def _newest_first(lines: list[MatchRow]) -> list[MatchRow]:
    return sorted(lines, key=lambda line: line.match.accepted_report_id or 0, reverse=True)


def _sheets_of(tournament: Tournament, missing: list[MatchRow]) -> dict[int, SheetLine]:
    """How far the score sheets of tables without a result are, by match."""
    if not uses_sheets(tournament):
        return {}
    return {each.match.pk: each for each in sheet_lines([line.match for line in missing])}


def _waiting_line(line: MatchRow, sheet: SheetLine | None) -> dict[str, Any]:
    """A table without a result: what was reported so far, and the one report that a press can confirm.

    What a score sheet says waits for its signatures.
    """
    pending = pending_of(line.match)
    waits = pending[0] if len(pending) == 1 and line.match.state == Match.State.REPORTED else None
    by_sheet = waits is not None and waits.sheet_revision_id is not None
    return {
        "line": line,
        "reports": [score_text(report) for report in pending],
        "words": describe_report(pending[0], line.names) if len(pending) == 1 else "",
        "confirm": None if by_sheet else waits,
        "by_sheet": by_sheet,
        "stuck": sheet if sheet is not None and sheet.state in NEEDS_SOMEBODY else None,
    }


def _done_line(line: MatchRow) -> dict[str, Any]:
    """A table with a result: winner first, who said so, and whether somebody contradicts."""
    report = accepted_report_of(line.match)
    outcomes = outcomes_of(report) if report else []
    place = outcomes.index(Outcome.WIN) if Outcome.WIN in outcomes else 0
    names, score = line.names[::-1] if place else line.names, score_text(report, place) if report else ""
    if report and (placings := placings_of(report)):
        ranked = sorted(zip(placings, line.names, strict=True), key=lambda each: each[0])
        names, score = tuple(name for _placing, name in ranked), " · ".join(str(placing) for placing, _name in ranked)
    agreed = bool(report and report.by_seat_id and any(act.role == PLAYER for act in report.acts.all()))
    return {
        "line": line,
        "names": names,
        "score": score,
        "report": report,
        "agreed": agreed,
        "one_phone": is_of_one_phone(line.match),
        "contradicted": bool(contradictions_of(line.match)),
    }
