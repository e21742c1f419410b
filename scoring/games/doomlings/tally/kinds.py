"""The kinds of bonuses and gold texts that the list of Doomlings has, with the numbers that go with each.

A card that the list lacks may have one of these kinds: then it scores as a listed card does, and its row is enough.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rules_engine.messages import gettext_noop
from scoring.games.doomlings.tally.cards import BY_HAND, COLORS, Bonus, catastrophes, traits
from scoring.sheets.tallies.json_reader import Part, shown

KEYS = ("kind", "numbers")
MAX_NUMBER = 999
MAX_TEXT = 120
DIVISOR = "every"
OPEN = ("name", "set")
"""Numbers that are texts of any words; other texts are those that listed cards have."""


def read_bonus(part: Part) -> Bonus | None:
    """The bonus of a trait under "bonus"; None without one. DomainError "bad_sheet"."""
    return _read(part, "bonus", _bonuses()) if part.has("bonus") else None


def read_gold(part: Part) -> Bonus:
    """The gold text of a catastrophe under "gold"; points by hand without one. DomainError "bad_sheet"."""
    return _read(part, "gold", _golds()) if part.has("gold") else Bonus(BY_HAND, {})


def as_bonus(bonus: Bonus) -> dict[str, Any]:
    """What is read back as this bonus."""
    return {"kind": bonus.kind, "numbers": dict(bonus.params)}


Known = Mapping[str, list[Mapping[str, Any]]]
"""By kind, the numbers of each listed card."""


@cache
def _bonuses() -> Known:
    return _by_kind([trait.bonus for trait in traits().values() if trait.bonus])


@cache
def _golds() -> Known:
    return _by_kind([card.gold for card in catastrophes().values()])


def _by_kind(bonuses: list[Bonus]) -> Known:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for bonus in bonuses:
        found.setdefault(bonus.kind, []).append(bonus.params)
    return found


def _read(part: Part, key: str, known: Known) -> Bonus:
    described = part.part(key, KEYS)
    kind, given = described.choice("kind", known), described.get("numbers")
    examples = known.get(kind or "", [])
    numbers = {} if given is None else given
    if not isinstance(numbers, Mapping):
        described.refuse(gettext_noop("Use an object such as {…}, not %(value)s."), value=shown(numbers))
    alike = next((each for each in examples if each.keys() == numbers.keys()), None)
    if kind is None or alike is None:
        described.refuse(
            gettext_noop("“numbers”: “%(kind)s” takes %(keys)s."),
            kind=kind or "-", keys=" / ".join(dict.fromkeys(", ".join(sorted(each)) or "-" for each in examples)),
        )  # fmt: skip
    for name, value in numbers.items():
        if not _fits(name, value, alike[name], [each.get(name) for each in examples]):
            described.refuse(gettext_noop("“%(key)s” can't be %(value)s."), key=name, value=shown(value))
    return Bonus(kind, dict(numbers))


def _fits(name: str, value: object, example: object, seen: list[object]) -> bool:
    """Whether a value is such as a listed card has: a number, a color, a text, or a list of them."""
    if isinstance(example, int):
        least = 1 if name == DIVISOR else -MAX_NUMBER
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MAX_NUMBER
    if isinstance(example, list):
        one = name.removesuffix("s")
        return isinstance(value, list) and 0 < len(value) <= len(COLORS) and all(_fits_text(one, x, []) for x in value)
    return _fits_text(name, value, seen)


def _fits_text(name: str, value: object, seen: list[object]) -> bool:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        return False
    return name in OPEN or value in seen or (name == "color" and value in COLORS)
