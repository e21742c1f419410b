"""Entries as JSON: names and states, never a deck, never contact data."""

from typing import Any

from rest_framework import serializers

from tournaments.entries.services.entries import MAX_AT_ONCE, MAX_MEMBERS
from tournaments.entries.services.pairing_constraints import LAST_ROUND, LAST_TABLE, MAX_EXTRA_MINUTES, MAX_REASON
from tournaments.models import Entry


class EntrySerializer(serializers.Serializer[Entry]):
    """An entry; its `number` is its address within the event and keeps two people of one name apart."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField()
    team = serializers.CharField()
    state = serializers.ChoiceField(Entry.State.choices)
    registered_at = serializers.DateTimeField()
    checked_in_at = serializers.DateTimeField(allow_null=True)
    entered_round = serializers.IntegerField()
    dropped_after = serializers.IntegerField(allow_null=True)
    members = serializers.SerializerMethodField(help_text="The names of a team's members in the order they sit.")

    def get_members(self, entry: Entry) -> list[str]:
        """Everybody in a team; nobody for a single player."""
        names = [member.person.name for member in entry.members.all()]
        return names if len(names) > 1 else []


class WalkInSerializer(serializers.Serializer[Any]):
    """One person to enter."""

    name = serializers.CharField(max_length=120)
    club = serializers.CharField(max_length=80, required=False, allow_blank=True)
    team = serializers.CharField(max_length=80, required=False, allow_blank=True)
    email = serializers.EmailField(max_length=254, required=False, allow_blank=True)
    members = serializers.ListField(
        child=serializers.CharField(max_length=120), max_length=MAX_MEMBERS, required=False,
        help_text="The people of a team that shares one seat, in the order they sit.",
    )  # fmt: skip


class WalkInsSerializer(serializers.Serializer[Any]):
    """People to enter, in this order."""

    entries = serializers.ListField(child=WalkInSerializer(), min_length=1, max_length=MAX_AT_ONCE)


class EnteredSerializer(serializers.Serializer[Any]):
    """The entries made, in the order given."""

    entries = EntrySerializer(many=True)


class MatesSerializer(serializers.Serializer[Any]):
    """Club and team: whoever writes the same are mates, whom the event may keep apart. Both are public."""

    club = serializers.CharField(max_length=80, required=False, allow_blank=True)
    team = serializers.CharField(max_length=80, required=False, allow_blank=True)


class ChangeEntrySerializer(MatesSerializer):
    """What can be changed of an entry; whatever is left out stays."""

    name = serializers.CharField(max_length=120, required=False)


class SignUpSerializer(MatesSerializer):
    """What a person who signs up says of themselves."""


class PersonalLinkSerializer(serializers.Serializer[Any]):
    """The path of a personal link; shown once."""

    path = serializers.CharField()


class ByesSerializer(serializers.Serializer[Any]):
    """Rounds to come in which an entry has a bye."""

    rounds = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LAST_ROUND), min_length=1, max_length=LAST_ROUND
    )


class ByeSerializer(serializers.Serializer[Any]):
    """One round."""

    round = serializers.IntegerField(min_value=1, max_value=LAST_ROUND)


class GivenByesSerializer(serializers.Serializer[Any]):
    """The rounds in which an entry was given a bye beforehand."""

    rounds = serializers.ListField(child=serializers.IntegerField())


class OwnNeedsSerializer(serializers.Serializer[Any]):
    """What is arranged for the caller; `fixed_table` null also where the caller's link came later than the table."""

    fixed_table = serializers.IntegerField(allow_null=True)
    byes = serializers.ListField(child=serializers.IntegerField())


class FixedTableSerializer(serializers.Serializer[Any]):
    """The table that a person needs; null takes it away."""

    fixed_table = serializers.IntegerField(min_value=1, max_value=LAST_TABLE, allow_null=True)


class PrivateNeedsSerializer(serializers.Serializer[Any]):
    """What a person needs of the place, the slips and the clock."""

    needs = serializers.ListField(child=serializers.ChoiceField(Entry.Need.choices), max_length=len(Entry.Need))
    extra_minutes = serializers.IntegerField(
        min_value=0, max_value=MAX_EXTRA_MINUTES, help_text="Given to every match of this player when it is published."
    )


class OtherSerializer(serializers.Serializer[Any]):
    """The number of another entry."""

    other = serializers.IntegerField(min_value=1, max_value=10**18 - 1)


class KeepApartSerializer(OtherSerializer):
    """Whom an entry is never to meet, and why."""

    reason = serializers.CharField(max_length=MAX_REASON, required=False, allow_blank=True)


class ApartSerializer(serializers.Serializer[Any]):
    """A person whom an entry never meets."""

    number = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    reason = serializers.CharField()


class NeedsSerializer(PrivateNeedsSerializer):
    """What an entry needs; for officials alone."""

    fixed_table = serializers.IntegerField(allow_null=True)
    kept_apart = ApartSerializer(many=True)
