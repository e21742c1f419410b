"""The score sheet of a table's current match, filled in by the code on the table: the pages of `scoring.sheets.web`."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.http.access import is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import NotFound
from scoring.sheets.web.frames import SheetFrame
from scoring.sheets.web.sheets import SHEET_PAGES
from tournaments.core.first_players import first_place
from tournaments.models import Match, MatchSheet, Seat, Tournament
from tournaments.sheets.selectors.sheets import sheet_of, uses_sheets, writable_places
from tournaments.sheets.services.filing import who_signs
from tournaments.table_access.selectors import match_at
from tournaments.table_access.services import (
    change_part_from_table,
    file_sheet_from_table,
    open_sheet_from_table,
    save_part_from_table,
    sign_sheet_from_table,
)
from tournaments.web.frame.event_view import render_event
from tournaments.web.table_page.table import seat_of_phone, table_page
from tournaments.web.table_page.table_session import TableRequest

SheetView = Callable[..., HttpResponse]


def sheet_page(view: SheetView) -> Callable[..., HttpResponseBase]:
    """A page of `SHEET_PAGES` for a phone that said whom it speaks for; any other is led to the table's page."""

    @table_page
    def page(request: TableRequest, tournament: Tournament, /, **values: Any) -> HttpResponse:
        seat = _speaker(request, tournament)
        held = sheet_of(seat.match) if seat else None
        if seat is None or held is None:
            return redirect("table", tournament.slug)
        return view(request, frame_of(request, tournament, seat, held), **values)

    return page


sheet_pages = [(route, view.__name__, sheet_page(view)) for route, view in SHEET_PAGES.items()]
"""The pages of the sheet, each with its route and its name."""


@table_page
@require_POST
def begin_sheet(request: TableRequest, tournament: Tournament) -> HttpResponse:
    """POST …/table/sheet/begin/: begin the sheet of the table's match, or find it begun."""
    seat = _speaker(request, tournament)
    if seat is None:
        return redirect("table", tournament.slug)
    if sheet_of(seat.match) is None:
        open_sheet_from_table(request.actor, seat, database_now())
    return redirect("table_sheet", tournament.slug)


def _speaker(request: TableRequest, tournament: Tournament) -> Seat | None:
    """Whom this phone speaks for at the table's match; None before it said so, and where codes report nothing."""
    match = match_at(tournament, request.actor.table_number)
    if not uses_sheets(tournament):
        raise NotFound("no_sheets", _("This event has no score sheets."))
    if match is None or not is_allowed("table.report", request.actor, tournament):
        return None
    return seat_of_phone(request, tournament, match)


def frame_of(request: ActorRequest, tournament: Tournament, seat: Seat, held: MatchSheet) -> SheetFrame:
    """The sheet as a phone has it that speaks for `seat`: nobody proves a name there, so no part of another phone."""
    actor, match = request.actor, seat.match
    may_write = match.state != Match.State.DONE

    def render(template: str, context: dict[str, Any]) -> HttpResponse:
        given = {"here": "table", "table_number": actor.table_number, **context}
        return render_event(request, tournament, template, given)

    return SheetFrame(
        sheet=held.sheet,
        root=reverse("table_sheet", args=[tournament.slug]),
        base="table_page/base.html",
        render=render,
        file=lambda content: file_sheet_from_table(actor, seat, content, database_now()),
        sign=lambda revision, _place: sign_sheet_from_table(actor, seat, revision, database_now()),
        save=lambda place, content, version: save_part_from_table(actor, seat, place, content, version, database_now()),
        change=lambda place, change: change_part_from_table(actor, seat, place, change, database_now()),
        places=writable_places(held.sheet, actor, seat.order) if may_write else frozenset(),
        own=frozenset({seat.order} if may_write else ()),
        may_file=may_write,
        note="" if may_write else _("The result is final. If it's wrong, tell the staff."),
        signs_elsewhere=who_signs(tournament, seat),
        contested=match.state == Match.State.CONFLICT,
        first=first_place(tournament, match, len(held.sheet.players)) or 0,
        length=match.round.stage.match_length,
        back=(reverse("table", args=[tournament.slug]), _("To the table")),
    )
