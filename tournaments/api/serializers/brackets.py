"""Brackets and crosstables as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.core.round_names import level_name
from tournaments.models import SeatResult, Stage
from tournaments.pairing.brackets.elimination import Slot, Source
from tournaments.pairing.brackets.filled import FilledMatch, MatchState
from tournaments.results.selectors import accepted_report_of
from tournaments.structure.selectors.overview import CrossTable, Meeting, ShownBracket


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
        """The number of the entry that won it all; null before that, and if the winner was disqualified."""
        return shown.champion.number if shown.champion else None

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
