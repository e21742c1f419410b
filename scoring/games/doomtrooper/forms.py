"""The forms of a Doomtrooper ledger: one act, and the table that begins."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from rules_engine.cards import CardFacts, normalise_name
from scoring.games.doomtrooper.tally import words
from scoring.games.doomtrooper.tally.options import OPTIONS
from scoring.games.doomtrooper.tally.table import WARRIOR
from scoring.models import ScoreSheet
from scoring.sheets.forms.sheets import PartForm, PartState, SheetPages
from scoring.sheets.forms.start import NamesStartForm
from scoring.sheets.forms.stored_cards import known_cards
from scoring.sheets.ledgers import MAX_ID, live_acts

GAME = "doomtrooper"
MAX_VALUE = 99
CARD_LENGTH = 80

KINDS = {kind: _(said) for kind, said in words.KINDS.items()}
CARD_KINDS = {kind: _(said) for kind, said in words.CARD_KINDS.items()}

ASKED = {
    "kill": ("other", "value", "destiny", "by", "same_combat", "card"),
    "sabotage": ("other", "value", "destiny", "by", "card"),
    "muster": ("value", "entered", "card"),
    "cover": ("value", "card"),
    "spend": ("value", "card"),
    "gain": ("promotion", "destiny", "card"),
    "attack_secondary": ("other",),
    "enter": ("card",),
    "turn": ("unfit",),
    "warriors_in_play": ("value",),
    "win": ("card",),
}
"""What the form asks for besides kind and player."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """What a form has to know of a table: who acts, the sides, the left neighbour of whose turn it is, the options.

    `has_next_game`: the game is over and the match is not. `counting` are those without a warrior for three turns.
    """

    people: tuple[str, ...]
    sides: tuple[str, ...]
    turn: str
    other: str
    options: Mapping[str, Any]
    has_next_game: bool = False
    counting: frozenset[str] = frozenset()

    @property
    def kinds(self) -> list[tuple[str, Any]]:
        """The kinds of acts that can happen at this table."""
        left_out = set() if self.has_next_game else {"next_game"}
        if not self.counting:
            left_out.add("fit")
        if self.options.get("sabotage", "off") == "off":
            left_out.add("sabotage")
        if self.options.get("mode") != "primary_targets" or len(self.sides) < 3:
            left_out.add("attack_secondary")
        if self.options.get("time") == "none":
            left_out |= {"time_called", "warriors_in_play"}
        return [(kind, said) for kind, said in KINDS.items() if kind not in left_out]


def warriors(known: Mapping[str, CardFacts] | None = None) -> Mapping[str, tuple[str, str]]:
    """Name and printed Value of every warrior by normalised name; "" where its Value is no number."""
    cards = (card for card in (known or known_cards(GAME)).values() if card.type == WARRIOR)
    values = ((card.name, str(card.fields.get("value", ""))) for card in cards)
    return {normalise_name(name): (name, value if value.isdecimal() else "") for name, value in values}


class ActForm(forms.Form):
    """One act of the game. `act()` is what the ledger takes, once the form is valid.

    `printed` is the name and the printed Value of the warrior that the form names; ("", "") where nobody knows it.
    """

    kind = forms.ChoiceField(label=_("What happened"), widget=forms.RadioSelect, initial="kill")
    player = forms.ChoiceField(label=_("Who"))
    other = forms.ChoiceField(label=_("Whose"), required=False)
    value = forms.IntegerField(label=_("Value"), required=False, min_value=0, max_value=MAX_VALUE)
    promotion = forms.IntegerField(
        label=_("Promotion Points"), required=False, min_value=-MAX_VALUE, max_value=MAX_VALUE
    )
    destiny = forms.IntegerField(label=_("Destiny"), required=False, min_value=-MAX_VALUE, max_value=MAX_VALUE)
    by = forms.ChoiceField(
        label=_("By"),
        required=False,
        choices=[
            ("", _("a warrior")),
            ("freelancer", _("a Freelancer: Destiny only")),
            ("affiliated", _("a Freelancer with an affiliation")),
        ],
    )
    entered = forms.ChoiceField(
        label=_("How it enters"),
        required=False,
        choices=[
            ("", _("openly, paid at once")),
            ("in_cover", _("in cover, paid later")),
            ("unfit", _("openly, takes no part in combat")),
        ],
    )
    same_combat = forms.BooleanField(label=_("Second kill of the same combat"), required=False)
    unfit = forms.BooleanField(label=_("Without a warrior that can fight"), required=False)
    card = forms.CharField(
        label=_("Card"),
        required=False,
        max_length=CARD_LENGTH,
        widget=forms.TextInput(attrs={"list": "warriors", "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, data: Any = None, *, table: AtTable, begun: Mapping[str, str] | None = None) -> None:
        """`begun` is what the form starts from instead of the usual values."""
        card = str((begun or {} if data is None else data).get("card", ""))
        self.printed = _warrior(card) if card else ("", "")
        started = {"player": table.turn, "other": table.other, "value": self.printed[1], **(begun or {})}
        super().__init__(data, initial=started)
        if self.printed[1] and data is None:
            self.fields["value"].widget.attrs["data-printed"] = "1"
        set_choices(self, "kind", table.kinds)
        set_choices(self, "player", [(name, name) for name in table.people])
        set_choices(self, "other", [(name, name) for name in dict.fromkeys((*table.sides, *table.people))])

    def clean_card(self) -> str:
        """The name with single spaces, however it was pasted."""
        return " ".join(self.cleaned_data["card"].split())

    def clean(self) -> dict[str, Any]:
        """Ask for what the kind of act needs; a warrior's printed Value stands in for one that was not typed."""
        values: dict[str, Any] = super().clean() or {}
        asked = ASKED.get(values.get("kind", ""), ())
        if "value" in asked and values.get("value") is None and "value" not in self.errors:
            values["value"] = _printed_value(values.get("card", ""))
            if values["value"] is None and values["kind"] != "muster":
                self.add_error("value", _needed(values["kind"]))
        if "other" in asked and not values.get("other") and "other" not in self.errors:
            self.add_error("other", gettext("Choose whose."))
        if fault := _fault_of_card(values.get("kind", ""), values.get("card", ""), values.get("entered", "")):
            self.add_error("card", fault)
        if values.get("kind") == "gain" and not (values.get("promotion") or values.get("destiny")):
            self.add_error("promotion", gettext("Enter the points the card gives or takes."))
        if values.get("kind") in ("kill", "sabotage") and (values.get("destiny") or 0) < 0:
            self.add_error("destiny", gettext("No part can be below 0."))
        self._check_split(values)
        return values

    def _check_split(self, values: Mapping[str, Any]) -> None:
        """No more Destiny than a kill or a sabotage is worth."""
        value = values.get("value")
        if values.get("kind") not in ("kill", "sabotage") or value is None:
            return
        worth = value if values["kind"] == "kill" else (value + 1) // 2
        if (values.get("destiny") or 0) > worth:
            self.add_error("destiny", gettext("You can take %(worth)d at most.") % {"worth": worth})

    def act(self) -> dict[str, Any]:
        """The act as `scoring.games.doomtrooper.tally` reads it."""
        values = self.cleaned_data
        kind, asked = values["kind"], ASKED.get(values["kind"], ())
        filled = {name: values[name] for name in asked if values.get(name) not in (None, "", False)}
        act: dict[str, Any] = {"act": kind, "player": values["player"]}
        if kind in ("end_turn", "time_called", "next_game"):
            return {"act": kind}
        if "other" in filled:
            act["victim" if kind == "kill" else "target"] = filled["other"]
        if "value" in asked and values["value"] is not None:
            act[{"spend": "destiny", "warriors_in_play": "count"}.get(kind, "value")] = values["value"]
        act |= {name: filled[name] for name in ("promotion", "destiny", "same_combat", "card") if name in filled}
        if "unfit" in filled:
            act["warriors"] = 0
        act |= _way_in(filled.get("entered", ""))
        return act | _killer(filled.get("by", ""))


