"""Rounds, matches and results as JSON."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from tournaments.models import Round
from tournaments.pairing.pods.contenders import TableCost
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.rounds.selectors.explanations import is_seating
from tournaments.rounds.selectors.fairness import EventFairness, PlayerFairness, RoundFairness
from tournaments.rounds.selectors.recomputed import Fault, Recomputed, Verdict, by_number
from tournaments.rounds.services.rounds import SEED_BITS

SHOWN_COST = {name: usual for name, usual in asdict(PairingCost()).items() if name != "forbidden_pairs"}
SHOWN_TABLE_COST = {name: usual for name, usual in asdict(TableCost()).items() if name != "forbidden_pairs"}
MAX_MATCHES = 100_000


class PublishSerializer(serializers.Serializer[Any]):
    """With `start_clock` the clock of the round starts at once, where the event has one; usually a person starts it."""

    start_clock = serializers.BooleanField(required=False)


class PairSerializer(serializers.Serializer[Any]):
    """`after` is the number of the last round you saw (0 before the first), so that pressing twice pairs once.

    Matches without a result stop the pairing (`missing_results`; `details` name each in `missing`) unless `without`
    holds their ids, for a `reason`: they count as met, and for nothing else, until their result comes.
    """

    after = serializers.IntegerField(min_value=0, max_value=99)
    seed = serializers.IntegerField(min_value=0, max_value=2**SEED_BITS - 1, required=False)
    without = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1), max_length=MAX_MATCHES, required=False
    )
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class CostSerializer(serializers.Serializer[Any]):
    """What a round of pairs had to accept, or the least it could have: the terms in order of weight."""

    second_byes = serializers.IntegerField()
    rematches = serializers.IntegerField()
    club_pairs = serializers.IntegerField()
    bye_score = serializers.IntegerField()
    downfloats = serializers.ListField(child=serializers.IntegerField())
    sum_sq_diff = serializers.IntegerField()
    finish = serializers.IntegerField()


class TableCostSerializer(serializers.Serializer[Any]):
    """The same for a round at tables of several players.

    A pair that met c times before adds c squared to `repeats`; `spread` adds up the squared score differences of all
    pairs at a table. `wrong_sizes` are tables of another size than asked, `off_size` counts turns at tables that are
    not of the preferred size, `seats` players in a seat they had before, `targets` neighbours in turn order once more.
    """

    wrong_sizes = serializers.IntegerField()
    second_byes = serializers.IntegerField()
    repeats = serializers.IntegerField()
    club_pairs = serializers.IntegerField()
    bye_score = serializers.IntegerField()
    spread = serializers.IntegerField()
    off_size = serializers.IntegerField()
    seats = serializers.IntegerField()
    targets = serializers.IntegerField()


AnyCost = PolymorphicProxySerializer(
    "RoundCost", [CostSerializer, TableCostSerializer], resource_type_field_name=None, allow_null=True
)


class RoundSerializer(serializers.Serializer[Round]):
    """A round. No pairing costs less than `bound`; `proved` says that none costs less than this one.

    It was `paired_without` the results of matches by id. An earlier result that changed afterwards
    (`results_changed_at`) never pairs it again.

    From `lots` anybody can draw again who goes first: SHA-256 of "lots:table" as a number, modulo the seats.
    Both costs are null for a round entered by hand; a round of pairs and one at tables of several have terms of their
    own. `pairing_hash` tells whether two rounds give the same places.
    `seed` and `input_hash` are for officials, null and empty for others: with them one could try out whose table is
    fixed, or whom the staff keep apart, until the round comes out. Once staff changed the round by hand, so are
    `pairing_hash`, `bound` and `proved`: they would tell what it was before, and whether it breaks such a rule now.
    """

    number = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    seed = serializers.SerializerMethodField()
    lots = serializers.IntegerField(allow_null=True)
    engine = serializers.CharField()
    input_hash = serializers.SerializerMethodField()
    pairing_hash = serializers.SerializerMethodField()
    cost = serializers.SerializerMethodField()
    bound = serializers.SerializerMethodField()
    proved = serializers.SerializerMethodField()
    paired_without = serializers.ListField(child=serializers.IntegerField())
    results_changed_at = serializers.DateTimeField(allow_null=True)
    paired_at = serializers.DateTimeField()
    published_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)

    def get_seed(self, round_: Round) -> int | None:
        """What the lot was drawn by."""
        return round_.seed if self.context["view"].previews else None

    def get_input_hash(self, round_: Round) -> str:
        """The digest of everything the round was paired from."""
        return round_.input_hash if self.context["view"].previews else ""

    def get_pairing_hash(self, round_: Round) -> str:
        """The digest of the places that the engine gave."""
        return round_.pairing_hash if self._compares(round_) else ""

    @extend_schema_field(AnyCost)
    def get_cost(self, round_: Round) -> Any:
        """Null for a round entered by hand."""
        return _cost(round_.cost)

    @extend_schema_field(AnyCost)
    def get_bound(self, round_: Round) -> Any:
        """Null for a round entered by hand."""
        return _cost(round_.bound) if self._compares(round_) else None

    def get_proved(self, round_: Round) -> bool | None:
        """Whether none costs less."""
        return round_.proved if self._compares(round_) else None

    def _compares(self, round_: Round) -> bool:
        """Whether the caller may see what the engine gave and what is best; after changes by hand officials alone."""
        return self.context["view"].previews or not round_.is_changed  # type: ignore[attr-defined]


def _cost(stored: dict[str, Any]) -> dict[str, Any] | None:
    """A stored cost in its own terms, without what tells of people who are kept apart."""
    shown = SHOWN_TABLE_COST if is_seating(stored) else SHOWN_COST
    return {name: stored.get(name, usual) for name, usual in shown.items()} if stored else None


class RoundFairnessSerializer(serializers.Serializer[RoundFairness]):
    """A round: `floats` are players paired down, `rematches` and `mates` pairs at one table who met or share a club.

    `sizes` counts the tables of several by their seats; empty in a round of pairs. What was possible is the round's own
    `bound`.
    """

    number = serializers.IntegerField()
    byes = serializers.IntegerField()
    floats = serializers.IntegerField()
    rematches = serializers.IntegerField()
    mates = serializers.IntegerField(help_text="Pairs of one club or team.")
    sizes = serializers.DictField(child=serializers.IntegerField())


class PlayerFairnessSerializer(serializers.Serializer[PlayerFairness]):
    """An entry by number. It went first in `firsts` of `turns`; `seats` counts its tables by seat, `sizes` by size."""

    entry = serializers.SerializerMethodField()
    byes = serializers.IntegerField()
    downs = serializers.IntegerField()
    ups = serializers.IntegerField()
    firsts = serializers.IntegerField()
    turns = serializers.IntegerField()
    seats = serializers.ListField(child=serializers.IntegerField(), source="in_each_seat")
    sizes = serializers.DictField(child=serializers.IntegerField())
    rematches = serializers.IntegerField()
    mates = serializers.IntegerField()

    def get_entry(self, player: PlayerFairness) -> int:
        """The entry's number."""
        numbers: dict[int, int] = self.context["numbers"]
        return numbers[player.entry]


