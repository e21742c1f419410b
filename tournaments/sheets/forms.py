"""The part of the event form that says whether tables fill in score sheets, and what is agreed on for them."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from rules_engine.game import GameSystem
from rules_engine.systems import list_systems
from scoring.sheets.forms.options import OptionsForm
from scoring.sheets.tallies.registry import options_at_events
from tournaments.sheets.selectors.sheets import has_usual_sheets

USUAL, YES, NO = "usual", "yes", "no"


class KeptChoiceField(forms.ChoiceField):
    """A choice that stays as it is where nothing is said."""

    def clean(self, value: Any) -> Any:
        """The value said, else the initial one."""
        return super().clean(value or self.initial)


class SheetsForm(forms.Form):
    """Whether tables fill in sheets, and for each game that has some a form of its options.

    Cleaned: `score_sheets` True, False or None (as is usual for the game), and the `sheet_options` of the chosen game.
    """

    score_sheets = KeptChoiceField(
        label=_("Score sheets"),
        widget=forms.RadioSelect,
        help_text=_(
            "Players write the game on their phones; the sheet becomes the result. Doomlings and Doomtrooper: one "
            "game a sheet, matches of two best of 1."
        ),
    )

    def offer_sheets(self, *, for_new: bool) -> None:
        """Offer the answers, and every option of every game with what is stored or was typed."""
        usual = [(USUAL, _usual())] if for_new else []
        field = self.fields["score_sheets"]
        set_choices(self, "score_sheets", [*usual, (YES, gettext("tables fill one in")), (NO, gettext("none"))])
        field.initial = self.initial.get("score_sheets", USUAL if for_new else NO)
        chosen = str(self.initial.get("play", "")).partition("/")[0]
        stored, data = self.initial.get("sheet_options", {}), self.initial.get("sheet_data", self.data)
        self.sheet_forms: list[tuple[GameSystem, OptionsForm]] = [
            (system, _options_form(system.slug, data, stored if system.slug == chosen else {}))
            for system in list_systems()
            if options_at_events(system.slug)
        ]

    def freeze_sheets(self, disabled: Collection[str]) -> None:
        """Disable the options where they are frozen."""
        if "sheet_options" in disabled:
            self.fields["score_sheets"].disabled = True
            for _system, form in self.sheet_forms:
                form.freeze()

    def clean_sheets(self, values: dict[str, Any]) -> None:
        """Put the options of the chosen game among the values; refuse sheets of a game that has none."""
        game = values.get("play", "").partition("/")[0]
        form = next((form for system, form in self.sheet_forms if system.slug == game), None)
        wanted = values.get("score_sheets")
        values["score_sheets"] = None if wanted == USUAL else wanted == YES
        if form is not None and form.errors:
            self.add_error("score_sheets", _("Check the sheet options below."))
        elif form is not None and form.options and wanted == USUAL and not has_usual_sheets(game):
            self.add_error("score_sheets", _("You chose sheet options: say if tables use sheets."))
        elif form is None and game and wanted == YES:
            self.add_error("score_sheets", _("This game has no score sheet."))
        values["sheet_options"] = {} if form is None else form.options


def _usual() -> str:
    games = ", ".join(system.name for system in list_systems() if has_usual_sheets(system.slug))
    return gettext("game default: %(games)s with, others without") % {"games": games or "–"}


def _options_form(game: str, data: Mapping[str, Any], stored: Mapping[str, Any]) -> OptionsForm:
    """The options of one game; what is stored stays where no field of it was sent."""
    sent = data if any(name.startswith(f"{game}-") for name in data) else None
    return OptionsForm(sent, known=options_at_events(game), stored=stored, prefix=game)
