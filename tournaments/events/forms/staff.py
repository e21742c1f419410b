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
            (Role.Name.ORGANISER, _("Organiser: can do everything but read decks")),
        ],
        widget=forms.RadioSelect,
        initial=Role.Name.SCOREKEEPER,
    )
