"""World's End on a table of Doomlings: the trait piles as they are when points are counted.

Discarded and returned traits have left, copies and colors are settled, a gold text that gives traits a value has been
followed, and attachments know their host (DL-ORDER; docs/how-it-works/score-sheets.md#doomlings-counting-rules).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from scoring.games.doomlings.tally.cards import (
    COLORLESS,
    COLORS,
    RECOLORS_ITSELF,
    RECOLORS_PILE,
    Bonus,
    Catastrophe,
    Trait,
)
from scoring.games.doomlings.tally.sheet import Answer, Player, Sheet

FIXED_VALUE = "colorless_fixed_value"
DISCARDS = "discard_"

Params: TypeAlias = Mapping[str, Any]
Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class PileCard:
    """A trait as it lies in a pile: `acts` is the trait it behaves as, another one for a copy.

    `answer` is what its player chose for it, `host` where in the pile the trait it is attached to lies.
    """

    trait: Trait
    acts: Trait
    colors: frozenset[str]
    face: int | None
    bonus: Bonus | None
    answer: Answer = None
    host: int | None = None


@dataclass(frozen=True, slots=True)
class Pile:
    """A player's pile; `colors` counts its traits by color, "colorless" among them.

    `known` is false for a player who gave only sums. `discarded` are the traits discarded by World's End effects,
    `taken` those that the gold text of the catastrophe took; `discard_pile` is the one the player discards to.
    """

    player: Player
    cards: tuple[PileCard, ...] = ()
    colors: Mapping[str, int] = field(default_factory=dict)
    discarded: tuple[Trait, ...] = ()
    taken: tuple[Trait, ...] = ()
    discard_pile: tuple[Trait, ...] = ()
    known: bool = True

    @property
    def faces(self) -> Iterator[int]:
        """The face values that are printed."""
        return (card.face for card in self.cards if card.face is not None)

    @property
    def counts(self) -> list[int]:
        """How many traits of each of the four colors."""
        return [self.colors[color] for color in COLORS]


def lay_out(sheet: Sheet) -> tuple[Pile, ...]:
    """The piles of a table in turn order, after World's End."""
    return tuple(_lay_pile(player, sheet) for player in sheet.players)


def _lay_pile(player: Player, sheet: Sheet) -> Pile:
    cards = _copied(remaining_traits(player), player)
    cards = _fixed(_recolored(cards), sheet.catastrophe)
    cards = _attached(cards, player)
    colors = Counter(color for card in cards for color in card.colors or (COLORLESS,))
    own = sheet.options["intelligent_design"] and "discard_pile" in player.given
    discarded, taken = _split_discards(player, cards, sheet.catastrophe)
    return Pile(
        player=player,
        cards=tuple(cards),
        colors={color: colors[color] for color in (*COLORS, COLORLESS)},
        discarded=discarded,
        taken=taken,
        discard_pile=player.discard_pile if own else sheet.discard_pile,
        known=player.sums is None,
    )


def leaving_traits(player: Player) -> tuple[Trait, ...]:
    """What is said to have left the pile: discarded by effects, then by the catastrophe, and returned to the hand."""
    return (*player.discarded_by_effects, *player.discarded, *player.returned)


def remaining_traits(player: Player) -> list[Trait]:
    """The pile without what was discarded and returned; of equal traits the last ones leave."""
    leaving = Counter(trait.name for trait in leaving_traits(player))
    staying: list[Trait] = []
    for trait in reversed(player.traits):
        if leaving[trait.name]:
            leaving[trait.name] -= 1
        else:
            staying.append(trait)
    return staying[::-1]


def _copied(pile: Sequence[Trait], player: Player) -> list[PileCard]:
    """The traits with what was chosen for them; a copy behaves as the first other dominant in the pile."""
    first = next((trait for trait in pile if trait.dominant and not trait.is_copy), None)
    seen: Counter[str] = Counter()
    cards = []
    for trait in pile:
        acts = first if trait.is_copy and first is not None else trait
        answer = _nth(player.choices.get(trait.name, ()), seen[trait.name])
        if answer is None and acts is not trait:
            answer = _nth(player.choices.get(acts.name, ()), 0)
        bonus = None if acts.is_copy else acts.bonus
        cards.append(PileCard(trait, acts, trait.colors, acts.face, bonus, answer))
        seen[trait.name] += 1
    return cards


def _nth(answers: Sequence[Given], copy: int) -> Given | None:
    """The answer for a copy of a trait, counted from 0; a single answer goes for all of them."""
    if len(answers) == 1:
        return answers[0]
    return answers[copy] if copy < len(answers) else None


def _recolored(cards: Sequence[PileCard]) -> list[PileCard]:
    """The cards in the colors they have after World's End effects."""
    changes = [card.answer for card in cards if card.acts.name in RECOLORS_PILE and isinstance(card.answer, tuple)]
    return [_recolor(card, changes) for card in cards]


