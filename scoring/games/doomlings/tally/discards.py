"""What may and what must leave a pile of Doomlings at World's End (DL-ORDER): neither more nor less than cards say."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rules_engine.messages import Message, gettext_noop
from scoring.games.doomlings.tally.cards import RECOLORS_ITSELF, RECOLORS_PILE, Catastrophe, Trait
from scoring.games.doomlings.tally.piles import (
    DISCARDS,
    Pile,
    asked_discards,
    before_catastrophe,
    fitting_discards,
    leaving_traits,
)
from scoring.games.doomlings.tally.sheet import Sheet
from scoring.games.doomlings.tally.violation import Violation

CLAUSE = "DL-ORDER"
MAY_DISCARD = {"opponents_per_discarded_color": "max_discards"}
MAY_RETURN = {"per_returned_trait": "max"}
"""The kinds of bonuses that let their owner move traits, and which of their numbers says how many."""
MOVES_NOTHING = frozenset({"chosen_color_own", "chosen_color_opponents", "copy_first_dominant"})


def discards_of(sheet: Sheet, piles: Sequence[Pile]) -> Iterator[Violation]:
    """Every discard that is due and missing, and everything that left a pile although no card lets it."""
    is_open = any(_may_move_any(trait) for player in sheet.players for trait in player.traits)
    for pile in piles:
        if pile.known:
            yield from _missing(pile, sheet.catastrophe)
            yield from _not_there(pile)
            yield from () if is_open else _unlawful(pile, sheet.catastrophe)


def due_discards(pile: Pile, catastrophe: Catastrophe | None) -> int:
    """How many traits the gold text still takes from a pile."""
    if catastrophe is None or not catastrophe.gold.kind.startswith(DISCARDS):
        return 0
    fitting = fitting_discards(pile.cards, catastrophe.gold)
    return min(asked_discards(catastrophe.gold) - len(pile.taken), len(fitting))


def _may_move_any(trait: Trait) -> bool:
    """Whether a trait has a World's End effect that the card facts do not tell: it may discard or return anything."""
    known = {*MAY_DISCARD, *MAY_RETURN, *MOVES_NOTHING}
    kind = "copy_first_dominant" if trait.is_copy else trait.bonus.kind if trait.bonus else ""
    return trait.worlds_end and kind not in known and trait.name not in RECOLORS_PILE | RECOLORS_ITSELF


def _missing(pile: Pile, catastrophe: Catastrophe | None) -> Iterator[Violation]:
    due = due_discards(pile, catastrophe)
    if due and catastrophe:
        fitting = dict.fromkeys(card.trait.name for card in fitting_discards(pile.cards, catastrophe.gold))
        template = gettext_noop("“%(card)s”: %(player)s discards %(count)d more of %(options)s.")
        yield _violation(pile, template, fitting, card=catastrophe.name, count=due, options=", ".join(fitting))


def _not_there(pile: Pile) -> Iterator[Violation]:
    held = Counter(trait.name for trait in pile.player.traits)
    gone = Counter(trait.name for trait in leaving_traits(pile.player)) - held
    if gone:
        template = gettext_noop("%(player)s can't discard or return %(cards)s: too few.")
        yield _violation(pile, template, gone, cards=", ".join(gone))


def _unlawful(pile: Pile, catastrophe: Catastrophe | None) -> Iterator[Violation]:
    extra = _beyond(pile, pile.discarded, MAY_DISCARD)
    if extra and catastrophe and catastrophe.gold.kind.startswith(DISCARDS):
        template = gettext_noop("“%(card)s”: %(player)s can't discard %(cards)s.")
        yield _violation(pile, template, extra, card=catastrophe.name, cards=", ".join(extra))
    elif extra:
        template = gettext_noop("No card lets %(player)s discard %(cards)s.")
        yield _violation(pile, template, extra, cards=", ".join(extra))
    if extra := _beyond(pile, pile.player.returned, MAY_RETURN):
        template = gettext_noop("No card lets %(player)s take back %(cards)s.")
        yield _violation(pile, template, extra, cards=", ".join(extra))


def _beyond(pile: Pile, moved: Sequence[Trait], lets: dict[str, str]) -> list[str]:
    """The names of the traits that were moved beyond what the cards of the pile let their owner move."""
    bonuses = [card.bonus for card in before_catastrophe(pile) if card.bonus and card.bonus.kind in lets]
    most = sum(int(bonus.params[lets[bonus.kind]]) for bonus in bonuses)
    return [trait.name for trait in moved if not trait.dominant][most:]


def _violation(pile: Pile, template: str, involved: Iterable[str], **params: object) -> Violation:
    name = pile.player.name
    return Violation(CLAUSE, name, Message(template, {"player": name, **params}), tuple(involved))
