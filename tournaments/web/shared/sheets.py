"""Score sheets of matches: the pages of `scoring.sheets.web` within an event, and what only events have besides."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.actors import Actor
from accounts.http.access import check_access, is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import Conflict, NotFound
from rules_engine.systems import get_system
from scoring.sheets.selectors import ABSENT
from scoring.sheets.web.sheets import SHEET_PAGES, SheetFrame
from tournaments.core.forms import ReasonForm
from tournaments.core.round_names import round_name
from tournaments.models import Match, MatchSheet, ResultReport, Round, Seat, Tournament
from tournaments.permissions import check_issuer, is_staff_reporter, member_of, require_staff_reporter
from tournaments.results.services.reports import confirm_report, dispute_report
from tournaments.sheets.selectors.sheet_lines import SheetState, sheet_line
from tournaments.sheets.selectors.sheets import sheet_of, uses_sheets, writable_places, written_mark
from tournaments.sheets.services.filing import correct_match_by_sheet, file_match_sheet, sign_match_sheet
from tournaments.sheets.services.writing import change_match_part, mark_absence, open_match_sheet, save_match_part
from tournaments.web.frame.actions import run_action, tell_disagreement
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.impact import PendingChange, correction_labels, preview_or_apply, step_of
from tournaments.web.shared.lookups import correction_rule, find_match
from tournaments.web.shared.match_rows import Names, line_of, seats_of

SheetView = Callable[..., HttpResponse]
UNSIGNED = (SheetState.SIGNING, SheetState.DISPUTED)
"""The states in which staff may let a sheet count without all signatures."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody looks at a match from: the own seat, None without one; `is_staff`: the word counts as staff's."""

    actor: Actor
    tournament: Tournament
    match: Match
    seat: Seat | None
    is_staff: bool

    @property
    def speaker(self) -> Seat | None:
        """The seat whose word it is; None for staff's."""
        return None if self.is_staff else self.seat

    @property
    def runs(self) -> bool:
        """Whether the match counts in a running event."""
        return self.tournament.state == Tournament.State.RUNNING and self.match.round.superseded_at is None

    @property
    def counts(self) -> bool:
        """Whether a result counts already."""
        return self.match.accepted_report_id is not None

    @property
    def may_write(self) -> bool:
        """Whether the viewer writes on the sheet now: players until a result counts, staff to correct it too."""
        is_open = self.match.round.state == Round.State.PUBLISHED
        if not self.runs or not (is_open or self.counts) or (self.counts and not self.is_staff):
            return False
        rule = "result.report" if not self.counts else correction_rule(self.match)
        return is_allowed(rule, self.actor, self.tournament)

    def writable(self, held: MatchSheet) -> frozenset[int]:
        """The parts that the viewer reads and writes."""
        own = self.speaker.order if self.speaker else None
        return writable_places(held.sheet, self.actor, own) if self.may_write else frozenset()


def place_at(request: ActorRequest, tournament: Tournament, match_id: int) -> Place:
    """Where the viewer looks at a match from; NotFound "unknown_match" at others' tables, NotAllowed "issuer_plays"."""
    match, member = find_match(tournament, match_id), member_of(request.actor, tournament)
    seat = next((each for each in match.seats.all() if member and each.entry_id == member.entry_id), None)
    is_staff = is_staff_reporter(request.actor, tournament, plays=seat is not None)
    if seat is None and not is_staff:
        raise NotFound("unknown_match", _("There is no such match in this event."))
    if not is_staff:
        check_issuer(request.actor, match)
    return Place(request.actor, tournament, match, seat, is_staff)


def sheet_page(view: SheetView) -> SheetView:
    """A page of `SHEET_PAGES` for those at a table and for staff; what changes something needs "result.report"."""

    @event_view("sheet.see")
    def page(request: ActorRequest, tournament: Tournament, /, match_id: int, **values: Any) -> HttpResponse:
        place = place_at(request, tournament, match_id)
        held = sheet_of(place.match)
        if request.method not in ("GET", "HEAD"):
            check_access("result.report", request.actor, tournament)
        elif held is None and uses_sheets(tournament):
            context = {"here": _here(place), "line": line_of(place.match, Names(tournament)), "place": place}
            return render_event(request, tournament, "shared/sheet_open.html", context)
        if held is None:
            raise NotFound("no_sheet", _("This match has no score sheet yet."))
        return view(request, frame_of(request, place, held), **values)

    return page