def _fault_of_card(kind: str, card: str, entered: str) -> str:
    """What is wrong with the card that an act names, or does not; "" for nothing."""
    if kind == "win" and not card:
        return gettext("Name the card that wins the game.")
    if kind == "enter" and not card:
        return gettext("Name the card.")
    if kind == "enter" and normalise_name(card) in warriors():
        return gettext("This is a warrior: choose “Warrior enters”, with 0 where nothing is paid.")
    if kind == "muster" and card and entered == "in_cover":
        return gettext("Nobody knows a warrior in cover: leave the card out.")
    return ""


def _way_in(entered: str) -> dict[str, Any]:
    return {"in_cover": {"in_cover": True}, "unfit": {"fights": False}}.get(entered, {})


def _killer(by: str) -> dict[str, Any]:
    return {"freelancer": {"freelancer": True}, "affiliated": {"freelancer": True, "affiliated": True}}.get(by, {})


def _warrior(card: str) -> tuple[str, str]:
    return warriors().get(normalise_name(card), ("", ""))


def _printed_value(card: str) -> int | None:
    _name, value = _warrior(card)
    return int(value) if value else None


def _needed(kind: str) -> str:
    if kind == "warriors_in_play":
        return gettext("Type how many warriors are in play.")
    if kind == "spend":
        return gettext("Type how many Destiny Points are spent.")
    return gettext("Enter the modified Value, or name a warrior.")


class CardForm(forms.Form):
    """What happens to a card in play; `card` is the id of the entry that brought it."""

    act = forms.ChoiceField(choices=list(CARD_KINDS.items()))
    card = forms.IntegerField(min_value=1, max_value=MAX_ID)


class TrooperStartForm(NamesStartForm):
    """Who plays, free for all or in teams, and to which target."""

    template_name = "scores/doomtrooper/start_fields.html"
    known = OPTIONS
    least, most = 2, 12
    members_at = ("mode", "teams")

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["names"].help_text = gettext(
            "One name a line, first player first, clockwise. Team: “Red: Ada, Ben”."
        )


def states(sheet: ScoreSheet, seen: Collection[int] | None = None) -> dict[int, PartState]:
    """The table is ready once an act stands on the ledger; players write nothing of their own."""
    parts = {part.place: part for part in sheet.parts.all()}
    return {place: PartState(bool(place or live_acts(part.content))) for place, part in parts.items()}


PAGES = SheetPages(
    part=PartForm,
    start=TrooperStartForm,
    kinds={"start": _("At the start"), **KINDS, **CARD_KINDS},
    states=states,
    tally_template="scores/doomtrooper/totals.html",
)
