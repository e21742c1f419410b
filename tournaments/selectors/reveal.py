"""What placed decks reveal, and who is shown it (DP-SECRET, TRUST.md 3)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from accounts.actors import Actor
from rules_engine.decklist import DeckEntry
from rules_engine.game import SectionRule
from tournaments.models import EntryMember, Match, Seat, Tournament
from tournaments.permissions import JUDGE, ORGANISER, may_see_own_list, member_of, roles_of, speaks_for_table
from tournaments.selectors.deck_view import may_see_deck
from tournaments.selectors.placements import all_placed, in_order, marks_of, own_seat, secret_section


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


def may_see_plan(actor: Actor, match: Match, member: EntryMember, now: datetime) -> bool:
    """Whether the actor is shown the secret section of a member's deck at a match (TRUST.md 3, Master Plan).

    Nobody is before every seat has placed its deck for game 1. From then on the players of the match are, whoever
    opened the code of its table while it is played (a code made before the reveal: staff make codes), and judges and
    organisers who do not play themselves, and others once they are shown the deck at `now`, the database's time.
    A judge who must know earlier reads the deck on record.
    """
    if own_seat(match, member) is None or not all_placed(match):
        return False
    tournament = match.round.stage.tournament
    if sees_table(actor, match) or _lies_there(actor, match) or _is_free_official(actor, tournament):
        return True
    return may_see_deck(actor, tournament, member, now)


def sees_table(actor: Actor, match: Match) -> bool:
    """Whether the actor sat at the match when it placed its decks.

    Not by a link or account that came after the own deck was placed: staff make links.
    """
    member = member_of(actor, match.round.stage.tournament)
    placed = {mark.seat.member_id: mark.placed_at for mark in marks_of(match, 1)}
    return member is not None and member.pk in placed and may_see_own_list(actor, member, placed[member.pk])


def _lies_there(actor: Actor, match: Match) -> bool:
    """Whether the actor opened the code of the match's table, made before its decks were placed."""
    placed = [mark.placed_at for mark in marks_of(match, 1) if mark.placed_at]
    came = actor.link_issued_at
    return speaks_for_table(actor, match) and came is not None and bool(placed) and came <= max(placed)


def revealed_plans(actor: Actor, match: Match, now: datetime) -> tuple[Plan, ...]:
    """What the match has revealed, in seat order, as far as the actor is shown it; empty before the reveal."""
    section = secret_section(match.round.stage.tournament)
    if section is None or not all_placed(match):
        return ()
    members = EntryMember.objects.filter(seats__match=match).select_related("deck_version", "entry").in_bulk()
    seats = [seat for seat in in_order(match.seats.all()) if may_see_plan(actor, match, members[seat.member_id], now)]
    revealed_at = max(mark.placed_at for mark in marks_of(match, 1) if mark.placed_at)
    return tuple(_plan(seat, members[seat.member_id], section, revealed_at) for seat in seats)


def _plan(seat: Seat, member: EntryMember, section: SectionRule, revealed_at: datetime) -> Plan:
    if member.deck_version is None or member.deck_registered_at is None:
        return Plan(seat, PlanState.NO_DECK)
    if member.deck_registered_at > revealed_at:
        return Plan(seat, PlanState.CHANGED)
    cards = tuple(entry for entry in member.deck_version.decklist.entries if entry.section == section.key)
    return Plan(seat, PlanState.SHOWN, cards)


def _is_free_official(actor: Actor, tournament: Tournament) -> bool:
    return not roles_of(actor, tournament).isdisjoint((JUDGE, ORGANISER)) and member_of(actor, tournament) is None
