"""Forms of judges on their feet: every usual answer is one tap, words are typed only where none fits."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from tournaments.models import Penalty

Kind = Penalty.Kind
USUAL_PENALTIES: tuple[tuple[Kind, tuple[str | Promise, ...]], ...] = (
    (
        Kind.WARNING,
        (_("Slow play"), _("Procedure not followed"), _("Rule of the game broken"), _("Deck or decklist problem"),
         _("Late to the match"), _("Unsporting conduct")),
    ),
    (Kind.GAME_LOSS, (_("Late to the match"), _("Deck or decklist problem"), _("Rule of the game broken"),
                      _("Warned before"))),
    (Kind.MATCH_LOSS, (_("Late to the match"), _("Outside help"), _("Cards marked or damaged"),
                       _("Unsporting conduct"))),
)  # fmt: skip
"""What each kind of penalty is mostly given for."""
EXTRA_REASONS = (_("A judge was at the table"), _("A ruling took time"), _("Deck check"), _("Started late"))
"""Why a table mostly gets extra time."""
EXTRA_MINUTES = (1, 3, 5)
OUTCOMES = (_("Question answered"), _("Ruling given"), _("Result settled"), _("Penalty given"), _("Nothing to do"))
"""How calls mostly end."""


class QuickPenaltyForm(forms.Form):
    """A penalty and what it is for by one tap; words typed beside it are what it is for instead."""

    choice = forms.ChoiceField(label=_("Penalty and reason"), widget=forms.RadioSelect)
    other = forms.CharField(
        label=_("In other words"),
        max_length=120,
        required=False,
        help_text=_("Written instead of the reason chosen above. The player reads it."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        set_choices(self, "choice", list(self._texts()))
        self.fields["choice"].error_messages["required"] = gettext("Tap a penalty and what it is for.")

    @staticmethod
    def _texts() -> list[tuple[str, str | Promise]]:
        return [(f"{kind}:{place}", text) for kind, texts in USUAL_PENALTIES for place, text in enumerate(texts)]

    @property
    def groups(self) -> list[tuple[str, list[Any]]]:
        """The radio buttons of each kind under its name."""
        buttons = list(self["choice"].subwidgets)
        found = []
        for kind, texts in USUAL_PENALTIES:
            found.append((str(kind.label), buttons[: len(texts)]))
            buttons = buttons[len(texts) :]
        return found

    @property
    def kind(self) -> str:
        """The kind that was chosen."""
        return str(self.cleaned_data["choice"]).partition(":")[0]

    @property
    def infraction(self) -> str:
        """What it is for, as it is stored."""
        return self.cleaned_data["other"].strip() or str(dict(self._texts())[self.cleaned_data["choice"]])


class OutcomeForm(forms.Form):
    """How a call ended, by one tap or in own words, and extra time for what it took."""

    outcome = forms.CharField(max_length=500, required=False)
    words = forms.CharField(label=_("In own words"), max_length=500, required=False)
    extra = forms.IntegerField(min_value=0, max_value=60, required=False)

    def outcome_text(self) -> str:
        """The outcome as it is stored; typed words come first."""
        values = self.cleaned_data
        return str(values["words"].strip() or values["outcome"])
