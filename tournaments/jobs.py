"""What workers do for tournaments; every job may run twice, at once, or be killed half-way."""

from django.core.cache import cache

from accounts.actors import SYSTEM
from journal.clock import database_now
from journal.services import enqueue
from rules_engine.errors import DomainError
from tournaments.models import OutlookRun, Tournament
from tournaments.outlook.courses import Courses
from tournaments.outlook.given import OutlookGiven
from tournaments.selectors.ratings import games_played_by
from tournaments.selectors.standings import standings_are_warm, standings_key, standings_of
from tournaments.services import ratings
from tournaments.services.outlook import keep_chunk
from tournaments.services.rehearsals import PLAY, play_step
from tournaments.services.sheets import report_filed_sheet

BUSY_SECONDS = 30
"""For how long others keep off an event whose worker died: far longer than the largest standings take."""


def refresh_standings(tournament_id: int) -> None:
    """Warm the cache of standings for the newest ledger position; a deleted event needs nothing.

    One worker at a time does it for an event, the others return at once: whoever is at it looks again once it lets
    others in, so that an act that came meanwhile is not passed over. Readers never wait: they compute for themselves.
    """
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    warmed = None
    while tournament is not None and (key := standings_key(tournament)) != warmed and not standings_are_warm(key):
        if not cache.add(busy_key(tournament), 1, BUSY_SECONDS):
            return
        try:
            standings_of(tournament)
        finally:
            cache.delete(busy_key(tournament))
        warmed = key


def busy_key(tournament: Tournament) -> str:
    """Stands in the cache while a worker refreshes the standings of an event."""
    return f"standings-refreshed-now:{tournament.stream}"


def rate_game(game: str) -> None:
    """Compute the ratings of a game again from its results."""
    ratings.rate_game(game, database_now())


def rate_person(person_id: int) -> None:
    """The same for every game a person played, who counts as somebody else once taken over by an account."""
    for game in games_played_by(person_id):
        rate_game(game)


def report_sheet(revision_id: int) -> None:
    """Turn a tallied score sheet into a report of its match; see `services.sheets.report_filed_sheet`."""
    report_filed_sheet(revision_id, database_now())


def play_rehearsal(tournament_id: int, sequence: int) -> None:
    """One more step of a rehearsal that plays to the end; where it can go no further, its organiser sees why.

    A step that found the event locked is asked for once more.
    """
    tournament, now = Tournament.objects.filter(pk=tournament_id).first(), database_now()
    if tournament is None:
        return
    try:
        play_step(SYSTEM, tournament, sequence, now)
    except DomainError as error:
        if error.code == "busy":
            enqueue(PLAY, [tournament_id, sequence], now, tournament.stream)


def simulate_outlook(run_id: int, number: int) -> None:
    """Play one chunk of a simulation; one that is kept already, or whose run was stopped or replaced, needs nothing.

    Its courses follow from the run's seed and the chunk's number alone: whoever plays it, and however often, finds the
    same.
    """

    def goes_on() -> bool:
        return OutlookRun.objects.filter(pk=run_id, cancelled_at=None).exclude(done__number=number).exists()

    run = OutlookRun.objects.filter(pk=run_id).first()
    if run is None or not 0 <= number < run.chunks or not goes_on():
        return
    courses = Courses(OutlookGiven.from_dict(run.given))
    tallies = courses.tally_samples(f"{run.seed}:{number}", run.samples_a_chunk, goes_on)
    if tallies is not None:
        counts = {entry: tally.as_list() for entry, tally in sorted(tallies.items())}
        keep_chunk(run_id, number, counts, database_now())
