"""Forms of penalties: give one with few clicks, look for some, take one back."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from tournaments.core.forms import MAX_REASON
from tournaments.models import Penalty

OTHER = "other"
INFRACTIONS = (
    _("Late to the match"),
    _("Slow play"),
    _("Deck or decklist problem"),
    _("Rule of the game broken"),
    _("Cards marked or damaged"),
    _("Outside help"),
    _("Procedure not followed"),
    _("Unsporting conduct"),
)
"""What penalties are mostly for; whatever else it was is written."""
PENALTIES = [(kind, capfirst(label)) for kind, label in Penalty.Kind.choices]


class PenaltyForm(forms.Form):
    """What happened and what it costs; `match` is the id of the match it is for, 0 for none."""

    kind = forms.ChoiceField(label=_("Penalty"), choices=PENALTIES, widget=forms.RadioSelect)
    infraction = forms.ChoiceField(label=_("For"), widget=forms.RadioSelect)
    other = forms.CharField(label=_("Other reason"), max_length=120, required=False)
    notes = forms.CharField(
        label=_("Notes"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Only for judges and organisers. The player sees just the penalty and its reason."),
    )
    match = forms.TypedChoiceField(label=_("Match"), coerce=int)

    def __init__(self, data: QueryDict | None, *, matches: list[tuple[int, str]], initial: dict[str, Any]) -> None:
        """`matches` are those the penalty can be for, by id."""
        super().__init__(data, initial=initial)
        infractions = [(str(number), text) for number, text in enumerate(INFRACTIONS)]
        set_choices(self, "infraction", [*infractions, (OTHER, _("Something else"))])
        set_choices(self, "match", [*matches, (0, _("None of them"))])

    def clean(self) -> dict[str, Any]:
        """Something else needs words; words written beside a usual infraction win over it."""
        values = self.cleaned_data
        if values.get("infraction") == OTHER and not values.get("other", "").strip():
            self.add_error("other", gettext("Say in a few words what it was."))
        if values.get("kind") == Penalty.Kind.MATCH_LOSS and values.get("match") == 0:
            self.add_error("match", gettext("Choose the match that is lost."))
        return values

    def infraction_text(self) -> str:
        written = str(self.cleaned_data["other"]).strip()
        return written or str(INFRACTIONS[int(self.cleaned_data["infraction"])])


class TakeBackForm(forms.Form):
    """Why a penalty does not count any more."""

    reason = forms.CharField(
        label=_("Reason"), max_length=MAX_REASON, help_text=_("Logged. Judges and organisers see it.")
    )


class PenaltySearchForm(forms.Form):
    """Which penalties are looked for; nothing chosen shows all."""

    q = forms.CharField(label=_("Name"), max_length=120, required=False)
    kind = forms.ChoiceField(label=_("Penalty"), choices=[("", _("All")), *PENALTIES], required=False)
