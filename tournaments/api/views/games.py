"""What a program offers before it creates an event: a game whole, and ready-made rules of scoring."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from rules_engine.systems import get_system
from scoring.standings.presets import PRESETS
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.api.serializers.games import ScoringRulesSerializer, WholeGameSerializer


class GameViewSet(ApiViewSet):
    """One game of this site."""

    resource = "game"
    access_rules: ClassVar = {"retrieve": "public"}
    pagination_class = None

    @extend_schema(responses=WholeGameSerializer)
    def retrieve(self, request: Request, game: str) -> Response:
        """One game: formats, ways to play, ways to win, roles, sheet options, scoring rules, card types and sets."""
        return self.answer(WholeGameSerializer, get_system(game))


class ScoringRulesViewSet(ApiViewSet):
    """Rules of scoring to choose from."""

    resource = "scoring_rules"
    access_rules: ClassVar = {"retrieve": "public"}
    pagination_class = None

    @extend_schema(responses=ScoringRulesSerializer)
    def retrieve(self, request: Request) -> Response:
        """Every ready-made set of scoring rules, and every tiebreaker with what it is."""
        lists = {"presets": list(PRESETS.values()), "tiebreakers": list(TIEBREAKERS.values())}
        return self.answer(ScoringRulesSerializer, lists)
