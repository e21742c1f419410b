"""The people who run an event, their invitations, and the log, as JSON."""

from typing import Any

from rest_framework import serializers

from journal.models import LedgerEntry
from tournaments.models import Role, StaffInvite


class StaffSerializer(serializers.Serializer[Role]):
    """A role a person holds at the event."""

    id = serializers.IntegerField()
    user = serializers.CharField(source="user.username")
    role = serializers.ChoiceField(Role.Name.choices, source="name")
    granted_at = serializers.DateTimeField()


class NewInviteSerializer(serializers.Serializer[Any]):
    """The role to offer."""

    role = serializers.ChoiceField(Role.Name.choices)


class InviteSerializer(serializers.Serializer[StaffInvite]):
    """An invitation that nobody has taken yet."""

    id = serializers.IntegerField()
    role = serializers.ChoiceField(Role.Name.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InvitedSerializer(serializers.Serializer[Any]):
    """A new invitation, shown once: its token for this API, the path of its page for a browser."""

    token = serializers.CharField()
    path = serializers.CharField()


class AcceptSerializer(serializers.Serializer[Any]):
    """The token of an invitation."""

    token = serializers.CharField(max_length=200)


class LogEntrySerializer(serializers.Serializer[LedgerEntry]):
    """One act: who (an id, no name), in which role, what, about which ids; chained to the one before by hash."""

    sequence = serializers.IntegerField()
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    role = serializers.CharField()
    act = serializers.CharField()
    subjects = serializers.DictField()
    previous_hash = serializers.CharField()
    hash = serializers.CharField()
