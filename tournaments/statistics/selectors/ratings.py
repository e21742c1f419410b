"""Ratings from the results: what the stored ones are a cache of."""

from itertools import groupby
from operator import itemgetter

from accounts.models import Person
from journal.ledger.selectors import heads_of
from scoring.standings.ratings import RatedMatch, Rating, compute_ratings, rated
from scoring.standings.records import MatchKind, MatchRecord, SeatRecord
from tournaments.models import GameRating, Match, ResultReport
from tournaments.rounds.selectors.histories import final_public_events, persons_of_accounts, without_teams
from tournaments.standings.selectors.standings import OUTCOMES

SEAT = "accepted_report__seat_results__"


def rated_history(game: str) -> list[RatedMatch]:
    """The played matches of a game in public events that are over, in the order of play; two queries.

    Not of events of teams. Events by start, then as they were made; players are ids of persons, the eldest of an
    account for all of them.
    """
    event = "round__stage__tournament"
    rows = (
        Match.objects.filter(
            kind=Match.Kind.PLAYED, accepted_report__kind=ResultReport.Kind.PLAYED, round__superseded_at=None,
            **{f"{event}__in": without_teams(final_public_events().filter(game=game))},
        )
        .order_by(f"{event}__starts_at", event, "round__number", "pk", f"{SEAT}seat__order")
        .values_list(
            "pk", f"{SEAT}seat__member__person", f"{SEAT}seat__member__person__user", f"{SEAT}outcome",
            f"{SEAT}placing",
        )
    )  # fmt: skip
    shared = persons_of_accounts()
    history = (
        rated(
            MatchRecord(
                0,
                MatchKind.PLAYED,
                tuple(
                    SeatRecord(shared.get(user, person), OUTCOMES[outcome], placing=placing)
                    for _match, person, user, outcome, placing in seats
                ),
            )
        )
        for _match, seats in groupby(rows.iterator(), key=itemgetter(0))
    )
    return [each for each in history if each is not None]


def ratings_of(game: str) -> dict[int, Rating]:
    """Ratings by person, computed from the results; of those alone who have an account and were not erased."""
    ratings = compute_ratings(rated_history(game))
    kept = Person.objects.filter(user__isnull=False, erased_at=None).values_list("pk", flat=True)
    return {person: ratings[person] for person in sorted(ratings.keys() & set(kept))}


def stored_ratings(game: str) -> dict[int, Rating]:
    """The same as the last run of `services.ratings.rate_game` left them."""
    rows = GameRating.objects.filter(game=game).order_by("person")
    return {row.person_id: Rating(row.mu, row.sigma, row.matches) for row in rows}


def history_mark(game: str) -> tuple[tuple[int, int], ...]:
    """How far the logs of the rated events are: another mark means another history."""
    streams = dict(final_public_events().filter(game=game).order_by("pk").values_list("pk", "stream"))
    heads = heads_of(streams.values())
    return tuple((pk, heads[stream].sequence if stream in heads else 0) for pk, stream in streams.items())


def games_played_by(person: int) -> list[str]:
    """The games of the rated events at which a person was; sorted."""
    events = final_public_events().filter(entries__members__person=person)
    return sorted(set(events.order_by().values_list("game", flat=True)))


def rated_games() -> list[str]:
    """The games that have ratings, or events from which they would come; sorted."""
    stored = GameRating.objects.order_by().values_list("game", flat=True).distinct()
    return sorted({*stored, *final_public_events().order_by().values_list("game", flat=True).distinct()})
