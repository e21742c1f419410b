"""Forms of calls for a judge: make one, say how it ended."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import JudgeCall


class CallForm(forms.Form):
    """What a judge is called for."""

    kind = forms.ChoiceField(
        label=_("What about?"), choices=JudgeCall.Kind, widget=forms.RadioSelect, initial=JudgeCall.Kind.RULES
    )
    note = forms.CharField(
        label=_("In a few words"), max_length=300, required=False, help_text=_("Only judges read it.")
    )
