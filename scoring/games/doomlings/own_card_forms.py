"""Cards that the list of Doomlings does not have, on a page: imported into this site, or described by hand."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.wording import worded
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.errors import DomainError
from rules_engine.messages import Message
from scoring.games.doomlings.question_forms import color_words
from scoring.games.doomlings.tally.cards import COLORS, Trait, nearest_names, traits
from scoring.games.doomlings.tally.kinds import MAX_NUMBER
from scoring.games.doomlings.tally.own_cards import (
    FLAGS,
    MAX_NAME,
    Known,
    as_own,
    as_own_catastrophe,
    read_own,
    read_own_catastrophe,
)
from scoring.sheets.forms.piles import MAX_TEXT, PileField
from scoring.sheets.forms.sheets import CardCatalogue
from scoring.sheets.forms.stored_cards import stored_cards

GAME = "doomlings"
ADD = "own"
"""The button that takes a described card into the list."""
DESCRIBED = ("own_name", "own_face", "own_colors", "own_dominant", "own_effectless", "own_points")


@dataclass(frozen=True, slots=True)
class Offered:
    """What a type-ahead offers: every shipped trait, and the `imported` ones by normalised name.

    `catastrophes` are the imported ones as a sheet describes them, likewise by normalised name.
    """

    imported: Mapping[str, Trait]
    catastrophes: Mapping[str, dict[str, Any]]
    catalogue: CardCatalogue


_offered: list[tuple[Mapping[str, CardFacts], Offered]] = []
"""The newest, with the stored cards it was made of."""


def offered() -> Offered:
    """The cards as they are now."""
    stored = stored_cards(GAME)
    if not _offered or _offered[0][0] is not stored:
        imported = {key: trait for key, card in stored.items() if (trait := _imported(card))}
        catastrophes = {key: own for key, card in stored.items() if (own := _imported_catastrophe(card))}
        rows = [_row(trait) for trait in (*traits().values(), *imported.values())]
        body = json.dumps({"cards": rows}, ensure_ascii=False, separators=(",", ":")).encode()
        _offered[:] = [(stored, Offered(imported, catastrophes, CardCatalogue(body)))]
    return _offered[0][1]


def card_catalogue() -> CardCatalogue:
    """Every trait as [name, colours, face value or null, 1 for a dominant]."""
    return offered().catalogue


def _row(trait: Trait) -> list[Any]:
    return [trait.name, sorted(trait.colors), trait.face, int(trait.dominant)]


def _imported(card: CardFacts) -> Trait | None:
    """An imported trait; None for one that ships, and for one whose bonus is of no kind that the list has.

    The points of such a bonus are written down by hand.
    """
    bonus = _described_kind(card, "bonus")
    if card.type != "Trait" or (bonus is None and "drop_of_life" in card.fields):
        return None
    colors = str(card.fields.get("colors", ""))
    facts = {
        "name": card.name,
        "face": int(card.fields["face_value"]) if "face_value" in card.fields else None,
        "colors": colors.split(", ") if colors else [],
        **{flag: flag in card.fields for flag in FLAGS},
        **({"bonus": bonus} if bonus else {}),
    }
    with suppress(DomainError):
        return read_own(facts)
    return None


def _imported_catastrophe(card: CardFacts) -> dict[str, Any] | None:
    """An imported catastrophe as a sheet describes it: without its gold text where that is of no kind the list has."""
    if card.type != "Catastrophe":
        return None
    gold = _described_kind(card, "worlds_end")
    for facts in ({"name": card.name, "gold": gold}, {"name": card.name}):
        with suppress(DomainError):
            return as_own_catastrophe(read_own_catastrophe(facts))
    return None


def _described_kind(card: CardFacts, column: str) -> dict[str, Any] | None:
    """The kind and the numbers that stand in the columns of a card; None without a kind."""
    if f"{column}_kind" not in card.fields:
        return None
    numbers: Any = {}
    with suppress(ValueError, RecursionError):
        numbers = json.loads(str(card.fields.get(f"{column}_params", "{}")))
    return {"kind": card.fields[f"{column}_kind"], "numbers": numbers}


class CardsOfPart:
    """The cards that a part of a sheet may name: the list's, imported ones, those described on it or the table's."""

    def __init__(self, described: Collection[object], of_table: Collection[object] = ()) -> None:
        self.offered = offered()
        self.described = {normalise_name(trait.name): trait for trait in _readable([*of_table, *described])}
        self.known = Known({**self.offered.imported, **self.described})

    def name_of(self, typed: str) -> str | None:
        """The name of the trait that is called so; None without one."""
        trait = self.known.find(typed)
        return trait.name if trait else None

    def near(self, typed: str) -> list[str]:
        """The traits that may be meant."""
        return nearest_names(typed, self.known.names)

    def pile(self, label: str, help_text: str = "") -> PileField:
        """A field that takes their names."""
        rows = [_row(trait) for trait in self.described.values()]
        address = reverse("score_cards", args=[GAME, self.offered.catalogue.digest])
        attrs = {"data-cards": address, "data-own": json.dumps(rows, ensure_ascii=False)}
        return PileField(self.name_of, label, help_text, **attrs)

    def with_described(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """The content with a description of each card that it names and the list does not have, and of no other."""
        plain = {key: value for key, value in content.items() if key != "own_cards"}
        named = {normalise_name(name) for name in _names_in(plain)}
        own = [as_own(trait) for key, trait in self.known.own.items() if key in named]
        return {**plain, "own_cards": own} if own else plain


def _names_in(value: object) -> Iterator[str]:
    """Every text in a content, keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key).removesuffix("_host")
            yield from _names_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _names_in(each)


