"""What lists of the API can be asked for: which lines, and in which order."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from rules_engine.systems import list_systems
from tournaments.events.forms.acts import KINDS, MAX_ACTOR
from tournaments.models import Entry, JudgeCall, Match, Penalty, Round, Tournament

MAX_NUMBER = 10**9
MAX_POSITION = 10**15
MAX_WORDS = 120
GAMES = [system.slug for system in list_systems()]


def part_of_name() -> serializers.CharField:
    """A parameter that looks for names."""
    return serializers.CharField(
        required=False, default="", allow_blank=True, max_length=MAX_WORDS, help_text="Part of the name."
    )


def one_of(choices: Any, help_text: str = "") -> serializers.ChoiceField:
    """A parameter with a list of values; all of them unless given."""
    return serializers.ChoiceField(choices=choices, required=False, default="", help_text=help_text)


def number(help_text: str = "", least: int = 1, most: int = MAX_NUMBER, **usual: Any) -> serializers.IntegerField:
    """A parameter that is a whole number."""
    return serializers.IntegerField(
        min_value=least, max_value=most, required=False, help_text=help_text, **({"default": None} | usual)
    )


def yes_or_no(help_text: str) -> serializers.BooleanField:
    """A parameter that is true or false; both unless given."""
    return serializers.BooleanField(required=False, default=None, allow_null=True, help_text=help_text)


def given(asked: Mapping[str, Any], *names: str, **columns: str) -> dict[str, Any]:
    """What was asked for, by the column that it is looked up in; what was not asked for is left out."""
    by_name = {name: name for name in names} | columns
    return {column: asked[name] for name, column in by_name.items() if asked[name] not in (None, "")}


class AskedEventsSerializer(serializers.Serializer[Any]):
    """Which events are wanted."""

    q = part_of_name()
    game = one_of(GAMES)
    state = one_of(Tournament.State.choices)
    mine = yes_or_no("Those you run or play in, or those of others.")
    starts_after = serializers.DateTimeField(required=False, default=None)
    starts_before = serializers.DateTimeField(required=False, default=None)
    order = one_of(["name", "starts_at", "-starts_at"], "Newest first unless given.")


class AskedLeaguesSerializer(serializers.Serializer[Any]):
    """Which leagues are wanted."""

    q = part_of_name()


class AskedEntriesSerializer(serializers.Serializer[Any]):
    """Which entries are wanted."""

    q = part_of_name()
    state = one_of(Entry.State.choices)
    checked_in = yes_or_no("Those who are checked in, or those who are not.")
    order = one_of(["number", "name"], "By number unless given.")


class AskedRoundsSerializer(serializers.Serializer[Any]):
    """Which rounds are wanted."""

    stage = number("The number of the stage.")
    state = one_of(Round.State.choices)


class AskedMatchesSerializer(serializers.Serializer[Any]):
    """Which matches of a round are wanted."""

    state = one_of(Match.State.choices)
    table = number()
    entry = number("The number of an entry that plays in it.")


class AskedStandingsSerializer(serializers.Serializer[Any]):
    """Which standings are wanted, and which of their lines."""

    after = number("After this round, whatever followed; the newest unless given.", most=99)
    q = part_of_name()


class ComparedSerializer(serializers.Serializer[Any]):
    """Which lines are compared; one alone is compared with its neighbour."""

    above = number("Number of the upper entry.")
    below = number("Number of the lower entry.")


class AskedStageSerializer(serializers.Serializer[Any]):
    """Which stage is wanted."""

    stage = number("The number of the stage; the last one unless given.")


class AskedPenaltiesSerializer(serializers.Serializer[Any]):
    """Which penalties are wanted."""

    q = part_of_name()
    kind = one_of(Penalty.Kind.choices)
    entry = number("The number of an entry.")


class AskedCallsSerializer(serializers.Serializer[Any]):
    """Which calls are wanted."""

    kind = one_of(JudgeCall.Kind.choices)
    state = one_of(JudgeCall.State.choices)


class AskedLogSerializer(serializers.Serializer[Any]):
    """Which acts of the log are wanted."""

    after = number("The last number you know.", least=0, most=MAX_POSITION, default=0)
    kind = one_of(list(KINDS), "A group of acts, as on the page.")
    table = number()
    actor = serializers.CharField(
        required=False, default="", max_length=MAX_ACTOR, help_text="Whose acts, as `actor` of an entry."
    )
    order = one_of(["sequence", "-sequence"], "First to last unless given.")


class AskedChangesSerializer(serializers.Serializer[Any]):
    """Which changes are wanted."""

    after = number("The last number you know.", least=0, most=MAX_POSITION, default=0)
    limit = number("How many changes at most.", most=500, default=100)
