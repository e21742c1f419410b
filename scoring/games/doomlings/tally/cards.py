"""The cards of Doomlings as the tally wants them, and finding one by what a person typed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.systems import get_system

COLORS = ("blue", "green", "purple", "red")
COLORLESS = "colorless"
COPY = "copy_first_dominant"
FIXED_POINTS = "fixed_points"
"""The kind of a bonus that a sheet describes itself; the catalogue has none of it."""

BY_HAND = "by_hand"
"""The kind of a gold text that a sheet does not describe: its points are written down for each player."""

RECOLORS_PILE = frozenset({"Faith"})
RECOLORS_ITSELF = frozenset({"Free Will", "Rainbow Horn (1e)"})
"""The traits whose World's End effect changes colors: the card facts have no kind for what gives no points."""

NEAREST = 3
_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class Bonus:
    """What a card adds or takes: its kind and that kind's numbers.

    The kinds are those of docs/how-it-works/score-sheets.md#doomlings.
    """

    kind: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait card; `face` None where no number is printed, `base` the printed name, `copies` those in the box.

    `is_copy`: it behaves as another trait.
    """

    name: str
    base: str
    set: str
    copies: int
    colors: frozenset[str]
    face: int | None
    dominant: bool
    action: bool
    drop_of_life: bool
    effectless: bool
    attachment: bool
    worlds_end: bool
    bonus: Bonus | None
    is_copy: bool


@dataclass(frozen=True, slots=True)
class Catastrophe:
    """A catastrophe card with its gold text."""

    name: str
    gold: Bonus


@cache
def traits() -> Mapping[str, Trait]:
    """Every trait by name."""
    cards = get_system("doomlings").shipped_cards
    return {card.name: _trait(card) for card in cards if card.type == "Trait"}


@cache
def catastrophes() -> Mapping[str, Catastrophe]:
    """Every catastrophe by name."""
    cards = get_system("doomlings").shipped_cards
    return {
        card.name: Catastrophe(card.name, _bonus(card, "worlds_end")) for card in cards if card.type == "Catastrophe"
    }


def find_trait(typed: str) -> Trait | None:
    """The trait that is called so, whatever the spelling of its name; None without one."""
    return traits().get(typed) or _traits_by_key().get(normalise_name(typed))


def find_catastrophe(typed: str) -> Catastrophe | None:
    """The catastrophe that is called so, whatever the spelling of its name; None without one."""
    return catastrophes().get(typed) or _catastrophes_by_key().get(normalise_name(typed))


def nearest_names(typed: str, names: Mapping[str, object]) -> list[str]:
    """Up to three of the names that look most like what was typed."""
    keys = {normalise_name(name): name for name in names}
    return [keys[key] for key in get_close_matches(normalise_name(typed), keys, NEAREST, _ALIKE)]


@cache
def _traits_by_key() -> Mapping[str, Trait]:
    return {normalise_name(trait.name): trait for trait in traits().values()}


@cache
def _catastrophes_by_key() -> Mapping[str, Catastrophe]:
    return {normalise_name(each.name): each for each in catastrophes().values()}


def _trait(card: CardFacts) -> Trait:
    fields = card.fields
    colors = str(fields.get("colors", ""))
    return Trait(
        name=card.name,
        base=str(fields.get("base_name", card.name)),
        set=card.set_slug,
        copies=int(fields.get("copies", 1)),
        colors=frozenset(colors.split(", ") if colors else ()),
        face=int(fields["face_value"]) if "face_value" in fields else None,
        dominant="dominant" in fields,
        action="action" in fields,
        drop_of_life="drop_of_life" in fields,
        effectless="effectless" in fields,
        attachment="attachment" in fields,
        worlds_end="worlds_end" in fields,
        bonus=_bonus(card, "bonus") if "bonus_kind" in fields else None,
        is_copy=fields.get("bonus_kind") == COPY,
    )


def _bonus(card: CardFacts, column: str) -> Bonus:
    return Bonus(str(card.fields[f"{column}_kind"]), json.loads(str(card.fields[f"{column}_params"])))
