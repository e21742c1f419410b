"""Forms of the account pages."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordKeyForm, SignupForm
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django import forms
from django.conf import settings
from django.core.cache import cache
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from accounts.identity.services import MAX_NAME
from accounts.models import TokenScope, User

MAX_DAYS = 365
"""For which an API token can work."""
CODE_SECONDS = 120
"""Longer than the app's code is taken: three steps of 30 seconds."""


class SignInForm(LoginForm):  # type: ignore[misc]
    """allauth's form, in our words; a mail address is as good as the name where this server can prove addresses."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label = _("Name or email address") if settings.DOOMDESK_MAIL else _("Name you sign in with")
        self.fields["login"] = forms.CharField(label=label, max_length=254, widget=self.fields["login"].widget)
        self.fields["login"].widget.attrs.pop("placeholder", None)
        self.fields["login"].widget.attrs["autofocus"] = True
        self.fields["password"].help_text = ""  # the page has a button for who forgot it
        self.order_fields(["login", "password"])


class SignUpForm(SignupForm):  # type: ignore[misc]
    """allauth's form: a name, perhaps a mail address, one password whose rules are said where it breaks one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.label = _("Your name as others read it")
        name.max_length = MAX_NAME
        name.widget.attrs = {"autocomplete": "username", "maxlength": MAX_NAME, "autofocus": True}
        name.validators = [MaxLengthValidator(MAX_NAME)]
        self.fields["email"].widget.attrs.pop("placeholder", None)
        self.fields["password1"].widget.attrs.pop("placeholder", None)
        self.fields["password1"].help_text = ""


NEW_PASSWORD = {
    "oldpassword": _("Password now"), "password1": _("New password"), "password2": _("New password again"),
}  # fmt: skip


def _say_plainly(form: forms.Form) -> None:
    """Label the fields of a new password in our words; its rules are said where it breaks one."""
    for name, field in form.fields.items():
        field.label = NEW_PASSWORD[name]
        field.widget.attrs.pop("placeholder", None)
    form.fields["password1"].help_text = ""


class PasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """allauth's form for another password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_plainly(self)


class ForgottenPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]
    """allauth's form for a password in place of a forgotten one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say_plainly(self)


class NameForm(forms.Form):
    """The name that others read."""

    name = forms.CharField(
        label=_("Your name as others read it"),
        max_length=MAX_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class TokenForm(forms.Form):
    """A new API token; `event` offers the events of the account, which the view knows."""

    name = forms.CharField(label=_("What is it for?"), max_length=100)
    scope = forms.ChoiceField(label=_("What it may do"), choices=TokenScope.choices, widget=forms.RadioSelect)
    event = forms.ChoiceField(label=_("Event"), required=False)
    days = forms.TypedChoiceField(
        label=_("Expires after"),
        coerce=int,
        choices=[(1, _("1 day")), (30, _("30 days")), (90, _("90 days")), (MAX_DAYS, _("1 year"))],
    )


class CodeForm(AuthenticateForm):  # type: ignore[misc]
    """A code of the second factor when signing in: one of the app works once, for as long as it is taken."""

    def clean_code(self) -> str:
        """The code, if it is right and new."""
        code: str = super().clean_code()
        if not cache.add(f"factor-code:{self.user.pk}:{code}", 1, timeout=CODE_SECONDS):
            raise get_adapter().validation_error("incorrect_code")
        return code


class CodeAgainForm(CodeForm, ReauthenticateForm):  # type: ignore[misc]
    """The same in a session that is open already."""

    save = ReauthenticateForm.save


class ResetLinkForm(forms.Form):
    """Whose password is to be set anew."""

    username = forms.CharField(label=_("Name they sign in with"), max_length=150)

    def clean_username(self) -> User:
        """The account of that name."""
        user = User.objects.filter(username=self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError(_("No account has this name. Capital letters count."))
        return user
