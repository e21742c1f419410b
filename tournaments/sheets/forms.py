"""The part of the event form that says whether tables fill in score sheets, and what is agreed on for them."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules_engine.game import GameSystem
from scoring.sheets.forms.options import OptionsForm
from scoring.sheets.tallies.registry import has_sheet, options_at_events

YES, NO = "yes", "no"


class KeptChoiceField(forms.ChoiceField):
    """A choice that stays as it is where nothing is said."""

    def clean(self, value: Any) -> Any:
        """The value said, else the initial one."""
        return super().clean(value or self.initial)


class SheetsForm(forms.Form):
    """Whether tables fill in sheets, and a form of their options; neither for a game without sheets.

    Cleaned: `score_sheets` True or False, and `sheet_options`.
    """

    score_sheets = KeptChoiceField(
        label=_("Score sheets"),
        widget=forms.RadioSelect,
        choices=[(YES, _("tables fill one in")), (NO, _("no sheets"))],
        help_text=_(
            "Players write the game on their phones; the sheet becomes the result. Doomlings and Doomtrooper: one "
            "game a sheet, matches of two best of 1."
        ),
    )

    def offer_sheets(self, system: GameSystem) -> None:
        """Offer every option of the game with what is stored or was typed."""
        self.sheet_form: OptionsForm | None = None
        if not has_sheet(system.slug):
            del self.fields["score_sheets"]
            return
        self.fields["score_sheets"].initial = self.initial.get("score_sheets", NO)
        data = self.initial.get("sheet_data", self.data)
        sent = data if any(name.startswith(f"{system.slug}-") for name in data) else None
        known, stored = options_at_events(system.slug), self.initial.get("sheet_options", {})
        self.sheet_form = OptionsForm(sent, known=known, stored=stored, prefix=system.slug)

    def freeze_sheets(self, disabled: Collection[str], *, but: str = "") -> None:
        """Disable the options where they are frozen, `but` for one by its key."""
        if "sheet_options" in disabled and self.sheet_form is not None:
            self.fields["score_sheets"].disabled = True
            self.sheet_form.freeze(but=but)

    def clean_sheets(self, values: dict[str, Any]) -> None:
        """Put the options among the values."""
        values["score_sheets"] = values.get("score_sheets") == YES
        if self.sheet_form is not None and self.sheet_form.errors:
            self.add_error("score_sheets", _("Check the sheet options below."))
        values["sheet_options"] = {} if self.sheet_form is None else self.sheet_form.options
