"""Score sheets of matches: parts saved, the sheet filed, its tally read and signed."""

from functools import cached_property
from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.access import check_access
from rules_engine.errors import NotAllowed, NotFound, needed
from scoring.sheets.parts import readable_part
from tournaments.api.serializers.sheets import (
    AbsenceSerializer,
    CorrectBySheetSerializer,
    FileSheetSerializer,
    PartSerializer,
    SavePartSerializer,
    SheetLineSerializer,
    SheetSerializer,
    SignSheetSerializer,
    TallySerializer,
)
from tournaments.api.views.matches import MatchAudience
from tournaments.api.views.rounds import RoundAudience
from tournaments.core.rounds import matches_of
from tournaments.models import Match, Round, Seat
from tournaments.permissions import require_staff_reporter
from tournaments.sheets.selectors.sheet_lines import SheetLine, sheet_line, sheet_lines
from tournaments.sheets.selectors.sheets import needed_sheet, sheet_of, writable_places
from tournaments.sheets.services.filing import correct_match_by_sheet, file_match_sheet, sign_match_sheet
from tournaments.sheets.services.writing import mark_absence, open_match_sheet, save_match_part


class SheetViewSet(MatchAudience):
    """The score sheet of one match, for those who play it and for staff."""

    resource = "sheets"
    access_rules: ClassVar = {
        **dict.fromkeys(("retrieve", "tally"), "sheet.see"),
        **dict.fromkeys(("save", "file", "sign", "absent"), "result.report"),
        "correct": "result.correct",
    }

    @cached_property
    def match(self) -> Match:
        """The match of the address; NotFound "unknown_match", NotAllowed "not_your_match" at another table."""
        match = self.find_match()
        self.speaking_seat(match)
        return match

    @cached_property
    def seat(self) -> Seat | None:
        """The seat whose word it is; None for staff's."""
        return self.speaking_seat(self.match)

    @property
    def shown_places(self) -> frozenset[int]:
        """The parts that the caller reads and writes."""
        return writable_places(
            needed_sheet(self.match).sheet, self.actor, self.seat.order if self.seat is not None else None
        )

    def line(self) -> SheetLine:
        """How far the sheet is now."""
        return sheet_line(self.find_match())

    @extend_schema(responses=SheetSerializer)
    def retrieve(self, request: Request, slug: str, match_id: int) -> Response:
        """The sheet of a match as far as it is written."""
        needed_sheet(self.match)
        return self.answer(SheetSerializer, self.line())

    @extend_schema(request=SavePartSerializer, responses=PartSerializer)
    def save(self, request: Request, slug: str, match_id: int, place: int) -> Response:
        """Write the part of a seat or of the table (0); the first one opens the sheet.

        Players write their own part, the table's, and others' that are empty or that they wrote.
        """
        match, values = self.match, self.read(SavePartSerializer)
        if sheet_of(match) is None:
            open_match_sheet(self.actor, match, self.now)
        content = readable_part(needed_sheet(match).sheet, place, values["content"])
        part = save_match_part(self.actor, match, place, content, values["version"], self.now, seat=self.seat)
        return self.answer(PartSerializer, part)

    @extend_schema(request=FileSheetSerializer, responses=SheetLineSerializer)
    def file(self, request: Request, slug: str, match_id: int) -> Response:
        """File the sheet as it lies and have it added up.

        By a player the result waits for signatures. By staff it counts at once; over a result that counts it is a
        correction, which needs a reason, in a closed round by officials only.
        """
        match, reason = self.match, self.read(FileSheetSerializer).get("reason", "")
        if match.accepted_report_id is not None and self.seat is None:
            self.check_may_correct(match)
        file_match_sheet(self.actor, match, self.now, seat=self.seat, reason=reason)
        return self.answer(SheetLineSerializer, self.line())

    @extend_schema(responses=TallySerializer)
    def tally(self, request: Request, slug: str, match_id: int) -> Response:
        """What the newest revision adds up to."""
        needed_sheet(self.match)
        line = self.line()
        if line.revision is None:
            raise NotFound("not_filed", _("Nobody has filed this sheet yet."))
        return self.answer(TallySerializer, line)

    @extend_schema(request=SignSheetSerializer, responses=SheetLineSerializer)
    def sign(self, request: Request, slug: str, match_id: int) -> Response:
        """Sign the tally of a revision for your own seat; the last signature that is needed makes the result count."""
        match, number = self.match, self.read(SignSheetSerializer)["revision"]
        seat = needed(self.own_seat(match), NotAllowed("not_your_match", _("You do not play this match.")))
        revision = needed_sheet(match).sheet.revisions.filter(number=number).first()
        if revision is None:
            raise NotFound("no_revision", _("This version of the sheet doesn't exist."))
        sign_match_sheet(self.actor, match, revision, seat, self.now)
        return self.answer(SheetLineSerializer, self.line())

    @extend_schema(request=AbsenceSerializer, responses=SheetLineSerializer)
    def absent(self, request: Request, slug: str, match_id: int) -> Response:
        """Say that a player of the sheet did not come, or did; of others with an account or link only staff say so."""
        values = self.read(AbsenceSerializer)
        if values["place"] > len(self.match.seats.all()):
            raise NotFound("no_place", _("This seat is empty."))
        mark_absence(self.actor, self.match, values["place"], values["absent"], self.now, seat=self.seat)
        return self.answer(SheetLineSerializer, self.line())

    @extend_schema(request=CorrectBySheetSerializer, responses=SheetLineSerializer)
    def correct(self, request: Request, slug: str, match_id: int) -> Response:
        """File the sheet as it lies and have it replace the accepted result; in a closed round officials only."""
        values = self.read(CorrectBySheetSerializer)
        self.check_may_correct(self.match)
        correct_match_by_sheet(self.actor, self.match, values["reason"], self.now, seen=values.get("seen", ""))
        return self.answer(SheetLineSerializer, self.line())

    def check_may_correct(self, match: Match) -> None:
        """Refuse whoever may not correct a result: NotAllowed."""
        closed = match.round.state == Round.State.CLOSED
        check_access("result.correct_closed" if closed else "result.correct", self.actor, self.event)
        require_staff_reporter(self.actor, self.event, match)


class RoundSheetsViewSet(RoundAudience):
    """The score sheets of a round."""

    resource = "round_sheets"
    access_rules: ClassVar = {"list": "desk"}

    @extend_schema(responses=SheetLineSerializer(many=True))
    def list(self, request: Request, slug: str, number: int) -> Response:
        """How far the sheets of a round are, by table."""
        played = [match for match in matches_of(self.find_round()) if match.kind == Match.Kind.PLAYED]
        return self.answer_page(SheetLineSerializer, sheet_lines(played))
