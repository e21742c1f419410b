"""Decklists and verdicts as JSON."""

from typing import Any

from rest_framework import serializers

from decks.formats.reading import LineProblem, Notice
from decks.formats.text import MAX_BYTES
from decks.templatetags.decks import in_words
from rules_engine.legality import Severity, Violation
from rules_engine.repair import Change


class MessageField(serializers.CharField):
    """A message of the pure modules as a sentence in the reader's language."""

    def to_representation(self, value: Any) -> str:
        """The sentence."""
        return in_words(value)


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
    """A decklist to check as of `on_date` (today unless told)."""

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
