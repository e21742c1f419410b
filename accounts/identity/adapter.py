"""What allauth asks us: how tries to sign in are counted, how a password is stored, what a second factor is called."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later

from accounts.actors import ANONYMOUS
from accounts.identity.guesses import Counter, give_back, remember_device, take_try
from accounts.identity.keys import set_password
from accounts.identity.selectors import account_named
from accounts.models import User, single_spaced
from journal.clock import database_now
from rules_engine.errors import NotAllowed, TooMany

logger = logging.getLogger(__name__)


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Second factors under the name that a person signs in with."""

    def get_totp_label(self, user: User) -> str:
        """What the app on the phone calls the account."""
        return user.get_username()

    def build_totp_svg(self, url: str) -> str:
        """Nothing: our page draws the code itself."""
        return ""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Our own limits, cookie of known devices and ledger."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_taken": _later(
            "There is an account of this name. Sign in, or add what tells you apart, as in “Ada Kim (Leeds)”."
        ),
    }
    _taken: list[Counter]

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """The account of a name, or of a mail address proved to be its own, and a password; None if they are wrong.

        ValidationError "too_many_login_attempts".
        """
        named = account_named(credentials.get("username", ""))
        found: User | None = super().authenticate(
            request, **credentials | ({"username": named.get_username()} if named else {})
        )
        return found

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A name as people write theirs, that no mail address can be mistaken for and that signs in one account alone.

        An address is a person's only once it was proved.
        """
        if "@" in username:
            raise ValidationError(_("A name can't contain @. Use the email address field."))
        cleaned: str = super().clean_username(single_spaced(username), shallow)
        return cleaned

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        """A new account under the name that was typed: it signs in, and others read it."""
        user.name = form.cleaned_data["username"]
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try. ValidationError "too_many_login_attempts", with the TooMany that says for how long as cause."""
        try:
            self._taken = take_try(request, credentials.get("username", ""))
        except TooMany as error:
            raise self.validation_error("too_many_login_attempts") from error

    def _rollback_login_failed_rl_usage(self) -> None:
        """A right password is no guess."""
        give_back(self._taken)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """The answer after signing in; the device is known from now on."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        remember_device(request, response, user)
        return response

    def set_password(self, user: User, password: str) -> None:
        """A new password, typed into one of allauth's forms."""
        set_password(user, password, getattr(self.request, "actor", ANONYMOUS), database_now())

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Take an address as proved for the account that is signed in, as any account can have a mail sent to it.

        NotAllowed "sign_in", "other_account".
        """
        if not request.user.is_authenticated:
            raise NotAllowed("sign_in", _("Please sign in first."))
        if request.user.pk != email_address.user_id:
            raise NotAllowed("other_account", _("This email is for another account. Ignore it or sign in there."))
        return bool(super().confirm_email(request, email_address))

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the mail that proves an address; a mail server that is away keeps nobody from signing up."""
        try:
            super().send_confirmation_mail(request, emailconfirmation, signup)
        except (SMTPException, OSError) as error:
            logger.warning("a mail that proves an address was not sent: %s", type(error).__name__)
