"""What an event asks of its staff right now, besides the next step: the most pressing first."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from accounts.actors import Actor
from journal.models import OutboxMessage
from tournaments.bundles.copies import copy_of
from tournaments.decks.selectors.decks import DeckCounts
from tournaments.entries.selectors.entries import members_without_a_way_in
from tournaments.events.selectors.events import NextStep
from tournaments.events.selectors.overview import EntryCounts
from tournaments.models import JudgeCall, Match, RoundClock, Tournament
from tournaments.permissions import JUDGE, ORGANISER, roles_of
from tournaments.room.selectors.calls import open_calls
from tournaments.room.selectors.clocks import Clock
from tournaments.sheets.selectors.sheet_lines import NEEDS_STAFF, sheet_lines
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.timing import ClockState

State = Tournament.State
MAX_TABLES = 12
"""How many tables a line names."""


class Need(StrEnum):
    """What is to be done, in the order of its urgency."""

    CONFLICT = "conflict"
    CALL = "call"
    SHEET = "sheet"
    WORK = "work"
    COPY = "copy"
    TIME_OVER = "time_over"
    UNCONFIRMED = "unconfirmed"
    CHECK_IN = "check_in"
    FREE_PLACE = "free_place"
    DECK_MISSING = "deck_missing"
    DECK_ILLEGAL = "deck_illegal"
    LINK = "link"
    FULL = "full"


OF_ORGANISERS, OF_OFFICIALS = {Need.WORK, Need.COPY, Need.FULL}, {Need.CALL, Need.LINK}
"""What only organisers can do, and what organisers and judges can, but no scorekeeper."""


@dataclass(frozen=True, slots=True)
class Todo:
    """A need with how many it is about, and the tables it names as (id of the match, number)."""

    need: Need
    count: int
    tables: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page of the event has loaded already."""

    step: NextStep
    counts: EntryCounts
    decks: DeckCounts | None
    clock: Clock | None


def todos_of(actor: Actor, tournament: Tournament, seen: Seen, now: datetime) -> list[Todo]:
    """What the actor can see to, most pressing first; a constant number of queries."""
    held = roles_of(actor, tournament)
    is_official = not held.isdisjoint((ORGANISER, JUDGE))
    left = set() if ORGANISER in held else OF_ORGANISERS if is_official else OF_ORGANISERS | OF_OFFICIALS
    found = [*_at_tables(tournament, seen), *_of_decks(tournament, seen), *_before_the_start(tournament, seen)]
    if is_official:
        calls = [call for call in open_calls(tournament) if call.state != JudgeCall.State.CLAIMED]
        found += _of_tables(Need.CALL, [call.match for call in calls])
    if ORGANISER in held:
        failed = OutboxMessage.objects.filter(stream=tournament.stream, done_at=None).exclude(parked_at=None)
        found += _counted(Need.WORK, failed.count())
        copy = copy_of(tournament)
        found += _counted(Need.COPY, int(copy is not None and copy.failed_at is not None))
    order = list(Need)
    return sorted((each for each in found if each.need not in left), key=lambda todo: order.index(todo.need))


def _at_tables(tournament: Tournament, seen: Seen) -> list[Todo]:
    """Conflicts, sheets that are stuck, reports that wait, tables that play on after time."""
    if tournament.state != State.RUNNING or seen.step.round is None:
        return []
    missing = seen.step.missing
    stuck = sheet_lines(missing) if uses_sheets(tournament) else []
    return [
        *_of_tables(Need.CONFLICT, seen.step.conflicts),
        *_of_tables(Need.SHEET, [each.match for each in stuck if each.state in NEEDS_STAFF]),
        *_of_tables(Need.UNCONFIRMED, [each for each in missing if each.state == Match.State.REPORTED]),
        *_of_the_clock(seen),
    ]


def _of_the_clock(seen: Seen) -> list[Todo]:
    """The tables still without a result once the time of the round is over."""
    clock, step = seen.clock, seen.step
    if clock is None or step.round is None or clock.round.pk != step.round.pk or not step.missing:
        return []
    if clock.state == ClockState.OVER and clock.phase == RoundClock.Phase.ROUND:
        return _of_tables(Need.TIME_OVER, [each for each in step.missing if each.round_id == step.round.pk])
    return []


def _of_decks(tournament: Tournament, seen: Seen) -> list[Todo]:
    """Decks that lack, or that no judge has settled: before the start and after it."""
    if seen.decks is None or tournament.state not in (State.REGISTRATION, State.RUNNING):
        return []
    return [
        *_counted(Need.DECK_MISSING, seen.decks.without if tournament.deck_required else 0),
        *_counted(Need.DECK_ILLEGAL, seen.decks.unsettled),
    ]


def _before_the_start(tournament: Tournament, seen: Seen) -> list[Todo]:
    """Who is not here or has no way to report; places that are full or free."""
    if tournament.state != State.REGISTRATION:
        return []
    counts, capacity = seen.counts, tournament.capacity
    free = capacity - counts.registered if capacity else 0
    return [
        *_counted(Need.CHECK_IN, counts.absent if tournament.check_in else 0),
        *_counted(Need.FREE_PLACE, min(free, counts.waiting)),
        *_counted(Need.LINK, members_without_a_way_in(tournament).count() if tournament.players_report else 0),
        *_counted(Need.FULL, counts.registered if capacity and free <= 0 else 0),
    ]


def _counted(need: Need, count: int) -> list[Todo]:
    return [Todo(need, count)] if count > 0 else []


def _of_tables(need: Need, matches: list[Match] | tuple[Match, ...]) -> list[Todo]:
    tables = sorted((match.table_number or 0, match.pk) for match in matches)
    named = tuple((pk, number) for number, pk in tables[:MAX_TABLES])
    return [Todo(need, len(tables), named)] if tables else []
