"""Matches: reported, confirmed, disputed, corrected, upheld."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.access import check_access, is_allowed
from journal.idempotency.responses import with_effect
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound, needed
from scoring.standings.results import (
    GameResult,
    MatchResult,
    ResultKind,
    intentional_draw,
    match_loss,
    no_show,
    table_result,
)
from tournaments.api.edge import EventViewSet
from tournaments.api.schema import ProblemSerializer
from tournaments.api.serializers.deck_ready import PlacedMatchSerializer
from tournaments.api.serializers.matches import (
    ConfirmSerializer,
    CorrectionSerializer,
    DisputeSerializer,
    MatchSerializer,
    ReportedSerializer,
    ResultSerializer,
    SeenReasonSerializer,
    SeenScoreSerializer,
)
from tournaments.core.rounds import full_match, match_with_seats, own_matches
from tournaments.entries.selectors.entries import shared_names
from tournaments.models import Match, ResultReport, Round, Seat
from tournaments.permissions import (
    check_issuer,
    entry_id_of,
    is_staff_reporter,
    issuer_plays,
    require_staff_reporter,
)
from tournaments.results.services import corrections, reports
from tournaments.results.services.stored_reports import ReportAnswer, Status


class MatchAudience(EventViewSet):
    """Who sees the reports of a match: staff, and those who play it."""

    @cached_property
    def own_entry(self) -> int | None:
        """The id of the caller's entry."""
        return entry_id_of(self.actor, self.event)

    @cached_property
    def names(self) -> dict[int, str]:
        """What to call every entry by id, with its number where a name is shared."""
        shared = shared_names(self.event)
        rows = self.event.entries.values_list("pk", "name", "number")
        return {pk: f"{name} #{number}" if name.casefold() in shared else name for pk, name, number in rows}

    def name_of(self, entry: int) -> str:
        """What to call an entry of this id."""
        return self.names.get(entry, _("someone"))

    def own_seat(self, match: Match) -> Seat | None:
        """The caller's place at a match."""
        return next((seat for seat in match.seats.all() if seat.entry_id == self.own_entry), None)

    def sees_reports(self, match: Match) -> bool:
        """Whether the caller sees every report of a match, not only what counts."""
        if self.is_staff:
            return True
        return self.own_seat(match) is not None and not issuer_plays(self.actor, match)

    def find_match(self, *, reports: bool = True) -> Match:
        """The match of the address in a round the caller sees, with its `reports`; NotFound "unknown_match"."""
        find = full_match if reports else match_with_seats
        match = find(self.event, self.kwargs["match_id"])
        if match is None or not self.sees_round(match.round):
            raise NotFound("unknown_match", _("This event has no such match."))
        return match

    def side_of_caller(self, match: Match) -> Seat | None:
        """Whose word it is: None for staff's, else the player's seat; NotAllowed "not_your_match" at another's table.

        Services ask whether the caller's link may speak for it.
        """
        seat = self.own_seat(match)
        if is_staff_reporter(self.actor, self.event, plays=seat is not None):
            return None
        if seat is None:
            raise NotAllowed("not_your_match", _("You do not play this match."))
        return seat

    def speaking_seat(self, match: Match) -> Seat | None:
        """The same where no service asks: NotAllowed "issuer_plays" for a link that a player of the match made."""
        seat = self.side_of_caller(match)
        if seat is not None:
            check_issuer(self.actor, match)
        return seat

    def sees_round(self, round_: Round) -> bool:
        """Whether the round counts and is published, or the caller is an official."""
        if round_.superseded_at is not None:
            return False
        return round_.state != Round.State.PAIRED or is_allowed("round.preview", self.actor, self.event)


