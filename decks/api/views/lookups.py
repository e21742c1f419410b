"""What anybody may ask: the verdict on a pasted decklist, and the cards of a game."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from decks.api.serializers.cards import CardQuerySerializer, CardSerializer
from decks.api.serializers.decks import CheckedDeckSerializer, DeckCheckSerializer
from decks.api.serializers.games import GameSystemSerializer
from decks.selectors.cards import CardQuery, find_cards
from decks.selectors.legality import judge_decklist
from decks.services.decks import read_decklist
from rules_engine.systems import list_systems


class DeckCheckViewSet(ApiViewSet):
    """Decklists that nobody keeps."""

    resource = "decks"
    stores_nothing = True
    access_rules: ClassVar = {"check": "public"}
    pagination_class = None

    @extend_schema(request=DeckCheckSerializer, responses=CheckedDeckSerializer)
    def check(self, request: Request) -> Response:
        """Read and judge a pasted decklist; nothing is stored, and a repeat is judged again."""
        values = self.read(DeckCheckSerializer)
        reading = read_decklist(values["text"], values["game"], values["game_format"])
        on_date = values.get("on_date") or self.now.date()
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
        return self.answer(CheckedDeckSerializer, answer)


class GamesViewSet(ApiViewSet):
    """The games of this site."""

    resource = "games"
    access_rules: ClassVar = {"list": "public"}

    @extend_schema(responses=GameSystemSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Every game with its formats and the ways to play it, which an event names."""
        return self.answer_page(GameSystemSerializer, list_systems())


class CardsViewSet(ApiViewSet):
    """The cards that the site knows."""

    resource = "cards"
    access_rules: ClassVar = {"list": "public"}

    @extend_schema(parameters=[CardQuerySerializer], responses=CardSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Cards of a game by name, of one type or set if given."""
        reader = CardQuerySerializer(data=request.query_params)
        reader.is_valid(raise_exception=True)
        values = reader.validated_data
        found = find_cards(values["game"], CardQuery(values["q"], values["type"], values["set"]))
        return self.answer_page(CardSerializer, found)
