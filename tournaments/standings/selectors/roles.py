"""What each entry won beyond what its roles win, from the games that were reported with their roles."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.db.models import QuerySet

from rules_engine.systems import get_system
from scoring.standings.results import TELLS_NO_ROLE
from scoring.standings.roles import DecidedGame, beyond_roles
from tournaments.models import Match, ResultReport, Round, Seat, Tournament


def role_neutral(tournament: Tournament, number: int | None = None) -> dict[int, Fraction] | None:
    """By entry, games won beyond its roles after all rounds, or those up to `number`; None for a game of equal roles.

    Games that ended without play, by concession or on time tell nothing of the roles and are left out.
    """
    if not get_system(tournament.game).match.role_labels:
        return None
    rounds = Round.objects.filter(stage__tournament=tournament, superseded_at=None)
    rounds = rounds if number is None else rounds.filter(number__lte=number)
    matches = Match.objects.filter(round__in=rounds.exclude(state=Round.State.PAIRED), kind=Match.Kind.PLAYED)
    return beyond_roles(_games(matches.values_list("pk", flat=True)))


def _games(matches: QuerySet[Match, int]) -> Iterator[DecidedGame]:
    seats: dict[int, list[int]] = {}
    for match, entry in Seat.objects.filter(match__in=matches).order_by("order").values_list("match", "entry"):
        seats.setdefault(match, []).append(entry)
    counting = ResultReport.objects.filter(
        match__in=matches, kind=ResultReport.Kind.PLAYED, pk__in=Match.objects.values("accepted_report")
    )
    for match, games in counting.values_list("match", "games"):
        yield from (game for each in games if (game := _decided(each, seats[match])))


def _decided(game: dict[str, Any], entries: list[int]) -> DecidedGame | None:
    winner, roles = game.get("winner"), game.get("roles") or ()
    if winner not in (0, 1) or len(roles) != 2 or game.get("win_kind") in TELLS_NO_ROLE:
        return None
    loser = 1 - winner
    return DecidedGame(entries[winner], roles[winner], entries[loser], roles[loser])