class FairnessSerializer(serializers.Serializer[EventFairness]):
    """How fairly the published rounds of Swiss stages and of tables were paired."""

    rounds = RoundFairnessSerializer(many=True)
    players = PlayerFairnessSerializer(many=True)


class RecomputedSerializer(serializers.Serializer[Recomputed]):
    """A round computed again by `engine`: `same`, or the `faults`; `changes` by hand are taken out beforehand.

    `computed` and `stored` are the places that one side has and the other has not: the table (0: no opponent) and the
    numbers of the entries. The round of another engine cannot be computed here (`verdict` "other_engine").
    """

    verdict = serializers.ChoiceField([each.value for each in Verdict])
    same = serializers.BooleanField()
    faults = serializers.ListField(child=serializers.ChoiceField([each.value for each in Fault]))
    changes = serializers.IntegerField()
    paired_by = serializers.CharField(source="round.engine")
    engine = serializers.CharField()
    seed = serializers.IntegerField(source="round.seed", allow_null=True)
    input_hash = serializers.CharField(source="round.input_hash")
    pairing_hash = serializers.CharField(source="round.pairing_hash")
    computed = serializers.SerializerMethodField()
    stored = serializers.SerializerMethodField()

    def get_computed(self, recomputed: Recomputed) -> list[list[int]]:
        """Places that computing gives and that do not stand."""
        return by_number(recomputed.round.stage.tournament, recomputed.computed)

    def get_stored(self, recomputed: Recomputed) -> list[list[int]]:
        """Places that stand and that computing does not give."""
        return by_number(recomputed.round.stage.tournament, recomputed.stored)