sheet_pages = [(route, view.__name__, sheet_page(view)) for route, view in SHEET_PAGES.items()]
"""The pages of a match's sheet, each with its route and its name."""


def sheet_root(tournament: Tournament, match: Match) -> str:
    """The address of a match's sheet."""
    return reverse("match_sheet", args=[tournament.slug, match.pk])


def frame_of(request: ActorRequest, place: Place, held: MatchSheet) -> SheetFrame:
    """A match's sheet as the viewer has it: staff write every part, players their own, the table's and free ones."""
    actor, match, seat = place.actor, place.match, place.speaker

    def render(template: str, context: dict[str, Any]) -> HttpResponse:
        return render_event(request, place.tournament, template, {**_panel(place, held), **context})

    return SheetFrame(
        sheet=held.sheet,
        root=sheet_root(place.tournament, match),
        base="shared/sheet_base.html",
        render=render,
        file=lambda content: file_match_sheet(actor, match, database_now(), seat=seat, content=content),
        sign=lambda revision, number: sign_match_sheet(
            actor, match, revision, seats_of(match)[number - 1], database_now()
        ),
        save=lambda number, content, version: save_match_part(
            actor, match, number, content, version, database_now(), seat=seat
        ),
        change=lambda number, change: change_match_part(actor, match, number, change, database_now(), seat=seat),
        places=place.writable(held),
        own=frozenset({place.seat.order} if place.seat and not place.counts and place.runs else ()),
        may_file=place.may_write and not place.counts,
        note="" if place.may_write else _note(place),
        contested=match.state == Match.State.CONFLICT,
        length=match.round.stage.match_length,
        back=_way_out(place),
    )


def _here(place: Place) -> str:
    return "desk" if place.is_staff else "my"


def _note(place: Place) -> str:
    if place.counts:
        return _("The result counts. Wrong? Ask the staff.")
    return _("This sheet is closed.")


def _way_out(place: Place) -> tuple[str, str]:
    slug = place.tournament.slug
    if place.is_staff:
        return reverse("match", args=[slug, place.match.pk]), _("To the match")
    return reverse("my_match", args=[slug]), _("To my match")


def _panel(place: Place, held: MatchSheet) -> dict[str, Any]:
    """What every page of the sheet shows below: how far it is, who did not come, and what staff may do about it."""
    match, names, line = place.match, Names(place.tournament), sheet_line(place.match)
    parts, free = {part.place: part.content for part in held.sheet.parts.all()}, place.writable(held)
    may_mark = place.may_write and not place.counts
    return {
        "here": _here(place),
        "line": line_of(match, names),
        "place": place,
        "sheet_line": line,
        "deciding": _deciding(place.tournament),
        "absences": [
            (seat.order, names(seat.entry), parts.get(seat.order) == ABSENT)
            for seat in seats_of(match)
            if may_mark and seat.order in free and seat != place.speaker and parts.get(seat.order) in ({}, ABSENT)
        ],
        "may_confirm": place.is_staff and place.may_write and line.state in UNSIGNED,
        "may_correct": place.is_staff and place.may_write and place.counts,
        "may_dispute": place.speaker is not None and place.may_write and line.state is SheetState.SIGNING,
        "confirm_form": ReasonForm(auto_id="confirm_%s"),
        "written": written_mark(held.sheet),
        "correct_form": ReasonForm(auto_id="correct_%s"),
    }


def _deciding(tournament: Tournament) -> str:
    """How the roles of a game with unequal ones go in the deciding game; "" where they swap as always."""
    label = get_system(tournament.game).match.deciding_labels.get(tournament.deciding_game, "")
    return _(label) if label else ""


