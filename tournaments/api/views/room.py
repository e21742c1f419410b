"""The room: announcements, calls for a judge, the clock of a round, and players who are not seen."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine.errors import Conflict, NotFound, needed
from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.api.serializers.queries import AskedCallsSerializer, given
from tournaments.api.serializers.room import (
    AnnouncementSerializer,
    CallSerializer,
    ChangeClockSerializer,
    ClockSerializer,
    ExtraGivenSerializer,
    ExtraTimeSerializer,
    NewAnnouncementSerializer,
    NewCallSerializer,
    NoShowSerializer,
    NotSeenSerializer,
    OutcomeSerializer,
    PhaseActSerializer,
    ShownClockSerializer,
    TableCallSerializer,
)
from tournaments.api.views.matches import MatchAudience
from tournaments.core.rounds import open_rounds
from tournaments.models import JudgeCall, Round
from tournaments.room.selectors.announcements import announcements_of, find_announcement, withdrawn_of
from tournaments.room.selectors.calls import call_at, calls_of, find_call, find_table_to_call_from, open_calls
from tournaments.room.selectors.clocks import clock_of
from tournaments.room.selectors.no_shows import no_shows_of
from tournaments.room.services import calls, clocks
from tournaments.room.services.announcements import post_announcement, withdraw_announcement
from tournaments.rounds.selectors.not_seen import not_seen


class AnnouncementsViewSet(EventViewSet):
    """Announcements of an event."""

    resource = "announcements"
    access_rules: ClassVar = {
        "list": "event.see", **dict.fromkeys(("create", "withdrawn", "withdraw", "post_again"), "announce"),
    }  # fmt: skip
    pages = frozenset({"list", "withdrawn"})

    @extend_schema(responses=AnnouncementSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """The announcements that stand, newest first."""
        return self.answer_page(AnnouncementSerializer, announcements_of(self.event))

    @extend_schema(request=NewAnnouncementSerializer, responses={201: AnnouncementSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Tell the room: it stands on every page and screen until it is withdrawn."""
        posted = post_announcement(self.actor, self.event, now=self.now, **self.read(NewAnnouncementSerializer))
        return self.answer(AnnouncementSerializer, posted, 201)

    @extend_schema(request=None, responses=AnnouncementSerializer)
    def withdraw(self, request: Request, slug: str, announcement_id: int) -> Response:
        """Take an announcement off every page and screen."""
        found = find_announcement(self.event, announcement_id)
        return self.answer(AnnouncementSerializer, withdraw_announcement(self.actor, found, self.now))

    @extend_schema(responses=AnnouncementSerializer(many=True))
    def withdrawn(self, request: Request, slug: str) -> Response:
        """The last 50 announcements that were withdrawn, newest first."""
        return self.answer_page(AnnouncementSerializer, withdrawn_of(self.event))

    @extend_schema(request=None, responses={201: AnnouncementSerializer})
    def post_again(self, request: Request, slug: str, announcement_id: int) -> Response:
        """Post the same words once more."""
        found = find_announcement(self.event, announcement_id)
        posted = post_announcement(self.actor, self.event, found.text, self.now, is_urgent=found.is_urgent)
        return self.answer(AnnouncementSerializer, posted, 201)


ANSWERS = ("claim", "release", "escalate", "resolve")


class CallsViewSet(EventViewSet):
    """The queue of calls, for judges and organisers."""

    resource = "calls"
    access_rules: ClassVar = dict.fromkeys(("list", *ANSWERS), "call.answer")
    queries: ClassVar = {"list": AskedCallsSerializer}

    @extend_schema(responses=CallSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """The calls that nobody has ended yet, whoever waits longest first."""
        found = open_calls(self.event).filter(**given(self.query, "kind", "state"))
        return self.answer_page(CallSerializer, found)

    @extend_schema(request=None, responses=CallSerializer)
    def claim(self, request: Request, slug: str, call_id: int) -> Response:
        """Say that you go to the table; 409 where another judge does."""
        return self._tell(calls.claim_call(self.actor, find_call(self.event, call_id), self.now))

    @extend_schema(request=None, responses=CallSerializer)
    def release(self, request: Request, slug: str, call_id: int) -> Response:
        """Put a claimed call back, for another judge."""
        return self._tell(calls.release_call(self.actor, find_call(self.event, call_id), self.now))

    @extend_schema(request=None, responses=CallSerializer)
    def escalate(self, request: Request, slug: str, call_id: int) -> Response:
        """Hand a call on to the head judge or organiser."""
        return self._tell(calls.escalate_call(self.actor, find_call(self.event, call_id), self.now))

    @extend_schema(request=OutcomeSerializer, responses=CallSerializer)
    def resolve(self, request: Request, slug: str, call_id: int) -> Response:
        """End a call, say how, and give its table extra time where it took some."""
        values = self.read(OutcomeSerializer)
        extra = values["extra_seconds"]
        return self._tell(
            calls.resolve_call(
                self.actor, find_call(self.event, call_id), values["outcome"], self.now, extra_seconds=extra
            )
        )

    def _tell(self, call: JudgeCall) -> Response:
        return self.answer_secret(CallSerializer, self._with_details(call))

    def _with_details(self, call: JudgeCall) -> JudgeCall:
        return calls_of(self.event).get(pk=call.pk)


class MatchCallViewSet(EventViewSet):
    """The call of a table, for those who sit there and for staff."""

    resource = "match_call"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "create", "withdraw"), "call.make")

    @extend_schema(responses=TableCallSerializer)
    def retrieve(self, request: Request, slug: str, match_id: int) -> Response:
        """The open call of the table."""
        return self.answer_secret(TableCallSerializer, self._call(match_id))

    @extend_schema(request=NewCallSerializer, responses={201: TableCallSerializer})
    def create(self, request: Request, slug: str, match_id: int) -> Response:
        """Call a judge to the table; 409 where one was called already."""
        match, values = find_table_to_call_from(self.actor, self.event, match_id), self.read(NewCallSerializer)
        call = calls.call_judge(self.actor, match, values["kind"], values["note"], self.now)
        return self.answer_secret(TableCallSerializer, call, 201)

    @extend_schema(request=None, responses=TableCallSerializer)
    def withdraw(self, request: Request, slug: str, match_id: int) -> Response:
        """Take your own call back."""
        return self.answer_secret(TableCallSerializer, calls.withdraw_call(self.actor, self._call(match_id), self.now))

    def _call(self, match_id: int) -> JudgeCall:
        call = call_at(find_table_to_call_from(self.actor, self.event, match_id))
        return needed(call, NotFound("unknown_call", _("Nobody called a judge to this table.")))


