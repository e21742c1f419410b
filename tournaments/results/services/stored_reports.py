"""What every act on a result stores: the report and what was done to it, its entry in the log, what counts."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from django.db.models import QuerySet

from accounts.actors import Actor
from journal.compiled_queries import compiled_once
from scoring.models import SheetRevision
from scoring.standings.records import Outcome
from scoring.standings.results import GameResult, MatchResult, ResultKind
from tournaments.core.contents import held_in
from tournaments.core.forecast_renewal import ask_to_renew
from tournaments.core.lapsed_calls import end_calls
from tournaments.core.ledger import log_act
from tournaments.core.matches import about_match
from tournaments.core.rounds import rounds_after
from tournaments.models import Match, ReportAct, ResultReport, Round, Seat, SeatResult, Tournament
from tournaments.permissions import acting_role
from tournaments.results.selectors import (
    know_reports,
    know_results,
)


class Status(StrEnum):
    ACCEPTED = "standing"
    WAITING = "waiting"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """The answer to the reporter: what became of it, the report stored (or the equal one found), the accepted one."""

    status: Status
    report: ResultReport
    accepted: ResultReport | None


def as_result(report: ResultReport) -> MatchResult:
    """A stored report as the value that was reported, without its single games: what two reports must agree on."""
    rows = sorted(report.seat_results.all(), key=lambda row: row.seat_id)
    kind = ResultKind(report.kind)
    placings = tuple(row.placing for row in rows if row.placing is not None)
    last = max(placings, default=None)
    losing = tuple(place for place, row in enumerate(rows) if row.outcome == Outcome.LOSS and row.placing == last)
    return MatchResult(
        kind,
        tuple(row.games_won for row in rows),
        report.games_drawn,
        absent=losing if kind is ResultKind.NO_SHOW else (),
        placings=placings,
        scores=tuple(Fraction(row.score) for row in rows if row.score is not None),
        penalised=losing if kind is ResultKind.MATCH_LOSS else (),
    )


def with_games(report: ResultReport) -> MatchResult:
    """A stored report as the value that was reported, with its single games."""
    games = (GameResult(game["winner"], game["win_kind"], tuple(game["roles"])) for game in report.games)
    return replace(as_result(report), games=tuple(games))


def says(report: ResultReport, result: MatchResult) -> bool:
    """Whether a stored report and a result agree; who tells a match by its games alone says nothing of its points."""
    held, wanted = as_result(report), replace(result, games=())
    if not (wanted.scores or wanted.placings or held.placings):
        held = replace(held, scores=())
    return held == wanted


def log_report(
    tournament: Tournament, act: str, actor: Actor, now: datetime, match: Match, report: ResultReport, reason: str = ""
) -> None:
    subjects = about_match(match)
    subjects |= {"report": report.pk, "number": report.number}
    personal = {"reason": reason} if reason else None
    log_act(tournament, act, actor, now, subjects, personal, held=held_in(match, report))


def store_report(
    tournament: Tournament,
    match: Match,
    seats: list[Seat],
    result: MatchResult,
    actor: Actor,
    now: datetime,
    *,
    seat: Seat | None = None,
    corrects: ResultReport | None = None,
    reason: str = "",
    sheet_revision: SheetRevision | None = None,
) -> ResultReport:
    before = list(match.reports.all())
    report = match.reports.create(
        number=len(before) + 1, by_seat=seat, kind=result.kind.value,
        games_drawn=result.games_drawn,
        games=[asdict(game) for game in result.games], actor=actor.key, actor_label=actor.label[:120],
        role=acting_role(actor, tournament), corrects=corrects, reason=reason,
        sheet_revision=sheet_revision, reported_at=now, issuer=actor.issuer or None, device=actor.device or None,
    )  # fmt: skip
    outcomes, placings, scores = result.outcomes, result.placings, result.scores
    results = SeatResult.objects.bulk_create(
        SeatResult(
            report=report, seat=seat_, outcome=outcomes[place].value, games_won=result.games_won[place],
            placing=placings[place] if placings else None, score=_as_decimal(scores[place]) if scores else None,
        )
        for place, seat_ in enumerate(seats)
    )  # fmt: skip
    know_results(report, results)
    know_reports(match, [*before, report])
    return report


def _as_decimal(score: Fraction) -> Decimal:
    return Decimal(score.numerator) / Decimal(score.denominator)


def record_act(
    report: ResultReport, name: ReportAct.Name, actor: Actor, tournament: Tournament, now: datetime, reason: str = ""
) -> None:
    report.__dict__.get("_prefetched_objects_cache", {}).pop("acts", None)
    ReportAct.objects.create(
        report=report, name=name, actor=actor.key, actor_label=actor.label[:120], role=acting_role(actor, tournament),
        reason=reason, acted_at=now, after_report=report.match.reports.count(),
        issuer=actor.issuer or None, device=actor.device or None,
    )  # fmt: skip


def accept(
    tournament: Tournament, match: Match, report: ResultReport, actor: Actor, now: datetime, act: str, reason: str = ""
) -> ReportAnswer:
    """The one place that decides which report counts."""
    match.accepted_report, match.state = report, Match.State.DONE
    match.version += 1
    match.save(update_fields=["accepted_report", "state", "version"])
    log_report(tournament, act, actor, now, match, report, reason)
    _close_if_complete(tournament, match.round, actor, now)
    return ReportAnswer(Status.ACCEPTED, report, report)


@compiled_once
def _missing_in(round_id: int) -> QuerySet[Match, int]:
    """One match of a round without a result, by id, or none."""
    missing = Match.objects.filter(round=round_id).exclude(state=Match.State.DONE)
    return missing.order_by().values_list("pk", flat=True)[:1]


def _close_if_complete(tournament: Tournament, round_: Round, actor: Actor, now: datetime) -> None:
    """With its last result, end a round where the next one is paired already: nothing else would."""
    waits = bool(_missing_in(round_.pk))
    if not waits:
        ask_to_renew(tournament, now)
    if round_.state != Round.State.PUBLISHED or waits or not rounds_after(round_).exists():
        return
    round_.state, round_.closed_at = Round.State.CLOSED, now
    round_.save(update_fields=["state", "closed_at"])
    end_calls(actor, tournament, [round_.pk], now)
    log_act(tournament, "round.closed", actor, now, {"round": round_.number, "version": round_.version})
