"""Standings as JSON: exact, as fractions and as decimals."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.standings.derivations import Derivation, Operation, Term
from scoring.standings.presets import PRESETS
from scoring.standings.standings import decimal_text
from scoring.standings.tiebreakers import TIEBREAKERS
from tournaments.models import Entry
from tournaments.standings.forms.what_if import MAX_CUT, MAX_SUPPOSED, OTHER_RESULT
from tournaments.standings.selectors.reasons import Cause, Reason
from tournaments.standings.selectors.standings import StandingRow
from tournaments.standings.selectors.what_if import SupposedLine, WhatIf

DIGITS = 10


class ShareSerializer(serializers.Serializer[Any]):
    """A share of 1, exact as a fraction, and as a decimal of 10 digits rounded half up."""

    fraction = serializers.CharField()
    decimal = serializers.CharField()


@extend_schema_field(ShareSerializer)
class ShareField(serializers.Field[Any, Any, Any, Any]):
    """A fraction in both forms."""

    def to_representation(self, value: Any) -> dict[str, str]:
        """The two texts."""
        return {"fraction": str(value), "decimal": decimal_text(value, DIGITS)}


class TiebreakerValueSerializer(serializers.Serializer[Any]):
    """A tiebreaker by its key, and its value: exact, in written points, shares of 1 or numbers."""

    key = serializers.CharField()
    value = ShareField()


def tiebreaker_values(values: Iterable[tuple[str, Fraction]]) -> list[dict[str, Any]]:
    """Keys with values, as `TiebreakerValueSerializer` writes them."""
    return list(TiebreakerValueSerializer([{"key": key, "value": value} for key, value in values], many=True).data)


class StandingSerializer(serializers.Serializer[StandingRow]):
    """A ranked line. `shared_by` counts the entries at this rank: more than one is a tie that no tiebreaker broke.

    `tiebreakers` are those of the event in their order. `points` are whole points of the event's policy, of which
    `point_unit` are written as one. `wins`, `draws` and `losses` are those of matches that bring points: matches of a
    bracket count for the `rank` only.
    """

    rank = serializers.IntegerField(source="standing.rank")
    shared_by = serializers.SerializerMethodField()
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    state = serializers.ChoiceField(Entry.State.choices, source="entry.state")
    points = serializers.IntegerField(source="standing.match_points")
    wins = serializers.IntegerField(source="standing.wins")
    draws = serializers.IntegerField(source="standing.draws")
    losses = serializers.IntegerField(source="standing.losses")
    omw = ShareField(source="standing.omw")
    gw = ShareField(source="standing.gw")
    ogw = ShareField(source="standing.ogw")
    tiebreakers = serializers.SerializerMethodField()
    tables_without_scores = serializers.SerializerMethodField(
        help_text="How many tables of this entry lack the scores that these standings count; 0 where none are counted."
    )

    role_neutral = serializers.SerializerMethodField(
        help_text=(
            "Games won less what the entry's roles won on average at this event, as a fraction; null for a game whose "
            "roles are equal. It ranks nobody."
        )
    )

    def get_role_neutral(self, row: StandingRow) -> str | None:
        """Games won beyond the roles."""
        neutral: dict[int, Fraction] | None = self.context["view"].neutral
        return None if neutral is None else str(neutral.get(row.entry.pk, Fraction(0)))

    def get_tables_without_scores(self, row: StandingRow) -> int:
        """Its results that the standings count as a score of 0, for want of one."""
        lacking: int = self.context["view"].without_scores[row.entry.pk]
        return lacking

    def get_shared_by(self, row: StandingRow) -> int:
        """How many entries have this rank."""
        shared: int = self.context["view"].shared[row.standing.rank]
        return shared

    @extend_schema_field(TiebreakerValueSerializer(many=True))
    def get_tiebreakers(self, row: StandingRow) -> list[dict[str, Any]]:
        """Every tiebreaker of the event with its value."""
        keys: tuple[str, ...] = self.context["view"].event.scoring_policy.tiebreakers
        return tiebreaker_values(zip(keys, row.standing.keys, strict=True))


class AskedWhatIfSerializer(serializers.Serializer[Any]):
    """Which rules and rounds to suppose; what is left out stays as it is in the event."""

    rules = serializers.ChoiceField(list(PRESETS), required=False, default="", help_text="A ready set of rules.")
    win = serializers.IntegerField(min_value=1, max_value=MAX_SUPPOSED, required=False, default=None)
    draw = serializers.IntegerField(min_value=0, max_value=MAX_SUPPOSED, required=False, default=None)
    loss = serializers.IntegerField(min_value=0, max_value=MAX_SUPPOSED, required=False, default=None)
    tiebreakers = serializers.ListField(
        child=serializers.ChoiceField(list(TIEBREAKERS)), required=False, default=list, help_text="In their order."
    )
    after = serializers.IntegerField(
        min_value=1, max_value=99, required=False, default=None, help_text="The last round counted."
    )
    cut = serializers.IntegerField(
        min_value=2, max_value=MAX_CUT, required=False, default=None, help_text="How many play on."
    )
    in_round = serializers.IntegerField(
        min_value=1, max_value=99, required=False, default=None, help_text="The round of a match with another result."
    )
    at_table = serializers.IntegerField(
        min_value=1, max_value=MAX_CUT, required=False, default=None, help_text="Its table."
    )
    result = serializers.CharField(
        max_length=50,
        required=False,
        default="",
        help_text="Its result instead, as at the desk: 2-1, or 1 3 2 4.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Round, table and result go together."""
        given = [bool(attrs[name]) for name in OTHER_RESULT]
        if any(given) and not all(given):
            raise serializers.ValidationError(_("Another result needs the round, the table and the result."))
        return attrs


