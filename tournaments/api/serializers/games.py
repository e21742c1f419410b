"""A game whole, and ready-made rules of scoring, as JSON: what a program offers before it creates an event."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from decks.api.serializers import GameSystemSerializer, MessageField, WaySerializer
from decks.selectors.cards import SetFacts, filter_values, sets_of
from rules_engine.catalogue import CardField
from rules_engine.game import GameSystem
from rules_engine.ways import Way, WayFinal
from scoring.sheets.tallies.options import Option
from scoring.sheets.tallies.registry import options_at_events
from scoring.standings.presets import Preset
from scoring.standings.tiebreakers import Kind, Tiebreaker
from tournaments.api.serializers.events import PolicySerializer
from tournaments.events.services.event_drafts import standard_policy
from tournaments.structure.services.structures import structures_of, usual_structure


class ChoiceSerializer(serializers.Serializer[Any]):
    """A value to send and what people call it."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


def _choices(labels: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"value": value, "label": _(label)} for value, label in labels.items()]


@extend_schema_field(ChoiceSerializer(many=True))
class ChoicesField(serializers.ReadOnlyField):
    """Values with their labels, from a mapping or pairs."""

    def to_representation(self, value: Any) -> list[dict[str, str]]:
        """Each with its label in the reader's language."""
        return _choices(dict(value))


class FinalSerializer(serializers.Serializer[WayFinal]):
    """A single elimination of the `top` of the standings. `round_minutes` null: as in the rounds before."""

    top = serializers.IntegerField()
    round_minutes = serializers.IntegerField(allow_null=True)
    sheet_options = serializers.DictField()


class WholeWaySerializer(WaySerializer):
    """A way to play with all it settles, and the `structures` that a new event may begin with."""

    preset = serializers.CharField(help_text="Ready-made scoring rules; empty: those of the game.")
    clock_warnings = serializers.ListField(child=serializers.IntegerField(), source="warnings")
    finals = FinalSerializer(many=True)
    structures = serializers.SerializerMethodField()
    usual_structure = serializers.SerializerMethodField()

    @extend_schema_field(ChoiceSerializer(many=True))
    def get_structures(self, way: Way) -> list[dict[str, str]]:
        """The structures it allows."""
        return _choices(structures_of(way))

    def get_usual_structure(self, way: Way) -> str:
        """The structure where none is chosen."""
        return usual_structure(way)


class PlayersSerializer(serializers.Serializer[range]):
    """Numbers of players at a table."""

    least = serializers.SerializerMethodField()
    most = serializers.SerializerMethodField()

    def get_least(self, players: range) -> int:
        """The fewest."""
        return players[0]

    def get_most(self, players: range) -> int:
        """The most."""
        return players[-1]


class OptionSerializer(serializers.Serializer[Option]):
    """A thing to agree on before a game that is scored by sheet.

    Its `kind` is flag, choice (one of `choices`) or number (a whole one from 1, or null). `only_with` is the option and
    its value without which it means nothing; `rule` the clause it stands for; `players` null: any number at a table.
    """

    key = serializers.CharField()
    label = MessageField()  # type: ignore[assignment]
    help = MessageField()
    kind = serializers.SerializerMethodField()
    usual = serializers.JSONField(help_text="The value where nothing was agreed on.")
    choices = ChoicesField()
    only_with = serializers.ListField(child=serializers.CharField(), allow_null=True)
    rule = serializers.CharField(source="clause")
    players = PlayersSerializer(allow_null=True)
    of_stage = serializers.BooleanField(help_text="It may differ from stage to stage.")

    @extend_schema_field(serializers.ChoiceField(["flag", "choice", "number"]))
    def get_kind(self, option: Option) -> str:
        """Which values it takes."""
        return "flag" if option.is_flag else "choice" if option.choices else "number"


class CardSetSerializer(serializers.Serializer[SetFacts]):
    """A set of cards; one that is hidden holds none."""

    slug = serializers.CharField()
    name = serializers.CharField()
    sample = serializers.BooleanField(help_text="Invented for trying the site.")
    hidden = serializers.BooleanField()
    cards = serializers.IntegerField()


