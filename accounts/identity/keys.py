"""Writes about what opens an account: password, API tokens, second factor, and whether it is open at all."""

from datetime import datetime, timedelta

from allauth.mfa.models import Authenticator
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from accounts.actors import Actor
from accounts.identity.selectors import STREAM, own_events, token_id
from accounts.identity.services import check_manages
from accounts.models import TokenNote, TokenScope, User
from journal.ledger.services import record
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, NotAllowed, NotFound


@in_transaction
def set_password(user: User, password: str, actor: Actor, now: datetime) -> User:
    """A new password; the account's API tokens die with the old one, and so do all other sessions, by its hash."""
    user.set_password(password)
    user.save(update_fields=["password"])
    tokens = _end_tokens(user)
    record(STREAM, "password_set", actor.key, _role_of(actor, user), now, {"user": user.pk, "tokens_ended": tokens})
    return user


@in_transaction
def reset_second_factor(user: User, actor: Actor, now: datetime) -> None:
    """Take a lost second factor away: the password alone signs in again. NotAllowed, Conflict "no_factor"."""
    check_manages(user, actor)
    found = list(Authenticator.objects.select_for_update().filter(user=user))
    if not found:
        raise Conflict("no_factor", _("This account has no second factor."))
    for each in found:
        each.is_reset = True  # accounts.identity.factor_log writes what people do themselves
        each.delete()
    record(STREAM, "second_factor_reset", actor.key, _role_of(actor, user), now, {"user": user.pk})


@in_transaction
def set_account_active(user: User, actor: Actor, now: datetime, *, active: bool) -> None:
    """Disable an account, which ends its sessions and tokens, or enable it. NotAllowed, Conflict "yourself"."""
    user = _locked(user, actor)
    if user.is_active == active:
        return
    user.is_active = active
    user.save(update_fields=["is_active"])
    if not active:
        _end_tokens(user)
    act = "account_enabled" if active else "account_disabled"
    record(STREAM, act, actor.key, _role_of(actor, user), now, {"user": user.pk})


@in_transaction
def set_site_admin(user: User, actor: Actor, now: datetime, *, site_admin: bool) -> None:
    """Make an account a site admin with all rights, or an ordinary one. NotAllowed, Conflict "yourself"."""
    user = _locked(user, actor)
    if actor.user is not None and not actor.user.is_superuser:
        raise NotAllowed("of_site_admin", _("Only a superuser or the command line can change a site admin's account."))
    if (user.is_staff, user.is_superuser) == (site_admin, site_admin):
        return
    user.is_staff = user.is_superuser = site_admin
    user.save(update_fields=["is_staff", "is_superuser"])
    act = "site_admin_made" if site_admin else "site_admin_ended"
    record(STREAM, act, actor.key, _role_of(actor, user), now, {"user": user.pk})


@in_transaction
def set_account_confirmed(user: User, actor: Actor, now: datetime, *, confirmed: bool) -> None:
    """Let the start page list an account's events on a site with LISTS_CONFIRMED_ONLY, or no more.

    NotAllowed, Conflict "yourself".
    """
    user = _locked(user, actor)
    if user.is_confirmed == confirmed:
        return
    user.is_confirmed = confirmed
    user.save(update_fields=["is_confirmed"])
    act = "account_confirmed" if confirmed else "confirmation_taken_back"
    record(STREAM, act, actor.key, _role_of(actor, user), now, {"user": user.pk})


@in_transaction
def issue_api_token(
    user: User, actor: Actor, now: datetime, name: str = "", scope: str = TokenScope.ORGANISE, event: str = "",
    days: int = 1,
) -> tuple[AuthToken, str]:  # fmt: skip
    """(row, raw token) of a new API token for some days, at the event of that slug or everywhere.

    The account's expired ones are removed. NotFound "unknown_event" for an event where the account has no part.
    """
    if event and event not in own_events(user):
        raise NotFound("unknown_event", _("You have no part in this event."))
    AuthToken.objects.filter(user=user, expiry__lte=now).delete()
    row, token = AuthToken.objects.create(user, expiry=timedelta(days=days))
    TokenNote.objects.create(
        token=row, name=" ".join(name.split())[:100], ends_with=token[-4:], scope=scope, event=event
    )
    subjects: dict[str, int | str] = {"user": user.pk, "token": token_id(row), "scope": str(scope), "event": event}
    record(STREAM, "token_issued", actor.key, "self", now, subjects)
    return row, token


@in_transaction
def revoke_api_token(row: AuthToken, actor: Actor, now: datetime) -> None:
    AuthToken.objects.filter(pk=row.pk).delete()
    record(STREAM, "token_revoked", actor.key, "self", now, {"user": row.user_id, "token": token_id(row)})


def _locked(user: User, actor: Actor) -> User:
    locked: User = User.objects.select_for_update().get(pk=user.pk)
    check_manages(locked, actor)
    if actor.user is not None and actor.user.pk == locked.pk:
        raise Conflict("yourself", _("Ask another site admin to do this to your account."))
    return locked


def _end_tokens(user: User) -> int:
    tokens = AuthToken.objects.filter(user=user)
    count: int = tokens.count()
    tokens.delete()
    return count


def _role_of(actor: Actor, user: User) -> str:
    if actor.user is None:
        return "system" if actor.via == "command" else "link"
    return "self" if actor.user.pk == user.pk else "site_admin"