class MatchViewSet(MatchAudience):
    """One match of an event."""

    resource = "matches"
    access_rules: ClassVar = {
        "retrieve": "event.see",
        **dict.fromkeys(("report", "confirm", "dispute"), "result.report"),
        **dict.fromkeys(("correct", "uphold"), "result.correct"),
    }

    @extend_schema(responses=PlacedMatchSerializer)
    def retrieve(self, request: Request, slug: str, match_id: int) -> Response:
        """One match with its result, how far its decks are placed, and what they revealed."""
        return self.answer(PlacedMatchSerializer, self.find_match())

    @extend_schema(
        request=SeenScoreSerializer,
        responses={
            200: ReportedSerializer,
            (409, "application/problem+json"): OpenApiResponse(
                ProblemSerializer,
                "Another result was reported: yours is kept beside it (`result_conflict`) for staff to settle. "
                "Any other code: nothing was stored.",
            ),
        },
    )
    def report(self, request: Request, slug: str, match_id: int) -> Response:
        """Report a match of an open round: as staff it counts at once, as a player it waits for the other's word.

        At their own match scorekeepers are players.
        """
        match = self.find_match(reports=False)
        seat, values = self.side_of_caller(match), self.read(SeenScoreSerializer)
        result, version = result_in(match, values), values.get("version")
        answer = reports.report_result(self.actor, match, result, self.now, seat=seat, version=version)
        return self.answer_report(answer)

    @extend_schema(request=ConfirmSerializer, responses=ReportedSerializer)
    def confirm(self, request: Request, slug: str, match_id: int) -> Response:
        """Agree to a waiting report, as the other player or as staff; it counts from now on."""
        match = self.find_match()
        values = self.read(ConfirmSerializer)
        report, seat = self.find_report(match, values["report"]), self.side_of_caller(match)
        version, reason = values.get("version"), values.get("reason", "")
        answer = reports.confirm_report(self.actor, report, self.now, seat=seat, version=version, reason=reason)
        return self.answer_report(answer)

    @extend_schema(request=DisputeSerializer, responses=MatchSerializer)
    def dispute(self, request: Request, slug: str, match_id: int) -> Response:
        """Say that a waiting report is wrong; staff settle it."""
        match, values = self.find_match(), self.read(DisputeSerializer)
        self.side_of_caller(match)
        report = self.find_report(match, values["report"])
        reports.dispute_report(self.actor, report, values.get("reason", ""), self.now, version=values.get("version"))
        return self.answer(MatchSerializer, self.find_match())

    @extend_schema(request=CorrectionSerializer, responses=ReportedSerializer)
    def correct(self, request: Request, slug: str, match_id: int) -> Response:
        """Replace the result that counts, with a reason; in a closed round officials only."""
        match, values = self.find_correctable(), self.read(CorrectionSerializer)
        result = result_in(match, values)
        seen = self.find_report(match, values["seen"]).pk if "seen" in values else None
        answer = corrections.correct_result(self.actor, match, result, values["reason"], self.now, seen=seen)
        return self.answer_report(answer)

    @extend_schema(request=SeenReasonSerializer, responses=MatchSerializer)
    def uphold(self, request: Request, slug: str, match_id: int) -> Response:
        """Keep the result that counts although another one was reported afterwards."""
        match, values = self.find_correctable(), self.read(SeenReasonSerializer)
        seen = self.find_report(match, values["seen"]).pk if "seen" in values else None
        corrections.keep_result(self.actor, match, values["reason"], self.now, seen=seen)
        return self.answer(MatchSerializer, self.find_match())

    def find_correctable(self) -> Match:
        """The match of the address; once its round is closed, NotAllowed for all but officials."""
        match = self.find_match()
        if match.round.state == Round.State.CLOSED:
            check_access("result.correct_closed", self.actor, self.event)
        require_staff_reporter(self.actor, self.event, match)
        return match

    def find_report(self, match: Match, number: int) -> ResultReport:
        """A report of the match by number; NotFound "unknown_report"."""
        report = next((each for each in match.reports.all() if each.number == number), None)
        return needed(report, NotFound("unknown_report", _("This match has no such report.")))

    def answer_report(self, answer: ReportAnswer) -> Response:
        """What became of the report: 200, or 409 where it was stored beside one that differs."""
        if answer.status is not Status.CONFLICT:
            value = {"status": answer.status.value, "report": answer.report, "match": answer.report.match}
            return self.answer(ReportedSerializer, value)
        response = self.handle_exception(_conflict(answer))
        return with_effect(response)


class OwnMatchesViewSet(MatchAudience):
    """The caller's own matches."""

    resource = "my_matches"
    access_rules: ClassVar = {"list": "entry.own"}

    @extend_schema(responses=MatchSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Your matches of published rounds, first to last; one whose `state` is not `done` has no result yet."""
        return self.answer_page(MatchSerializer, own_matches(self.event, self.own_member().entry_id))


def result_in(match: Match, values: Mapping[str, Any]) -> MatchResult:
    """The result of a `ScoreSerializer` as a value; `check_result` of the service judges it.

    DomainError "bad_score".
    """
    seats = len(match.seats.all())
    kind, length = ResultKind(values.get("kind", ResultKind.PLAYED)), match.round.stage.match_length
    absent = _absent_seats(values.get("absent", []), seats) if kind is ResultKind.NO_SHOW else ()
    if kind is ResultKind.PLAYED and _tells_games(values) and not values.get("placings") and length.games > 1:
        return _played(values, seats)
    if kind in (ResultKind.PLAYED, ResultKind.NO_SHOW) and (values.get("placings") or values.get("scores")):
        return _table_result(values, absent)
    if kind is ResultKind.NO_SHOW:
        return no_show(seats, absent, length)
    if kind is ResultKind.INTENTIONAL_DRAW:
        return intentional_draw(length, seats)
    if kind is ResultKind.MATCH_LOSS:
        return match_loss(values.get("penalised", 0) - 1, length)
    if kind is not ResultKind.PLAYED:
        return MatchResult(kind, (0,) * seats)
    return _played(values, seats)


def _absent_seats(absent: list[int], seats: int) -> tuple[int, ...]:
    if not absent or max(absent) > seats:
        raise DomainError("bad_score", _("Name the empty seats, from 1 to %(seats)d.") % {"seats": seats})
    return tuple(sorted({seat - 1 for seat in absent}))


def _tells_games(values: Mapping[str, Any]) -> bool:
    return bool(values.get("games_won") or values.get("games"))


def _played(values: Mapping[str, Any], seats: int) -> MatchResult:
    """A played match as its body tells it: by games won, game by game, or by both, with what was scored in all."""
    games = tuple(
        GameResult(
            None if game["winner"] is None else game["winner"] - 1, game.get("win_kind", ""), tuple(game["roles"])
        )
        for game in values.get("games", [])
    )
    winners = [game.winner for game in games]
    won = values.get("games_won", [winners.count(seat) for seat in range(seats)])
    drawn = values.get("games_drawn", winners.count(None))
    scores = tuple(Fraction(score) for score in values.get("scores", []))
    return MatchResult(ResultKind.PLAYED, tuple(won), drawn, games=games, scores=scores)


def _table_result(values: Mapping[str, Any], absent: tuple[int, ...]) -> MatchResult:
    scores = [Fraction(score) for score in values.get("scores", [])]
    return table_result(values.get("placings", []), scores, absent)


def _conflict(answer: ReportAnswer) -> Conflict:
    facts: dict[str, Any] = {"report": answer.report.number, "standing": None}
    if answer.accepted is not None:
        facts["standing"] = ResultSerializer(answer.accepted).data
    return Conflict("result_conflict", _("Another result was reported. The staff decide."), **facts)
