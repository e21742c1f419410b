"""The log of an event: who did what and when, with the proof that nothing of it was changed."""

from collections.abc import Sequence

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.http.access import is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from rules_engine.tables import csv_text
from tournaments.core.log import log_of, names_in, withheld_from
from tournaments.events.forms.acts import LogSearchForm
from tournaments.models import ResultReport, Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.log_words import LogLine, log_line
from tournaments.web.shared.match_rows import score_text

LINES_A_PAGE = 50
CSV_HEADER = ("number", "at", "actor", "role", "act", "text", "values", "hash")


@event_view("event.log")
@require_safe
def manage_log(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/log/?kind=…&table=N&page=…&verify=1: the log, newest first.

    Judges see what concerns matches and decks.
    """
    whole = is_allowed("event.settings", request.actor, tournament)
    form = LogSearchForm(request.GET)
    found = log_of(tournament, whole=whole).filter(form.wanted())
    page = Paginator(found, LINES_A_PAGE).get_page(request.GET.get("page"))
    verify = request.GET.get("verify") == "1"
    context = {
        "here": "log",
        "whole": whole,
        "form": form,
        "is_filtered": any(form.cleaned_data.values()),
        "page": page,
        "lines": _lines(request, tournament, list(page.object_list)),
        "verified": verify,
        "problems": verify_stream(tournament.stream) if verify else [],
    }
    return render_event(request, tournament, "organiser/log.html", context)


@event_view("event.log")
@require_safe
def log_csv(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/log.csv: the same log as a table."""
    whole = is_allowed("event.settings", request.actor, tournament)
    lines = _lines(request, tournament, list(log_of(tournament, whole=whole)))
    response = HttpResponse(csv_text(CSV_HEADER, map(_cells, lines)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="log-{tournament.slug}.csv"'
    return response


def _lines(request: ActorRequest, tournament: Tournament, entries: list[LedgerEntry]) -> list[LogLine]:
    names, withheld = names_in(tournament, entries), withheld_from(request.actor, tournament, database_now())
    scores = _scores_in(entries)
    return [log_line(entry, names, withheld, scores) for entry in entries]


def _scores_in(entries: Sequence[LedgerEntry]) -> dict[object, str]:
    """The results of the reports that entries are about, by id; two queries."""
    ids = {entry.subjects.get("report") for entry in entries} - {None}
    reports = ResultReport.objects.filter(pk__in=ids).prefetch_related("seat_results")
    return {report.pk: score_text(report) for report in reports}


def _cells(line: LogLine) -> Sequence[object]:
    entry = line.entry
    values = "; ".join(line.personal)
    words = f"{line.words}: {line.score}" if line.score else line.words
    return [entry.sequence, entry.at.isoformat(), line.actor, line.role, entry.act, words, values, entry.hash]
