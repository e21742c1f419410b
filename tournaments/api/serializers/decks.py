"""Decks at an event as JSON."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from decks.api.serializers import (
    AskedExportSerializer,
    CardLineSerializer,
    ChangeSerializer,
    NoticeSerializer,
    VerdictSerializer,
)
from decks.digests import commitment_lines
from decks.formats.reading import Notice
from decks.formats.text import MAX_BYTES
from decks.models import DeckVersion
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.repair import Verdict
from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.decks.forms import MAX_MINUTES
from tournaments.decks.services.deck_checks import DrawnCheck
from tournaments.decks.services.decks import RegisteredDeck
from tournaments.models import DeckCheck, EntryMember

MAX_NUMBER, MAX_LISTS = 2**31 - 1, 50


@dataclass(frozen=True, slots=True)
class ShownDeck:
    """A deck version with the newest verdict on it, and the commitment made when it was registered.

    `notices` say what was assumed while the list was read that was registered now.
    """

    version: DeckVersion
    verdict: Verdict | None
    registered_at: datetime | None
    commitment: str
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class CommittedDeck:
    """A registered deck in the public list: the commitment from the lock on, `shown` once it can be read."""

    member: EntryMember
    commitment: str | None
    shown: bool


class AskedMemberSerializer(serializers.Serializer[Any]):
    """Whose deck of a team is meant."""

    member = serializers.IntegerField(
        min_value=1, max_value=MAX_NUMBER, required=False, default=1,
        help_text="The place of the player in a team, from 1; the first unless given.",
    )  # fmt: skip


class AskedDeckExportSerializer(AskedExportSerializer, AskedMemberSerializer):
    """Which format is wanted, and whose deck of a team."""


class RegisterDeckSerializer(serializers.Serializer[Any]):
    """A pasted decklist, or `deck`: the public id of one of your own stored decks."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True)
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False, required=False)
    deck = serializers.CharField(max_length=40, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of text and deck."""
        if ("text" in attrs) == ("deck" in attrs):
            raise serializers.ValidationError({"text": [_("Give either a list's text or one of your decks.")]})
        return attrs


class ReplaceDeckSerializer(serializers.Serializer[Any]):
    """A decklist that a judge registers for a player, and why; `version` is the number of the list it replaces."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True)
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)
    version = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)
    reason = serializers.CharField(max_length=500)


class HandedListSerializer(AskedMemberSerializer):
    """A decklist that a judge registers for a player of one entry."""

    number = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, help_text="The number of the entry.")
    name = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)


class HandedListsSerializer(serializers.Serializer[Any]):
    """Decklists that a judge registers for several players, and why; each player once."""

    decks = serializers.ListField(child=HandedListSerializer(), min_length=1, max_length=MAX_LISTS)
    reason = serializers.CharField(max_length=500)

    def validate_decks(self, decks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """One list a player."""
        if len({(each["number"], each["member"]) for each in decks}) < len(decks):
            raise serializers.ValidationError(_("Name each player once."))
        return decks


class RegisteredDeckSerializer(serializers.Serializer[RegisteredDeck]):
    """A deck that was registered; read the whole verdict with the operation for one entry."""

    number = serializers.IntegerField(source="member.entry.number", help_text="The number of the entry.")
    member = serializers.IntegerField(source="member.order", help_text="The place of the player in a team, from 1.")
    name = serializers.CharField(source="version.deck.name")
    version = serializers.IntegerField(source="version.number")
    legal = serializers.BooleanField(source="verdict.report.legal", allow_null=True, help_text="Null: not checked.")
    commitment = serializers.CharField(source="member.deck_commitment")
    notices = NoticeSerializer(many=True)


class RegisteredDecksSerializer(serializers.Serializer[Any]):
    """The decks that were registered, in the order given."""

    decks = RegisteredDeckSerializer(many=True)


class AllowDeckSerializer(ReasonSerializer):
    """Why a deck that is not legal may be played; `version` is the number of the list that was judged."""

    version = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)


class AllowedDeckSerializer(serializers.Serializer[EntryMember]):
    """Since when a deck that is not legal may be played."""

    allowed_at = serializers.DateTimeField(source="deck_allowed_at")


class ReadDeckSerializer(serializers.Serializer[Any]):
    """Why a judge who plays too reads another player's deck."""

    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class ReopenDeckSerializer(serializers.Serializer[Any]):
    """For how many minutes from now a locked deck is opened again, and why."""

    minutes = serializers.IntegerField(min_value=1, max_value=MAX_MINUTES)
    reason = serializers.CharField(max_length=500)


class ReopenedSerializer(serializers.Serializer[EntryMember]):
    """Until when the player can register once more; null when not."""

    reopened_until = serializers.DateTimeField(source="deck_reopened_until", allow_null=True)


