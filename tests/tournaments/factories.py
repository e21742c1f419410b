"""The cast and the acts that tests of tournaments start from."""

from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.actors import Actor
from accounts.identity.services import person_of
from accounts.models import User
from scoring.standings.results import MatchResult, ResultKind, table_result
from tournaments.core.rounds import matches_of
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.services.event_drafts import EventDraft
from tournaments.events.services.events import create_tournament, open_registration, start_tournament
from tournaments.events.services.staff import accept_invite, invite_staff
from tournaments.models import Entry, EntryMember, Match, Round, Tournament
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round, publish_round

NOW = datetime(2026, 5, 9, 10, tzinfo=UTC)
PEOPLE = ("Ada", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ida", "Jon")


def account(name: str) -> Actor:
    user, _new = User.objects.get_or_create(username=name)
    return Actor(user, person_of(user, NOW), "session")


def draft(**changes: object) -> EventDraft:
    """A Doom Pile event of best of three."""
    values = {
        "name": "Autumn Doom Cup",
        "starts_at": NOW + timedelta(days=1),
        "game": "doom_pile",
        "game_format": "standard",
    }
    return EventDraft(**{**values, **changes})


def event(players: int = 0, *, also_judge: bool = False, **changes: object) -> Tournament:
    """Olive's event, open for registration, with walk-ins."""
    olive = account("olive")
    tournament = open_registration(olive, create_tournament(olive, draft(**changes), NOW, also_judge=also_judge), NOW)
    if players:
        register_walk_ins(olive, tournament, [EntryDraft(name_of(number)) for number in range(players)], NOW)
    return tournament


def name_of(number: int) -> str:
    """The name of the n-th walk-in."""
    return PEOPLE[number] if number < len(PEOPLE) else f"Player {number}"


def running(players: int = 4, **changes: object) -> Tournament:
    """Olive's event, started."""
    return start_tournament(account("olive"), event(players, **changes), NOW)


def staff(tournament: Tournament, name: str, role: str) -> Actor:
    """Somebody with a role at the event."""
    actor = account(name)
    accept_invite(actor, invite_staff(account("olive"), tournament, role, NOW), NOW)
    return actor


def next_round(tournament: Tournament, seed: int = 1) -> Round:
    olive = account("olive")
    return publish_round(olive, pair_next_round(olive, tournament, NOW, seed=seed), NOW)


def score(*won: int, drawn: int = 0) -> MatchResult:
    return MatchResult(ResultKind.PLAYED, won, drawn)


def table(round_: Round, number: int = 1) -> Match:
    return next(match for match in matches_of(round_) if match.table_number == number)


def report_all(round_: Round, *won: int) -> None:
    """Olive reports every match, 2-0 for the first seat unless told otherwise; larger tables in the order of seats."""
    for match in matches_of(round_):
        seats = match.seats.count()
        if match.table_number:
            result = score(*(won or (2, 0))) if seats == 2 else table_result(range(1, seats + 1))
            report_result(account("olive"), match, result, NOW)


def afresh(stored: Any) -> Any:
    """What a fixture of a module stored, read again for one test: what tests before did to its objects is not there."""
    if isinstance(stored, tuple):
        return tuple(afresh(each) for each in stored)
    return type(stored)._default_manager.get(pk=stored.pk)


def entry(tournament: Tournament, name: str) -> Entry:
    return Entry.objects.get(tournament=tournament, name=name)


def member_of(tournament: Tournament, name: str) -> EntryMember:
    return entry(tournament, name).members.get()
