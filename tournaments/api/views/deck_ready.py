"""Decks placed before a game: by the player or by staff, taken back by a judge. The match tells what they reveal."""

from typing import ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine.errors import NotAllowed, NotFound, needed
from tournaments.api.serializers.deck_ready import (
    MoveDraftSerializer,
    NextStackingSerializer,
    PlaceForSerializer,
    PlaceSerializer,
    TableDraftSerializer,
    TakeBackSerializer,
)
from tournaments.api.views.matches import MatchAudience
from tournaments.decks.selectors.deck_ready import own_seat, stacking_of
from tournaments.decks.selectors.drafts import table_draft
from tournaments.decks.services.deck_ready import mark_deck_ready, mark_deck_ready_for, start_stacking, undo_deck_ready
from tournaments.decks.services.drafts import move_draft
from tournaments.models import Match, Seat
from tournaments.permissions import member_of


class DeckReadyViewSet(MatchAudience):
    """The placed decks of one match; answers hold marks alone, so that no stored answer keeps a card."""

    resource = "placements"
    access_rules: ClassVar = {
        "place": "deck.place",
        "begin": "deck.start_stacking",
        "draft": "deck.draft",
        "place_for": "deck.place_for",
        "take_back": "deck.take_back",
    }

    @extend_schema(request=PlaceSerializer, responses=NextStackingSerializer)
    def place(self, request: Request, slug: str, match_id: int) -> Response:
        """Your deck is stacked and placed; the answer is what is placed next."""
        match, game = self.find_match(), self.read(PlaceSerializer)["game"]
        seat = own_seat(match, member_of(self.actor, self.event))
        if seat is None:
            raise NotAllowed("not_your_match", _("You do not play this match."))
        mark_deck_ready(self.actor, seat, game, self.now)
        return self._answer_stacking()

    @extend_schema(request=PlaceSerializer, responses=NextStackingSerializer)
    def begin(self, request: Request, slug: str, match_id: int) -> Response:
        """Begin the minutes to stack for a game after the first, as a player of the match or as staff."""
        start_stacking(self.actor, self.find_match(), self.read(PlaceSerializer)["game"], self.now)
        return self._answer_stacking()

    @extend_schema(request=MoveDraftSerializer, responses=TableDraftSerializer)
    def draft(self, request: Request, slug: str, match_id: int) -> Response:
        """Take your table's draft on from the step you saw, or a step back; as a player of the match or as staff."""
        values = self.read(MoveDraftSerializer)
        match = move_draft(self.actor, self.find_match(), values["step"], self.now, back=values["back"])
        return self.answer(TableDraftSerializer, table_draft(self.event, match))

    @extend_schema(request=PlaceForSerializer, responses=NextStackingSerializer)
    def place_for(self, request: Request, slug: str, match_id: int) -> Response:
        """As staff, mark a deck as placed for a player without a phone; scorekeepers not at their own match."""
        match, values = self.find_match(), self.read(PlaceForSerializer)
        mark_deck_ready_for(self.actor, self._seat(match, values["seat"]), values["game"], self.now)
        return self._answer_stacking()

    @extend_schema(request=TakeBackSerializer, responses=NextStackingSerializer)
    def take_back(self, request: Request, slug: str, match_id: int) -> Response:
        """Have a player stack again as a judge while others still do; needs a reason."""
        match, values = self.find_match(), self.read(TakeBackSerializer)
        undo_deck_ready(self.actor, self._seat(match, values["seat"]), values["game"], values["reason"], self.now)
        return self._answer_stacking()

    def _seat(self, match: Match, order: int) -> Seat:
        seat = next((seat for seat in match.seats.all() if seat.order == order), None)
        return needed(seat, NotFound("unknown_seat", _("This match has no such seat.")))

    def _answer_stacking(self) -> Response:
        return self.answer(NextStackingSerializer, {"stacking": stacking_of(self.event, self.find_match())})
