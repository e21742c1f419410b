"""Card lists by API, for site admins: drafts, what a list says, announcing, and re-checks of stored decks."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actors import Actor
from accounts.http.viewsets import ApiViewSet
from decks.formats.list_text import MAX_LIST_BYTES, read_card_list
from decks.models import MAX_SLUG_LENGTH, CardList, Recheck
from decks.selectors.card_lists import all_lists, find_list, list_as_text
from decks.selectors.cards import cards_of
from decks.selectors.rechecks import counts_of, find_recheck, judged_count
from decks.services.card_lists import ListDraft, announce_list, change_draft, delete_draft, draft_list
from decks.services.rechecks import cancel_recheck, resume_recheck, start_recheck
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.errors import DomainError
from rules_engine.systems import get_system


class ListDraftSerializer(serializers.Serializer[Any]):
    """A draft: `text` has one card a line, “Card Name: 0”; 0 is banned, 1, 2, … the limit, “any” no limit.

    “[variant] Card Name: 0” is for one variant alone.
    """

    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    valid_from = serializers.DateField(help_text="Tomorrow at the earliest.")
    text = serializers.CharField(max_length=MAX_LIST_BYTES, trim_whitespace=False)


class NewListSerializer(ListDraftSerializer):
    """A draft of a new list, or with the `slug` of a list of its next version."""

    game = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    game_format = serializers.CharField(max_length=MAX_SLUG_LENGTH)
    slug = serializers.CharField(max_length=MAX_SLUG_LENGTH, required=False, default="", allow_blank=True)


class ListLineSerializer(serializers.Serializer[CardList]):
    """A version of a card list; `is_replaced` once a later one took its place."""

    id = serializers.IntegerField(source="pk")
    game = serializers.CharField()
    game_format = serializers.CharField(source="format")
    slug = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(CardList.State.choices)
    valid_from = serializers.DateField()
    announced_at = serializers.DateTimeField(allow_null=True)
    is_replaced = serializers.BooleanField()


class StoredListSerializer(ListLineSerializer):
    """A version with its text; send `digest` back as `seen` to announce it."""

    text = serializers.SerializerMethodField()
    digest = serializers.CharField()
    rechecks = serializers.SerializerMethodField(help_text="Ids of its re-checks, the newest first.")

    def get_text(self, row: CardList) -> str:
        """The list as text."""
        return list_as_text(row, get_system(row.game).get_format(row.format))

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_rechecks(self, row: CardList) -> list[str]:
        """Their ids."""
        return list(row.rechecks.values_list("public_id", flat=True))


class AnnounceSerializer(serializers.Serializer[Any]):
    """The digest of the draft as you read it."""

    seen = serializers.CharField(max_length=200)


class VariantCountsSerializer(serializers.Serializer[Any]):
    """Numbers of decks by what the list does to them in one variant; frozen ones are versions that events rely on."""

    variant = serializers.CharField()
    decks_legal = serializers.IntegerField()
    decks_falling = serializers.IntegerField()
    decks_rising = serializers.IntegerField()
    decks_illegal = serializers.IntegerField()
    frozen_legal = serializers.IntegerField()
    frozen_falling = serializers.IntegerField()
    frozen_rising = serializers.IntegerField()
    frozen_illegal = serializers.IntegerField()


class RecheckSerializer(serializers.Serializer[Recheck]):
    """How far a re-check is, and in numbers only what it found."""

    id = serializers.CharField(source="public_id")
    card_list = serializers.IntegerField(source="card_list_id")
    total = serializers.IntegerField()
    judged = serializers.SerializerMethodField()
    requested_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    cancelled_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.SerializerMethodField()

    def get_judged(self, recheck: Recheck) -> int:
        """How many versions have a result."""
        return judged_count(recheck)

    @extend_schema_field(VariantCountsSerializer(many=True))
    def get_counts(self, recheck: Recheck) -> Any:
        """By variant."""
        return VariantCountsSerializer(counts_of(recheck), many=True).data


class CardListsViewSet(ApiViewSet):
    """The card lists of all games."""

    resource = "card_lists"
    access_rules: ClassVar = dict.fromkeys(
        ("list", "create", "retrieve", "update", "destroy", "announce", "recheck"), "site_admin"
    )

    @extend_schema(responses=ListLineSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Every version of every card list, drafts too, the latest day first; for site admins."""
        return self.answer_page(ListLineSerializer, all_lists(self.now.date()))

    @extend_schema(request=NewListSerializer, responses={201: StoredListSerializer})
    def create(self, request: Request) -> Response:
        """Draft a new list, or the next version of one; it is in force nowhere."""
        values = self.read(NewListSerializer)
        draft = _draft(values, values["game"], values["game_format"], values["slug"])
        return self._stored(draft_list(self.actor, draft, self.now).pk, 201)

    @extend_schema(responses=StoredListSerializer)
    def retrieve(self, request: Request, list_id: int) -> Response:
        """One version of a list with its text."""
        return self._stored(list_id)

    @extend_schema(request=ListDraftSerializer, responses=StoredListSerializer)
    def update(self, request: Request, list_id: int) -> Response:
        """Replace a draft."""
        row = find_list(list_id, self.now.date())
        draft = _draft(self.read(ListDraftSerializer), row.game, row.format, row.slug)
        change_draft(self.actor, row, draft, self.now)
        return self._stored(list_id)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, list_id: int) -> Response:
        """Delete a draft."""
        delete_draft(self.actor, find_list(list_id, self.now.date()), self.now)
        return Response(status=204)

    @extend_schema(request=AnnounceSerializer, responses=StoredListSerializer)
    def announce(self, request: Request, list_id: int) -> Response:
        """Make a draft final: in force from its day on; all stored decks are re-checked. It can't be undone."""
        seen = self.read(AnnounceSerializer)["seen"]
        announce_list(self.actor, find_list(list_id, self.now.date()), self.now, seen)
        return self._stored(list_id)

    @extend_schema(request=None, responses={202: RecheckSerializer})
    def recheck(self, request: Request, list_id: int) -> Response:
        """Judge all stored decks under a list, in the background; a re-check of it that runs is stopped."""
        recheck = start_recheck(self.actor, find_list(list_id, self.now.date()), self.now)
        return self.answer(RecheckSerializer, recheck, 202)

    def _stored(self, list_id: int, status: int = 200) -> Response:
        return self.answer(StoredListSerializer, find_list(list_id, self.now.date()), status)


