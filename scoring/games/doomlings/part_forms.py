"""The parts of a Doomlings sheet: what all have, and a player's pile, hand, Gene Pool and answers."""

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.games.doomlings.own_card_forms import (
    ADD,
    CardsOfPart,
    described_in,
    fault_of,
    is_describing,
    own_fields,
    take_in,
)
from scoring.games.doomlings.question_forms import (
    FIXED,
    UNANSWERED,
    Asked,
    answer_of,
    ask,
    color_words,
    first_values,
    too_many,
)
from scoring.games.doomlings.sheet_summary import Look, look_at, whole_sheet
from scoring.games.doomlings.tally.sheet import MAX_SUM, SUMS
from scoring.models import ScoreSheet
from scoring.sheets.forms.piles import Offer, offers_for, read_pile, replace_line, write_pile
from scoring.sheets.forms.sheets import PartForm

MAX_HAND = 13
GENE_POOLS = range(1, 9)


class DoomlingsPart(PartForm):
    """What the player's and the table's part have in common: the questions that the cards on the sheet ask."""

    own_into = ""
    """The field that takes the name of a card described on this page."""

    def __init__(
        self, sheet: ScoreSheet, place: int, data: QueryDict | None = None, seen: Collection[int] | None = None
    ) -> None:
        self.described = data is not None and is_describing(data)
        self.posted = QueryDict() if data is None else take_in(data, self.own_into)
        super().__init__(sheet, place, None if data is None else self.posted, seen)
        described = described_in(self.posted) if self.is_bound else self.stored.get("own_cards") or []
        self.cards = CardsOfPart(described, self.parts[0].content.get("own_cards") or [])
        self.asked: list[Asked] = []
        self.fill()
        self.fields.update(own_fields())
        self.initial["own_cards"] = json.dumps(described)
        self._ask(self.typed())
        if self.is_bound:  # what was chosen for one card decides among which traits another one asks
            self._ask({**self.typed(), **self._readable_answers()})

    def _ask(self, typed: Mapping[str, Any]) -> None:
        """Put the questions of the sheet with this part as it is typed, in place of those put before."""
        for name in [name for asked in self.asked for name in asked.names]:
            del self.fields[name]
        self.asked = []
        self.look = look_at(
            self.sheet, whole_sheet(self.sheet, {self.place: self.cards.with_described(typed)}), self.seen
        )
        for question in self.look.asked.get(self.place, ()):
            if question["field"] in FIXED or question["kind"] == "tie_draw":
                continue
            asked, fields = ask(question, self.cards.pile)
            self.asked.append(asked)
            self.fields.update(fields)
            self.initial.update(first_values(asked, self.stored))

    @cached_property
    def describes(self) -> bool:
        """Whether a card is being described still."""
        return self.is_bound and is_describing(self.posted)

    def _readable_answers(self) -> dict[str, Any]:
        """The typed answers that can be read, while others may be wrong still."""
        values = {}
        for name in [name for asked in self.asked for name in asked.names]:
            with suppress(forms.ValidationError):
                field = self.fields[name]
                values[name] = field.clean(field.widget.value_from_datadict(self.data, self.files, name))
        return self.answers(values)

    def fill(self) -> None:
        """Add the fields that are there whatever the cards ask."""

    @property
    def act(self) -> str:
        """The button that was pressed; the one that adds a card means saving where none is described."""
        return "save" if super().act == ADD and not self.described else super().act

    def typed(self) -> dict[str, Any]:
        """What the questions depend on of this part: as stored, or as typed on this page."""
        return dict(self.stored)

    @property
    def questions(self) -> list[tuple[Asked, list[forms.BoundField]]]:
        return [(asked, [self[name] for name in asked.names]) for asked in self.asked]

    @property
    def words(self) -> dict[str, str]:
        """What the type-ahead says."""
        return {
            **color_words(),
            **{f"of_{key}": word.capitalize() for key, word in color_words().items()},
            "of_many": _("Several colours"),
            "of_unknown": _("Not known"),
            "dominant": _("dominant"),
            "unknown": _("looked up when you save"),
            "placeholder": _("Type a name"),
            "offers": _("Cards"),
            "added": _("%(name)s: %(copies)s in the list"),
            "removed": _("%(name)s removed"),
            "more": _("One more %(name)s"),
            "remove": _("One %(name)s less"),
            "sum": _("Cards: %(count)s, faces: %(faces)s, dominants: %(dominants)s"),
        }

    @property
    def asked_keys(self) -> str:
        """The names of the fields shown, so that the next POST tells what it did not show."""
        return " ".join(name for asked in self.asked for name in asked.names)

    def asks_more(self) -> bool:
        """Whether the typed cards ask what the form did not show."""
        return any(name not in self.shown for asked in self.asked for name in asked.names)

    @property
    def shown(self) -> set[str]:
        """The names of the fields that the form showed."""
        return set(self.data.get("shown", "").split())

    def clean(self) -> dict[str, Any]:
        """Refuse answers that are too long."""
        values: dict[str, Any] = super().clean() or {}
        for asked in self.asked:
            if fault := too_many(asked, values):
                self.add_error(asked.names[0], fault)
        shows_faults = self.act == "look" or any(name.startswith("own_") for name in self.errors)
        if not shows_faults and (fault := fault_of(self.posted)):
            self.add_error("own_name", fault)
        return values

    def answers(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The answers among the values of fields, by key of the part; nothing ticked answers only what was shown."""
        found: dict[str, Any] = {}
        for asked in self.asked:
            answer = answer_of(asked, values)
            if answer is UNANSWERED or (answer == [] and asked.names[0] not in self.shown):
                continue
            if asked.field == "choices":
                found.setdefault("choices", {})[asked.question["key"]] = answer
            elif asked.question["kind"] == "cards_of_pile":
                found[asked.field] = [*found.get(asked.field, []), *answer]
            else:
                found[asked.field] = answer
        return found

    @cached_property
    def shown_look(self) -> Look:
        """What the page tells: with the typed answers where all of them can be read."""
        if not self.is_bound or not self.is_valid():
            return self.look
        return look_at(self.sheet, whole_sheet(self.sheet, {self.place: self.content()}), self.seen)

    @property
    def wrong(self) -> list[str]:
        """What breaks a limit of the game, with this part as it is typed."""
        return self.shown_look.wrong.get(self.place, [])

    def pressed(self) -> PartForm:
        """After "look" the same form; after "replace <line> <name>" the pile with that card in place of the line."""
        verb, *words = self.act.split(" ", 2)
        data = QueryDict(mutable=True)
        data.update(self.data)
        if verb == "replace" and len(words) == 2 and words[0].isascii() and words[0].isdecimal() and len(words[0]) < 4:
            data["traits"] = replace_line(data.get("traits", ""), int(words[0]), words[1], self.cards.name_of)
        return type(self)(self.sheet, self.place, data, self.seen)


class PlayerPart(DoomlingsPart):
    """A player's part: the pile by name, or the three sums."""

    template_name = "scores/doomlings/player.html"
    own_into = "traits"

    def fill(self) -> None:
        """The pile, the hand, the Gene Pool and the sums."""
        help_text = _("Separate names by line or comma. “3 Kidney” means three.")
        self.fields["traits"] = self.cards.pile(_("Trait pile"), help_text)
        if not self.stored.get("traits"):
            self.fields["traits"].widget.attrs["autofocus"] = True
        self.fields["hand_size"] = _tiles(_("Cards in hand"), range(MAX_HAND + 1))
        self.fields["gene_pool"] = _tiles(_("Gene Pool"), GENE_POOLS)
        for name, label in zip(SUMS, (_("Face values"), _("Drop of Life bonuses"), _("Catastrophe")), strict=True):
            self.fields[f"sum_{name}"] = forms.IntegerField(
                label=label, required=False, min_value=-MAX_SUM, max_value=MAX_SUM
            )

    def first(self) -> dict[str, Any]:
        """Names one a line; the sums apart."""
        held = self.stored
        sums = {f"sum_{name}": value for name, value in (held.get("sums") or {}).items()}
        known = {key: held[key] for key in ("hand_size", "gene_pool") if key in held}
        return {**known, **sums, "traits": write_pile(held.get("traits", ()))}

    def typed(self) -> dict[str, Any]:
        """The pile decides what is asked."""
        if not self.is_bound:
            return dict(self.stored)
        content: dict[str, Any] = {"traits": read_pile(self.data.get("traits", ""), self.cards.name_of).names}
        for key in ("hand_size", "gene_pool"):
            if (number := self.data.get(key, "")) in map(str, range(MAX_HAND + 1)):
                content[key] = int(number)
        held = read_pile(self.data.get("ask-hand", ""), self.cards.name_of).names
        return {**content, "hand": held} if held else content

    @property
    def offers(self) -> list[Offer]:
        """For each line that names no card what it may mean."""
        return offers_for(self.data.get("traits", ""), self.cards.name_of, self.cards.near) if self.is_bound else []

    @property
    def has_sums(self) -> bool:
        """Whether the sums are written in place of the cards."""
        return any(self[f"sum_{name}"].value() not in (None, "") for name in SUMS)

    @property
    def total(self) -> int | None:
        """What the form's lines add up to as far as they are typed."""
        return self.shown_look.totals.get(self.place)

    def clean(self) -> dict[str, Any]:
        """Cards or sums, not both."""
        values = super().clean()
        if values.get("traits") and any(values.get(f"sum_{name}") is not None for name in SUMS):
            self.add_error("traits", _("Write the cards or the three sums, not both."))
        return values

    def content(self) -> dict[str, Any]:
        """A player's keys of the sheet."""
        values = self.cleaned_data
        sums = {name: values.get(f"sum_{name}") for name in SUMS}
        numbers = {key: int(values[key]) for key in ("hand_size", "gene_pool") if values.get(key)}
        if any(value is not None for value in sums.values()):
            return {**numbers, "sums": {name: value or 0 for name, value in sums.items()}}
        return self.cards.with_described({**numbers, **self.answers(values), "traits": values["traits"]})


def _tiles(label: str, numbers: range) -> forms.ChoiceField:
    choices = [(str(number), str(number)) for number in numbers]
    return forms.ChoiceField(label=label, required=False, choices=choices, widget=forms.RadioSelect)
