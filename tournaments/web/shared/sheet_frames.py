"""A match's score sheet as its page shows it: who looks, what they may do, and what only events have besides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import check_access, is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import NotFound
from rules_engine.systems import get_system
from scoring.sheets.selectors import ABSENT
from scoring.sheets.web.frames import SheetFrame
from tournaments.core.first_players import first_place
from tournaments.core.forms import ReasonForm
from tournaments.models import Match, MatchSheet, Round, Seat, Tournament
from tournaments.permissions import check_issuer, is_staff_reporter, member_of
from tournaments.sheets.selectors.sheet_lines import SheetState, sheet_line
from tournaments.sheets.selectors.sheets import asks_one_signature, sheet_of, uses_sheets, writable_places, written_mark
from tournaments.sheets.services.filing import file_match_sheet, sign_match_sheet
from tournaments.sheets.services.writing import change_match_part, save_match_part
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.lookups import correction_rule, find_match
from tournaments.web.shared.match_rows import Names, line_of, seats_of

SheetView = Callable[..., HttpResponse]
UNSIGNED = (SheetState.SIGNING, SheetState.DISPUTED)
"""The states in which staff may let a sheet count without all signatures."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person looks at a match from: their seat, None without one; `is_staff`: the word counts as staff's."""

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
        raise NotFound("unknown_match", _("This event has no such match."))
    if not is_staff:
        check_issuer(request.actor, match)
    return Place(request.actor, tournament, match, seat, is_staff)


def sheet_page(view: SheetView) -> Callable[..., HttpResponseBase]:
    """A page of `SHEET_PAGES` for those at a table and for staff; what changes something needs "result.report"."""

    @event_view("sheet.see", "GET", "HEAD", "POST")
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


def sheet_root(tournament: Tournament, match: Match) -> str:
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
        first=first_place(place.tournament, match, len(held.sheet.players)) or 0,
        length=match.round.stage.match_length,
        back=_way_out(place),
    )


def _here(place: Place) -> str:
    return "desk" if place.is_staff else "my"


def _note(place: Place) -> str:
    if place.counts:
        return _("The result is final. If it's wrong, tell the staff.")
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
    may_mark, names_several = place.may_write and not place.counts, len(seats_of(match)) > 2
    return {
        "here": _here(place),
        "line": line_of(match, names),
        "place": place,
        "sheet_line": line,
        "deciding": _deciding(place.tournament),
        "absences": [
            (seat.order, names(seat.entry), parts.get(seat.order) == ABSENT)
            for seat in seats_of(match)
            if may_mark
            and names_several
            and seat.order in free
            and seat != place.speaker
            and parts.get(seat.order) in ({}, ABSENT)
        ],
        "may_confirm": place.is_staff and place.may_write and line.state in UNSIGNED,
        "may_ask_one": line.state is SheetState.SIGNING
        and not asks_one_signature(place.tournament)
        and is_allowed("event.settings", place.actor, place.tournament),
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