class SupposedLineSerializer(serializers.Serializer[SupposedLine]):
    """A line as it would be; `rank_now` null for an entry that has no rank. `decided_by`: what parts it from above."""

    rank = serializers.IntegerField(source="standing.rank")
    rank_now = serializers.IntegerField(source="now.rank", allow_null=True, default=None)
    entry = serializers.SerializerMethodField()
    tiebreakers = serializers.SerializerMethodField()
    decided_by = serializers.CharField(allow_blank=True)
    in_cut = serializers.BooleanField()
    was_in_cut = serializers.BooleanField()

    def get_entry(self, line: SupposedLine) -> int:
        """The entry's number."""
        numbers: Mapping[int, int] = self.context["numbers"]
        return numbers[line.standing.contender]

    @extend_schema_field(TiebreakerValueSerializer(many=True))
    def get_tiebreakers(self, line: SupposedLine) -> list[dict[str, Any]]:
        """Every tiebreaker supposed with its value."""
        return tiebreaker_values(zip(self.context["tiebreakers"], line.standing.keys, strict=True))


class WhatIfSerializer(serializers.Serializer[WhatIf]):
    """The standings as they would be, best first, and how many lines have another rank than now."""

    moved = serializers.IntegerField()
    lines = SupposedLineSerializer(many=True)


@extend_schema_field({"allOf": [{"$ref": "#/components/schemas/Derivation"}], "nullable": True})
class PartsField(serializers.Field[Any, Any, Any, Any]):
    """How the value of a term came about, in turn."""

    def to_representation(self, value: Any) -> Any:
        """The derivation."""
        return DerivationSerializer(value, context=self.context).data


class TermSerializer(serializers.Serializer[Term]):
    """A line of a derivation: an opponent, a round or a plain number."""

    code = serializers.CharField()
    value = ShareField()
    entry = serializers.SerializerMethodField()
    round = serializers.SerializerMethodField()
    counted = serializers.BooleanField()
    note = serializers.CharField()
    parts = PartsField(allow_null=True)

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_entry(self, term: Term) -> int | None:
        """The opponent."""
        numbers: Mapping[int, int] = self.context["numbers"]
        return None if term.contender is None else numbers[term.contender]

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_round(self, term: Term) -> int | None:
        """The round of the event: terms count those of their stage."""
        first: int = self.context["first_round"]
        return None if term.round_number is None else term.round_number + first - 1


class DerivationSerializer(serializers.Serializer[Derivation]):
    """How a value came about: an operation on its counted terms."""

    key = serializers.CharField()
    operation = serializers.ChoiceField([(each.value, each.value) for each in Operation])
    value = ShareField()
    terms = TermSerializer(many=True)


class StandingReasonSerializer(serializers.Serializer[Reason]):
    """Why `above` stands before `below` (entries by number), and the tiebreakers in which they are equal before it.

    `cause` is "tiebreaker" (then `key`, `one` and `other` say how), "tied", "stage", "bracket", "bracket_shared" or
    "bracket_open".
    """

    above = serializers.SerializerMethodField()
    below = serializers.SerializerMethodField()
    cause = serializers.ChoiceField([(each.value, each.value) for each in Cause])
    equal = serializers.SerializerMethodField()
    key = serializers.CharField(allow_null=True)
    one = serializers.SerializerMethodField()
    other = serializers.SerializerMethodField()

    def get_above(self, reason: Reason) -> int:
        """The upper entry's number."""
        return self._number(reason.above.contender)

    def get_below(self, reason: Reason) -> int:
        """The lower entry's number."""
        return self._number(reason.below.contender)

    @extend_schema_field(TiebreakerValueSerializer(many=True))
    def get_equal(self, reason: Reason) -> list[dict[str, Any]]:
        """The tiebreakers before the one that decides."""
        return tiebreaker_values(reason.equal)

    @extend_schema_field(DerivationSerializer(allow_null=True))
    def get_one(self, reason: Reason) -> dict[str, Any] | None:
        """How the upper entry's value came about."""
        return self._derivation(reason.one, reason.first_round)

    @extend_schema_field(DerivationSerializer(allow_null=True))
    def get_other(self, reason: Reason) -> dict[str, Any] | None:
        """How the lower entry's value came about."""
        return self._derivation(reason.other, reason.first_round)

    def _number(self, contender: int) -> int:
        numbers: Mapping[int, int] = self.context["numbers"]
        return numbers[contender]

    def _derivation(self, derivation: Derivation | None, first_round: int) -> dict[str, Any] | None:
        if derivation is None:
            return None
        context = {**self.context, "first_round": first_round}
        return dict(DerivationSerializer(derivation, context=context).data)
