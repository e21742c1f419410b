"""House formats by API: the caller's own, in versions that are never changed."""

from datetime import timedelta
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.http.viewsets import ApiViewSet
from decks.models import MAX_SLUG_LENGTH, CardSet, HouseFormat, HouseFormatVersion
from decks.selectors.house_formats import changes_of, find_house_format, house_formats_of
from decks.selectors.rule_words import changes_in_words
from decks.services.house_formats import change_house_format, make_house_format
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.house import MAX_COPIES
from rules_engine.systems import get_system

MAX_CHOSEN = 200


class FormatChangesSerializer(serializers.Serializer[Any]):
    """What a house format changes in its base; what is left out stays as there."""

    sizes = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=20), max_length=20), required=False,
        help_text="For a section its sizes, such as [“30”], [“60+”] or [“0”, “25-30”].",
    )  # fmt: skip
    copies = serializers.IntegerField(min_value=1, max_value=MAX_COPIES, required=False, allow_null=True)
    sets = serializers.ListField(
        child=serializers.CharField(max_length=MAX_SLUG_LENGTH), max_length=MAX_CHOSEN, required=False,
        allow_null=True, help_text="Slugs of the legal sets; null: as in the base.",
    )  # fmt: skip
    limits = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_COPIES, allow_null=True), required=False,
        help_text="Copies by card name; 0: banned, null: any number.",
    )  # fmt: skip
    keeps_lists = serializers.BooleanField(required=False, help_text="Whether the base's card lists apply, too.")
    rules = serializers.ListField(
        child=serializers.CharField(max_length=MAX_SLUG_LENGTH), max_length=MAX_CHOSEN, required=False,
        help_text="House rules that the base offers.",
    )  # fmt: skip


class HouseVersionDraftSerializer(serializers.Serializer[Any]):
    """A version to be: its name, what it changes, and the day from which it is in force (tomorrow by default)."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    changes = FormatChangesSerializer()
    valid_from = serializers.DateField(required=False)


class NewHouseFormatSerializer(HouseVersionDraftSerializer):
    """A new house format, made from a format of the game; in force from today by default."""

    game = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    base = serializers.CharField(max_length=MAX_SLUG_LENGTH)


class HouseVersionSerializer(serializers.Serializer[HouseFormatVersion]):
    """A version of a house format: what it changes, as data and in sentences."""

    number = serializers.IntegerField()
    valid_from = serializers.DateField()
    created_at = serializers.DateTimeField()
    changes = FormatChangesSerializer()
    sentences = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_sentences(self, version: HouseFormatVersion) -> list[str]:
        """The changes in words."""
        house = version.house_format
        sets = dict(CardSet.objects.filter(game=house.game).values_list("slug", "name"))
        return list(changes_in_words(changes_of(version), get_system(house.game).get_format(house.base), sets))


class HouseFormatSerializer(serializers.Serializer[HouseFormat]):
    """A house format; `slug` is the `game_format` of events and decks."""

    slug = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    base = serializers.CharField()
    created_at = serializers.DateTimeField()
    versions = HouseVersionSerializer(source="versions.all", many=True, help_text="First to last.")


class HouseFormatsViewSet(ApiViewSet):
    """The caller's house formats."""

    resource = "house_formats"
    access_rules: ClassVar = {"list": "signed_in", "create": "signed_in"}

    @extend_schema(responses=HouseFormatSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Your house formats with all their versions."""
        if self.actor.user is None:
            raise NotAuthenticated
        return self.answer_page(HouseFormatSerializer, house_formats_of(self.actor.user))

    @extend_schema(request=NewHouseFormatSerializer, responses={201: HouseFormatSerializer})
    def create(self, request: Request) -> Response:
        """Make a house format from a format of a game; its first version."""
        values = self.read(NewHouseFormatSerializer)
        day = values.get("valid_from", self.now.date())
        house = make_house_format(
            self.actor, values["game"], values["base"], values["name"], values["changes"], day, self.now
        )
        return self.answer(HouseFormatSerializer, house, 201)


class HouseFormatViewSet(ApiViewSet):
    """One house format of the caller's."""

    resource = "house_formats"
    access_rules: ClassVar = {"retrieve": "own_house_format", "update": "own_house_format"}
    pagination_class = None

    def get_access_object(self) -> HouseFormat:
        """The house format of the address; NotFound "unknown_format"."""
        return find_house_format(self.kwargs["house_format"])

    @extend_schema(responses=HouseFormatSerializer)
    def retrieve(self, request: Request, house_format: str) -> Response:
        """One of your house formats with all its versions."""
        return self.answer(HouseFormatSerializer, self.get_access_object())

    @extend_schema(request=HouseVersionDraftSerializer, responses=HouseFormatSerializer)
    def update(self, request: Request, house_format: str) -> Response:
        """Add a version, from tomorrow or a later day; earlier verdicts stay as they are."""
        house, values = self.get_access_object(), self.read(HouseVersionDraftSerializer)
        day = values.get("valid_from", self.now.date() + timedelta(days=1))
        change_house_format(self.actor, house, values["name"], values["changes"], day, self.now)
        return self.answer(HouseFormatSerializer, self.get_access_object())
