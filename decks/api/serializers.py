"""Cards, games, lists and the caller's own decks as JSON."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from decks.formats.limits import MAX_BYTES
from decks.formats.reading import LineProblem, Notice
from decks.formats.registry import EXPORTS
from decks.models import MAX_SLUG_LENGTH, Deck, DeckVersion
from decks.templatetags.decks import in_words
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts
from rules_engine.errors import NotFound
from rules_engine.game import GameFormat, GameSystem
from rules_engine.legality_report import Severity, Violation
from rules_engine.repair import Change, Verdict
from rules_engine.systems import get_system, list_systems
from rules_engine.ways import Way, WayTables


class MessageField(serializers.CharField):
    """A message of the pure modules as a sentence in the reader's language."""

    def to_representation(self, value: Any) -> str:
        """The sentence."""
        return in_words(value)


class CardQuerySerializer(serializers.Serializer[Any]):
    """Which cards are wanted: `q` is a part of the name in any spelling, `type` as printed, `set` a set's slug.

    `f_…` are the filters of the games; `CardSearchForm` knows which of them a game has, and their values.
    """

    game = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    q = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, default="", allow_blank=True)
    type = serializers.CharField(max_length=MAX_SLUG_LENGTH, required=False, default="", allow_blank=True)
    set = serializers.CharField(max_length=MAX_SLUG_LENGTH, required=False, default="", allow_blank=True)

    def get_fields(self) -> dict[str, Any]:
        """Beside the fields above, a text for each filter of any game."""
        games: dict[str, list[str]] = {}
        for system in list_systems():
            for each in system.card_schema.filters:
                games.setdefault(f"f_{each.key}", []).append(system.slug)
        filters = {name: _filter_field(name, slugs) for name, slugs in sorted(games.items())}
        return {**super().get_fields(), **filters}

    def validate_game(self, game: str) -> str:
        """The slug of a game that is offered here."""
        try:
            return get_system(game).slug
        except NotFound as error:
            raise serializers.ValidationError(error.message) from error


def _filter_field(name: str, games: list[str]) -> serializers.CharField:
    text = f"A value of `{name.removeprefix('f_')}` in `card_filters` of the game; for {', '.join(games)}."
    return serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True, help_text=text)


class CardSerializer(serializers.Serializer[CardFacts]):
    """A card: `facts` holds what its type has, texts and whole numbers by column of the game's card file."""

    name = serializers.CharField()
    type = serializers.CharField()
    set = serializers.CharField(source="set_slug")
    facts = serializers.DictField(source="fields")


class VariantSerializer(serializers.Serializer[Any]):
    """A variant of a format."""

    slug = serializers.CharField()
    name = MessageField()


class FormatSerializer(serializers.Serializer[GameFormat]):
    """A format; without `checks_decks` no deck is registered for it."""

    slug = serializers.CharField()
    name = MessageField()
    checks_decks = serializers.BooleanField()
    variants = VariantSerializer(many=True)


class WayTablesSerializer(serializers.Serializer[WayTables]):
    """How many sit at a table."""

    preferred = serializers.IntegerField()
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    primary_targets = serializers.BooleanField()


class WaySerializer(serializers.Serializer[Way]):
    """A way to play: what an event is given where its organiser says nothing else.

    `tables` null: two meet. `score_sheets` null: where several sit at a table. `round_minutes` null: as the rules say.
    """

    slug = serializers.CharField()
    name = MessageField()
    note = MessageField()
    format = serializers.CharField()
    variant = serializers.CharField()
    best_of = serializers.IntegerField()
    exact_games = serializers.BooleanField()
    deciding_game = serializers.CharField()
    tables = WayTablesSerializer(allow_null=True)
    score_sheets = serializers.BooleanField(allow_null=True)
    sheet_options = serializers.DictField()
    round_minutes = serializers.IntegerField(allow_null=True)


class GameSystemSerializer(serializers.Serializer[GameSystem]):
    """A game that events are played in."""

    slug = serializers.CharField()
    name = MessageField()
    formats = FormatSerializer(many=True)
    ways = WaySerializer(many=True)


class OffenceSerializer(serializers.Serializer[Any]):
    """One card's part in a violation: copies found and copies allowed."""

    name = serializers.CharField()
    found = serializers.IntegerField()
    allowed = serializers.IntegerField()


class ViolationSerializer(serializers.Serializer[Violation]):
    """One breach of the format's rules; `rule` is the clause, `section` is "" when several break it together."""

    rule = serializers.CharField()
    severity = serializers.ChoiceField([each.value for each in Severity])
    section = serializers.CharField()
    message = MessageField()
    source = MessageField()  # type: ignore[assignment]
    cards = OffenceSerializer(many=True)