def _recolor(card: PileCard, changes: Sequence[tuple[str, str]]) -> PileCard:
    if card.acts.name in RECOLORS_ITSELF:
        return replace(card, colors=frozenset({card.answer})) if isinstance(card.answer, str) else card
    colors = card.colors
    for before, after in changes:
        if before in colors:
            colors = colors - {before} | {after}
    return card if colors == card.colors else replace(card, colors=colors)


def _fixed(cards: list[PileCard], catastrophe: Catastrophe | None) -> list[PileCard]:
    """Where the gold text says so, colorless traits are worth a fixed value and lose their bonus."""
    if catastrophe is None or catastrophe.gold.kind != FIXED_VALUE:
        return cards
    params = catastrophe.gold.params
    return [
        card
        if card.colors or (params["exclude_dominants"] and card.trait.dominant)
        else replace(card, face=params["value"], bonus=None)
        for card in cards
    ]


def _attached(cards: list[PileCard], player: Player) -> list[PileCard]:
    """The cards with their hosts; a host that has left the pile is none."""
    if not player.hosts:
        return cards
    seen: Counter[str] = Counter()
    attached = []
    for place, card in enumerate(cards):
        name = _nth(player.hosts.get(card.trait.name, ()), seen[card.trait.name])
        seen[card.trait.name] += 1
        host = next((at for at, other in enumerate(cards) if other.trait.name == name and at != place), None)
        attached.append(card if host is None else replace(card, host=host))
    return attached


def _split_discards(
    player: Player, cards: Sequence[PileCard], catastrophe: Catastrophe | None
) -> tuple[tuple[Trait, ...], tuple[Trait, ...]]:
    """The discards of World's End effects, and the catastrophe's: of what is not distinguished the last that fit."""
    by_effects = player.discarded_by_effects
    if catastrophe is None or not catastrophe.gold.kind.startswith(DISCARDS):
        return (*by_effects, *player.discarded), ()
    before = {card.trait.name: card for card in _as_worlds_end_left(player, player.traits)}
    rest: list[Trait] = []
    taken: list[Trait] = []
    for trait in reversed(player.discarded):
        card = before.get(trait.name) or PileCard(trait, trait, trait.colors, trait.face, trait.bonus)
        fits = len(taken) < asked_discards(catastrophe.gold) and fits_discard(card, cards, catastrophe.gold)
        (taken if fits else rest).append(trait)
    return (*by_effects, *rest[::-1]), tuple(taken[::-1])


def asked_discards(gold: Bonus) -> int:
    """How many traits the gold text of a discarding catastrophe takes from a pile that has them."""
    return int(gold.params.get("count", 1))


def before_catastrophe(pile: Pile) -> list[PileCard]:
    """The pile when the gold text is followed: what effects discarded or returned is gone, colors are settled."""
    player = pile.player
    return _as_worlds_end_left(
        player, remaining_traits(replace(player, discarded_by_effects=pile.discarded, discarded=()))
    )


def fitting_discards(cards: Sequence[PileCard], gold: Bonus) -> list[PileCard]:
    """The cards of a pile that a discarding catastrophe may take."""
    rows = enumerate(cards)
    return [card for at, card in rows if fits_discard(card, [*cards[:at], *cards[at + 1 :]], gold)]


def _as_worlds_end_left(player: Player, traits: Sequence[Trait]) -> list[PileCard]:
    return _recolored(_copied(traits, player))


def fits_discard(card: PileCard, others: Sequence[PileCard], gold: Bonus) -> bool:
    """Whether a discarding catastrophe may take this card out of a pile with these others."""
    return not card.trait.dominant and FITS[gold.kind](card, others, gold.params)


def _is_highest(card: PileCard, others: Sequence[PileCard], _params: Params) -> bool:
    faces = [each.face for each in (card, *others) if each.face is not None and not each.trait.dominant]
    return not faces or card.face == max(faces)


def _is_of_largest(card: PileCard, others: Sequence[PileCard], _params: Params) -> bool:
    counts = Counter(color for each in (card, *others) for color in each.colors)
    return any(counts[color] == max(counts.values()) for color in card.colors)


FITS: Mapping[str, Callable[[PileCard, Sequence[PileCard], Params], bool]] = {
    "discard_color": lambda card, _others, params: params["color"] in (card.colors or (COLORLESS,)),
    "discard_face_at_least": lambda card, _others, params: card.face is not None and card.face >= params["face"],
    "discard_highest_face": _is_highest,
    "discard_from_largest_color": _is_of_largest,
    "discard_drop_of_life": lambda card, _others, _params: card.trait.drop_of_life,
    "discard_attachment": lambda card, _others, _params: card.trait.attachment,
}
"""By kind of a discarding catastrophe, the cards of a pile that it may take."""
