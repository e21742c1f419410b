"""Results that game clients send, and their replays, as JSON."""

from base64 import b64encode
from typing import Any

from rest_framework import serializers

from tournaments.api.serializers.matches import SeenScoreSerializer
from tournaments.models import ClientCode
from tournaments.results.services.client_codes import MAX_REPLAY
from tournaments.results.services.stored_reports import Status

MAX_MATCH = 10**18
MAX_BASE64 = 4 * (MAX_REPLAY // 3 + 1)
MAX_PAYLOAD = MAX_BASE64 + 64 * 1024


class IssuedClientCodeSerializer(serializers.Serializer[ClientCode]):
    """A new code for a game client; `secret` is shown this once and never sent back: results are signed with it."""

    code = serializers.CharField(source="public_id")
    secret = serializers.CharField()
    match = serializers.IntegerField(source="match_id")
    seat = serializers.IntegerField(
        source="seat.order", default=None, allow_null=True, help_text="Whose word it is; null: the staff's."
    )


class ClientResultSerializer(serializers.Serializer[Any]):
    """One signed result; `payload` is the JSON text that was signed: see “How does a game client report?”."""

    code = serializers.CharField(max_length=16)
    payload = serializers.CharField(max_length=MAX_PAYLOAD, trim_whitespace=False)
    signature = serializers.RegexField(
        r"^[0-9a-fA-F]{64}$", help_text="HMAC-SHA256 of the payload in UTF-8, keyed with the secret, in hexadecimal."
    )


class ClientPayloadSerializer(serializers.Serializer[Any]):
    """What a payload says: the match, its result as in `report/`, and a replay in base64."""

    match = serializers.IntegerField(min_value=1, max_value=MAX_MATCH)
    result = SeenScoreSerializer()
    replay = serializers.CharField(max_length=MAX_BASE64, required=False, default="", allow_blank=True)
    replay_name = serializers.RegexField(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$", required=False, default="replay.bin")


class ClientReportedSerializer(serializers.Serializer[Any]):
    """What became of it: it waits, or another report differs (`conflict`); `report` is its number in the match."""

    status = serializers.ChoiceField([Status.WAITING.value, Status.CONFLICT.value])
    match = serializers.IntegerField(source="report.match_id")
    report = serializers.IntegerField(source="report.number")


class ReplayLineSerializer(serializers.Serializer[ClientCode]):
    """A replay that came with a result; `seat` null: from the staff's client."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="replay_name")
    bytes = serializers.IntegerField(source="replay_bytes")
    seat = serializers.IntegerField(source="seat.order", default=None, allow_null=True)
    sent_at = serializers.DateTimeField(source="used_at")


class ReplaySerializer(ReplayLineSerializer):
    """A replay with what it holds, in base64."""

    content = serializers.SerializerMethodField()

    def get_content(self, code: ClientCode) -> str:
        """The file in base64."""
        return b64encode(code.replay).decode()
