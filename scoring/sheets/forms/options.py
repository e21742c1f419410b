"""The form in which the options of a score sheet are chosen: for an event, and for a sheet of its own.

`OptionsForm(data, known=get_tallier(game).options, prefix=…)`; once valid, `form.options` is what to store.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext

from accounts.http.wording import worded
from rules_engine.errors import DomainError
from scoring.sheets.tallies.options import MAX_NUMBER, Option, check_options


class OptionsForm(forms.Form):
    """One field for each of the `known` options, filled with what is `stored`.

    With `players`, options that are not made for so many at a table are refused.
    """

    def __init__(
        self,
        *args: Any,
        known: Iterable[Option],
        stored: Mapping[str, Any] | None = None,
        players: int | None = None,
        **kwargs: Any,
    ) -> None:
        self.known, self.players = tuple(known), players
        self.options = dict(stored or {})
        held = {option.key: option.value_in(stored or {}) for option in self.known}
        super().__init__(*args, **{"initial": held, **kwargs})
        for option in self.known:
            self.fields[option.key] = field_of(option)

    def clean(self) -> dict[str, Any]:
        """Refuse what does not go together; `options` is what to store then."""
        values: dict[str, Any] = super().clean() or {}
        if self.errors:
            return values
        try:
            self.options = check_options(self.known, values, self.players)
        except DomainError as error:
            self.add_error(str(error.details["option"]), worded(error.wording))
        return values

    def freeze(self, *, but: str = "") -> None:
        """Show what is stored, without a way to change it, `but` for one option by its key."""
        for key, field in self.fields.items():
            field.disabled = key != but


def field_of(option: Option) -> forms.Field:
    words: dict[str, Any] = {"label": gettext(option.label), "help_text": gettext(option.help) if option.help else ""}
    if option.is_flag:
        return forms.BooleanField(required=False, **words)
    if option.choices:
        choices = [(value, gettext(label) if label else gettext("no")) for value, label in option.choices]
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **words)
    return forms.IntegerField(required=False, min_value=1, max_value=MAX_NUMBER, **words)
