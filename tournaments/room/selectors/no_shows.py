"""How long a table waits for a missing player, and what the event's own rule asks of a judge by now."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.core.rounds import with_all
from tournaments.models import JudgeCall, Match, Penalty, Tournament
from tournaments.penalties.selectors import penalties_at
from tournaments.room.selectors.calls import open_calls
from tournaments.room.selectors.clocks import clock_of

Kind = Penalty.Kind


@dataclass(frozen=True, slots=True)
class NoShow:
    """A table where a player is missing: whole minutes since its round began, pauses aside, and the event's rule.

    `due` is the penalty that the rule asks for by now, "" for none. `absent` are the places, from 0 in order of seats,
    that may be missing and haven't had that penalty: all but the caller's, who called.
    """

    minutes: int
    game_minutes: int | None
    match_minutes: int | None
    due: str
    absent: tuple[int, ...]


def no_show_at(match: Match, call: JudgeCall | None, now: datetime) -> NoShow | None:
    """What the rule says of a table that reported a missing player; None without a rule, a report or an open match."""
    if call is None or call.kind != JudgeCall.Kind.MISSING or match.state == Match.State.DONE:
        return None
    tournament = match.round.stage.tournament
    rule = tournament.no_show_game_minutes, tournament.no_show_match_minutes
    if rule == (None, None):
        return None
    minutes = int(_waited(tournament, match, now) // 60)
    due = due_penalty(minutes, *rule)
    seats = sorted(match.seats.all(), key=lambda seat: seat.order)
    had = penalties_at(match, seats).game_losses if due == Kind.GAME_LOSS else {}
    caller = call.member.entry_id if call.member is not None else None
    absent = (place for place, seat in enumerate(seats) if seat.entry_id != caller and place not in had)
    return NoShow(minutes, *rule, due, tuple(absent) if due else ())


@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A match that waits, its state, and the numbers of entries that may be missing."""

    match: Match
    state: NoShow
    absent: tuple[int, ...]


def no_shows_of(tournament: Tournament, now: datetime) -> list[WaitingTable]:
    """Every table that reported a missing player, by table, where the event has a rule; few, each with its queries."""
    if (tournament.no_show_game_minutes, tournament.no_show_match_minutes) == (None, None):
        return []
    calls = open_calls(tournament).filter(kind=JudgeCall.Kind.MISSING)
    found = []
    for call in calls:
        match = with_all(Match.objects.filter(pk=call.match_id)).get()
        state = no_show_at(match, call, now)
        if state is not None:
            seats = sorted(match.seats.all(), key=lambda seat: seat.order)
            absent = tuple(seats[place].entry.number for place in state.absent)
            found.append(WaitingTable(match, state, absent))
    return sorted(found, key=lambda each: each.match.table_number or 0)


def due_penalty(minutes: int, to_game_loss: int | None, to_match_loss: int | None) -> str:
    """The penalty that a rule asks for after so many minutes; "" for none yet."""
    if to_match_loss is not None and minutes >= to_match_loss:
        return Kind.MATCH_LOSS
    return Kind.GAME_LOSS if to_game_loss is not None and minutes >= to_game_loss else ""


def _waited(tournament: Tournament, match: Match, now: datetime) -> float:
    """The seconds since the round's clock began; since the round was published where no clock runs for it."""
    clock = clock_of(tournament, now)
    if clock is not None and clock.round.pk == match.round_id:
        return clock.played
    published = match.round.published_at
    return (now - published).total_seconds() if published else 0
