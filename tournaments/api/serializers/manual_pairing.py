"""Changes of a round by hand as JSON: what to change, what it costs, what was changed."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from tournaments.api.serializers.event_acts import ReasonSerializer
from tournaments.api.serializers.rounds import CostSerializer, TableCostSerializer
from tournaments.models import PairingChange
from tournaments.pairing.manual.round_draft import MAX_TABLE, Act, Kind
from tournaments.rounds.selectors.explanations import is_seating
from tournaments.rounds.services.rounds import SEED_BITS

UNDO = "undo"
ACTS = [*(each.value for each in Act), UNDO]
MAX_ENTRIES = 2
MAX_NUMBER = 2**31 - 1


class TableChangeSerializer(serializers.Serializer[Any]):
    """A change. `entries` are entry numbers, `table` the table it is about, `to` the number that a table gets.

    seats: table. swap: two entries. make: two entries without an opponent, `to` where given. break, lock, unlock:
    table, or one entry with a bye. bye, unseat: one entry. seat: one entry, and a table that has room. move: table, to.
    repair: seed, drawn by default. mend: nothing; the fewest tables of a Swiss round are paired again by the results
    of now. undo: the latest change.
    """

    act = serializers.ChoiceField(ACTS)
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_NUMBER), max_length=MAX_ENTRIES, required=False
    )
    table = serializers.IntegerField(min_value=1, max_value=MAX_TABLE, required=False)
    to = serializers.IntegerField(min_value=1, max_value=MAX_TABLE, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=2**SEED_BITS - 1, required=False)


class StoredChangeSerializer(TableChangeSerializer, ReasonSerializer):
    """A change to be stored: why, and the `seen` of the look that it was decided on."""

    seen = serializers.CharField(max_length=80)


class BillSerializer(CostSerializer):
    """What a round costs: `unplaced` players weigh most, then second byes, then pairs to be kept apart."""

    unplaced = serializers.IntegerField()
    forbidden_pairs = serializers.IntegerField()


class TableBillSerializer(TableCostSerializer):
    """The same for a round at tables of several players."""

    unplaced = serializers.IntegerField()
    forbidden_pairs = serializers.IntegerField()


@extend_schema_field(
    PolymorphicProxySerializer(
        "RoundBill", [BillSerializer, TableBillSerializer], resource_type_field_name=None, allow_null=True
    )
)
class BillField(serializers.Field[Any, Any, Any, Any]):
    """A bill by the terms of its own kind; null for a change of a bracket, which has none."""

    def to_representation(self, value: Mapping[str, Any]) -> Any:
        """The bill as a serializer of its kind writes it."""
        if not value:
            return None
        return (TableBillSerializer if is_seating(value) else BillSerializer)(value).data


class SeatingSerializer(serializers.Serializer[Any]):
    """Who sits at a table, entry numbers in order of seats; `table` is null for a bye or a no-show."""

    table = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField([each.value for each in Kind])
    entries = serializers.ListField(child=serializers.IntegerField())
    locked = serializers.BooleanField()
    begun = serializers.BooleanField()


class RoundDraftSerializer(serializers.Serializer[Any]):
    """A round as it may be changed: `seen` names this state, `unplaced` are entry numbers, `begun` stays as it is."""

    seen = serializers.CharField()
    unplaced = serializers.ListField(child=serializers.IntegerField())
    locked = serializers.ListField(child=serializers.IntegerField())
    begun = serializers.ListField(child=serializers.IntegerField())


class MeetingSerializer(serializers.Serializer[Any]):
    """Two who would meet again, and the rounds in which they played."""

    entries = serializers.ListField(child=serializers.IntegerField())
    rounds = serializers.ListField(child=serializers.IntegerField())


class MovedGameLossSerializer(serializers.Serializer[Any]):
    """A game loss whose table is taken away; `entry` is the number of its player's entry."""

    entry = serializers.IntegerField()
    counts = serializers.BooleanField()


class PreviewSerializer(serializers.Serializer[Any]):
    """What a change would lead to; nothing is stored. Store it with this `seen`, and with this `seed` for a repair.

    `best` is the least cost there is; where it is not `proved`, the least cost known.
    """

    seen = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    tables_now = SeatingSerializer(many=True)
    tables_after = SeatingSerializer(many=True)
    cost_now = BillField(read_only=True)
    cost_after = BillField(read_only=True)
    best = BillField(read_only=True)
    proved = serializers.BooleanField()
    meetings = MeetingSerializer(many=True)
    game_losses = MovedGameLossSerializer(many=True)


class PairingChangeSerializer(serializers.Serializer[PairingChange]):
    """A stored change; `undoes` is the number of the change it undid. Costs are as they were when it was made."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(PairingChange.Kind.choices)
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    undoes = serializers.IntegerField(source="undoes.number", default=None, allow_null=True)
    cost_before = BillField(read_only=True)
    cost_after = BillField(read_only=True)
