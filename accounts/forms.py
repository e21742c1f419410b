"""Forms of the account pages."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class ResetLinkForm(forms.Form):
    """Whose password is to be set anew."""

    username = forms.CharField(label=_("Name they sign in with"), max_length=150)

    def clean_username(self) -> User:
        """The account of that name."""
        user = User.objects.filter(username=self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError(_("No account has this name. Names are told apart by capital letters too."))
        return user
