"""The clock of a round: read by everybody, run by officials; extra time of single tables."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine.errors import Conflict
from tournaments.api.serializers.clocks import (
    ChangeClockSerializer,
    ClockSerializer,
    ExtraGivenSerializer,
    ExtraTimeSerializer,
    PhaseActSerializer,
    ShownClockSerializer,
)
from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.api.views.matches import MatchAudience
from tournaments.core.rounds import open_rounds
from tournaments.models import Round
from tournaments.room.selectors.clocks import clock_of
from tournaments.room.services import clocks as services

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
        return self.answer(ClockSerializer, services.start_clock(self.actor, self._round(), self.now))

    @extend_schema(request=None, responses=ClockSerializer)
    def pause(self, request: Request, slug: str) -> Response:
        """Let the clock stand."""
        return self.answer(ClockSerializer, services.pause_clock(self.actor, self._round(), self.now))

    @extend_schema(request=None, responses=ClockSerializer)
    def resume(self, request: Request, slug: str) -> Response:
        """Let a paused or ended clock go on with what it had left."""
        return self.answer(ClockSerializer, services.resume_clock(self.actor, self._round(), self.now))

    @extend_schema(request=PhaseActSerializer, responses=ClockSerializer)
    def stop(self, request: Request, slug: str) -> Response:
        """End a phase before its time; the round follows when decks were stacked."""
        phase = self.read(PhaseActSerializer)["phase"]
        return self.answer(ClockSerializer, services.stop_clock(self.actor, self._round(), phase, self.now))

    @extend_schema(request=ChangeClockSerializer, responses=ClockSerializer)
    def change(self, request: Request, slug: str) -> Response:
        """Give a phase more time, or with a reason less."""
        values = self.read(ChangeClockSerializer)
        clock = services.change_clock(
            self.actor, self._round(), values.pop("phase"), values.pop("seconds"), self.now, **values
        )
        return self.answer(ClockSerializer, clock)

    @extend_schema(request=ReasonSerializer, responses=ClockSerializer)
    def reset(self, request: Request, slug: str) -> Response:
        """Put the clock back to before it was started, with a reason."""
        reason = self.read(ReasonSerializer)["reason"]
        return self.answer(ClockSerializer, services.reset_clock(self.actor, self._round(), reason, self.now))

    @extend_schema(request=ExtraTimeSerializer, responses=ExtraGivenSerializer)
    def extra_time(self, request: Request, slug: str, match_id: int) -> Response:
        """Give a table time beyond the clock, with a reason."""
        match, values = self.find_match(), self.read(ExtraTimeSerializer)
        seconds, reason = values.pop("seconds"), values.pop("reason")
        given = services.give_extra_time(self.actor, match, seconds, reason, self.now, **values)
        return self.answer(ExtraGivenSerializer, given)

    def _round(self) -> Round:
        found = open_rounds(self.event).select_related("stage__tournament").last()
        if found is None:
            raise Conflict("round_closed", _("No round is being played."))
        return found
