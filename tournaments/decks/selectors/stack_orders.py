"""In which order a player stacks their deck (DP-STACK): shown to that player alone, like what the deck keeps secret.

Nobody of the staff is shown it either, and no entry of the ledger tells of it. See docs/how-it-works/trust.md#d1.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from accounts.actors import Actor
from decks.models import DeckVersion
from decks.selectors.legality import format_at
from tournaments.decks.selectors.deck_ready import stacking_of, stacking_rule
from tournaments.models import EntryMember, Match, StackOrder, Tournament
from tournaments.permissions import may_see_own_list


@dataclass(frozen=True, slots=True)
class StackPlan:
    """What a player plans for: a `game` of a `match`, None before a round; the `cards` by name from the top.

    `saved` is what is stored for exactly that game, `earlier` are the orders of other games, the newest first.
    """

    match: Match | None
    game: int
    cards: tuple[str, ...]
    saved: StackOrder | None
    earlier: tuple[StackOrder, ...]

    @property
    def last(self) -> StackOrder | None:
        """The order of the last time; None where nothing was saved before."""
        return self.earlier[0] if self.earlier else None


def stack_plan(actor: Actor, member: EntryMember, version: DeckVersion, match: Match | None) -> StackPlan:
    """What the player sees first: the saved order, else that of the last time, else the cards as registered.

    `match` is the player's current one, loaded as `with_all` says. Two queries more.
    """
    tournament = member.tournament
    match, game = due_game(tournament, match)
    own = own_orders(actor, member)
    match_id = match.pk if match else None
    saved = next((each for each in own if (each.match_id, each.game) == (match_id, game)), None)
    earlier = tuple(each for each in own if each != saved)
    start = saved or (earlier[0] if earlier else None)
    cards = stackable_cards(tournament, version)
    return StackPlan(match, game, fitted(cards, start.cards) if start else cards, saved, earlier)


def due_game(tournament: Tournament, match: Match | None) -> tuple[Match | None, int]:
    """The match and game that decks are stacked for next; None and 1 where no such match is played."""
    stacking = stacking_of(tournament, match) if match is not None else None
    return (match, stacking.game) if stacking is not None else (None, 1)


def own_orders(actor: Actor, member: EntryMember) -> list[StackOrder]:
    """The orders a player saved, the newest first, as far as the actor may see them; two queries.

    Not those saved before the actor's link or account came: staff make links (`may_see_own_list`).
    """
    found = StackOrder.objects.filter(member=member).select_related("match__round__stage")
    return [each for each in found if may_see_own_list(actor, member, each.saved_at)]


def stacks_decks(tournament: Tournament) -> bool:
    """Whether the event's decks are stacked before each game."""
    return stacking_rule(tournament) is not None


def stackable_cards(tournament: Tournament, version: DeckVersion) -> tuple[str, ...]:
    """The cards of a deck that are stacked, each copy once: all but what is kept secret beside the deck."""
    secret = format_at(tournament.game, tournament.game_format).secret_section
    entries = (entry for entry in version.decklist.entries if entry.section != secret)
    return tuple(name for entry in entries for name in [entry.name] * entry.count)


def fitted(cards: Iterable[str], order: Iterable[str]) -> tuple[str, ...]:
    """`order` as far as its cards are still in the deck; those that came since below, as the deck lists them."""
    left = Counter(cards)
    kept = []
    for name in order:
        if left[name] > 0:
            left[name] -= 1
            kept.append(name)
    return (*kept, *left.elements())
