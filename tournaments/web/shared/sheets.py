"""Score sheets of matches: the pages of `scoring.sheets.web` within an event, and what only events have besides."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.http.access import check_access
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import Conflict, NotFound
from scoring.sheets.web.sheets import SHEET_PAGES
from tournaments.core.forms import ReasonForm
from tournaments.core.round_names import round_name
from tournaments.events.services.settings import update_settings
from tournaments.models import Match, MatchSheet, ResultReport, Tournament
from tournaments.permissions import require_staff_reporter
from tournaments.results.services.reports import confirm_report, dispute_report
from tournaments.sheets.selectors.sheet_lines import sheet_line
from tournaments.sheets.selectors.sheets import ONE, SIGNATURES, sheet_of
from tournaments.sheets.services.filing import correct_match_by_sheet
from tournaments.sheets.services.writing import mark_absence, open_match_sheet
from tournaments.web.frame.actions import run_action, tell_disagreement
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.impact import CORRECT, PendingChange, preview_or_apply, step_of
from tournaments.web.shared.lookups import correction_rule
from tournaments.web.shared.match_rows import Names, line_of, seats_of
from tournaments.web.shared.sheet_frames import Place, place_at, sheet_page, sheet_root

sheet_pages = [(route, view.__name__, sheet_page(view)) for route, view in SHEET_PAGES.items()]
"""The pages of a match's sheet, each with its route and its name."""


@event_view("sheet.see", "POST")
def open_sheet(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/open/: begin the sheet of a match, or find it begun; go on to your part."""
    check_access("result.report", request.actor, tournament)
    place = place_at(request, tournament, match_id)
    if sheet_of(place.match) is None:
        open_match_sheet(request.actor, place.match, database_now())
    return redirect(sheet_root(tournament, place.match))


@event_view("sheet.see", "POST")
def mark_absent(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/absent/ (place, absent): a person did not come, or did after all."""
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


@event_view("sheet.see", "POST")
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


@event_view("desk", "POST")
def confirm_unsigned(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/confirm/ (revision, reason): a filed sheet counts without all its signatures."""
    check_access("result.report", request.actor, tournament)
    place = place_at(request, tournament, match_id)
    require_staff_reporter(request.actor, tournament, place.match)
    report, reason = _waiting(place, request), request.POST.get("reason", "")

    def act() -> object:
        return confirm_report(request.actor, report(), database_now(), reason=reason)

    return run_action(request, act, _("The sheet is accepted."), sheet_root(tournament, place.match) + "tally/")


@event_view("event.settings", "POST")
def ask_one_signature(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/sheet/one-signature/: one signature besides the filer's is enough at the event from now on."""
    place, now = place_at(request, tournament, match_id), database_now()
    changes = {"sheet_options": {**tournament.sheet_options, SIGNATURES: ONE}}
    done, root = _("One signature is enough from now on."), sheet_root(tournament, place.match)
    return run_action(request, lambda: update_settings(request.actor, tournament, changes, now), done, f"{root}tally/")


@event_view("desk", "POST")
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

    change, step = _correction(tournament, place.match, reason, root), step_of(request)
    answer = preview_or_apply(request, tournament, change, act, form, step=step) if form.is_valid() else None
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
        CORRECT,
        _("%(round)s, table %(table)s, corrected: %(reason)s") % {**where, "reason": reason},
        back,
        tells_players=True,
    )
