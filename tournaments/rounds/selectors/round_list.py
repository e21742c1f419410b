"""The rounds of an event as staff see them, earlier versions and hidden pairings included."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, Q

from tournaments.core.rounds import matches_of
from tournaments.manual_pairing.selectors import SHELF
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.standings.selectors.standings import standings_of


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round with its number of tables, those done, and byes.

    `without` are the matches that it was paired without the results of, by the number of their round.
    """

    round: Round
    tables: int
    done: int
    byes: int
    without: tuple[tuple[int, tuple[Match, ...]], ...] = ()


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
    """Every version of every round, newest first; two queries."""
    at_table = Q(matches__table_number__isnull=False)
    rounds = (
        Round.objects.filter(stage__tournament=tournament)
        .exclude(engine=SHELF)
        .annotate(
            tables=Count("matches", filter=at_table),
            done=Count("matches", filter=at_table & Q(matches__state=Match.State.DONE)),
            byes=Count("matches", filter=Q(matches__kind=Match.Kind.BYE)),
        )
    )
    ordered = list(rounds.order_by("-number", "-version"))
    named = {pk for each in ordered for pk in each.paired_without}
    matches = Match.objects.select_related("round").in_bulk(named)
    return [RoundLine(each, each.tables, each.done, each.byes, _without(each, matches)) for each in ordered]


def _without(round_: Round, matches: Mapping[int, Match]) -> tuple[tuple[int, tuple[Match, ...]], ...]:
    found = [matches[pk] for pk in round_.paired_without if pk in matches]
    return tuple((number, tuple(group)) for number, group in groupby(found, key=lambda match: match.round.number))


def preview_of(tournament: Tournament, round_: Round) -> list[PreviewMatch]:
    """The pairings of a round with everybody's points before it; a constant number of queries."""
    points = {standing.contender: standing.match_points for standing in standings_of(tournament)}
    return [
        PreviewMatch(match, tuple(PreviewSeat(seat, points.get(seat.entry_id, 0)) for seat in match.seats.all()))
        for match in matches_of(round_)
    ]
