"""The rules of a game: clauses, what each format asks, card lists, and search in the clauses."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from decks.api.serializers import MessageField
from decks.selectors.card_lists import NOT_LISTED, Listing
from decks.selectors.clauses import FoundClause
from decks.selectors.house_formats import HOUSE_PREFIX, version_at
from decks.selectors.rules import FormatView, ListView, format_views, house_view, own_clauses, rules_of
from decks.services.missed_searches import MAX_WORDS, search_clauses
from rules_engine.constraints import Clause
from rules_engine.systems import get_system


class ClauseSerializer(serializers.Serializer[Clause]):
    """A rule: its number, our own words, and where the book states it; `words` are the terms it explains."""

    id = serializers.CharField()
    text = MessageField()
    book = serializers.CharField()
    place = serializers.CharField(source="book_section")
    words = serializers.ListField(child=MessageField())


class RuleSectionSerializer(serializers.Serializer[Any]):
    """Clauses on one subject."""

    title = MessageField()
    clauses = ClauseSerializer(many=True)


class AskSerializer(serializers.Serializer[Any]):
    """One thing a format asks of a deck; `rules` are the clauses that say so."""

    text = serializers.CharField()
    rules = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_rules(self, ask: Any) -> list[str]:
        """The numbers of the clauses."""
        return [each.id for each in ask.clauses]


class VariantCopiesSerializer(serializers.Serializer[Any]):
    """What a list says of a card in one variant."""

    variant = serializers.CharField()
    listed = serializers.BooleanField()
    copies = serializers.IntegerField(allow_null=True)


class ListingSerializer(serializers.Serializer[Listing]):
    """What a list says of one card; with `listed` false it says nothing. `copies` null: any number, 0: banned."""

    name = serializers.CharField()
    listed = serializers.SerializerMethodField()
    copies = serializers.SerializerMethodField()
    variants = serializers.SerializerMethodField(help_text="Variants for which the list says something else.")

    def get_listed(self, listing: Listing) -> bool:
        """Whether the list names the card for all variants."""
        return listing.copies != NOT_LISTED

    def get_copies(self, listing: Listing) -> int | None:
        """How many copies it allows."""
        return None if listing.copies == NOT_LISTED else listing.copies

    @extend_schema_field(VariantCopiesSerializer(many=True))
    def get_variants(self, listing: Listing) -> list[dict[str, Any]]:
        """Copies by variant."""
        return [
            {
                "variant": variant.slug,
                "listed": copies != NOT_LISTED,
                "copies": None if copies == NOT_LISTED else copies,
            }
            for variant, copies in listing.variants
        ]


class ListDifferenceSerializer(serializers.Serializer[Any]):
    """A card of which a coming list says something else than the one before."""

    name = serializers.CharField()
    before = ListingSerializer()
    after = ListingSerializer()


class CardListSerializer(serializers.Serializer[ListView]):
    """A version of a card list; `changes` are those to the version before, of one to come."""

    slug = serializers.CharField(source="card_list.slug")
    name = serializers.CharField(source="card_list.name")
    valid_from = serializers.DateField(source="card_list.valid_from")
    cards = serializers.SerializerMethodField()
    changes = ListDifferenceSerializer(many=True)

    @extend_schema_field(ListingSerializer(many=True))
    def get_cards(self, view: ListView) -> Any:
        """The cards it names, the strictest limit first."""
        return ListingSerializer([each for group in view.groups for each in group.listings], many=True).data  # type: ignore[arg-type]


class FormatRulesSerializer(serializers.Serializer[FormatView]):
    """A format: what it asks of a deck, its card lists in force and to come."""

    slug = serializers.CharField(source="game_format.slug")
    name = MessageField(source="game_format.name")
    note = MessageField(source="game_format.note")
    checks_decks = serializers.BooleanField(source="game_format.checks_decks")
    asks = AskSerializer(many=True)
    in_force = CardListSerializer(many=True)
    coming = CardListSerializer(many=True)


class GameRulesSerializer(serializers.Serializer[Any]):
    """The rules of a game: its clauses by section, and its formats."""

    game = serializers.CharField()
    sections = RuleSectionSerializer(many=True)
    formats = FormatRulesSerializer(many=True)


class OwnRulesSerializer(FormatRulesSerializer):
    """One format; `clauses` are those that a house format adds to its game's."""

    clauses = serializers.SerializerMethodField()

    @extend_schema_field(ClauseSerializer(many=True))
    def get_clauses(self, view: FormatView) -> Any:
        """The clauses of its own."""
        return ClauseSerializer(own_clauses(view, get_system(self.context["view"].kwargs["game"])), many=True).data  # type: ignore[arg-type]


class FoundClauseSerializer(ClauseSerializer):
    """A clause that fits; `score` is how well, 0 to 100, 150 for a term it explains, 200 for its number."""

    id = serializers.CharField(source="clause.id")
    text = serializers.CharField()  # type: ignore[assignment]
    book = serializers.CharField(source="clause.book")
    place = serializers.CharField(source="clause.book_section")
    words = serializers.ListField(source="clause.words", child=MessageField())
    score = serializers.FloatField()


class RuleSearchSerializer(serializers.Serializer[Any]):
    """What to look for: the number of a clause, or words."""

    q = serializers.CharField(max_length=MAX_WORDS)


class RulesViewSet(ApiViewSet):
    """The rules of one game."""

    resource = "rules"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "search", "format_rules"), "public")
    queries: ClassVar = {"search": RuleSearchSerializer}
    pagination_class = None

    @extend_schema(responses=GameRulesSerializer)
    def retrieve(self, request: Request, game: str) -> Response:
        """Every clause in our words with its number and place, every format with what it asks and its card lists."""
        system = get_system(game)
        views = format_views(system, self.now.date())
        return self.answer(GameRulesSerializer, {"game": game, "sections": rules_of(system), "formats": views})

    @extend_schema(responses=FoundClauseSerializer(many=True))
    def search(self, request: Request, game: str) -> Response:
        """The clauses that fit a number or words, mistyped ones too, the best first, at most twenty."""
        found: list[FoundClause] = search_clauses(get_system(game), self.query["q"], self.now.date())
        return Response(FoundClauseSerializer(found, many=True).data)  # type: ignore[arg-type]

    @extend_schema(responses=OwnRulesSerializer)
    def format_rules(self, request: Request, game: str, game_format: str) -> Response:
        """One format, shipped or a house format, with what it asks and its card lists."""
        system, today = get_system(game), self.now.date()
        if game_format.startswith(HOUSE_PREFIX):
            return self.answer(OwnRulesSerializer, house_view(version_at(game, game_format, today), today))
        wanted = system.get_format(game_format)
        view = next(each for each in format_views(system, today) if each.game_format == wanted)
        return self.answer(OwnRulesSerializer, view)
