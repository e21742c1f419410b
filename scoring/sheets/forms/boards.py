"""The form of one move on the board of a game, from what the game asks for."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from accounts.http.wording import worded
from rules_engine.messages import Message
from scoring.sheets.boards import MoveField, Offer

TEXT_ATTRS = {"autocomplete": "off", "spellcheck": "false"}
CARD_ATTRS = {**TEXT_ATTRS, "list": "cards"}
NAME = "name"
"""The field that names a card."""


class MoveForm(forms.Form):
    """One move that is offered; once valid, `move()` is what to keep."""

    def __init__(self, offer: Offer, data: Any = None) -> None:
        self.offer = offer
        super().__init__(data, auto_id=f"{offer.act}_{offer.card}_%s" if offer.card else f"{offer.act}_%s")
        for each in offer.fields:
            self.fields[each.name] = _field_of(each)

    @property
    def label(self) -> str:
        return _words(self.offer.label)

    @property
    def notes(self) -> list[str]:
        return [worded(each) for each in self.offer.notes]

    @property
    def warnings(self) -> list[str]:
        """What the move would bring about at once."""
        return [worded(each) for each in self.offer.warnings]

    @property
    def usual(self) -> list[forms.BoundField]:
        """The fields that lie open."""
        return [self[each.name] for each in self.offer.fields if not each.is_rare]

    @property
    def rare(self) -> list[forms.BoundField]:
        """The fields that fold away."""
        return [self[each.name] for each in self.offer.fields if each.is_rare]

    def move(self) -> dict[str, Any]:
        card = {"card": self.offer.card} if self.offer.card else {}
        return {"act": self.offer.act, **card, **self.offer.preset, **self.cleaned_data}


class HandForm(forms.Form):
    """A card that the player of this phone holds."""

    name = forms.CharField(label=gettext_lazy("Card"), max_length=80, widget=forms.TextInput(attrs=CARD_ATTRS))


def _words(text: str | Message) -> str:
    return worded(text) if isinstance(text, Message) else gettext(text)


def _field_of(field: MoveField) -> forms.Field:
    words: dict[str, Any] = {"label": gettext(field.label), "required": not field.may_lack}
    if field.help:
        words["help_text"] = gettext(field.help)
    if field.longest:
        attrs = CARD_ATTRS if field.name == NAME else TEXT_ATTRS
        return forms.CharField(max_length=field.longest, widget=forms.TextInput(attrs=attrs), **words)
    if field.choices:
        choices = [(value, _words(label)) for value, label in field.choices]
        widget = forms.RadioSelect if len(choices) <= 3 else forms.Select
        return forms.ChoiceField(choices=choices, widget=widget, initial=field.usual, **words)
    words["initial"] = None if field.may_lack and field.usual == 0 else field.usual
    attrs = {"data-printed": ""} if field.is_printed else {}
    return forms.IntegerField(
        min_value=field.least, max_value=field.most, widget=forms.NumberInput(attrs=attrs), **words
    )
