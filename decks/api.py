"""The stateless check of a pasted decklist."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from accounts.paging import BoundedPagination
from decks.selectors.cards import CardQuery, find_cards
from decks.selectors.legality import judge_decklist
from decks.serializers import CardQuerySerializer, CardSerializer, CheckedDeckSerializer, DeckCheckSerializer
from decks.services.decks import read_decklist
from journal.clock import database_now


class DeckCheckViewSet(GenericViewSet[Any]):
    """Decklists that nobody keeps."""

    resource = "decks"
    access_rules: ClassVar = {"check": "public"}
    pagination_class = None

    @extend_schema(request=DeckCheckSerializer, responses=CheckedDeckSerializer)
    def check(self, request: Request) -> Response:
        """Read and judge a pasted decklist; nothing is stored."""
        reader = DeckCheckSerializer(data=request.data)
        reader.is_valid(raise_exception=True)
        values = reader.validated_data
        reading = read_decklist(values["text"], values["game"], values["game_format"])
        on_date = values.get("on_date") or database_now().date()
        verdict = judge_decklist(
            reading.decklist, values["game"], values["game_format"], on_date, values.get("variant", "")
        )
        answer = {
            "cards": reading.entries,
            "unread_lines": reading.problems,
            "notices": reading.notices,
            "verdict": verdict.report,
            "repair": verdict.repair,
        }
        return Response(CheckedDeckSerializer(answer).data)


class CardsViewSet(GenericViewSet[Any]):
    """The cards that the site knows."""

    resource = "cards"
    access_rules: ClassVar = {"list": "public"}
    pagination_class = BoundedPagination

    @extend_schema(parameters=[CardQuerySerializer], responses=CardSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Cards of a game by name, of one type or set if given."""
        reader = CardQuerySerializer(data=request.query_params)
        reader.is_valid(raise_exception=True)
        values = reader.validated_data
        found = find_cards(values["game"], CardQuery(values["q"], values["type"], values["set"]))
        page = self.paginate_queryset(found) or []
        return self.get_paginated_response([CardSerializer(card).data for card in page])
