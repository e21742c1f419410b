"""The page that the code on a table opens: its current match, to be reported, agreed to, and called a judge for."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, Concatenate, cast

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http.access import access, is_allowed, page_view
from accounts.http.link_throttle import count_miss
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.identity.web import without_referrer
from journal.clock import database_now
from rules_engine.errors import BadInput, NotFound
from tournaments.entries.selectors.entries import around_the_table
from tournaments.models import JudgeCall, Match, ResultReport, Seat, Tournament
from tournaments.permissions import member_of
from tournaments.results.selectors import accepted_report_of, pending_of, waits_for_staff
from tournaments.room.selectors.calls import call_at
from tournaments.room.selectors.no_shows import no_show_at
from tournaments.sheets.selectors.sheet_lines import sheet_line
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.table_access.selectors import code_of_token, find_event_of_table, match_at
from tournaments.table_access.services import (
    call_from_table,
    mark_deck_ready_from_table,
    move_draft_from_table,
    seats_spoken_for,
    start_stacking_from_table,
)
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import EventView, P, event_view, render_event
from tournaments.web.shared.deck_ready import draft_context, stacking_context
from tournaments.web.shared.game_words import describe_games
from tournaments.web.shared.match_reporting import SeatReporting
from tournaments.web.shared.match_rows import Names, describe_report, line_of, score_text, seats_of
from tournaments.web.shared.penalty_words import describe_game_losses
from tournaments.web.table_page.table_session import CODE_IN_SESSION, TableRequest, keep_code

SEATS_IN_SESSION = "table_seats"
MAX_KEPT = 4


@page_view("public", fresh=True)
def open_table(request: ActorRequest, token: str) -> HttpResponse:
    """GET /t/<token>/: swap the code for the session and drop it from the address.

    NotFound "unknown_code"; TooMany for whoever tried many, while one that works opens for everybody.
    """
    code = code_of_token(token)
    if code is None:
        count_miss(request)
        raise unknown_code()
    keep_code(request, code)
    return without_referrer(redirect("table", code.tournament.slug))


def unknown_code() -> NotFound:
    """What unknown, revoked and expired codes and the sessions they opened are answered alike."""
    return NotFound("unknown_code", _("This code isn't valid any more. Ask the staff for a new one."))


TableView = Callable[Concatenate[TableRequest, Tournament, P], HttpResponse]


def table_page(view: TableView[P]) -> Callable[..., HttpResponseBase]:
    """A page for whoever opened the code of one of the event's tables, signed in or not: there the code acts."""
    vars(view)["find"] = find_event_of_table
    page = event_view("table.see", "GET", "HEAD", "POST")(cast(EventView[P], view))

    @access("table.see")
    @never_cache
    @wraps(view)
    def as_table(request: TableRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        request.known_actor = request.actor
        if request.table_actor is None and CODE_IN_SESSION in request.session:
            raise unknown_code()
        request.actor = request.table_actor or request.actor
        return page(request, slug, *args, **kwargs)

    return as_table


@table_page
@require_http_methods(["GET", "POST"])
def table(request: TableRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/table/: the table's current match; say who holds the phone, report, agree, call a judge.

    Whoever is known to sit there is led to their match, where nobody must be chosen; not where only codes report.
    """
    match = match_at(tournament, request.actor.table_number)
    only_codes = not tournament.players_report and tournament.table_reports != Tournament.TableReports.OFF
    if match is not None and not only_codes and _sits_there(request, tournament, match):
        return redirect("my_match", tournament.slug)
    if request.method == "POST":
        if match is None or str(match.pk) != request.POST.get("match"):
            messages.error(request, _("Not saved: that was another match. Here is the table now."))
            return redirect("table", tournament.slug)
        at = _at(request, tournament, match)
        act = ACTS.get(request.POST.get("act", ""))
        answer = act(request, tournament, at) if act is not None else None
        if isinstance(answer, HttpResponse):
            return answer
        return _show(request, tournament, _at(request, tournament, match), answer or {})
    return _show(request, tournament, _at(request, tournament, match) if match else None, {})


def _sits_there(request: TableRequest, tournament: Tournament, match: Match) -> bool:
    member = member_of(request.known_actor, tournament)
    return member is not None and any(seat.entry_id == member.entry_id for seat in match.seats.all())


def _at(request: TableRequest, tournament: Tournament, match: Match) -> SeatReporting:
    """The match with the seat that this phone spoke for, or said to be at."""
    chosen = request.session.get(SEATS_IN_SESSION, {}).get(str(match.pk))
    spoken = seats_spoken_for(request.actor, match)
    mine = next(iter(spoken), chosen)
    place = next((place for place, seat in enumerate(seats_of(match)) if seat.pk == mine), None)
    return SeatReporting(request, tournament, match, place, bool(spoken))


def seat_of_phone(request: TableRequest, tournament: Tournament, match: Match) -> Seat | None:
    """Whom this phone speaks for at a match; None before it said so, and for who is known to sit there."""
    return None if _sits_there(request, tournament, match) else _at(request, tournament, match).seat


def _back(tournament: Tournament) -> str:
    return reverse("table", args=[tournament.slug])


def _claim(request: TableRequest, tournament: Tournament, at: SeatReporting) -> HttpResponse:
    """Remember whom the phone speaks for at this match; nobody again with an empty seat."""
    if not is_allowed("table.report", request.actor, tournament):
        return _refuse(request, tournament)
    kept: dict[str, int | None] = dict(request.session.get(SEATS_IN_SESSION, {}))
    chosen = next((seat.pk for seat in at.seats if str(seat.pk) == request.POST.get("seat")), None)
    kept[str(at.match.pk)] = chosen
    request.session[SEATS_IN_SESSION] = dict(list(kept.items())[-MAX_KEPT:])
    return redirect(_back(tournament))


def _report(request: TableRequest, tournament: Tournament, at: SeatReporting) -> HttpResponse | dict[str, Any] | None:
    if at.seat is None or not is_allowed("table.report", request.actor, tournament):
        return _refuse(request, tournament)
    name, form = at.sent_form()
    if not form.is_valid() or at.report(form) is None:
        return {name: form}
    return redirect(_back(tournament))


def _refuse(request: TableRequest, tournament: Tournament) -> HttpResponse:
    """Nothing is stored for a phone that said not whom it speaks for, or where codes report nothing."""
    can_report = is_allowed("table.report", request.actor, tournament)
    nothing = _("Nothing was saved.")  # in an f-string `makemessages` would not find it
    words = _("Say first who you are.") if can_report else _("The staff enter results at this event.")
    messages.error(request, f"{words} {nothing}")
    return redirect(_back(tournament))


def _answer(request: TableRequest, tournament: Tournament, at: SeatReporting) -> HttpResponse:
    """Agree to the report of another player at the table, or say that it is wrong."""
    if not is_allowed("table.report", request.actor, tournament):
        return _refuse(request, tournament)
    return at.answer(_back(tournament), agrees=request.POST["act"] == "agree")


def _act_for_seat(
    request: TableRequest, tournament: Tournament, at: SeatReporting, act: Callable[[Seat], object], done: str
) -> HttpResponse:
    """Run an act for whom this phone speaks for; refused before it said so."""
    seat = at.seat
    if seat is None or not is_allowed("table.report", request.actor, tournament):
        return _refuse(request, tournament)
    return run_action(request, lambda: act(seat), done, _back(tournament))


def _place(request: TableRequest, tournament: Tournament, at: SeatReporting) -> HttpResponse:
    game, now = posted_number(request, "game") or 0, database_now()
    done = _("Your deck is placed for game %(game)d.") % {"game": game}
    act = partial(mark_deck_ready_from_table, request.actor, game=game, now=now)
    return _act_for_seat(request, tournament, at, act, done)


def _stack(request: TableRequest, tournament: Tournament, at: SeatReporting) -> HttpResponse:
    game, now = posted_number(request, "game") or 0, database_now()
    done = _("Stack your decks for game %(game)d: the time runs.") % {"game": game}
    act = partial(start_stacking_from_table, request.actor, game=game, now=now)
    return _act_for_seat(request, tournament, at, act, done)


def _draft(request: TableRequest, tournament: Tournament, at: SeatReporting) -> HttpResponse:
    seen, back, now = posted_number(request, "step"), request.POST["act"] == "draft_back", database_now()
    if seen is None:
        raise BadInput("bad_number", _("Enter the missing number."))
    done = _("The draft is one step back.") if back else _("The draft goes on.")
    act = partial(move_draft_from_table, request.actor, seen=seen, now=now, back=back)
    return _act_for_seat(request, tournament, at, act, done)


def _call(request: TableRequest, tournament: Tournament, at: SeatReporting) -> HttpResponse:
    kind, note = request.POST.get("kind", ""), request.POST.get("note", "")
    done = _("A judge was called. Please stay at the table.")
    return run_action(
        request, lambda: call_from_table(request.actor, at.match, kind, note, database_now()), done, _back(tournament)
    )


ACTS: dict[str, Callable[[TableRequest, Tournament, SeatReporting], HttpResponse | dict[str, Any] | None]] = {
    "claim": _claim, "report": _report, "other": _report, "agree": _answer, "disagree": _answer, "place": _place,
    "stack": _stack, "draft": _draft, "draft_back": _draft, "call": _call,
}  # fmt: skip


def _show(
    request: TableRequest, tournament: Tournament, at: SeatReporting | None, given: dict[str, Any]
) -> HttpResponse:
    context: dict[str, Any] = {"here": "table", "number": request.actor.table_number, "at": at}
    if at is not None:
        context |= _match_context(request, tournament, at, Names(tournament))
    return render_event(request, tournament, "table_page/table.html", context | given)


def _match_context(request: TableRequest, tournament: Tournament, at: SeatReporting, names: Names) -> dict[str, Any]:
    match, called = at.match, tuple(names(seat.entry) for seat in at.seats)
    standing, pending = accepted_report_of(match), pending_of(match)
    may_report = is_allowed("table.report", request.actor, tournament)
    can_choose = may_report and at.place is not None and not uses_sheets(tournament)
    context = {
        "phase": _phase(tournament, at, may_report=may_report),
        "seats": list(zip(at.seats, called, strict=True)),
        "my_name": called[at.place] if at.place is not None else "",
        "has_spoken": at.has_spoken,
        "others": _others(at, called),
        "standing": _report_context(tournament, standing, called) if standing else None,
        "reports": [_report_context(tournament, report, called) for report in pending],
        "their_report": (theirs := next(iter(at.theirs), None)),
        "why_not_agree": at.why_not_agree(theirs),
        "staff_agree": any(waits_for_staff(tournament, report, "table", at.seat) for report in pending),
        "game_losses": describe_game_losses(line_of(match, names)),
        "around": around_the_table(tournament, [seat.entry for seat in at.seats]),
        "sheet_line": sheet_line(match) if uses_sheets(tournament) else None,
        "call": (call := call_at(match)),
        "no_show": no_show_at(match, call, database_now()),
        "call_kinds": JudgeCall.Kind.choices,
        **stacking_context(request.actor, tournament, match, names),
        **draft_context(request.actor, tournament, match, names, at.seat),
    }
    marks = context["stacking"].marks if context["stacking"] else ()
    context["own_mark"] = next((mark for mark in marks if mark.seat == at.seat), None)
    return context | at.fresh_forms(names) if can_choose else context


def _others(at: SeatReporting, called: tuple[str, ...]) -> str:
    """Who must agree: whoever sits opposite, or everybody else at a larger table."""
    if at.place is None or at.is_table:
        return _("another player at your table")
    return called[1 - at.place]


def _report_context(tournament: Tournament, report: ResultReport, called: tuple[str, ...]) -> dict[str, Any]:
    """A report in words for everybody at the table: who reported it, who wins, the score."""
    seats = {seat.pk: place for place, seat in enumerate(seats_of(report.match))}
    place = seats.get(report.by_seat_id) if report.by_seat_id else None
    placings = len(called) > 2
    return {
        "report": report,
        "by": called[place] if place is not None else _("the staff"),
        "words": describe_report(report, called),
        "score": "" if placings else score_text(report),
        "places": [(name, score_text(report, each)) for each, name in enumerate(called)] if placings else [],
        "games": describe_games(tournament, report, called),
    }


def _phase(tournament: Tournament, at: SeatReporting, *, may_report: bool) -> str:
    """What the page is about now."""
    if at.match.state == Match.State.DONE:
        return "done"
    if at.match.state == Match.State.CONFLICT:
        return "conflict"
    if not may_report:
        return "desk"
    if at.place is None:
        return "who"
    if uses_sheets(tournament):
        return "sheet"
    if at.match.state == Match.State.REPORTED:
        return "agree" if at.theirs else "sent"
    return "report"
