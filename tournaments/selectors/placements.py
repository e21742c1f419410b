"""How far a match is with placing its decks, and who is shown what placed decks reveal (DP-STACK, DP-SECRET)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Prefetch

from accounts.actors import Actor
from decks.selectors.legality import format_at
from rules_engine import game as rules
from rules_engine.decklist import DeckEntry
from rules_engine.systems import get_system
from tournaments.models import EntryMember, Match, Round, Seat, Tournament
from tournaments.permissions import JUDGE, ORGANISER, may_see_own_list, member_of, roles_of


@dataclass(frozen=True, slots=True)
class Mark:
    """A seat, and when its player placed the deck for the game in question; None while it is being stacked."""

    seat: Seat
    placed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Stacking:
    """The game that decks are placed for next, with a mark for each seat; `until` is told for game 1 alone.

    Later games start when the players say so, so nobody knows when their minutes began.
    """

    game: int
    minutes: int
    until: datetime | None
    marks: tuple[Mark, ...]

    @property
    def is_on(self) -> bool:
        """Whether the players stack now: always before game 1, later once one of them has placed a deck."""
        return self.game == 1 or self.placed > 0

    @property
    def placed(self) -> int:
        """How many have placed their deck."""
        return sum(mark.placed_at is not None for mark in self.marks)


class PlanState(StrEnum):
    """Whether there is something to show of a seat's registered deck."""

    SHOWN = "shown"
    NO_DECK = "no_deck"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the deck registered for a seat holds in the secret section; no cards unless `state` is SHOWN.

    CHANGED: the list was registered after the reveal, so that what it holds now was never revealed.
    """

    seat: Seat
    state: PlanState
    cards: tuple[DeckEntry, ...] = ()


def stacking_rule(tournament: Tournament) -> rules.Stacking | None:
    """How decks are stacked in the event's game; None where they are not."""
    return get_system(tournament.game).match.stacking


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
    marks = _marks(match, game)
    return counts(match) and len(marks) > 1 and all(mark.placed_at is not None for mark in marks)


def stacking_of(tournament: Tournament, match: Match) -> Stacking | None:
    """What is placed next at a match still being played; None when nothing is, or the game knows no stacking."""
    rule, round_ = stacking_rule(tournament), match.round
    is_played = counts(match) and match.standing_report_id is None and round_.state == Round.State.PUBLISHED
    if rule is None or not is_played or tournament.state != Tournament.State.RUNNING:
        return None
    for game in range(1, tournament.match_length.games + 1):
        marks = _marks(match, game)
        if any(mark.placed_at is None for mark in marks):
            minutes = tournament.stacking_minutes or rule.minutes
            begun = round_.published_at if game == 1 else None
            return Stacking(game, minutes, begun + timedelta(minutes=minutes) if begun else None, marks)
    return None


def stacking_tables(tournament: Tournament, round_: Round | None) -> list[tuple[Match, Stacking]]:
    """The tables of a round where decks are being stacked, nothing reported yet; three queries however many."""
    if round_ is None or stacking_rule(tournament) is None or round_.state != Round.State.PUBLISHED:
        return []
    seats = Prefetch("seats", Seat.objects.select_related("entry"))
    open_ = round_.matches.filter(state=Match.State.OPEN).prefetch_related(seats, "placements").order_by("table_number")
    found = ((match, stacking_of(tournament, match)) for match in open_)
    return [(match, stacking) for match, stacking in found if stacking is not None and stacking.is_on]


def own_seat(match: Match, member: EntryMember | None) -> Seat | None:
    """Where a member sits at a match."""
    return next((seat for seat in match.seats.all() if member is not None and seat.member_id == member.pk), None)


def may_see_plan(actor: Actor, match: Match, member: EntryMember) -> bool:
    """Whether the actor is shown the secret section of a member's deck at a match (TRUST.md 3, Master Plan).

    Nobody is before every seat has placed its deck for game 1. From then on the players of the match are, and judges
    and organisers who do not play themselves. A judge who must know earlier reads the deck on record.
    """
    if own_seat(match, member) is None or not all_placed(match):
        return False
    return sees_table(actor, match) or _is_free_official(actor, match.round.stage.tournament)


def sees_table(actor: Actor, match: Match) -> bool:
    """Whether the actor sat at the match when it placed its decks.

    Not by a link or account that came after the own deck was placed: staff make links.
    """
    member = member_of(actor, match.round.stage.tournament)
    placed = {mark.seat.member_id: mark.placed_at for mark in _marks(match, 1)}
    return member is not None and member.pk in placed and may_see_own_list(actor, member, placed[member.pk])


def revealed_plans(actor: Actor, match: Match) -> tuple[Plan, ...]:
    """What the match has revealed, in seat order, as far as the actor is shown it; empty before the reveal."""
    section = secret_section(match.round.stage.tournament)
    if section is None or not all_placed(match):
        return ()
    members = EntryMember.objects.filter(seats__match=match).select_related("deck_version").in_bulk()
    seats = [seat for seat in _in_order(match.seats.all()) if may_see_plan(actor, match, members[seat.member_id])]
    revealed_at = max(mark.placed_at for mark in _marks(match, 1) if mark.placed_at)
    return tuple(_plan(seat, members[seat.member_id], section, revealed_at) for seat in seats)


def _plan(seat: Seat, member: EntryMember, section: rules.SectionRule, revealed_at: datetime) -> Plan:
    if member.deck_version is None or member.deck_registered_at is None:
        return Plan(seat, PlanState.NO_DECK)
    if member.deck_registered_at > revealed_at:
        return Plan(seat, PlanState.CHANGED)
    cards = tuple(entry for entry in member.deck_version.decklist.entries if entry.section == section.key)
    return Plan(seat, PlanState.SHOWN, cards)


def _is_free_official(actor: Actor, tournament: Tournament) -> bool:
    return not roles_of(actor, tournament).isdisjoint((JUDGE, ORGANISER)) and member_of(actor, tournament) is None


def _marks(match: Match, game: int) -> tuple[Mark, ...]:
    placed = {each.seat_id: each.placed_at for each in match.placements.all() if each.game == game}
    return tuple(Mark(seat, placed.get(seat.pk)) for seat in _in_order(match.seats.all()))


def _in_order(seats: Iterable[Seat]) -> list[Seat]:
    return sorted(seats, key=lambda seat: seat.order)
