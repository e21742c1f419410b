"""Accounts in the admin site: to look at, and acts that are services with a line in the log; no row by hand."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from accounts.actors import Actor
from accounts.http.requests import acting
from accounts.identity.keys import reset_second_factor, set_account_active, set_account_confirmed, set_site_admin
from accounts.identity.selectors import has_factor
from accounts.models import Person, User
from journal.admin import ReadOnlyAdmin
from journal.clock import database_now
from rules_engine.errors import DomainError

admin.site.unregister([Group, AuthToken, EmailAddress, Authenticator])


def _act(text: Any, act: Callable[[User, Actor, datetime], None]) -> Callable[..., None]:
    """An action that does it to each account, and says which it was refused for."""

    @admin.action(description=text, permissions=["view"])
    def each(_of: ReadOnlyAdmin, request: HttpRequest, chosen: QuerySet[User]) -> None:
        done = 0
        for user in chosen:
            try:
                act(user, acting(request).actor, database_now())
                done += 1
            except DomainError as error:
                messages.error(request, f"{user.get_username()}: {error.message}")
        if done:
            messages.success(request, _("Accounts done: %(count)s") % {"count": done})

    return each


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """Accounts; a password is set by its owner alone, with a link where it is forgotten."""

    list_display = ("username", "is_active", "is_confirmed", "is_staff", "factor", "date_joined", "last_login")
    list_filter = ("is_active", "is_confirmed", "is_staff")
    search_fields = ("username", "email")
    fields = (
        "username", "email", "is_active", "is_confirmed", "is_staff", "is_superuser", "factor", "date_joined",
        "last_login",
    )  # fmt: skip
    readonly_fields = ("factor", "is_confirmed")
    actions = (
        "confirm", "take_confirmation_back", "disable", "enable", "make_site_admin", "end_site_admin", "reset_factor",
    )  # fmt: skip

    @admin.display(boolean=True, description=_("second factor"))
    def factor(self, user: User) -> bool:
        """Whether there is one."""
        return has_factor(user)

    confirm = _act(_("Confirm the accounts: list their events"), partial(set_account_confirmed, confirmed=True))
    take_confirmation_back = _act(
        _("Unconfirm the accounts: do not list their events"), partial(set_account_confirmed, confirmed=False)
    )
    disable = _act(_("Disable the accounts"), partial(set_account_active, active=False))
    enable = _act(_("Enable the accounts"), partial(set_account_active, active=True))
    make_site_admin = _act(_("Make them site admins"), partial(set_site_admin, site_admin=True))
    end_site_admin = _act(_("Make them ordinary accounts"), partial(set_site_admin, site_admin=False))
    reset_factor = _act(_("Reset a lost second factor"), reset_second_factor)


@admin.register(Person)
class PersonAdmin(ReadOnlyAdmin):
    """Persons, to look at; services change them."""

    list_display = ("name", "user", "created_at", "erased_at")
    search_fields = ("name", "user__username")
