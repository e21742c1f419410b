"""A game's own cards by API, for site admins: a card file looked at and stored, samples hidden, sets removed."""

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from decks.api.serializers import MessageField
from decks.services.card_imports import CardChange, ImportReport, import_cards
from decks.services.catalogues import hide_samples, remove_set, show_samples
from rules_engine.cardfile import RowProblem, Unit
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.errors import DomainError
from rules_engine.systems import get_system

MAX_TEXT = 2 * 1024 * 1024
"""Characters of a card file: as much as a body of the API holds."""


class CardFileSerializer(serializers.Serializer[Any]):
    """A card file as CSV or JSON, as *Import cards* describes it."""

    set_name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    text = serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False)


class SeenCardFileSerializer(CardFileSerializer):
    """The same file with the `fingerprint` of its preview."""

    seen = serializers.CharField(max_length=200)


class ColumnChangeSerializer(serializers.Serializer[Any]):
    """A column of a card that changes."""

    column = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class CardChangeSerializer(serializers.Serializer[CardChange]):
    """A card that is there already and reads otherwise."""

    name = serializers.CharField()
    differences = serializers.SerializerMethodField()

    @extend_schema_field(ColumnChangeSerializer(many=True))
    def get_differences(self, change: CardChange) -> Any:
        """By column."""
        return [dict(zip(("column", "before", "after"), each, strict=True)) for each in change.differences]


class RowProblemSerializer(serializers.Serializer[RowProblem]):
    """Why a row of the file is not a card."""

    line = serializers.IntegerField()
    column = serializers.CharField()
    message = MessageField()


class CardImportSerializer(serializers.Serializer[ImportReport]):
    """What a card file does or would do; with `problems` nothing is stored."""

    card_set = serializers.CharField()
    card_sets = serializers.ListField(child=serializers.CharField())
    added = serializers.ListField(child=serializers.CharField(), source="change.added")
    changed = CardChangeSerializer(many=True, source="change.changed")
    removed = serializers.ListField(child=serializers.CharField(), source="change.removed")
    unchanged = serializers.IntegerField(source="change.unchanged")
    decks = serializers.IntegerField()
    card_lists = serializers.IntegerField()
    unit = serializers.ChoiceField([each.value for each in Unit])
    problems = RowProblemSerializer(many=True)
    fingerprint = serializers.CharField()


class SamplesSerializer(serializers.Serializer[Any]):
    """Whether the sample cards are hidden."""

    hidden = serializers.BooleanField()


class CardImportsViewSet(ApiViewSet):
    """What a site admin does to the cards of a game."""

    resource = "card_imports"
    access_rules: ClassVar = dict.fromkeys(("preview", "create", "samples", "remove_set"), "site_admin")
    pagination_class = None

    @extend_schema(request=CardFileSerializer, responses=CardImportSerializer)
    def preview(self, request: Request, game: str) -> Response:
        """What a card file would do, and every row that is no card; nothing is stored. For site admins."""
        return self.answer(CardImportSerializer, self._import(self.read(CardFileSerializer), dry_run=True))

    @extend_schema(request=SeenCardFileSerializer, responses=CardImportSerializer)
    def create(self, request: Request, game: str) -> Response:
        """Make a card file, as previewed, the cards of the sets it names; their other cards are removed.

        422 `unread_lines` with the rows that are no cards; 409 `import_changed` when it would now do other things.
        """
        report = self._import(self.read(SeenCardFileSerializer))
        if report.problems:
            lines = [each.line for each in report.problems]
            raise DomainError(
                "unread_lines", _("Some rows of the file aren't cards. Preview it to see why."), lines=lines
            )
        return self.answer(CardImportSerializer, report)

    @extend_schema(request=SamplesSerializer, responses={204: None})
    def samples(self, request: Request, game: str) -> Response:
        """Hide the sample cards of a game, or show them again."""
        change = hide_samples if self.read(SamplesSerializer)["hidden"] else show_samples
        change(self.actor.key, get_system(game).slug, self.now)
        return Response(status=204)

    @extend_schema(responses={204: None})
    def remove_set(self, request: Request, game: str, card_set: str) -> Response:
        """Remove a set of your own with its cards; saved decks keep their names, and are no longer legal."""
        remove_set(self.actor.key, get_system(game).slug, card_set, self.now)
        return Response(status=204)

    def _import(self, values: dict[str, Any], *, dry_run: bool = False) -> ImportReport:
        game, seen = get_system(self.kwargs["game"]).slug, values.get("seen", "")
        return import_cards(self.actor.key, game, values["set_name"], values["text"], self.now, dry_run, seen)
