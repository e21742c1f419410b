"""Where staff hand out, replace and revoke the codes of tables; new ones come as signs to be printed, shown once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.http.addresses import shared_address
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import DomainError
from tournaments.models import TableCode, Tournament
from tournaments.permissions import OVER
from tournaments.table_access.forms import IssueCodesForm
from tournaments.table_access.selectors import codes_of, last_moment, state_of_code, tables_in_use
from tournaments.table_access.services import IssuedCode, issue_codes, renew_codes, revoke_codes
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.streamed import render_streamed

USUAL_TABLES = 8
A6, A5 = "a6", "a5"
SIGN_SIZES = (A6, A5)


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign to stand on a table: its number and the address that its code opens."""

    table: int
    address: str


@event_view("tables.codes", "GET", "POST", fresh=True)
def table_codes(request: ActorRequest, tournament: Tournament) -> HttpResponseBase:
    """GET, POST …/manage/tables/: which tables have codes; hand out new ones, answered once as signs to print."""
    form = IssueCodesForm(None, initial=_usual_tables(tournament))
    if request.method == "POST":
        with timezone.override(ZoneInfo(tournament.time_zone)):
            form = IssueCodesForm(request.POST)
            valid = form.is_valid()
        if valid:
            values, now = form.cleaned_data, database_now()
            issued = call_service(form, lambda: issue_codes(request.actor, tournament, now=now, **values))
            if issued is not None:
                return _signs(request, tournament, issued)
    return _show(request, tournament, form)


@event_view("tables.codes", "POST", fresh=True)
def renew_table_codes(request: ActorRequest, tournament: Tournament) -> HttpResponseBase:
    """POST …/manage/tables/renew/: new codes for all tables that have one; answered once as signs to print."""
    try:
        issued = renew_codes(request.actor, tournament, database_now())
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("table_codes", tournament.slug)
    return _signs(request, tournament, issued)


@event_view("tables.codes", "POST")
def revoke_table_codes(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/tables/revoke/: make the code of `table`, or all of them, worthless at once."""
    number = posted_number(request, "table", 99_999)
    if number is None and request.POST.get("table"):
        return redirect("table_codes", tournament.slug)
    act: Callable[[], object] = lambda: revoke_codes(request.actor, tournament, database_now(), table=number)  # noqa: E731
    done = (
        _("Table codes revoked. Phones that used one are signed out.")
        if number is None
        else _("Table %(number)d: code revoked.") % {"number": number}
    )
    return run_action(request, act, done, reverse("table_codes", args=[tournament.slug]))


def _usual_tables(tournament: Tournament) -> dict[str, Any]:
    codes = codes_of(tournament)
    highest = codes[-1].table_number if codes else tables_in_use(tournament)
    return {"first": 1, "last": highest or USUAL_TABLES}


def _show(request: ActorRequest, tournament: Tournament, form: IssueCodesForm) -> HttpResponse:
    now = database_now()
    codes: list[TableCode] = codes_of(tournament)
    context = {
        "here": "table_codes",
        "form": form,
        "codes": [(code, state_of_code(code, now)) for code in codes],
        "latest": last_moment(tournament, now),
        "is_over": tournament.state in OVER,
    }
    return render_event(request, tournament, "organiser/table_codes.html", context)


def _signs(request: ActorRequest, tournament: Tournament, issued: Sequence[IssuedCode]) -> HttpResponseBase:
    """The signs of new codes: the only answer that ever holds them, kept nowhere for a repeat."""
    size = request.POST.get("size", A6)
    context = {
        "here": "table_codes",
        "size": size if size in SIGN_SIZES else A6,
        "signs": [
            Sign(each.code.table_number, shared_address(request, reverse("open_table", args=[each.token])))
            for each in issued
        ],
        "expires_at": issued[0].code.expires_at,
    }
    return shown_once(render_streamed(request, tournament, "organiser/table_signs.html", context))
