"""The desk: results typed by table, what is missing and done, and one match with all that was said about it."""

from dataclasses import dataclass
from enum import StrEnum

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import check_access
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from tournaments.core.rounds import with_all
from tournaments.models import Match, ResultReport, Round, Tournament
from tournaments.permissions import require_staff_reporter
from tournaments.results.forms.results import DeskForm
from tournaments.results.forms.scores import MORE
from tournaments.results.services.stored_reports import ReportAnswer, Status
from tournaments.room.slips import is_slip
from tournaments.web.desk.desk_page import show_desk
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.lookups import desk_of, desk_url
from tournaments.web.shared.match_reporting import StaffReporting
from tournaments.web.shared.match_rows import (
    MatchRow,
    Names,
    describe_report,
    line_of,
    published_rounds,
    score_text,
)
from tournaments.web.shared.slips import Slip, slip_at

BY_SCRIPT = "X-Desk"
"""The header with which `static/desk.js` asks for an answer in JSON."""
FIELD_FOR_ERROR = {"bad_score": "result", "unread_score": "result", "scores_missing": "result"}


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


@event_view("desk", "GET", "POST")
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
    return show_desk(request, tournament, shown, rounds, form, slip)


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


def _take(
    request: ActorRequest, tournament: Tournament, round_: Round | None, being_played: list[Round], form: DeskForm
) -> Taken:
    """What was typed is stored; refused with the reason in the form. Of the round one table alone is loaded.

    A desk that was open before the newest round began stores nothing: whoever types there may mean either.
    """
    check_access("result.report", request.actor, tournament)
    if round_ is None:
        return Taken(Came.STALE, desk_url(tournament), _("No round is being played. Nothing was saved."))
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

    reporting = StaffReporting(request, line)

    def act() -> ReportAnswer:
        require_staff_reporter(request.actor, tournament, line.match)
        return reporting.store(reporting.read(typed))

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


def _contradiction_text(line: MatchRow, typed: ResultReport, standing: ResultReport) -> str:
    text = _("Table %(table)d already has %(standing)s. You typed %(typed)s. Decide here which is right.")
    return text % {
        "table": line.table, "standing": f"{score_text(standing)}, {describe_report(standing, line.names)}",
        "typed": f"{score_text(typed)}, {describe_report(typed, line.names)}",
    }  # fmt: skip


def _confirm(request: ActorRequest, tournament: Tournament, being_played: list[Round]) -> HttpResponse:
    """One button on a reported line: the report that the page showed counts."""
    check_access("result.report", request.actor, tournament)
    reported = Match.objects.filter(round__in=being_played, reports=posted_number(request, "report") or 0)
    match = with_all(reported).first()
    if match is None:
        messages.error(request, _("Nothing changed: this isn't the current round."))
        return redirect(desk_url(tournament))
    require_staff_reporter(request.actor, tournament, match)
    done = _("Table %(table)s: confirmed.") % {"table": match.table_number}
    back = desk_of(tournament, match.round, last=match.pk)
    return StaffReporting(request, line_of(match, Names(tournament))).confirm(done, back)
