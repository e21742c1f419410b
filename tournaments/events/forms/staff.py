"""The form that invites somebody to help."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Role


class InviteForm(forms.Form):
    """The role that an invitation gives."""

    role = forms.ChoiceField(
        label=_("Role"),
        choices=[
            (Role.Name.SCOREKEEPER, _("Scorekeeper: enters people and results")),
            (Role.Name.JUDGE, _("Judge: also reads decks, corrects closed rounds")),
            (Role.Name.HEAD_JUDGE, _("Head judge: a judge who also re-pairs tables by hand")),
            (Role.Name.CHECK_IN, _("Check-in helper: only checks players in")),
            (Role.Name.STREAM, _("Stream: sees the event and its overlays, changes nothing")),
            (Role.Name.ORGANISER, _("Organiser: can do everything but read decks")),
        ],
        widget=forms.RadioSelect,
        initial=Role.Name.SCOREKEEPER,
    )