class RecheckViewSet(ApiViewSet):
    """A re-check of stored decks."""

    resource = "rechecks"
    access_rules: ClassVar = dict.fromkeys(("retrieve", "resume", "cancel"), "site_admin")
    pagination_class = None

    @extend_schema(responses=RecheckSerializer)
    def retrieve(self, request: Request, recheck_id: str) -> Response:
        """How far a re-check is, and numbers of what it found; for site admins."""
        return self.answer(RecheckSerializer, find_recheck(recheck_id))

    @extend_schema(request=None, responses=RecheckSerializer)
    def resume(self, request: Request, recheck_id: str) -> Response:
        """Check again the decks that have no result."""
        return self._move(resume_recheck)

    @extend_schema(request=None, responses=RecheckSerializer)
    def cancel(self, request: Request, recheck_id: str) -> Response:
        """Stop a re-check; what it found stays."""
        return self._move(cancel_recheck)

    def _move(self, service: Callable[[Actor, Recheck, datetime], Recheck]) -> Response:
        recheck = service(self.actor, find_recheck(self.kwargs["recheck_id"]), self.now)
        return self.answer(RecheckSerializer, recheck)


def _draft(values: dict[str, Any], game: str, game_format: str, slug: str) -> ListDraft:
    """The draft that a body describes; DomainError "unread_lines" with the numbers of its lines."""
    variants = [each.slug for each in get_system(game).get_format(game_format).variants]
    reading = read_card_list(values["text"], cards_of(game), variants)
    if reading.problems:
        lines = [each.line for each in reading.problems]
        raise DomainError("unread_lines", _("Some lines of the list couldn't be read."), lines=lines)
    return ListDraft(game, game_format, values["name"], values["valid_from"], reading.limits, slug)
