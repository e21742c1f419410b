"""The bonuses of Doomlings traits: one function a kind, fed by the numbers of the card.

See docs/how-it-works/score-sheets.md#doomlings-bonus-kinds.

A function of COUNTS answers how often the amount of a bonus is paid to the owner; true and false count as 1 and 0. A
function of GIVEN answers how often it is paid to another person, the receiver.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.games.doomlings.tally.cards import COLORS, FIXED_POINTS, Bonus, Trait
from scoring.games.doomlings.tally.piles import Pile, PileCard


@dataclass(frozen=True, slots=True)
class Count:
    """What a bonus counts on: piles in turn order, its owner's place, its card (None: a catastrophe), its numbers."""

    piles: Sequence[Pile]
    place: int
    card: PileCard | None
    params: Mapping[str, Any]

    @property
    def own(self) -> Pile:
        return self.piles[self.place]

    @property
    def others(self) -> list[Pile]:
        """The other players' piles, in turn order from the first player."""
        return [pile for place, pile in enumerate(self.piles) if place != self.place]

    @property
    def color(self) -> int:
        return self.own.colors[self.params["color"]]

    @property
    def answer(self) -> str:
        """The color that the owner chose; "" for none."""
        answer = self.card.answer if self.card else None
        return answer if isinstance(answer, str) else ""

    @property
    def host(self) -> PileCard | None:
        """The card that this one is attached to."""
        return None if self.card is None or self.card.host is None else self.own.cards[self.card.host]

    @property
    def scope(self) -> Sequence[Pile]:
        """The piles that a bonus of a scope looks at."""
        return self.piles if self.params["scope"] == "all" else [self.own]


def points_of(bonus: Bonus, piles: Sequence[Pile], place: int, card: PileCard | None = None) -> int:
    count = COUNTS[bonus.kind](Count(piles, place, card, bonus.params))
    attached = card is not None and card.host is not None
    amount = bonus.params.get("amount", 1)
    return int(count * (bonus.params.get("amount_if_attached", amount) if attached else amount))


def points_given(bonus: Bonus, piles: Sequence[Pile], place: int, card: PileCard, receiver: int) -> int:
    """The points that a bonus of the card of one player gives another."""
    given = GIVEN.get(bonus.kind)
    return (
        0
        if given is None
        else int(bonus.params["amount"] * given(Count(piles, place, card, bonus.params), piles[receiver]))
    )


