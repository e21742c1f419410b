"""The forms of the calculators for a game of Doomtrooper: two warriors in a combat, and an opening hand."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rules_engine.cards import normalise_name
from scoring.games.doomtrooper.forms import GAME
from scoring.games.doomtrooper.tally.board_moves import CARD_LENGTH, MAX_VALUE
from scoring.games.doomtrooper.tally.combat import HAND, Combatant
from scoring.games.doomtrooper.tally.table import WARRIOR
from scoring.sheets.forms.stored_cards import known_cards

TACTICS = {"fight": _("Fight"), "shoot": _("Shoot")}
RATINGS = ("attack", "armor", "value")
LARGEST_DECK = 500


def printed_ratings() -> Mapping[str, tuple[str, Mapping[str, int]]]:
    """Name and printed ratings of every warrior by normalised name; those that are no numbers are left out."""
    found = {}
    for card in known_cards(GAME).values():
        if card.type == WARRIOR:
            printed = {key: str(card.fields.get(key, "")) for key in ("fight", "shoot", "armor", "value")}
            numbers = {key: int(value) for key, value in printed.items() if value.lstrip("-").isdecimal()}
            found[normalise_name(card.name)] = (card.name, numbers)
    return found


class CombatantForm(forms.Form):
    """One warrior: its name for the printed ratings, or the ratings themselves, and what cards add to them."""

    name = forms.CharField(
        label=_("Warrior"),
        max_length=CARD_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"list": "warriors", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Its printed ratings are used; type others below."),
    )
    attack = forms.IntegerField(label=_("Fight or Shoot"), required=False, min_value=-MAX_VALUE, max_value=MAX_VALUE)
    armor = forms.IntegerField(label=_("Armor"), required=False, min_value=-MAX_VALUE, max_value=MAX_VALUE)
    value = forms.IntegerField(label=_("Value"), required=False, min_value=-MAX_VALUE, max_value=MAX_VALUE)
    more_attack = forms.IntegerField(
        label=_("Cards: Fight or Shoot"), required=False, min_value=-MAX_VALUE, max_value=MAX_VALUE
    )
    more_armor = forms.IntegerField(label=_("Cards: Armor"), required=False, min_value=-MAX_VALUE, max_value=MAX_VALUE)
    wounded = forms.BooleanField(label=_("Wounded before"), required=False)
    cover = forms.BooleanField(label=_("In cover (+3 Armor)"), required=False)
    first = forms.BooleanField(label=_("Strikes first"), required=False)
    ends = forms.BooleanField(label=_("Its first strike ends the combat"), required=False)
    freelancer = forms.BooleanField(label=_("Freelancer"), required=False)

    def __init__(
        self, data: Any = None, *, tactic: str, may_hide: bool, error_heading: str = "", **kwargs: Any
    ) -> None:
        """`tactic` is a key of TACTICS; only who `may_hide` can be in cover: attackers cannot (DT-COVER)."""
        super().__init__(data, **kwargs)
        self.tactic = tactic
        self.error_heading = error_heading
        if not may_hide:
            del self.fields["cover"]

    def clean(self) -> dict[str, Any]:
        """Fill in the printed ratings; what is neither typed nor printed is asked for."""
        values: dict[str, Any] = super().clean() or {}
        typed = values.get("name") or ""
        known = printed_ratings().get(normalise_name(typed)) if typed else None
        if typed and known is None:
            self.add_error("name", gettext("No warrior has this name. Type the ratings instead, without a name."))
            return values
        printed = known[1] if known else {}
        for name in RATINGS:
            if values.get(name) is None and name not in self.errors:
                values[name] = printed.get(self.tactic if name == "attack" else name)
            if values.get(name) is None and name != "value" and name not in self.errors:
                self.add_error(name, gettext("Type this rating: the card has no number for it."))
        values["name"] = known[0] if known else ""
        return values

    def combatant(self) -> Combatant:
        """The warrior as it fights."""
        values = self.cleaned_data
        return Combatant(
            attack=values["attack"] + (values.get("more_attack") or 0),
            armor=values["armor"] + (values.get("more_armor") or 0),
            value=values.get("value") or 0,
            in_cover=bool(values.get("cover")),
            is_wounded=values["wounded"],
            strikes_first=values["first"],
            ends_it=values["ends"],
            is_freelancer=values["freelancer"],
        )


class OpeningForm(forms.Form):
    """A deck, and how many warriors are in it."""

    deck = forms.IntegerField(label=_("Cards in the deck"), min_value=2 * HAND, max_value=LARGEST_DECK, initial=60)
    warriors = forms.IntegerField(label=_("Warriors among them"), min_value=0, max_value=LARGEST_DECK, initial=15)

    def clean(self) -> dict[str, Any]:
        """Refuse more warriors than cards."""
        values: dict[str, Any] = super().clean() or {}
        if {"deck", "warriors"} <= set(values) and values["warriors"] > values["deck"]:
            self.add_error("warriors", gettext("A deck has no more warriors than cards."))
        return values
