"""Rounds, matches and results as JSON."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from scoring.standings.results import MAX_GAMES, ResultKind
from tournaments.models import Match, ReportAct, ResultReport, Round, SeatResult
from tournaments.pairing.pods.contenders import LARGEST, TableCost
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.results.services.stored_reports import Status, as_result
from tournaments.rounds.selectors.explanations import is_seating, reasons_of
from tournaments.rounds.selectors.recomputed import Fault, Recomputed, Verdict, by_number
from tournaments.rounds.services.rounds import SEED_BITS
from tournaments.rounds.words import tell

REPORTABLE = [each.value for each in ResultKind if each is not ResultKind.BYE]
SHOWN_COST = {name: usual for name, usual in asdict(PairingCost()).items() if name != "forbidden_pairs"}
SHOWN_TABLE_COST = {name: usual for name, usual in asdict(TableCost()).items() if name != "forbidden_pairs"}
MAX_SEATS = LARGEST
MAX_MATCHES = 100_000
MAX_REPORTS = 32767
MAX_VERSION = 2**31 - 1


class PublishSerializer(serializers.Serializer[Any]):
    """With `start_clock` the clock of the round starts at once, where the event has one; usually somebody starts it."""

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
        """Whether the caller is told what the engine gave and what is best; after changes by hand officials alone."""
        return self.context["view"].previews or not round_.is_changed  # type: ignore[attr-defined]


def _cost(stored: dict[str, Any]) -> dict[str, Any] | None:
    """A stored cost in its own terms, without what tells of people who are kept apart."""
    shown = SHOWN_TABLE_COST if is_seating(stored) else SHOWN_COST
    return {name: stored.get(name, usual) for name, usual in shown.items()} if stored else None


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
    """What somebody did to a report."""

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
        return ResultSerializer(standing).data if standing else None

    @extend_schema_field(ReportSerializer(many=True))
    def get_reports(self, match: Match) -> Any:
        """Every report, first to last, for those who may see them."""
        seen = self.context["view"].sees_reports(match)
        reports = list(match.reports.all()) if seen else []
        return ReportSerializer(reports, many=True).data  # type: ignore[arg-type]

    @extend_schema_field(WhySerializer(many=True))
    def get_explanation(self, match: Match) -> Any:
        """The stored reasons in words."""
        reasons, names = reasons_of(match), self.context["view"].name_of
        return [{"code": each.code, "text": text} for each in reasons for text in tell((each,), names)]


class ScoreSerializer(serializers.Serializer[Any]):
    """What happened at a match. Games count where it was played; `absent` names the empty seats of a no-show.

    `penalised` names the seat that loses by a penalty (`match_loss`). `games` may tell each game, and then give the
    score where `games_won` is missing. At tables of several players give `placings` (shared places the same number: 1,
    2, 2, 4), `scores`, or both.
    """

    kind = serializers.ChoiceField(REPORTABLE, required=False, help_text="What happened; a played match unless told.")
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
    """What became of a report: it stands, or it waits for somebody to confirm it."""

    status = serializers.ChoiceField([each.value for each in Status])
    report = serializers.IntegerField(source="report.number")
    match = MatchSerializer()
