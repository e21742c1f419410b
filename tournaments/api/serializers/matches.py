"""Matches, their results and what is said of them as JSON."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.standings.results import MAX_GAMES, ResultKind
from tournaments.models import Match, ReportAct, ResultReport, SeatResult
from tournaments.pairing.pods.contenders import LARGEST
from tournaments.results.services.stored_reports import Status, as_result
from tournaments.rounds.selectors.explanations import reasons_of
from tournaments.rounds.words import tell

REPORTABLE = [each.value for each in ResultKind if each is not ResultKind.BYE]
MAX_SEATS = LARGEST
MAX_REPORTS = 32767
MAX_VERSION = 2**31 - 1
MAX_TABLES_REPORTED = 50
"""At once: they take a second or two under the event's lock, and who waits for it longer than three is refused."""


class SeatSerializer(serializers.Serializer[Any]):
    """Who sits at which place of a match."""

    seat = serializers.IntegerField(source="order")
    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")


class GameSerializer(serializers.Serializer[Any]):
    """One game: the seat that won it, from 1 (null: drawn or unfinished), how, and the role of each seat.

    `win_kind` and `roles` are keys of the game's rules, empty where nobody wrote them down.
    """

    winner = serializers.IntegerField(min_value=1, max_value=MAX_SEATS, allow_null=True)
    win_kind = serializers.CharField(max_length=40, required=False, allow_blank=True)
    roles = serializers.ListField(
        child=serializers.CharField(max_length=40), max_length=MAX_SEATS, required=False, default=list
    )


class ResultSerializer(serializers.Serializer[ResultReport]):
    """A result; games won, outcomes, places and scores in the order of the seats.

    `placings` and `scores` are of tables of several players, empty elsewhere; `games` are the single games where known.
    Between two over several games `scores` are all Promotion Points, where a ledger tells them.
    """

    report = serializers.IntegerField(source="number")
    kind = serializers.ChoiceField(ResultReport.Kind.choices)
    games_won = serializers.SerializerMethodField()
    games_drawn = serializers.IntegerField()
    outcomes = serializers.SerializerMethodField()
    placings = serializers.SerializerMethodField()
    scores = serializers.SerializerMethodField()
    games = serializers.SerializerMethodField()

    def get_placings(self, report: ResultReport) -> list[int]:
        """The place of each seat, from 1."""
        return list(as_result(report).placings)

    def get_scores(self, report: ResultReport) -> list[str]:
        """The score of each seat as a decimal number."""
        return [str(row.score) for row in report.seat_results.all() if row.score is not None]

    @extend_schema_field(GameSerializer(many=True))
    def get_games(self, report: ResultReport) -> Any:
        """Each game, first to last."""
        return [{**game, "winner": None if game["winner"] is None else game["winner"] + 1} for game in report.games]

    def get_games_won(self, report: ResultReport) -> list[int]:
        """Games won by each seat."""
        return list(as_result(report).games_won)

    def get_outcomes(self, report: ResultReport) -> list[SeatResult.Outcome]:
        """win, draw or loss for each seat."""
        rows = sorted(report.seat_results.all(), key=lambda row: row.seat_id)
        return [SeatResult.Outcome(row.outcome) for row in rows]


class ReportActSerializer(serializers.Serializer[ReportAct]):
    """What a person did to a report."""

    act = serializers.ChoiceField(ReportAct.Name.choices, source="name")
    role = serializers.CharField()
    reason = serializers.CharField()
    acted_at = serializers.DateTimeField()


class ReportSerializer(ResultSerializer):
    """A report with its story; `seat` is the reporter's place, null for staff; `corrects` the report it replaces."""

    seat = serializers.SerializerMethodField()
    role = serializers.CharField()
    reason = serializers.CharField()
    reported_at = serializers.DateTimeField()
    corrects = serializers.SerializerMethodField()
    acts = ReportActSerializer(many=True)

    def get_seat(self, report: ResultReport) -> int | None:
        """The reporter's place, without a query."""
        return next((seat.order for seat in report.match.seats.all() if seat.pk == report.by_seat_id), None)

    def get_corrects(self, report: ResultReport) -> int | None:
        """The number of the report it replaces, without a query."""
        others = report.match.reports.all()
        return next((other.number for other in others if other.pk == report.corrects_id), None)


RESULT, REPORT = ResultSerializer(), ReportSerializer()
"""Built once, since building one takes longer than showing a result: they are given no data and hold none."""


class WhySerializer(serializers.Serializer[Any]):
    """A reason why a match was paired: a stable code, and its text."""

    code = serializers.CharField()
    text = serializers.CharField()


