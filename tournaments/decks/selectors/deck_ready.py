"""How far a match is with stacking and placing its decks (DP-STACK)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Prefetch, prefetch_related_objects

from decks.selectors.legality import format_at
from rules_engine import game as rules
from rules_engine.systems import get_system
from tournaments.models import DeckPlacement, EntryMember, Match, Round, RoundClock, Seat, Tournament
from tournaments.permissions import TABLE
from tournaments.timing import ClockState


@dataclass(frozen=True, slots=True)
class Mark:
    """A seat, and when its player placed the deck for the game in question; None while it is being stacked."""

    seat: Seat
    placed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Stacking:
    """The game that decks are placed for next, with a mark for each seat.

    `until` is None while the minutes of the game have not begun: those of game 1 begin with the round's clock, those of
    later games when a person at the table says that the game before is over.
    """

    game: int
    minutes: int
    until: datetime | None
    marks: tuple[Mark, ...]

    @property
    def is_on(self) -> bool:
        """Whether the players stack now: always before game 1, later once the minutes began or a deck is placed."""
        return self.game == 1 or self.until is not None or self.placed > 0

    @property
    def placed(self) -> int:
        """How many have placed their deck."""
        return sum(mark.placed_at is not None for mark in self.marks)


def stacking_rule(tournament: Tournament) -> rules.Stacking | None:
    """How decks are stacked in the event's game; None where they are not, or where the event leaves it to tables."""
    return None if tournament.stacking_minutes == 0 else get_system(tournament.game).match.stacking


def secret_section(tournament: Tournament) -> rules.SectionRule | None:
    """The section that placed decks reveal; None where nothing is kept secret."""
    if stacking_rule(tournament) is None:
        return None
    format_ = format_at(tournament.game, tournament.game_format)
    return next((rule for rule in format_.sections if rule.key == format_.secret_section), None)


def counts(match: Match) -> bool:
    """Whether the match is played in a round that everybody sees and that was not taken back."""
    round_ = match.round
    return match.kind == Match.Kind.PLAYED and round_.superseded_at is None and round_.state != Round.State.PAIRED


def all_placed(match: Match, game: int = 1) -> bool:
    """Whether every seat has placed its deck for a game of a match that counts."""
    marks = marks_of(match, game)
    return counts(match) and len(marks) > 1 and all(mark.placed_at is not None for mark in marks)


def is_revealed(match: Match) -> bool:
    """Whether what the decks keep secret is shown: all have placed for game 1, each by the word of a person named.

    That is the player, by an account or a personal link, or the staff. The code of a table proves nobody's name: one
    phone could claim each seat in turn and read both decks.
    """
    return all_placed(match) and all(is_named(each) for each in match.placements.all() if each.game == 1)


def revealed_at(match: Match) -> datetime:
    """When a match that is revealed was: with the last placing."""
    return max(mark.placed_at for mark in marks_of(match, 1) if mark.placed_at)


def is_played(tournament: Tournament, match: Match) -> bool:
    """Whether a match is being played: in an open round, without a result that counts."""
    is_open = match.round.state == Round.State.PUBLISHED and tournament.state == Tournament.State.RUNNING
    return is_open and counts(match) and match.accepted_report_id is None


def unnamed_seats(tournament: Tournament, match: Match) -> list[Seat]:
    """The seats whose placing reveals nothing yet, because the code of the table alone said it, while it is played."""
    if secret_section(tournament) is None or not is_played(tournament, match):
        return []
    unnamed = {each.seat_id for each in match.placements.all() if each.game == 1 and not is_named(each)}
    return [seat for seat in in_order(match.seats.all()) if seat.pk in unnamed]


def is_named(placement: DeckPlacement) -> bool:
    """Whether a person named said that the deck is placed."""
    return placement.role != TABLE


def stacking_of(tournament: Tournament, match: Match) -> Stacking | None:
    """What is placed next at a match still being played; None when nothing is, or the game knows no stacking."""
    rule, round_ = stacking_rule(tournament), match.round
    if rule is None or not is_played(tournament, match):
        return None
    for game in range(1, round_.stage.match_length.games + 1):
        marks = marks_of(match, game)
        if any(mark.placed_at is None for mark in marks):
            minutes = tournament.stacking_minutes or rule.minutes
            until = stacking_ends_at(tournament, round_, minutes) if game == 1 else _later_end(match, game, minutes)
            return Stacking(game, minutes, until, marks)
    return None


def _later_end(match: Match, game: int, minutes: int) -> datetime | None:
    """When the decks of a game after the first are to be placed; None while the table has not begun to stack."""
    began = match.stacking_since if match.stacking_game == game else None
    return None if began is None else began + timedelta(minutes=minutes)


def stacking_ends_at(tournament: Tournament, round_: Round, minutes: int) -> datetime | None:
    """When the decks of a round's first games are to be placed: by its clock, None while that does not run.

    In an event without a clock the minutes count from when the round was published.
    """
    prefetch_related_objects([round_], "clocks")
    clock = next((each for each in round_.clocks.all() if each.phase == RoundClock.Phase.STACKING), None)
    if clock is not None:
        return clock.timing.ends_at()
    if tournament.round_minutes != 0 or round_.published_at is None:
        return None
    return round_.published_at + timedelta(minutes=minutes)


def is_stacking_time(round_: Round, stacking: Stacking, now: datetime) -> bool:
    """Whether stacking is what a table does now: while its time is not over and, for game 1, not ended early.

    From then on the round runs, and a table has its result to report; decks can be placed all the same.
    """
    if stacking.game != 1:
        return stacking.until is not None and now < stacking.until
    prefetch_related_objects([round_], "clocks")
    timings = {each.phase: each.timing for each in round_.clocks.all()}
    played, stacked = timings.get(RoundClock.Phase.ROUND), timings.get(RoundClock.Phase.STACKING)
    if played is not None and played.state(now) is not ClockState.NOT_STARTED:
        return False
    if stacked is not None:
        return stacked.state(now) is not ClockState.OVER
    return stacking.until is None or now < stacking.until


def stacking_tables(tournament: Tournament, round_: Round | None) -> list[tuple[Match, Stacking]]:
    """The tables of a round where decks are being stacked, nothing reported yet; four queries however many."""
    if round_ is None or stacking_rule(tournament) is None or round_.state != Round.State.PUBLISHED:
        return []
    seats = Prefetch("seats", Seat.objects.select_related("entry"))
    open_ = round_.matches.filter(state=Match.State.OPEN).prefetch_related(seats, "placements").order_by("table_number")
    found = ((match, stacking_of(tournament, match)) for match in open_)
    return [(match, stacking) for match, stacking in found if stacking is not None and stacking.is_on]


def own_seat(match: Match, member: EntryMember | None) -> Seat | None:
    """Where a member sits at a match."""
    return next((seat for seat in match.seats.all() if member is not None and seat.entry_id == member.entry_id), None)


def marks_of(match: Match, game: int) -> tuple[Mark, ...]:
    """The seats in order with when each placed its deck for a game; no query where `placements` is loaded."""
    placed = {each.seat_id: each.placed_at for each in match.placements.all() if each.game == game}
    return tuple(Mark(seat, placed.get(seat.pk)) for seat in in_order(match.seats.all()))


def in_order(seats: Iterable[Seat]) -> list[Seat]:
    """Seats in seat order."""
    return sorted(seats, key=lambda seat: seat.order)
