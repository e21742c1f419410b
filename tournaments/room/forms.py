"""The room: what everybody should know, calls for a judge, the clock, and judges on their feet."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from tournaments.models import Announcement, JudgeCall, Penalty, RoundClock

LONGEST = Announcement._meta.get_field("text").max_length
CALLS = [(kind, capfirst(label)) for kind, label in JudgeCall.Kind.choices]


class AnnouncementForm(forms.Form):
    """A text, and whether it is urgent."""

    text = forms.CharField(
        label=_("What everybody should know"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Every page of this event and the screens show it until you withdraw it."),
    )
    is_urgent = forms.BooleanField(label=_("Urgent: marked on every page and large on every screen"), required=False)


class CallForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("What about?"), choices=CALLS, widget=forms.RadioSelect, initial=JudgeCall.Kind.RULES
    )
    note = forms.CharField(
        label=_("In a few words"), max_length=300, required=False, help_text=_("Only judges read it.")
    )


MAX_MINUTES = 12 * 60


class ClockForm(forms.Form):
    """What a button of the clock sends: the phase and its length as the official saw them, minutes to add, a reason."""

    phase = forms.ChoiceField(choices=RoundClock.Phase.choices, required=False)
    seen = forms.IntegerField(required=False, min_value=0)
    minutes = forms.IntegerField(label=_("Minutes"), required=False, min_value=-MAX_MINUTES, max_value=MAX_MINUTES)
    reason = forms.CharField(label=_("Reason"), required=False, max_length=500)


class ExtraTimeForm(forms.Form):
    """Minutes for one table, negative to take some back, and why; `seen` are the extra seconds it had on the page."""

    minutes = forms.IntegerField(label=_("Minutes"), min_value=-120, max_value=120)
    reason = forms.CharField(label=_("Reason"), max_length=500)
    seen = forms.IntegerField(required=False, min_value=0)


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
        label=_("Other reason"),
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
        return str(self.cleaned_data["choice"]).partition(":")[0]

    @property
    def infraction(self) -> str:
        """What it is for, as it is stored."""
        return self.cleaned_data["other"].strip() or str(dict(self._texts())[self.cleaned_data["choice"]])


class OutcomeForm(forms.Form):
    """How a call ended, by one tap or in own words, and extra time for what it took."""

    outcome = forms.CharField(max_length=500, required=False)
    words = forms.CharField(label=_("In your own words"), max_length=500, required=False)
    extra = forms.IntegerField(min_value=0, max_value=60, required=False)

    def outcome_text(self) -> str:
        """The outcome as it is stored; typed words come first."""
        values = self.cleaned_data
        return str(values["words"].strip() or values["outcome"])