class DeckSerializer(serializers.Serializer[ShownDeck]):
    """A registered deck: its name and version, its cards, the newest verdict, the commitment."""

    name = serializers.CharField(source="version.deck.name")
    version = serializers.IntegerField(source="version.number")
    registered_at = serializers.DateTimeField(allow_null=True)
    commitment = serializers.CharField()
    cards = CardLineSerializer(source="version.decklist.entries", many=True)
    text = serializers.CharField(source="version.source_text")
    verdict = VerdictSerializer(source="verdict.report", allow_null=True)
    repair = ChangeSerializer(source="verdict.repair", many=True, allow_null=True)
    notices = NoticeSerializer(many=True, help_text="What was assumed of a list that was registered by this request.")


class CommittedDeckSerializer(serializers.Serializer[CommittedDeck]):
    """Whose deck is registered; `commitment` is null before the lock, `shown` tells whether you can read the list."""

    number = serializers.IntegerField(source="member.entry.number")
    member = serializers.IntegerField(source="member.order", help_text="The place of the player in a team, from 1.")
    player = serializers.CharField(source="member.entry.name")
    commitment = serializers.CharField(allow_null=True)
    shown = serializers.BooleanField()


class PublishedDeckSerializer(serializers.Serializer[EntryMember]):
    """A list that is shown, with its salt: `commitment` is the SHA-256 of the lines of `proof`, each with line feed."""

    number = serializers.IntegerField(source="entry.number")
    member = serializers.IntegerField(source="order", help_text="The place of the player in a team, from 1.")
    player = serializers.CharField(source="entry.name")
    name = serializers.CharField(source="deck_version.deck.name")
    registered_at = serializers.DateTimeField(source="deck_registered_at", allow_null=True)
    cards = CardLineSerializer(source="deck_version.decklist.entries", many=True)
    commitment = serializers.CharField(source="deck_commitment")
    salt = serializers.CharField(source="deck_salt")
    proof = serializers.SerializerMethodField()

    def get_proof(self, member: EntryMember) -> list[str]:
        """The lines that the commitment covers."""
        version = member.deck_version
        return list(commitment_lines(member.deck_salt, version.decklist.entries)) if version else []


class RegistrationSerializer(serializers.Serializer[Any]):
    """One registration of your deck."""

    at = serializers.DateTimeField()
    name = serializers.CharField(source="version.deck.name")
    version = serializers.IntegerField(source="version.number")
    commitment = serializers.CharField()
    by_judge = serializers.BooleanField()


class ReadingSerializer(serializers.Serializer[Any]):
    """A person of the staff read your deck; `checked` where the cards on the table were compared with it."""

    at = serializers.DateTimeField()
    name = serializers.CharField()
    role = serializers.CharField()
    checked = serializers.BooleanField()


class DeckHistorySerializer(serializers.Serializer[Any]):
    """What you registered, and who of the staff read it; newest first."""

    registrations = RegistrationSerializer(many=True)
    readings = ReadingSerializer(many=True)


class NewCheckSerializer(serializers.Serializer[Any]):
    """What a judge found: `version` is the number of the list that was compared; a judge who plays gives a reason."""

    outcome = serializers.ChoiceField(DeckCheck.Outcome.choices)
    notes = serializers.CharField(max_length=500, required=False, allow_blank=True)
    version = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class CheckSerializer(serializers.Serializer[DeckCheck]):
    """One deck check."""

    id = serializers.IntegerField()
    number = serializers.IntegerField(source="member.entry.number")
    member = serializers.IntegerField(source="member.order", help_text="The place of the player in a team, from 1.")
    player = serializers.CharField(source="member.entry.name")
    version = serializers.IntegerField(source="version.number")
    round = serializers.IntegerField(source="round.number", default=None, allow_null=True)
    judge = serializers.CharField(source="judge.username", default=None, allow_null=True)
    outcome = serializers.ChoiceField(DeckCheck.Outcome.choices)
    notes = serializers.CharField()
    checked_at = serializers.DateTimeField()


class DrawnSerializer(serializers.Serializer[DrawnCheck]):
    """Whose deck was drawn for the next check; `cost`: by how many seconds that moves the expected end of the round.

    The cost is null while no end is expected.
    """

    number = serializers.IntegerField(source="member.entry.number")
    member = serializers.IntegerField(source="member.order", help_text="The place of the player in a team, from 1.")
    player = serializers.CharField(source="member.entry.name")
    cost = serializers.IntegerField(allow_null=True)


MOST_CARDS = 500
LONGEST_NAME = 200


class StackPlanSerializer(serializers.Serializer[Any]):
    """The cards from the top, for `game` of `match`, null before a round; `saved_at` null: not saved for that game."""

    match = serializers.IntegerField(source="match.pk", default=None, allow_null=True)
    game = serializers.IntegerField()
    cards = serializers.ListField(child=serializers.CharField())
    saved_at = serializers.DateTimeField(source="saved.saved_at", default=None, allow_null=True)


class NewStackOrderSerializer(serializers.Serializer[Any]):
    """Every card by name, the top of the deck first."""

    cards = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME), min_length=1, max_length=MOST_CARDS
    )
