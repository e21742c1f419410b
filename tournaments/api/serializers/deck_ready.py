"""Decks placed before a game, and what they revealed, as JSON."""

from typing import Any

from django.db.models import prefetch_related_objects
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.api.serializers import CardLineSerializer
from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.api.serializers.matches import MAX_SEATS, MatchSerializer
from tournaments.decks.selectors.deck_ready import stacking_of
from tournaments.decks.selectors.drafts import table_draft
from tournaments.decks.selectors.reveal import PlanState, revealed_plans
from tournaments.models import Match

MAX_GAMES_A_MATCH = 9


class MarkSerializer(serializers.Serializer[Any]):
    """A seat, and when its deck was placed; null while it is being stacked."""

    seat = serializers.IntegerField(source="seat.order")
    placed_at = serializers.DateTimeField(allow_null=True)


class StackingSerializer(serializers.Serializer[Any]):
    """The game that decks are placed for next; `is_on` once the players stack for it.

    `until` is null while its minutes have not begun: those of game 1 follow the clock of the round, those of later
    games begin with `placements/begin/`.
    """

    game = serializers.IntegerField()
    is_on = serializers.BooleanField()
    minutes = serializers.IntegerField()
    until = serializers.DateTimeField(allow_null=True)
    marks = MarkSerializer(many=True)


class NextStackingSerializer(serializers.Serializer[Any]):
    """What is placed next at a match; null once all decks of all games are."""

    stacking = StackingSerializer(allow_null=True)


class DraftStepSerializer(serializers.Serializer[Any]):
    """One pass of a draft: of `hold` cards each keeps `keep`, the others go `towards` "left", "right" or ""."""

    hold = serializers.IntegerField()
    keep = serializers.IntegerField()
    towards = serializers.CharField()


class TableDraftSerializer(serializers.Serializer[Any]):
    """How far a table drafts: `step` is 0 before it begins; `registers` while its decks are registered, then `is_over`.

    `running` is the pass under way, `until` when its time is over: nothing happens by itself then.
    """

    step = serializers.IntegerField()
    running = DraftStepSerializer(allow_null=True)
    left = DraftStepSerializer(many=True)
    until = serializers.DateTimeField(allow_null=True)
    registers = serializers.BooleanField()
    is_over = serializers.BooleanField()


class MoveDraftSerializer(serializers.Serializer[Any]):
    """The step you saw, and whether the draft goes one back instead of on."""

    step = serializers.IntegerField(min_value=0, max_value=99)
    back = serializers.BooleanField(default=False)


class PlanSerializer(serializers.Serializer[Any]):
    """What the deck of a seat keeps in secret, once revealed; no cards unless `state` is shown."""

    seat = serializers.IntegerField(source="seat.order")
    state = serializers.ChoiceField([each.value for each in PlanState])
    cards = CardLineSerializer(many=True)


class PlacedMatchSerializer(MatchSerializer):
    """A match; `stacking` is for staff and its players, null for others and while no deck is placed.

    `draft` is null where its table drafts nothing, and for others.

    `plans` is what placed decks revealed: empty before, and for whoever is not shown it.
    """

    stacking = serializers.SerializerMethodField()
    draft = serializers.SerializerMethodField()
    plans = serializers.SerializerMethodField()

    @extend_schema_field(StackingSerializer(allow_null=True))
    def get_stacking(self, match: Match) -> Any:
        """How far the decks are placed."""
        view = self.context["view"]
        prefetch_related_objects([match], "placements")
        stacking = stacking_of(view.event, match) if view.sees_reports(match) else None
        return StackingSerializer(stacking).data if stacking else None

    @extend_schema_field(TableDraftSerializer(allow_null=True))
    def get_draft(self, match: Match) -> Any:
        """How far the table drafts."""
        view = self.context["view"]
        draft = table_draft(view.event, match) if view.sees_reports(match) else None
        return TableDraftSerializer(draft).data if draft else None

    @extend_schema_field(PlanSerializer(many=True))
    def get_plans(self, match: Match) -> Any:
        """What the caller is shown of what was revealed."""
        view = self.context["view"]
        return PlanSerializer(revealed_plans(view.actor, match, view.now), many=True).data


class PlaceSerializer(serializers.Serializer[Any]):
    """The game that the player's deck is placed for."""

    game = serializers.IntegerField(min_value=1, max_value=MAX_GAMES_A_MATCH)


class PlaceForSerializer(PlaceSerializer):
    """Whose deck is placed for which game."""

    seat = serializers.IntegerField(min_value=1, max_value=MAX_SEATS)


class TakeBackSerializer(PlaceForSerializer, ReasonSerializer):
    """Whose deck is to be stacked again for which game, and why."""
