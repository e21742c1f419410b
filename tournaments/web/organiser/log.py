"""The log of an event: who did what and when, with the proof that nothing of it was changed."""

from django.core.paginator import Paginator
from django.http import HttpResponse

from accounts.http.access import is_allowed
from accounts.http.downloads import Kind, table_download
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from journal.ledger.selectors import verify_stream
from tournaments.core.log import log_of
from tournaments.events.forms.acts import LogSearchForm
from tournaments.models import Tournament
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.log_table import log_lines, log_table

LINES_A_PAGE = 50


@event_view("event.log")
def manage_log(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/log/?kind=…&table=N&actor=…&page=…&verify=1: the log, newest first.

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
        "lines": log_lines(request.actor, tournament, list(page.object_list), database_now()),
        "verified": verify,
        "problems": verify_stream(tournament.stream) if verify else [],
    }
    return render_event(request, tournament, "organiser/log.html", context)


@event_view("event.log")
def log_file(request: ActorRequest, tournament: Tournament, kind: Kind) -> HttpResponse:
    """GET …/manage/log.csv, .xlsx: the same log as a table."""
    return table_download(f"{tournament.slug}-log", log_table(request.actor, tournament, database_now()), kind)