class MatchSerializer(serializers.Serializer[Match]):
    """A match; `result` is what counts. `reports` are for staff and its players, empty for others.

    `explanation` says why it was paired; empty where nothing was stored.
    """

    id = serializers.IntegerField()
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="table_number", allow_null=True)
    kind = serializers.ChoiceField(Match.Kind.choices)
    state = serializers.ChoiceField(Match.State.choices)
    version = serializers.IntegerField()
    seats = SeatSerializer(many=True)
    result = serializers.SerializerMethodField()
    reports = serializers.SerializerMethodField()
    explanation = serializers.SerializerMethodField()

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, match: Match) -> Any:
        """The report that counts, from what is loaded already."""
        standing = next((each for each in match.reports.all() if each.pk == match.accepted_report_id), None)
        return RESULT.to_representation(standing) if standing else None

    @extend_schema_field(ReportSerializer(many=True))
    def get_reports(self, match: Match) -> Any:
        """Every report, first to last, for those who may see them."""
        seen = self.context["view"].sees_reports(match)
        return [REPORT.to_representation(report) for report in match.reports.all()] if seen else []

    @extend_schema_field(WhySerializer(many=True))
    def get_explanation(self, match: Match) -> Any:
        """The stored reasons in words."""
        reasons, names = reasons_of(match), self.context["view"].name_of
        return [{"code": each.code, "text": text} for each in reasons for text in tell((each,), names)]


class ScoreSerializer(serializers.Serializer[Any]):
    """What happened at a match. Games count where it was played; `absent` names the empty seats of a no-show.

    `penalised` names the seat that loses by a penalty (`match_loss`). `games` may tell each game, and then give the
    score where `games_won` is missing. At tables of several players give `placings` (shared places the same number: 1,
    2, 2, 4), `scores`, or both. A match of two over several games takes `scores` beside its games: what each scored in
    all of them.
    """

    kind = serializers.ChoiceField(REPORTABLE, required=False, help_text="What happened; a played match by default.")
    games_won = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_GAMES), max_length=MAX_SEATS, required=False
    )
    games_drawn = serializers.IntegerField(min_value=0, max_value=MAX_GAMES, required=False)
    absent = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_SEATS), max_length=MAX_SEATS, required=False
    )
    penalised = serializers.IntegerField(min_value=1, max_value=MAX_SEATS, required=False)
    placings = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_SEATS), max_length=MAX_SEATS, required=False
    )
    scores = serializers.ListField(
        child=serializers.DecimalField(max_digits=6, decimal_places=1), max_length=MAX_SEATS, required=False
    )
    games = serializers.ListField(child=GameSerializer(), max_length=2 * MAX_GAMES, required=False)


class SeenScoreSerializer(ScoreSerializer):
    """A result; `version` is the match's as you saw it: while nothing counts, a report on an older one is refused."""

    version = serializers.IntegerField(min_value=0, max_value=MAX_VERSION, required=False)


class TableReportSerializer(SeenScoreSerializer):
    """A result of one table of the round, named by its `table` or its `match`."""

    match = serializers.IntegerField(min_value=1, max_value=MAX_VERSION, required=False, help_text="The match's id.")
    table = serializers.IntegerField(min_value=1, max_value=MAX_VERSION, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Exactly one of match and table."""
        if ("match" in attrs) == ("table" in attrs):
            raise serializers.ValidationError({"table": [_("Give either a table or a match.")]})
        return attrs


class TableReportsSerializer(serializers.Serializer[Any]):
    """Results of several tables of a round."""

    reports = serializers.ListField(child=TableReportSerializer(), min_length=1, max_length=MAX_TABLES_REPORTED)


class TableReportedSerializer(serializers.Serializer[Any]):
    """A report that was stored."""

    match = serializers.IntegerField(source="report.match_id", help_text="The match's id.")
    table = serializers.IntegerField(source="report.match.table_number", allow_null=True)
    report = serializers.IntegerField(source="report.number", help_text="The number of the report within its match.")


class TablesReportedSerializer(serializers.Serializer[Any]):
    """The reports that were stored, in the order given; each counts."""

    reports = TableReportedSerializer(many=True)


class SeenReasonSerializer(serializers.Serializer[Any]):
    """Why; `seen` is the number of the report that counted when you looked."""

    reason = serializers.CharField(max_length=500)
    seen = serializers.IntegerField(min_value=1, max_value=MAX_REPORTS, required=False)


class CorrectionSerializer(ScoreSerializer):
    """A new result with its reason; `seen` is the number of the report that counted when you looked."""

    reason = serializers.CharField(max_length=500)
    seen = serializers.IntegerField(min_value=1, max_value=MAX_REPORTS, required=False)


class ChosenReportSerializer(serializers.Serializer[Any]):
    """A report by its number within the match, and the match's `version` as you saw it."""

    report = serializers.IntegerField(min_value=1, max_value=MAX_REPORTS)
    version = serializers.IntegerField(min_value=0, max_value=MAX_VERSION, required=False)


class ConfirmSerializer(ChosenReportSerializer):
    """A report to agree to; `reason` is why staff let a score sheet count without all its signatures."""

    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class DisputeSerializer(ChosenReportSerializer):
    """A report that is wrong, and why."""

    reason = serializers.CharField(max_length=500, required=False, allow_blank=True)


class ReportedSerializer(serializers.Serializer[Any]):
    """What became of a report: it stands, or it waits for a person to confirm it."""

    status = serializers.ChoiceField([each.value for each in Status])
    report = serializers.IntegerField(source="report.number")
    match = MatchSerializer()
