"""A player's own notes in which order to stack the deck: for that player alone, so the ledger does not tell of them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import expect_changeable
from tournaments.core.members import lock_member
from tournaments.decks.selectors.deck_view import own_list
from tournaments.decks.selectors.stack_orders import stackable_cards, stacks_decks
from tournaments.models import EntryMember, Match, StackOrder


@in_transaction
def save_stack_order(
    actor: Actor, member: EntryMember, match: Match | None, game: int, cards: Sequence[str], now: datetime
) -> StackOrder:
    """Keep the order of the player's deck, the top card first, for a game of their match or for the next one (None).

    Raises DomainError "no_stacking", NotFound "no_deck", "no_member", NotAllowed "later_link", and Conflict
    "deck_changed" where these are not the cards of the registered deck.
    """
    member = lock_member(member)
    expect_changeable(member.tournament)
    if not stacks_decks(member.tournament):
        raise DomainError("no_stacking", _("In this game decks are not stacked."))
    if Counter(cards) != Counter(stackable_cards(member.tournament, own_list(actor, member))):
        raise Conflict("deck_changed", _("Not saved: these are not the cards of your registered deck."))
    kept = member.stack_orders.filter(match=match, game=game).first() or StackOrder(
        member=member, match=match, game=game
    )
    kept.cards, kept.saved_at = list(cards), now
    kept.save()
    return kept
