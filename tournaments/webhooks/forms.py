"""The form of a new webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Webhook


class WebhookForm(forms.Form):
    """Where to send what happens at the event."""

    kind = forms.ChoiceField(
        label=_("Receiver"), choices=Webhook.Kind.choices, widget=forms.RadioSelect, initial=Webhook.Kind.SIGNED
    )
    url = forms.CharField(label=_("Address"), max_length=500, widget=forms.URLInput)
    topics = forms.MultipleChoiceField(
        label=_("What a program is sent"),
        choices=Webhook.Topic.choices,
        widget=forms.CheckboxSelectMultiple,
        initial=Webhook.Topic.values,
    )
