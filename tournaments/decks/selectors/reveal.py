"""What placed decks reveal, and who is shown it (DP-SECRET, docs/how-it-works/trust.md#access)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from accounts.actors import Actor
from rules_engine.decklist import DeckEntry
from rules_engine.game import SectionRule
from tournaments.decks.selectors.deck_ready import (
    in_order,
    is_revealed,
    marks_of,
    own_seat,
    revealed_at,
    secret_section,
)
from tournaments.decks.selectors.deck_view import may_see_deck
from tournaments.models import EntryMember, Match, Seat, Tournament
from tournaments.permissions import (
    JUDGE,
    ORGANISER,
    issuer_plays,
    may_see_own_list,
    member_of,
    roles_of,
    speaks_for_table,
)


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
    """Whether the actor is shown the secret section of a member's deck at a match.

    See docs/how-it-works/trust.md#access, Master Plan.

    Nobody is before `is_revealed`. From then on the players of the match are, whoever
    opened the code of its table while it is played (a code made before the reveal: staff make codes), and judges and
    organisers who do not play themselves, and others once they are shown the deck at `now`, the database's time.
    A judge who must know earlier reads the deck on record.
    """
    if own_seat(match, member) is None or not is_revealed(match):
        return False
    tournament = match.round.stage.tournament
    if sees_table(actor, match) or _lies_there(actor, match) or _is_free_official(actor, tournament):
        return True
    return may_see_deck(actor, tournament, member, now)


def sees_table(actor: Actor, match: Match) -> bool:
    """Whether the actor sat at the match when it placed its decks.

    Not by a link or account that came after the player's deck was placed: staff make links. Nor by one that another
    player of the match made.
    """
    if issuer_plays(actor, match):
        return False
    member = member_of(actor, match.round.stage.tournament)
    placed = {mark.seat.member_id: mark.placed_at for mark in marks_of(match, 1)}
    return member is not None and member.pk in placed and may_see_own_list(actor, member, placed[member.pk])


def _lies_there(actor: Actor, match: Match) -> bool:
    """Whether the actor opened the code of the match's table, made before its decks were placed by none who plays."""
    came = actor.link_issued_at
    is_there = speaks_for_table(actor, match) and came is not None and came <= revealed_at(match)
    return is_there and not issuer_plays(actor, match)


def revealed_plans(actor: Actor, match: Match, now: datetime) -> tuple[Plan, ...]:
    """What the match has revealed, in seat order, as far as the actor is shown it; empty before the reveal."""
    section = secret_section(match.round.stage.tournament)
    if section is None or not is_revealed(match):
        return ()
    members = EntryMember.objects.filter(seats__match=match).select_related("deck_version", "entry").in_bulk()
    seats = [seat for seat in in_order(match.seats.all()) if may_see_plan(actor, match, members[seat.member_id], now)]
    at = revealed_at(match)
    return tuple(_plan(seat, members[seat.member_id], section, at) for seat in seats)


def _plan(seat: Seat, member: EntryMember, section: SectionRule, revealed_at: datetime) -> Plan:
    if member.deck_version is None or member.deck_registered_at is None:
        return Plan(seat, PlanState.NO_DECK)
    if member.deck_registered_at > revealed_at:
        return Plan(seat, PlanState.CHANGED)
    cards = tuple(entry for entry in member.deck_version.decklist.entries if entry.section == section.key)
    return Plan(seat, PlanState.SHOWN, cards)


def _is_free_official(actor: Actor, tournament: Tournament) -> bool:
    return not roles_of(actor, tournament).isdisjoint((JUDGE, ORGANISER)) and member_of(actor, tournament) is None
