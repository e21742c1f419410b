"""Results of matches that nobody plays: byes, empty tables, and those of players disqualified after the pairing."""

from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from accounts.actors import SYSTEM, Actor
from scoring.standings.records import Outcome
from scoring.standings.results import ResultKind, with_match_loss
from tournaments.models import Entry, Match, ResultReport, Round, Seat, SeatResult, Tournament
from tournaments.results.services.corrections import set_penalty_result


def store_single_seat_reports(tournament: Tournament, round_: Round, now: datetime) -> None:
    """The standing reports of a round's byes, and of its no-shows without an opponent; the caller logs the act.

    However many there are, it takes the same number of queries.
    """
    alone = round_.matches.filter(kind__in=[Match.Kind.BYE, Match.Kind.NO_SHOW], accepted_report=None)
    seats = list(Seat.objects.filter(match__in=alone).select_related("match"))
    if not seats:
        return
    bye_won, bye_lost = tournament.scoring_policy.bye_games
    byes = [seat.match.kind == Match.Kind.BYE for seat in seats]
    reports = ResultReport.objects.bulk_create(
        ResultReport(
            match=seat.match, number=1, kind=ResultReport.Kind.BYE if bye else ResultReport.Kind.NO_SHOW,
            actor=SYSTEM.key, role="system",
            games_lost=bye_lost if bye else tournament.match_length.wins_needed, reported_at=now,
        )
        for seat, bye in zip(seats, byes, strict=True)
    )  # fmt: skip
    SeatResult.objects.bulk_create(
        SeatResult(
            report=report, seat=seat,
            outcome=(Outcome.WIN if bye else Outcome.LOSS).value, games_won=bye_won if bye else 0,
        )
        for report, seat, bye in zip(reports, seats, byes, strict=True)
    )  # fmt: skip
    report_of = ResultReport.objects.filter(match=OuterRef("pk"), number=1).values("pk")
    alone.update(accepted_report=Subquery(report_of), state=Match.State.DONE, version=1)


def store_match_losses(actor: Actor, round_: Round, now: datetime) -> None:
    """Give away the matches of a round just published whose players were disqualified after it was paired.

    At a table of several the others play on.
    """
    stage, out = round_.stage, Entry.State.DISQUALIFIED
    open_ = round_.matches.filter(kind=Match.Kind.PLAYED, accepted_report=None, seats__entry__state=out)
    for match in open_.select_related("round__stage__tournament").distinct():
        seats, result = list(match.seats.order_by("order").select_related("entry")), None
        for place in (place for place, seat in enumerate(seats) if seat.entry.state == out):
            lost = with_match_loss(result, place, len(seats), stage.match_length)
            if lost is not None and not (stage.needs_winner and lost.kind is ResultKind.DOUBLE_LOSS):
                result = lost
        if result is not None:
            set_penalty_result(actor, match, result, _("Disqualification"), now)
