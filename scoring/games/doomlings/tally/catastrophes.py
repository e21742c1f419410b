"""The gold texts of Doomlings catastrophes: one function a kind.

See docs/how-it-works/score-sheets.md#doomlings-worlds-end.

Each answers how often the amount of the text is given to a player; kinds that traits have too are theirs.
"""

from collections.abc import Callable, Mapping, Sequence

from scoring.games.doomlings.tally.bonuses import COUNTS, Count
from scoring.games.doomlings.tally.cards import BY_HAND, COLORLESS, Catastrophe
from scoring.games.doomlings.tally.piles import Pile

SHARED = ("per_color", "per_negative_face", "per_hand_card", "gene_pool_own")
WITHOUT_POINTS = (
    "colorless_fixed_value", "discard_color", "discard_face_at_least", "discard_highest_face",
    "discard_from_largest_color", "discard_drop_of_life", "discard_attachment",
)  # fmt: skip
"""Kinds that change piles or what traits are worth, before points are counted."""

AROUND = ("most_traits", "fewest_traits", "left_neighbour_color")
"""Kinds that compare piles."""


def catastrophe_points(card: Catastrophe, piles: Sequence[Pile], place: int, *, second_added: bool) -> int | None:
    """What the gold text gives a player or takes (negative); None for a text that does neither.

    `second_added` is the reading of a text that pays for a first and a second dominant: both amounts, not the second.
    """
    kind, params = card.gold.kind, {**card.gold.params, "added": second_added}
    if kind in WITHOUT_POINTS:
        return None
    return int(params.get("amount", 1) * GOLD[kind](Count(piles, place, None, params)))


def _sizes(on: Count) -> list[int]:
    return [len(pile.cards) for pile in on.piles]


def _left_neighbour_color(on: Count) -> int:
    if len(on.piles) == 1:
        return 0
    return on.piles[(on.place + 1) % len(on.piles)].colors[on.params["color"]]


def _capped(on: Count, face: int | None) -> int:
    face = face or 0
    return min(face, on.params["max"]) if "max" in on.params else face


def _picked_face(on: Count) -> int:
    pick = on.own.player.hand_pick
    return 0 if pick is None else _capped(on, pick.face)


def _revealed(on: Count) -> int:
    color = on.own.player.revealed
    return 0 if color in (None, COLORLESS) else on.own.colors[str(color)]


def _dominant_of_sets(on: Count) -> int:
    held = sum(card.trait.dominant and card.trait.set in on.params["sets"] for card in on.own.cards)
    first, second = on.params["first"], on.params["second"]
    if held < 2:
        return int(first * held)
    return int(first + second if on.params["added"] else second)


GOLD: Mapping[str, Callable[[Count], int]] = {
    **{kind: COUNTS[kind] for kind in SHARED},
    BY_HAND: lambda on: on.own.player.catastrophe_points,
    "per_missing_color": lambda on: on.own.counts.count(0),
    "most_traits": lambda on: len(on.own.cards) == max(_sizes(on)),
    "fewest_traits": lambda on: len(on.own.cards) == min(_sizes(on)),
    "if_any_color_at_least": lambda on: max(on.own.counts) >= on.params["count"],
    "if_color_at_most": lambda on: on.color <= on.params["count"],
    "if_traits_at_least": lambda on: len(on.own.cards) >= on.params["count"],
    "if_gene_pool_at_least": lambda on: on.own.player.gene_pool >= on.params["count"],
    "left_neighbour_color": _left_neighbour_color,
    "per_action": lambda on: sum(card.trait.action for card in on.own.cards),
    "per_drop_of_life": lambda on: sum(card.trait.drop_of_life for card in on.own.cards),
    "per_face_at_least": lambda on: sum(face >= on.params["face"] for face in on.own.faces),
    "draw_face": lambda on: _capped(on, on.own.player.drawn_face),
    "hand_card_face": _picked_face,
    "hand_card_face_if_few": lambda on: _picked_face(on) if on.own.player.hand_size <= on.params["hand_at_most"] else 0,
    "hand_set_faces": lambda on: sum(trait.face or 0 for trait in on.own.player.hand if trait.set == on.params["set"]),
    "per_revealed_color": _revealed,
    "if_dominant_of_sets": _dominant_of_sets,
}