class CardFilterSerializer(serializers.Serializer[Any]):
    """A fact that cards are searched by, with the values that occur."""

    key = serializers.CharField()
    label = MessageField()  # type: ignore[assignment]
    values = serializers.ListField(child=serializers.CharField())


class CardTypeSerializer(serializers.Serializer[Any]):
    """A type of card, as printed, and the facts it has."""

    name = serializers.CharField()
    label = MessageField(source="name")  # type: ignore[assignment]
    facts = serializers.SerializerMethodField()

    @extend_schema_field(ChoiceSerializer(many=True))
    def get_facts(self, kind: Any) -> list[dict[str, str]]:
        """Columns of the card file."""
        shown: tuple[CardField, ...] = kind.fields
        return _choices({each.key: each.label for each in shown})


class WholeGameSerializer(GameSystemSerializer):
    """A game with everything an event of it may be given. `tables_of` null: two meet."""

    summary = MessageField()
    book = serializers.CharField(help_text="The rules book that its clauses cite.")
    ways = WholeWaySerializer(many=True)
    seats_min = serializers.IntegerField(source="match.seats_min")
    seats_max = serializers.IntegerField(source="match.seats_max")
    tables_of = serializers.IntegerField(source="match.tables_of", allow_null=True)
    best_of_choices = serializers.ListField(child=serializers.IntegerField(), source="match.best_of_choices")
    best_of_default = serializers.IntegerField(source="match.best_of_default")
    pairs = serializers.BooleanField(
        source="match.pairs", help_text="Matches of exactly 2 games (`best_of` 2, `exact_games`) are offered too."
    )
    win_kinds = ChoicesField(source="match.win_kind_labels")
    roles = ChoicesField(source="match.role_labels")
    deciding_games = ChoicesField(source="match.deciding_labels")
    sheet_options = serializers.SerializerMethodField()
    policy = serializers.SerializerMethodField()
    card_types = CardTypeSerializer(source="card_schema.types", many=True)
    card_filters = serializers.SerializerMethodField()
    card_sets = serializers.SerializerMethodField()

    @extend_schema_field(OptionSerializer(many=True))
    def get_sheet_options(self, system: GameSystem) -> Any:
        """The options of its score sheets."""
        return OptionSerializer(options_at_events(system.slug), many=True).data  # type: ignore[arg-type]

    @extend_schema_field(PolicySerializer)
    def get_policy(self, system: GameSystem) -> dict[str, Any]:
        """The scoring rules where an event says nothing else."""
        return standard_policy(system.match.best_of_default, system.slug).as_dict()

    @extend_schema_field(CardFilterSerializer(many=True))
    def get_card_filters(self, system: GameSystem) -> Any:
        """What its cards are searched by."""
        values = filter_values(system.slug)
        rows = [
            {"key": each.key, "label": each.label, "values": values[each.key]} for each in system.card_schema.filters
        ]
        return CardFilterSerializer(rows, many=True).data

    @extend_schema_field(CardSetSerializer(many=True))
    def get_card_sets(self, system: GameSystem) -> Any:
        """Its sets of cards."""
        return CardSetSerializer(sets_of(system.slug), many=True).data  # type: ignore[arg-type]


class PresetSerializer(serializers.Serializer[Preset]):
    """A ready-made set of scoring rules: `key` is an event's `preset`."""

    key = serializers.CharField()
    name = MessageField()
    note = MessageField()
    policy = serializers.SerializerMethodField()

    @extend_schema_field(PolicySerializer)
    def get_policy(self, preset: Preset) -> dict[str, Any]:
        """Its rules."""
        return preset.policy.as_dict()


class TiebreakerSerializer(serializers.Serializer[Tiebreaker]):
    """A criterion of the standings: higher ranks first."""

    key = serializers.CharField()
    name = MessageField()
    abbreviation = MessageField()
    description = MessageField()
    kind = serializers.ChoiceField([each.value for each in Kind])


class ScoringRulesSerializer(serializers.Serializer[Any]):
    """What scoring rules can be made of."""

    presets = PresetSerializer(many=True)
    tiebreakers = TiebreakerSerializer(many=True)
