"""One card as its page shows it, and names that may be meant."""

from datetime import date
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from decks.api.rules import ClauseSerializer
from decks.api.serializers import CardSerializer, MessageField
from decks.selectors.card_limits import CardLimit, coming_limits, limits_of
from decks.selectors.card_words import card_words, shown_facts
from decks.selectors.cards import find_card, other_printings, sets_of, suggest_names
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts
from rules_engine.game import GameFormat, GameSystem
from rules_engine.systems import get_system


class CardFactSerializer(serializers.Serializer[Any]):
    """A fact of a card with its label, for reading."""

    key = serializers.CharField()
    label = MessageField()  # type: ignore[assignment]
    value = serializers.CharField()


class CardTextSerializer(serializers.Serializer[Any]):
    """What a fact of a card means, in a sentence."""

    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField()


class ErratumSerializer(serializers.Serializer[Any]):
    """A correction of a card, and where it was published."""

    text = MessageField()
    source = MessageField(source="book")  # type: ignore[assignment]


class CardLimitSerializer(serializers.Serializer[CardLimit]):
    """Copies allowed in some sections together; `variants` empty: in all. `rule` "" where no clause says so."""

    sections = serializers.ListField(child=MessageField())
    variants = serializers.SerializerMethodField()
    copies = serializers.IntegerField(allow_null=True, help_text="null: any number.")
    rule = serializers.CharField(source="clause.id", default="")
    source = serializers.CharField()  # type: ignore[assignment]

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_variants(self, limit: CardLimit) -> list[str]:
        """The slugs of the variants."""
        return [each.slug for each in limit.variants]


class FormatLimitsSerializer(serializers.Serializer[Any]):
    """What a format allows of a card."""

    format = serializers.CharField()
    limits = CardLimitSerializer(many=True)


class ComingLimitsSerializer(FormatLimitsSerializer):
    """What a format will allow of a card, from a day on."""

    valid_from = serializers.DateField()


class CardPageSerializer(CardSerializer):
    """A card with everything its page says: its facts in words, corrections, clauses on it, copies by format."""

    set_name = serializers.CharField()
    sample = serializers.BooleanField(help_text="Invented for trying the site.")
    shown = CardFactSerializer(many=True)
    texts = CardTextSerializer(many=True)
    printings = serializers.ListField(
        child=serializers.CharField(), help_text="Other cards on which the same name is printed."
    )
    errata = ErratumSerializer(many=True)
    clauses = ClauseSerializer(many=True)
    formats = FormatLimitsSerializer(many=True)
    coming = ComingLimitsSerializer(many=True)


class CardNamesQuerySerializer(serializers.Serializer[Any]):
    """What was typed of a card's name."""

    q = serializers.CharField(max_length=MAX_NAME_LENGTH)


def _page_of(card: CardFacts, system: GameSystem, today: date) -> dict[str, Any]:
    card_set = next((each for each in sets_of(system.slug) if each.slug == card.set_slug), None)
    return {
        "name": card.name,
        "type": card.type,
        "set_slug": card.set_slug,
        "fields": card.fields,
        "set_name": card_set.name if card_set else card.set_slug,
        "sample": bool(card_set and card_set.sample),
        "shown": [{"key": each.key, "label": each.label, "value": value} for each, value in shown_facts(card, system)],
        "texts": [{"label": label, "text": text} for label, text in card_words(card, system)],
        "printings": other_printings(card, system.slug),
        "errata": system.card_texts.errata_of(card.name),
        "clauses": system.clauses_on(card),
        "formats": [_limits(each, limits) for each, limits in limits_of(card, system, today)],
        "coming": [
            _limits(each, limits) | {"valid_from": day} for each, day, limits in coming_limits(card, system, today)
        ],
    }


def _limits(game_format: GameFormat, limits: list[CardLimit]) -> dict[str, Any]:
    return {"format": game_format.slug, "limits": limits}


class CardViewSet(ApiViewSet):
    """One card, and names to find it by."""

    resource = "card"
    access_rules: ClassVar = {"retrieve": "public", "names": "public"}
    queries: ClassVar = {"names": CardNamesQuerySerializer}
    pagination_class = None

    @extend_schema(responses=CardPageSerializer)
    def retrieve(self, request: Request, game: str, key: str) -> Response:
        """One card: its facts in words, corrections, clauses on it, and the copies that each format allows."""
        return self.answer(CardPageSerializer, _page_of(find_card(game, key), get_system(game), self.now.date()))

    @extend_schema(responses=CardSerializer(many=True))
    def names(self, request: Request, game: str) -> Response:
        """Up to twelve cards that may be meant by what was typed, best first."""
        found = suggest_names(get_system(game).slug, self.query["q"])
        return Response(CardSerializer(found, many=True).data)  # type: ignore[arg-type]
