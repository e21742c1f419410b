"""What can be undone, as JSON."""

from typing import Any

from rest_framework import serializers

from tournaments.web.frame.undo_words import UndoOffer

MAX_SEQUENCE = 2**53 - 1


class UndoOfferSerializer(serializers.Serializer[UndoOffer]):
    """Something you did that you can still undo."""

    act = serializers.IntegerField(help_text="Its number in the event's log: what you send to undo it.")
    what = serializers.CharField(help_text="What was done: an act of the log.")
    text = serializers.CharField(source="words", help_text="The same in words, in your language.")
    until = serializers.DateTimeField()


class UndoSerializer(serializers.Serializer[Any]):
    """The act to undo."""

    act = serializers.IntegerField(min_value=1, max_value=MAX_SEQUENCE, help_text="Its number in the event's log.")


class UndoneSerializer(serializers.Serializer[Any]):
    """What was undone."""

    act = serializers.IntegerField(source="sequence", help_text="Its number in the event's log.")
    what = serializers.CharField(source="act", help_text="What was done: an act of the log.")
