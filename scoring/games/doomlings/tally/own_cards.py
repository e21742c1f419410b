"""The traits and the catastrophe that a sheet of Doomlings describes itself, as the catalogue does not have them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules_engine.cards import normalise_name
from rules_engine.messages import gettext_noop
from scoring.games.doomlings.tally.cards import (
    BY_HAND,
    COLORS,
    COPY,
    FIXED_POINTS,
    Bonus,
    Catastrophe,
    Trait,
    find_catastrophe,
    find_trait,
    traits,
)
from scoring.games.doomlings.tally.kinds import MAX_NUMBER, as_bonus, read_bonus, read_gold
from scoring.sheets.tallies.json_reader import Part, shown

FLAGS = ("dominant", "effectless", "action", "attachment", "worlds_end")
OWN_KEYS = ("name", "face", "colors", *FLAGS, "points", "bonus")
WORDS = {
    "name": gettext_noop("Name"),
    "face": gettext_noop("Face value"),
    "colors": gettext_noop("Colours"),
    "points": gettext_noop("Points of its bonus"),
}
"""The labels of the form that describes a card."""
CATASTROPHE_KEYS = ("name", "gold")
MAX_OWN = 100
MAX_NAME = 120
APART = frozenset(",;")
"""What parts the names of a pile where people type it."""


@dataclass(frozen=True, slots=True)
class Known:
    """The traits that a part of a sheet may name: the catalogue's, and `own` ones by normalised name."""

    own: Mapping[str, Trait] = field(default_factory=dict)

    def find(self, typed: str) -> Trait | None:
        """The trait that is called so, whatever the spelling of its name; None without one."""
        if (trait := find_trait(typed)) is not None or not self.own:
            return trait
        return self.own.get(normalise_name(typed))

    @property
    def names(self) -> dict[str, Trait]:
        """Every trait by name."""
        return {**traits(), **{trait.name: trait for trait in self.own.values()}}

    def with_own(self, part: Part) -> "Known":
        """These and what a part describes under "own_cards"; DomainError "bad_sheet" where that cannot be read."""
        listed = part.items("own_cards", MAX_OWN)
        if not listed:
            return self
        found: dict[str, Trait] = {}
        for value in listed:
            trait = read_own(value, part.below("own_cards"))
            key = normalise_name(trait.name)
            if key in found:
                text = gettext_noop("“%(key)s”: “%(card)s” is described twice.")
                part.refuse(text, key="own_cards", card=trait.name)
            found[key] = trait
        return Known({**self.own, **found})


def read_own(value: object, place: str = "own_cards") -> Trait:
    """The trait that {"name", "face", "colors", "points" or "bonus", and its flags} describes.

    Its bonus is a fixed number of points, or one of a kind that the catalogue has; a box may hold any number of it.
    DomainError "bad_sheet" with what is wrong, at `place`.
    """
    part = Part(value, place, OWN_KEYS, words=WORDS)
    name, bonus = _name_of(part), _bonus_of(part)
    flags = {flag: part.flag(flag, False) for flag in FLAGS}
    return Trait(
        name=name,
        base=name,
        set="",
        copies=0,
        colors=_colors_of(part),
        face=part.number("face", -MAX_NUMBER, MAX_NUMBER),
        drop_of_life=bonus is not None,
        bonus=bonus,
        is_copy=bonus is not None and bonus.kind == COPY,
        **flags,
    )


def _bonus_of(part: Part) -> Bonus | None:
    points = part.number("points", -MAX_NUMBER, MAX_NUMBER)
    if points is not None and part.has("bonus"):
        part.refuse(gettext_noop("Enter “points” or a “bonus”, not both."))
    return read_bonus(part) if points is None else Bonus(FIXED_POINTS, {"amount": points})


def as_own(trait: Trait) -> dict[str, Any]:
    """A trait as a sheet describes it: what `read_own` reads."""
    facts: dict[str, Any] = {"name": trait.name, "face": trait.face, "colors": sorted(trait.colors)}
    flags = {key: True for key in FLAGS if getattr(trait, key)}
    if trait.bonus is None:
        return {**facts, **flags}
    is_fixed = trait.bonus.kind == FIXED_POINTS
    return {
        **facts,
        **flags,
        **({"points": trait.bonus.params["amount"]} if is_fixed else {"bonus": as_bonus(trait.bonus)}),
    }


def read_own_catastrophe(value: object, place: str = "own_catastrophe") -> Catastrophe:
    """The catastrophe that {"name", "gold"} describes; without "gold" its points are each player's. "bad_sheet"."""
    part = Part(value, place, CATASTROPHE_KEYS, words=WORDS)
    name = _printed_name(part)
    if (listed := find_catastrophe(name)) is not None:
        part.refuse(gettext_noop("“%(card)s” is in the list: use its name."), card=listed.name)
    return Catastrophe(name, read_gold(part))


def as_own_catastrophe(card: Catastrophe) -> dict[str, Any]:
    """A catastrophe as a sheet describes it: what `read_own_catastrophe` reads."""
    return {"name": card.name, **({} if card.gold.kind == BY_HAND else {"gold": as_bonus(card.gold)})}


def _printed_name(part: Part) -> str:
    name = " ".join((part.text("name", MAX_NAME) or "").split())
    if not name:
        part.refuse(gettext_noop("A card needs a name."))
    return name


def _name_of(part: Part) -> str:
    name = _printed_name(part)
    if APART & set(name):
        part.refuse(gettext_noop("“%(card)s”: no commas or semicolons in names."), card=name)
    if (listed := find_trait(name)) is not None:
        part.refuse(gettext_noop("“%(card)s” is in the list: use its name."), card=listed.name)
    return name


def _colors_of(part: Part) -> frozenset[str]:
    colors = part.items("colors", len(COLORS))
    for color in colors:
        if color not in COLORS:
            part.refuse(
                gettext_noop("“%(key)s”: use %(colors)s, not %(value)s."),
                key="colors",
                colors=", ".join(COLORS), value=shown(color),
            )  # fmt: skip
    return frozenset(colors)