def _per_opponent_color_group(on: Count) -> int:
    return sum(pile.colors[on.params["color"]] // on.params["every"] for pile in on.others)


def _per_trait(on: Count) -> int:
    without = on.params.get("exclude_dominant", 0)
    return sum(not (without and card.trait.dominant) for card in on.own.cards)


def _per_hand_card(on: Count) -> int:
    wanted = on.params.get("filter", "any")
    return on.own.player.hand_size if wanted == "any" else sum(map(HELD[wanted], on.own.player.hand))


def _per_discard_pile_card(on: Count) -> int:
    wanted, _colon, of_set = on.params["filter"].partition(":")
    pile = on.own.discard_pile
    fitting = sum(trait.set == of_set for trait in pile) if of_set else sum(map(HELD[wanted], pile))
    return int(fitting // on.params["every"])


def _if_color_strictly_most(on: Count) -> bool:
    return all(on.color > on.own.colors[color] for color in COLORS if color != on.params["color"])


def _per_lowest_color(on: Count) -> int:
    present = [count for count in on.own.counts if count]
    return min(present) if len(present) >= on.params["min_colors"] else 0


def _per_effectless(on: Count) -> int:
    if on.params.get("requires_attached") and on.host is None:
        return 0
    return sum(card.trait.effectless for card in on.own.cards)


def _host_color_count(on: Count) -> int:
    return 0 if on.host is None else sum(on.own.colors[color] for color in on.host.colors)


def _host_face(on: Count) -> int:
    return 0 if on.host is None else on.host.face or 0


def _per_other_drop_and_max_color(on: Count) -> int:
    drops = sum(card.trait.drop_of_life for card in on.own.cards if card is not on.card)
    largest = max(on.own.counts) if all(on.own.counts) else 0
    return int(on.params["per_other_drop"] * drops + on.params["per_max_color"] * largest)


def _nothing(on: Count) -> int:
    """What is paid to others, or from elsewhere than the pile."""
    return 0


HELD: Mapping[str, Callable[[Trait], bool]] = {
    "effect": lambda trait: not trait.effectless,
    "dominant": lambda trait: trait.dominant,
    "drop_of_life": lambda trait: trait.drop_of_life,
    "negative_face": lambda trait: trait.face is not None and trait.face < 0,
}
"""What cards that do not lie in a pile are counted by."""

COUNTS: Mapping[str, Callable[[Count], int]] = {
    "per_color": lambda on: on.color // on.params.get("every", 1),
    "per_color_pair": lambda on: sum(count // 2 for count in on.own.counts),
    "per_opponent_color_group": _per_opponent_color_group,
    "per_trait": _per_trait,
    "per_negative_face": lambda on: sum(face < 0 for face in on.own.faces),
    "per_face_equal": lambda on: sum(face == on.params["face"] for face in on.own.faces),
    "per_name": lambda on: sum(card.trait.base == on.params["name"] for pile in on.scope for card in pile.cards),
    "per_set": lambda on: sum(card.trait.set == on.params["set"] for pile in on.scope for card in pile.cards),
    "per_effectless": _per_effectless,
    "per_dominant_own": lambda on: sum(card.trait.dominant for card in on.own.cards),
    "distinct_colors_pile": lambda on: sum(map(bool, on.own.counts)),
    "distinct_colors_hand": lambda on: len({color for trait in on.own.player.hand for color in trait.colors}),
    "per_hand_card": _per_hand_card,
    "gene_pool_own": lambda on: on.own.player.gene_pool,
    "gene_pool_max": lambda on: max(pile.player.gene_pool for pile in on.piles),
    "if_most_traits": lambda on: all(len(on.own.cards) > len(pile.cards) for pile in on.others),
    "if_color_strictly_most": _if_color_strictly_most,
    "per_lowest_color": _per_lowest_color,
    "per_lesser_of_two_colors": lambda on: min(on.own.colors[color] for color in on.params["colors"]),
    "if_all_four_colors": lambda on: min(on.own.counts) >= on.params["each"],
    "per_full_color_set": lambda on: min(on.own.counts),
    "per_color_with_at_least": lambda on: sum(count >= on.params["count"] for count in on.own.counts),
    "if_color_at_least": lambda on: on.color >= on.params["count"],
    "if_any_opponent_color_at_least": lambda on: any(
        pile.colors[on.params["color"]] >= on.params["count"] for pile in on.others
    ),
    "if_any_negative_face": lambda on: any(face < 0 for face in on.own.faces),
    "if_few_low_faces": lambda on: (
        sum(face <= on.params["face_at_most"] for face in on.own.faces) <= on.params["max_count"]
    ),
    "per_discard_pile_card": _per_discard_pile_card,
    "chosen_color_own": lambda on: on.own.colors.get(on.answer, 0),
    "color_everyone": lambda on: on.color,
    "chosen_color_opponents": _nothing,
    "opponents_colors_fewer_than_owner": _nothing,
    "opponents_per_discarded_color": _nothing,
    "host_color_count": _host_color_count,
    "host_face": _host_face,
    "per_returned_trait": lambda on: min(len(on.own.player.returned), on.params["max"]),
    "if_in_hand_at_end": _nothing,
    "per_other_drop_and_max_color": _per_other_drop_and_max_color,
    FIXED_POINTS: lambda _on: 1,
}
"""By kind, how often the owner gets the amount; a copy has the kind of the trait it copies."""

GIVEN: Mapping[str, Callable[[Count, Pile], int]] = {
    "chosen_color_opponents": lambda on, receiver: receiver.colors.get(on.answer, 0),
    "color_everyone": lambda on, receiver: receiver.colors[on.params["color"]],
    "opponents_colors_fewer_than_owner": lambda on, receiver: sum(
        receiver.colors[color] < on.own.colors[color] for color in COLORS
    ),
    "opponents_per_discarded_color": lambda on, receiver: len(
        {color for trait in on.own.discarded[: on.params["max_discards"]] for color in trait.colors}
    ),
}
"""By kind, how often a player other than the owner gets the amount."""

AROUND = frozenset({
    "per_opponent_color_group", "gene_pool_max", "if_most_traits", "if_any_opponent_color_at_least",
})  # fmt: skip
"""Kinds that look at what others have, as those of scope "all" do."""


def looks_around(bonus: Bonus) -> bool:
    """Whether a bonus counts on what other players have, so that it cannot be counted without their piles."""
    return bonus.kind in AROUND or bonus.params.get("scope") == "all"