@event_view("sheet.see")
@require_POST
def open_sheet(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/open/: begin the sheet of a match, or find it begun; go on to the own part."""
    check_access("result.report", request.actor, tournament)
    place = place_at(request, tournament, match_id)
    if sheet_of(place.match) is None:
        open_match_sheet(request.actor, place.match, database_now())
    return redirect(sheet_root(tournament, place.match))


@event_view("sheet.see")
@require_POST
def mark_absent(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/absent/ (place, absent): somebody did not come, or did after all."""
    check_access("result.report", request.actor, tournament)
    place, number = place_at(request, tournament, match_id), request.POST.get("place", "")
    seat = next((each for each in seats_of(place.match) if str(each.order) == number), None)
    if seat is None:
        raise NotFound("no_place", _("This seat is empty."))
    is_absent, name = request.POST.get("absent") == "1", Names(tournament)(seat.entry)
    done = _("%(name)s is a no-show.") if is_absent else _("%(name)s is here.")

    def act() -> object:
        return mark_absence(request.actor, place.match, seat.order, is_absent, database_now(), seat=place.speaker)

    tell = messages.info if is_absent else messages.success
    return run_action(request, act, done % {"name": name}, sheet_root(tournament, place.match), tell=tell)


@event_view("sheet.see")
@require_POST
def dispute_sheet(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/dispute/ (report): the table does not agree on what was filed; staff settle it."""
    check_access("result.report", request.actor, tournament)
    place = place_at(request, tournament, match_id)
    report = _waiting(place, request)
    done, root = _("You disagree. A judge is coming."), sheet_root(tournament, place.match)

    def act() -> object:
        return dispute_report(request.actor, report(), "", database_now())

    return run_action(request, act, done, f"{root}tally/", tell=tell_disagreement)


def _waiting(place: Place, request: ActorRequest) -> Callable[[], ResultReport]:
    """Finds the waiting report of the match's newest sheet, which the page must have shown; else Conflict."""

    def find() -> ResultReport:
        report = sheet_line(place.match).report
        if report is None or str(report.pk) != request.POST.get("report"):
            raise Conflict("not_waiting", _("The sheet was filed again. Check it."))
        return report

    return find


@event_view("desk")
@require_POST
def confirm_unsigned(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/confirm/ (revision, reason): a filed sheet counts without all its signatures."""
    check_access("result.report", request.actor, tournament)
    place = place_at(request, tournament, match_id)
    require_staff_reporter(request.actor, tournament, place.match)
    report, reason = _waiting(place, request), request.POST.get("reason", "")

    def act() -> object:
        return confirm_report(request.actor, report(), database_now(), reason=reason)

    return run_action(request, act, _("The sheet is accepted."), sheet_root(tournament, place.match) + "tally/")


@event_view("desk")
@require_POST
def correct_by_sheet(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/correct/ (reason, seen, step): the sheet as it lies in place of the result that counts.

    With the step "look" the page that shows what this would move comes first.
    """
    place = place_at(request, tournament, match_id)
    check_access(correction_rule(place.match), request.actor, tournament)
    require_staff_reporter(request.actor, tournament, place.match)
    root, form = sheet_root(tournament, place.match), ReasonForm(request.POST, auto_id="correct_%s")
    reason, seen = request.POST.get("reason", ""), request.POST.get("seen", "")

    def act(now: datetime) -> MatchSheet:
        return correct_match_by_sheet(request.actor, place.match, reason, now, seen=seen)

    deed, step = _correction(tournament, place.match, reason, root), step_of(request)
    answer = preview_or_apply(request, tournament, deed, act, form, step=step) if form.is_valid() else None
    if isinstance(answer, HttpResponse):
        return answer
    if answer is None:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect(root)
    messages.success(request, _("Corrected by the sheet. Standings updated."))
    return redirect(f"{root}tally/")


def _correction(tournament: Tournament, match: Match, reason: str, back: str) -> PendingChange:
    """What a correction by the sheet is about, for the page that shows what it would move."""
    line = line_of(match, Names(tournament))
    where = {"table": line.table, "round": round_name(match.round)}
    instead = _("the sheet instead of %(before)s") % {"before": line.score}
    return PendingChange(
        _("Correct %(round)s, table %(table)s by its sheet?") % where,
        ((" – ".join(line.names), instead), (_("Reason"), reason)),
        correction_labels(),
        _("%(round)s, table %(table)s, corrected: %(reason)s") % {**where, "reason": reason},
        back,
        tells_players=True,
    )