def _readable(described: Collection[object]) -> Iterator[Trait]:
    """The described cards that can be read; the list may have one of them by now."""
    for each in described:
        with suppress(DomainError):
            yield read_own(each)


def described_in(data: QueryDict) -> list[Any]:
    """The described cards that a posted form carries along; none where that cannot be read."""
    text = data.get("own_cards", "")
    try:
        found = json.loads(text[:MAX_TEXT]) if text else []
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def own_fields() -> dict[str, forms.Field]:
    """The fields that describe one more card, and the hidden one with those described before."""
    colors = [(color, color_words()[color]) for color in COLORS]
    number: dict[str, Any] = {"required": False, "min_value": -MAX_NUMBER, "max_value": MAX_NUMBER}
    return {
        "own_cards": forms.CharField(required=False, max_length=MAX_TEXT, widget=forms.HiddenInput),
        "own_name": forms.CharField(label=_("Name"), required=False, max_length=MAX_NAME),
        "own_face": forms.IntegerField(
            label=_("Face value"), help_text=_("Leave it empty where none is printed."), **number
        ),
        "own_colors": forms.MultipleChoiceField(
            label=_("Colours"), required=False, choices=colors, widget=forms.CheckboxSelectMultiple,
            help_text=_("Choose none for a colourless card."),
        ),
        "own_dominant": forms.BooleanField(label=_("It is dominant"), required=False),
        "own_effectless": forms.BooleanField(label=_("It has no text"), required=False),
        "own_points": forms.IntegerField(
            label=_("Points of its bonus"),
            help_text=_("Drop of Life points. Leave empty if none."),
            **number,
        ),
    }  # fmt: skip


def is_describing(data: QueryDict) -> bool:
    """Whether anything stands in the fields that describe a card."""
    return any(value.strip() for name in DESCRIBED for value in data.getlist(name))


def fault_of(data: QueryDict) -> str:
    """Why the card that is being described cannot be taken into the list; "" where none is, or it can."""
    if not is_describing(data):
        return ""
    try:
        read_own(_typed(data))
    except DomainError as error:
        wording = error.wording
        return worded(wording.params.get("sentence", wording) if isinstance(wording, Message) else wording)
    return ""


def take_in(data: QueryDict, pile: str) -> QueryDict:
    """The posted form with the card that is being described in the list and among the lines of `pile`.

    As it is where no card is described, where it cannot be read yet, and where nothing but a preview was asked for.
    """
    if data.get("act") == "look" or not is_describing(data) or fault_of(data):
        return data
    trait = read_own(_typed(data))
    key, changed = normalise_name(trait.name), data.copy()
    before = [each for each in _readable(described_in(data)) if normalise_name(each.name) != key]
    changed["own_cards"] = json.dumps([as_own(each) for each in (*before, trait)])
    if key not in map(normalise_name, data.get(pile, "").splitlines()):
        changed[pile] = f"{data.get(pile, '')}\n{trait.name}".strip()
    for name in DESCRIBED:
        changed.pop(name, None)
    return changed


def _typed(data: QueryDict) -> dict[str, Any]:
    """What stands in the fields that describe a card; a number that is none stays as it is."""
    numbers = {}
    for key in ("face", "points"):
        text = data.get(f"own_{key}", "").strip()
        with suppress(ValueError):
            numbers[key] = int(text) if text and len(text) < len(str(MAX_NUMBER)) + 2 else (text or None)
        numbers.setdefault(key, text)
    return {
        "name": data.get("own_name", ""),
        "colors": data.getlist("own_colors"),
        "dominant": "own_dominant" in data,
        "effectless": "own_effectless" in data,
        **numbers,
    }
