"""The form in which officials write what everybody should know."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Announcement

LONGEST = Announcement._meta.get_field("text").max_length


class AnnouncementForm(forms.Form):
    """A text, and whether it is urgent."""

    text = forms.CharField(
        label=_("What everybody should know"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Every page of this event and the screens show it until you withdraw it."),
    )
    is_urgent = forms.BooleanField(label=_("Urgent: marked on every page and large on every screen"), required=False)
