"""Codes of tables and the door as JSON."""

from typing import Any

from rest_framework import serializers

from tournaments.api.serializers.events import validate_moment
from tournaments.models import DoorClaim, TableCode
from tournaments.table_access.selectors import CodeState, state_of_code
from tournaments.table_access.services import HIGHEST_TABLE


def table_field(**options: Any) -> serializers.IntegerField:
    """The number of a table."""
    return serializers.IntegerField(min_value=1, max_value=HIGHEST_TABLE, **options)


class TableCodeSerializer(serializers.Serializer[TableCode]):
    """A code that lies on a table; the code itself is shown once, when it is issued."""

    table = serializers.IntegerField(source="table_number")
    state = serializers.SerializerMethodField(help_text="Whether it opens the table's page now.")
    valid_from = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    issued_at = serializers.DateTimeField(source="created_at")
    issued_by = serializers.CharField(
        source="issued_by.username", default=None, allow_null=True, help_text="The account that issued it."
    )

    def get_state(self, code: TableCode) -> CodeState:
        """By the time of the request."""
        return state_of_code(code, self.context["view"].now)


class IssueCodesSerializer(serializers.Serializer[Any]):
    """The tables that get new codes, and when the codes work: from now until the morning after the event's day."""

    first = table_field()
    last = table_field()
    valid_from = serializers.DateTimeField(validators=[validate_moment], required=False, allow_null=True)
    expires_at = serializers.DateTimeField(validators=[validate_moment], required=False, allow_null=True)


class IssuedCodeSerializer(serializers.Serializer[Any]):
    """A new code."""

    table = serializers.IntegerField()
    path = serializers.CharField(help_text="The path that the code on the table opens; shown once.")
    expires_at = serializers.DateTimeField()


class IssuedCodesSerializer(serializers.Serializer[Any]):
    """New codes by table; those that the tables had are revoked."""

    codes = IssuedCodeSerializer(many=True)


class RevokeCodesSerializer(serializers.Serializer[Any]):
    """Whose code is revoked."""

    table = table_field(required=False, help_text="One table; without it the codes of all tables.")


class RevokedCodesSerializer(serializers.Serializer[Any]):
    """How many codes were revoked."""

    revoked = serializers.IntegerField()


class DoorSerializer(serializers.Serializer[Any]):
    """The door: the code by which players enter themselves; all but `is_open` is null or empty while it is closed."""

    is_open = serializers.BooleanField()
    free_claims = serializers.BooleanField(
        help_text="Before the start, players without link, check-in and deck need no confirmation."
    )
    path = serializers.CharField(allow_blank=True, help_text="The path of the poster's code.")
    kiosk_path = serializers.CharField(allow_blank=True, help_text="The path for a tablet that all use.")
    opened_at = serializers.DateTimeField(allow_null=True)
    uses = serializers.IntegerField(help_text="How many entered or claimed an entry by this code.")


class OpenDoorSerializer(serializers.Serializer[Any]):
    """How the door is opened."""

    free_claims = serializers.BooleanField(
        default=False, help_text="Before the start, let players without link, check-in and deck in unconfirmed."
    )


class ClaimSerializer(serializers.Serializer[DoorClaim]):
    """A phone at the door that says to be a player of the list."""

    id = serializers.IntegerField()
    shown = serializers.CharField(source="number", help_text="The number that the phone shows, too.")
    entry = serializers.IntegerField(source="member.entry.number", help_text="The number of the entry.")
    name = serializers.CharField(source="member.person.name")
    created_at = serializers.DateTimeField()


class AnswerClaimSerializer(serializers.Serializer[Any]):
    """The staff's word on a claim."""

    confirmed = serializers.BooleanField(help_text="Whether it is the player, whose phone then gets a personal link.")
