"""Undoing: what the caller did within ten minutes and can take back."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.edge import EventViewSet
from tournaments.api.serializers.undo import UndoneSerializer, UndoOfferSerializer, UndoSerializer
from tournaments.events.services.undoing import undo_act
from tournaments.web.frame.undo_words import undo_offers


class UndoViewSet(EventViewSet):
    """What the caller can undo."""

    resource = "undo"
    access_rules: ClassVar = dict.fromkeys(("list", "act"), "event.see")

    @extend_schema(responses=UndoOfferSerializer(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """What you did in the last ten minutes and can undo now, newest first, three at most."""
        return self.answer_page(UndoOfferSerializer, undo_offers(self.actor, self.event, self.now))

    @extend_schema(request=UndoSerializer, responses=UndoneSerializer)
    def act(self, request: Request, slug: str) -> Response:
        """Undo an act: the state from before it, unless something else happened since (409 `moved_on`)."""
        undone = undo_act(self.actor, self.event, self.read(UndoSerializer)["act"], self.now)
        return self.answer(UndoneSerializer, undone)
