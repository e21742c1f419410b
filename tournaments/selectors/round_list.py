"""The rounds of an event as staff see them, earlier versions and hidden pairings included."""

from dataclasses import dataclass

from django.db.models import Count, Q

from tournaments.models import Match, Round, Seat, Tournament
from tournaments.selectors.arrangement import SHELF
from tournaments.selectors.rounds import matches_of
from tournaments.selectors.standings import standings_of


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round with its number of tables, those done, and byes."""

    round: Round
    tables: int
    done: int
    byes: int


@dataclass(frozen=True, slots=True)
class PreviewSeat:
    """A seat of a pairing with the player's match points before the round."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class PreviewMatch:
    """A match of a pairing with its seats in order."""

    match: Match
    seats: tuple[PreviewSeat, ...]


def round_lines(tournament: Tournament) -> list[RoundLine]:
    """Every version of every round, newest first; one query."""
    at_table = Q(matches__table_number__isnull=False)
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(engine=SHELF).annotate(
        tables=Count("matches", filter=at_table),
        done=Count("matches", filter=at_table & Q(matches__state=Match.State.DONE)),
        byes=Count("matches", filter=Q(matches__kind=Match.Kind.BYE)),
    )
    ordered = rounds.order_by("-number", "-version")
    return [RoundLine(each, each.tables, each.done, each.byes) for each in ordered]


def preview_of(tournament: Tournament, round_: Round) -> list[PreviewMatch]:
    """The pairings of a round with everybody's points before it; a constant number of queries."""
    points = {standing.contender: standing.match_points for standing in standings_of(tournament)}
    return [
        PreviewMatch(match, tuple(PreviewSeat(seat, points.get(seat.entry_id, 0)) for seat in match.seats.all()))
        for match in matches_of(round_)
    ]