class VerdictSerializer(serializers.Serializer[Any]):
    """The verdict on a decklist; `legal` is null when the format has nothing to check."""

    legal = serializers.BooleanField(allow_null=True)
    counts = serializers.DictField(child=serializers.IntegerField())
    violations = ViolationSerializer(many=True)
    variant = serializers.CharField()


class CardLineSerializer(serializers.Serializer[Any]):
    """Copies of one card in one section."""

    name = serializers.CharField()
    count = serializers.IntegerField()
    section = serializers.CharField()


class ProblemLineSerializer(serializers.Serializer[LineProblem]):
    """A line that was not understood, and official names that come near."""

    line = serializers.IntegerField()
    text = serializers.CharField()
    reason = MessageField()
    suggestions = serializers.ListField(child=serializers.CharField())


class NoticeSerializer(serializers.Serializer[Notice]):
    """Something assumed about a line."""

    line = serializers.IntegerField()
    message = MessageField()


class DeckCheckSerializer(serializers.Serializer[Any]):
    """A decklist to check as of `on_date` (today by default)."""

    game = serializers.CharField(max_length=40)
    game_format = serializers.CharField(max_length=40)
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)
    on_date = serializers.DateField(required=False)
    variant = serializers.CharField(max_length=60, required=False, allow_blank=True)


class ChangeSerializer(serializers.Serializer[Change]):
    """Copies of a card to put into a section, or to take out (negative); null is any legal card."""

    card = serializers.CharField(allow_null=True)
    section = serializers.CharField()
    change = serializers.IntegerField()


class CheckedDeckSerializer(serializers.Serializer[Any]):
    """What was read, the verdict on it and the smallest repair (null when there is none).

    Lines not understood are no part of the deck.
    """

    cards = CardLineSerializer(many=True)
    unread_lines = ProblemLineSerializer(many=True)
    notices = NoticeSerializer(many=True)
    verdict = VerdictSerializer()
    repair = ChangeSerializer(many=True, allow_null=True)


EXPORT_KEYS = [each.key for each in EXPORTS]


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """A deck with its newest version, if it has one, and today's verdict on it."""

    deck: Deck
    version: DeckVersion | None
    verdict: Verdict | None


class NewDeckSerializer(serializers.Serializer[Any]):
    """A new deck; without a text it begins empty."""

    game = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    game_format = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True)
    text = serializers.CharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)


class DeckChangesSerializer(serializers.Serializer[Any]):
    """Another name, another list, or both."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False)
    text = serializers.CharField(max_length=MAX_BYTES, required=False, trim_whitespace=False)


class NewestVersionSerializer(serializers.Serializer[Any]):
    """A deck with its newest version; null while it is empty."""

    id = serializers.CharField(source="deck.public_id")
    game = serializers.CharField(source="deck.game")
    game_format = serializers.CharField(source="deck.format")
    name = serializers.CharField(source="deck.name")
    version = serializers.IntegerField(source="version.number", default=None, allow_null=True)
    saved_at = serializers.DateTimeField(source="version.created_at", default=None, allow_null=True)


class DeckLineSerializer(NewestVersionSerializer):
    """An own deck in the list; `legal` is today's verdict, null where there is nothing to check."""

    legal = serializers.BooleanField(source="report.legal", default=None, allow_null=True)


class OwnDeckSerializer(NewestVersionSerializer):
    """An own deck: its newest version, and what is said of it today; all null while the deck is empty."""

    text = serializers.CharField(source="version.source_text", default=None, allow_null=True)
    cards = CardLineSerializer(source="version.decklist.entries", many=True, default=None, allow_null=True)
    verdict = VerdictSerializer(source="verdict.report", default=None, allow_null=True)
    repair = ChangeSerializer(source="verdict.repair", many=True, default=None, allow_null=True)


class DifferenceSerializer(serializers.Serializer[Any]):
    """A card of which a version holds another number of copies in a section than the one before."""

    section = serializers.CharField()
    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class VersionSerializer(serializers.Serializer[Any]):
    """A version of a deck and what it changed; `frozen_at` says since when an event relies on it."""

    version = serializers.IntegerField(source="version.number")
    saved_at = serializers.DateTimeField(source="version.created_at")
    frozen_at = serializers.DateTimeField(source="version.frozen_at", allow_null=True)
    cards = CardLineSerializer(source="version.decklist.entries", many=True)
    changes = DifferenceSerializer(many=True)


class AskedExportSerializer(serializers.Serializer[Any]):
    """Which format is wanted."""

    format = serializers.ChoiceField(EXPORT_KEYS, required=False, default="text")


class ExportSerializer(serializers.Serializer[Any]):
    """A version of a deck written in one format."""

    format = serializers.ChoiceField(EXPORT_KEYS)
    media_type = serializers.CharField()
    extension = serializers.CharField()
    text = serializers.CharField()
