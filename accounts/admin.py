"""Accounts in the admin site: to look at, and acts that are services with a line in the log; no row by hand."""

from collections.abc import Callable
from datetime import datetime

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

    @admin.action(description=_("Confirm the accounts: list their events"), permissions=["view"])
    def confirm(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Let the start page list their events."""
        _each(request, chosen, lambda user, actor, now: set_account_confirmed(user, actor, now, confirmed=True))

    @admin.action(description=_("Unconfirm the accounts: do not list their events"), permissions=["view"])
    def take_confirmation_back(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """List their events no more; everything else is as before."""
        _each(request, chosen, lambda user, actor, now: set_account_confirmed(user, actor, now, confirmed=False))

    @admin.action(description=_("Disable the accounts"), permissions=["view"])
    def disable(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """End all their sessions and tokens."""
        _each(request, chosen, lambda user, actor, now: set_account_active(user, actor, now, active=False))

    @admin.action(description=_("Enable the accounts"), permissions=["view"])
    def enable(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Let them sign in again."""
        _each(request, chosen, lambda user, actor, now: set_account_active(user, actor, now, active=True))

    @admin.action(description=_("Make them site admins"), permissions=["view"])
    def make_site_admin(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Give them all rights."""
        _each(request, chosen, lambda user, actor, now: set_site_admin(user, actor, now, site_admin=True))

    @admin.action(description=_("Make them ordinary accounts"), permissions=["view"])
    def end_site_admin(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Take the rights of a site admin away."""
        _each(request, chosen, lambda user, actor, now: set_site_admin(user, actor, now, site_admin=False))

    @admin.action(description=_("Reset a lost second factor"), permissions=["view"])
    def reset_factor(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        """Let the password alone sign in again."""
        _each(request, chosen, reset_second_factor)


def _each(request: HttpRequest, chosen: QuerySet[User], act: Callable[[User, Actor, datetime], None]) -> None:
    """Do it to each account, and say which it was refused for."""
    done = 0
    for user in chosen:
        try:
            act(user, acting(request).actor, database_now())
            done += 1
        except DomainError as error:
            messages.error(request, f"{user.get_username()}: {error.message}")
    if done:
        messages.success(request, _("Accounts done: %(count)s") % {"count": done})


@admin.register(Person)
class PersonAdmin(ReadOnlyAdmin):
    """Persons, to look at; services change them."""

    list_display = ("name", "user", "created_at", "erased_at")
    search_fields = ("name", "user__username")
