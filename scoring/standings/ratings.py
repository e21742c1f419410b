"""Strength as matches tell it: an estimate with its uncertainty, never used for pairing or standings.

The arithmetic is openskill's Plackett-Luce model (Weng and Lin, JMLR 12, 2011): draws and tables of several included.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce

from scoring.standings.records import MatchKind, MatchRecord, Outcome

MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match: players by seat, and the place of each from 1, equal places for a draw."""

    players: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rating:
    """Mean and deviation of the estimated strength, after so many matches."""

    mu: float
    sigma: float
    matches: int


NEWCOMER = Rating(MODEL.mu, MODEL.sigma, 0)


def compute_ratings(matches: Iterable[RatedMatch]) -> dict[int, Rating]:
    """Ratings by player after `matches` in the order they were played: the same history gives the same ratings.

    A match in which a person sits twice, or alone, tells nothing and is passed over.
    """
    ratings: dict[int, Rating] = {}
    for match in matches:
        if len(set(match.players)) < max(len(match.players), 2):
            continue
        before = [ratings.get(player, NEWCOMER) for player in match.players]
        teams = [[MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in before]
        after = MODEL.rate(teams, ranks=[float(place) for place in match.places])
        for player, old, (new,) in zip(match.players, before, after, strict=True):
            ratings[player] = Rating(new.mu, new.sigma, old.matches + 1)
    return ratings


def rated(record: MatchRecord) -> RatedMatch | None:
    """What a match record tells about strength; None for byes, no-shows and tables where everybody lost."""
    outcomes = [seat.outcome for seat in record.seats]
    if record.kind is not MatchKind.PLAYED or record.forfeit or len(outcomes) < 2 or set(outcomes) == {Outcome.LOSS}:
        return None
    placings = [seat.placing for seat in record.seats]
    places = (
        tuple(each for each in placings if each is not None)
        if None not in placings
        else tuple(2 if outcome is Outcome.LOSS else 1 for outcome in outcomes)
    )
    return RatedMatch(tuple(seat.contender for seat in record.seats), places)
