"""Stages, the cut to the next one, brackets and crosstables as JSON."""

from dataclasses import fields
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.core.round_names import level_name
from tournaments.models import SeatResult, Stage
from tournaments.pairing.brackets.cut import Ranked
from tournaments.pairing.brackets.elimination import Slot, Source
from tournaments.pairing.brackets.filled import FilledMatch, MatchState
from tournaments.pairing.pods.contenders import LARGEST, SMALLEST, Remainder, TablePolicy
from tournaments.pairing.swiss.contenders import Apart
from tournaments.results.selectors import accepted_report_of
from tournaments.structure.selectors.cuts import NextCut
from tournaments.structure.selectors.overview import CrossTable, Meeting, ShownBracket
from tournaments.structure.selectors.stages import has_begun, rounds_planned
from tournaments.structure.services.stage_drafts import (
    LONGEST_NAME,
    MAX_GAMES,
    MAX_POINTS,
    MAX_ROUNDS,
    MAX_STAGES,
    StageDraft,
)
from tournaments.structure.services.stages import MARK_LENGTH

MAX_CHOSEN, MAX_NUMBER = 128, 10**9
APART = [each.value for each in Apart]


class TablePolicySerializer(serializers.Serializer[Any]):
    """How tables of several players are filled; sizes obey least <= preferred <= most."""

    preferred = serializers.IntegerField(min_value=SMALLEST, max_value=LARGEST, default=4)
    least = serializers.IntegerField(min_value=SMALLEST, max_value=LARGEST, default=3)
    most = serializers.IntegerField(min_value=SMALLEST, max_value=LARGEST, default=5)
    remainder = serializers.ChoiceField([each.value for each in Remainder], default=Remainder.SMALLER.value)
    balance = serializers.BooleanField(default=True)
    clubs = serializers.ChoiceField(APART, default=Apart.IGNORE.value)
    teams = serializers.ChoiceField(APART, default=Apart.IGNORE.value)
    primary_targets = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Sizes in order."""
        try:
            TablePolicy.from_dict(attrs)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error
        return attrs


class StageDraftSerializer(serializers.Serializer[Any]):
    """One stage. What a kind does not have stays as it is; `best_of` null: as the event."""

    kind = serializers.ChoiceField(Stage.Kind.choices)
    name = serializers.CharField(max_length=LONGEST_NAME, allow_blank=True, default="")
    planned_rounds = serializers.IntegerField(min_value=1, max_value=MAX_ROUNDS, allow_null=True, default=None)
    qualify = serializers.ChoiceField(Stage.Qualify.choices, default=Stage.Qualify.EVERYBODY.value)
    qualify_value = serializers.IntegerField(min_value=0, max_value=MAX_POINTS, allow_null=True, default=None)
    replaces_dropped = serializers.BooleanField(default=True)
    carries_points = serializers.BooleanField(default=False)
    best_of = serializers.IntegerField(min_value=1, max_value=MAX_GAMES, allow_null=True, default=None)
    third_place = serializers.BooleanField(default=False)
    bracket_reset = serializers.BooleanField(default=True)
    return_leg = serializers.BooleanField(default=False)
    tables = TablePolicySerializer(required=False)


class StageSerializer(StageDraftSerializer):
    """A stage as it stands; `rounds` are those planned, null while its field is not known."""

    number = serializers.IntegerField()
    planned_rounds = serializers.SerializerMethodField()  # type: ignore[assignment]
    tables = serializers.SerializerMethodField()  # type: ignore[assignment]
    has_begun = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()

    def get_planned_rounds(self, stage: Stage) -> int | None:
        """What the organiser chose; of the first stage it stands with the event."""
        return stage.tournament.swiss_rounds if stage.number == 1 else stage.planned_rounds

    @extend_schema_field(TablePolicySerializer)
    def get_tables(self, stage: Stage) -> Any:
        """How its tables are filled."""
        return stage.table_policy.as_dict()

    def get_has_begun(self, stage: Stage) -> bool:
        """Whether it is played or over."""
        return has_begun(stage)

    def get_rounds(self, stage: Stage) -> int | None:
        """How many rounds it has."""
        return rounds_planned(stage)


class StagesSerializer(serializers.Serializer[Any]):
    """All stages, first to last; send `mark` back as `seen` when you change them."""

    mark = serializers.CharField()
    stages = StageSerializer(many=True)


class SetStagesSerializer(serializers.Serializer[Any]):
    """The new list of stages; `seen` is the mark of the list you looked at."""

    stages = serializers.ListField(child=StageDraftSerializer(), min_length=1, max_length=MAX_STAGES)
    seen = serializers.CharField(max_length=MARK_LENGTH, required=False)


def draft_from(values: dict[str, Any]) -> StageDraft:
    """A stage from its checked values."""
    given = {item.name: values[item.name] for item in fields(StageDraft) if item.name in values}
    return StageDraft(**given | {"tables": TablePolicy.from_dict(values.get("tables", {}))})


class CutLineSerializer(serializers.Serializer[Ranked]):
    """Somebody in or near the cut; `seed` null below it."""

    seed = serializers.SerializerMethodField()
    entry = serializers.SerializerMethodField()
    name = serializers.SerializerMethodField()
    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    left = serializers.BooleanField(source="dropped")

    def get_seed(self, line: Ranked) -> int | None:
        """The place in the next stage, 1 the best."""
        seeds = self.context["cut"].cut.seeds
        return seeds.index(line.entrant) + 1 if line.entrant in seeds else None

    def get_entry(self, line: Ranked) -> int:
        """The number of the entry."""
        number: int = self.context["cut"].entries[line.entrant].number
        return number

    def get_name(self, line: Ranked) -> str:
        """Its name."""
        name: str = self.context["cut"].entries[line.entrant].name
        return name


class TieSerializer(serializers.Serializer[Any]):
    """A shared rank that the cut runs through: entries that the lot put in, and out."""

    rank = serializers.IntegerField()
    inside = serializers.ListField(child=serializers.IntegerField())
    outside = serializers.ListField(child=serializers.IntegerField())


class NextStageSerializer(serializers.Serializer[NextCut]):
    """The stage that would begin and who plays in it, everybody ranked; send `mark` back as `seen` to begin it."""

    stage = StageSerializer()
    mark = serializers.CharField()
    players = serializers.IntegerField()
    seeds = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()
    tie = serializers.SerializerMethodField()

    def get_seeds(self, found: NextCut) -> list[int | None]:
        """Numbers of entries by seed; null is a place left empty, a bye."""
        return [None if seed is None else found.entries[seed].number for seed in found.cut.seeds]

    @extend_schema_field(CutLineSerializer(many=True))
    def get_lines(self, found: NextCut) -> Any:
        """Those in the cut, and as many below it."""
        lines = list(found.lines[: 2 * len(found.cut.seeds)])
        return CutLineSerializer(lines, many=True, context={"cut": found}).data  # type: ignore[arg-type]

    @extend_schema_field(TieSerializer(allow_null=True))
    def get_tie(self, found: NextCut) -> Any:
        """The tie at the line."""
        tie = found.cut.tie
        if tie is None:
            return None
        numbered = {name: [found.entries[pk].number for pk in getattr(tie, name)] for name in ("inside", "outside")}
        return {"rank": tie.rank, **numbered}


class BeginStageSerializer(serializers.Serializer[Any]):
    """The press that begins it; `chosen` are entries that play on among those tied at the line, with a reason."""

    seen = serializers.CharField(max_length=MARK_LENGTH, required=False)
    chosen = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_NUMBER), max_length=MAX_CHOSEN, required=False
    )
    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class SlotSerializer(serializers.Serializer[Slot]):
    """Where whoever sits there comes from: a seed, or the winner or loser of a match of the bracket."""

    by = serializers.ChoiceField([each.value for each in Source], source="source")
    seed = serializers.IntegerField()
    match = serializers.CharField()


class BracketSeatSerializer(serializers.Serializer[Any]):
    """One of the two places of a match; `entry` null while nobody is known; games won where it was played."""

    entry = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    games_won = serializers.IntegerField(allow_null=True)
    comes_from = SlotSerializer()


class BracketMatchSerializer(serializers.Serializer[FilledMatch]):
    """A match of a bracket by its place; `match` is its id once it is paired and published."""

    id = serializers.CharField(source="match.id")
    round = serializers.SerializerMethodField()
    state = serializers.ChoiceField([each.value for each in MatchState])
    match = serializers.SerializerMethodField()
    table = serializers.SerializerMethodField()
    seats = serializers.SerializerMethodField()
    winner = serializers.SerializerMethodField()

    def get_round(self, filled: FilledMatch) -> str:
        """The name of its round."""
        return level_name(self._shown.stage, filled.match.level)

    def get_match(self, filled: FilledMatch) -> int | None:
        """The id under `matches/`."""
        found = self._shown.matches.get(filled.match.id)
        return found.pk if found else None

    def get_table(self, filled: FilledMatch) -> int | None:
        """The number of its table."""
        found = self._shown.matches.get(filled.match.id)
        return found.table_number if found else None

    @extend_schema_field(BracketSeatSerializer(many=True))
    def get_seats(self, filled: FilledMatch) -> Any:
        """Both places, from the top."""
        seats = [self._seat(filled, place, entrant) for place, entrant in enumerate(filled.seats)]
        return BracketSeatSerializer(seats, many=True).data

    def get_winner(self, filled: FilledMatch) -> int | None:
        """The number of the entry that won it."""
        return self._shown.entries[filled.winner].number if filled.winner is not None else None

    @property
    def _shown(self) -> ShownBracket:
        shown: ShownBracket = self.context["shown"]
        return shown

    def _seat(self, filled: FilledMatch, place: int, entrant: int | None) -> dict[str, Any]:
        entry = self._shown.entries.get(entrant) if entrant is not None else None
        entrants = self._shown.bracket.bracket.entrants
        found = self._shown.matches.get(filled.match.id)
        report = accepted_report_of(found) if found else None
        won = {row.seat_id: row.games_won for row in report.seat_results.all()} if report else {}
        seats = {seat.entry_id: seat.pk for seat in found.seats.all()} if found else {}
        return {
            "entry": entry.number if entry else None,
            "name": entry.name if entry else "",
            "seed": entrants.index(entrant) + 1 if entrant is not None else None,
            "games_won": won.get(seats.get(entrant, 0)) if entrant is not None else None,
            "comes_from": filled.match.slots[place],
        }


class BracketSerializer(serializers.Serializer[ShownBracket]):
    """The bracket of a stage, matches in an order in which they can be played."""

    stage = serializers.IntegerField(source="stage.number")
    kind = serializers.ChoiceField(Stage.Kind.choices, source="stage.kind")
    champion = serializers.SerializerMethodField()
    matches = serializers.SerializerMethodField()

    def get_champion(self, shown: ShownBracket) -> int | None:
        """The number of the entry that won it all."""
        champion = shown.bracket.filled.champion
        return shown.entries[champion].number if champion is not None else None

    @extend_schema_field(BracketMatchSerializer(many=True))
    def get_matches(self, shown: ShownBracket) -> Any:
        """Every match, walkovers too."""
        matches = list(shown.bracket.filled.matches)
        return BracketMatchSerializer(matches, many=True, context={"shown": shown}).data  # type: ignore[arg-type]


class CrossMeetingSerializer(serializers.Serializer[Any]):
    """One match against another entry; `outcome` null while it is played."""

    against = serializers.IntegerField()
    match = serializers.IntegerField()
    round = serializers.IntegerField()
    outcome = serializers.ChoiceField(SeatResult.Outcome.choices, allow_null=True)
    games_won = serializers.IntegerField(allow_null=True)


class CrossRowSerializer(serializers.Serializer[Any]):
    """One entry of a round robin with all its matches."""

    entry = serializers.IntegerField()
    name = serializers.CharField()
    meetings = CrossMeetingSerializer(many=True)


class CrossTableSerializer(serializers.Serializer[CrossTable]):
    """A round robin, everybody against everybody."""

    stage = serializers.IntegerField(source="stage.number")
    rows = serializers.SerializerMethodField()

    @extend_schema_field(CrossRowSerializer(many=True))
    def get_rows(self, table: CrossTable) -> Any:
        """The entries by seed."""
        numbers = {entry.pk: entry.number for entry in table.entries}
        rows = [
            {
                "entry": entry.number,
                "name": entry.name,
                "meetings": [
                    _meeting(each, numbers[other])
                    for other in numbers
                    for each in table.meetings.get((entry.pk, other), ())
                ],
            }
            for entry in table.entries
        ]
        return CrossRowSerializer(rows, many=True).data


def _meeting(meeting: Meeting, against: int) -> dict[str, Any]:
    report = accepted_report_of(meeting.match)
    row = list(report.seat_results.all())[meeting.place] if report else None
    return {
        "against": against,
        "match": meeting.match.pk,
        "round": meeting.match.round.number,
        "outcome": row.outcome if row else None,
        "games_won": row.games_won if row else None,
    }
