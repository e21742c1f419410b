"""The stateless check of a pasted decklist."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from decks.selectors.legality import judge_decklist
from decks.serializers import CheckedDeckSerializer, DeckCheckSerializer
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