CLOCK_ACTS = ("start", "pause", "resume", "stop", "change", "reset")


class ClockViewSet(MatchAudience):
    """The clock of the round being played."""

    resource = "clock"
    access_rules: ClassVar = {
        "retrieve": "event.see", "extra_time": "match.extra_time", **dict.fromkeys(CLOCK_ACTS, "clock.run"),
    }  # fmt: skip

    @extend_schema(responses=ShownClockSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """The server's time and the clock."""
        return self.answer(ShownClockSerializer, {"now": self.now, "clock": clock_of(self.event, self.now)})

    @extend_schema(request=None, responses=ClockSerializer)
    def start(self, request: Request, slug: str) -> Response:
        """Start the clock; its phases follow one another by themselves."""
        return self.answer(ClockSerializer, clocks.start_clock(self.actor, self._round(), self.now))

    @extend_schema(request=None, responses=ClockSerializer)
    def pause(self, request: Request, slug: str) -> Response:
        """Let the clock stand."""
        return self.answer(ClockSerializer, clocks.pause_clock(self.actor, self._round(), self.now))

    @extend_schema(request=None, responses=ClockSerializer)
    def resume(self, request: Request, slug: str) -> Response:
        """Let a paused or ended clock go on with what it had left."""
        return self.answer(ClockSerializer, clocks.resume_clock(self.actor, self._round(), self.now))

    @extend_schema(request=PhaseActSerializer, responses=ClockSerializer)
    def stop(self, request: Request, slug: str) -> Response:
        """End a phase before its time; the round follows when decks were stacked."""
        phase = self.read(PhaseActSerializer)["phase"]
        return self.answer(ClockSerializer, clocks.stop_clock(self.actor, self._round(), phase, self.now))

    @extend_schema(request=ChangeClockSerializer, responses=ClockSerializer)
    def change(self, request: Request, slug: str) -> Response:
        """Give a phase more time, or with a reason less."""
        values = self.read(ChangeClockSerializer)
        clock = clocks.change_clock(
            self.actor, self._round(), values.pop("phase"), values.pop("seconds"), self.now, **values
        )
        return self.answer(ClockSerializer, clock)

    @extend_schema(request=ReasonSerializer, responses=ClockSerializer)
    def reset(self, request: Request, slug: str) -> Response:
        """Put the clock back to before it was started, with a reason."""
        reason = self.read(ReasonSerializer)["reason"]
        return self.answer(ClockSerializer, clocks.reset_clock(self.actor, self._round(), reason, self.now))

    @extend_schema(request=ExtraTimeSerializer, responses=ExtraGivenSerializer)
    def extra_time(self, request: Request, slug: str, match_id: int) -> Response:
        """Give a table time beyond the clock, with a reason."""
        match, values = self.find_match(), self.read(ExtraTimeSerializer)
        seconds, reason = values.pop("seconds"), values.pop("reason")
        given = clocks.give_extra_time(self.actor, match, seconds, reason, self.now, **values)
        return self.answer(ExtraGivenSerializer, given)

    def _round(self) -> Round:
        found = open_rounds(self.event).select_related("stage__tournament").last()
        return needed(found, Conflict("round_closed", _("No round is being played.")))


class NotSeenViewSet(EventViewSet):
    """Players whom nothing shows to be here since a round, for staff."""

    resource = "not_seen"
    access_rules: ClassVar = {"list": "entries.manage"}

    @extend_schema(responses=NotSeenSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Who is paired next and was not seen in the newest round, once it is over. Nothing happens by itself."""
        return self.answer_page(NotSeenSerializer, not_seen(self.event))


class NoShowsViewSet(EventViewSet):
    """Tables that wait for a missing player, for judges and organisers."""

    resource = "no_shows"
    access_rules: ClassVar = {"list": "call.answer"}

    @extend_schema(responses=NoShowSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """Each table that reported a missing player: its minutes, and what the event's rule proposes by now."""
        return self.answer_page(NoShowSerializer, no_shows_of(self.event, self.now))
