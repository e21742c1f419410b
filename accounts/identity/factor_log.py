"""Notes in the ledger what people do to their own second factor, in the transaction that does it.

allauth writes these rows; whatever way it is reached, its rows are what counts, so they are what is watched.
"""

from typing import Any

from allauth.core import context
from allauth.mfa.models import Authenticator
from django.db.models.signals import post_delete, post_save

from accounts.actors import SYSTEM, Actor
from accounts.identity.selectors import STREAM
from journal.clock import database_now
from journal.ledger.services import record

MADE = {Authenticator.Type.TOTP: "second_factor_set", Authenticator.Type.RECOVERY_CODES: "recovery_codes_made"}


def watch() -> None:
    """Begin to take notes."""
    post_save.connect(_note_saved, sender=Authenticator, dispatch_uid="accounts.identity.factor_log.saved")
    post_delete.connect(_note_deleted, sender=Authenticator, dispatch_uid="accounts.identity.factor_log.deleted")


def _note_saved(instance: Authenticator, created: bool, update_fields: Any, raw: bool, **_kwargs: Any) -> None:
    if raw:  # a row of another database: so are the notes
        return
    if created:
        _note(instance, MADE[instance.type])
    elif instance.type == Authenticator.Type.RECOVERY_CODES and update_fields is None:
        _note(instance, "recovery_code_used")


def _note_deleted(instance: Authenticator, **_kwargs: Any) -> None:
    if instance.type == Authenticator.Type.TOTP and not getattr(instance, "is_reset", False):
        _note(instance, "second_factor_removed")


def _note(instance: Authenticator, act: str) -> None:
    request = context.request
    actor = getattr(request, "actor", None) or SYSTEM
    if request is not None and actor.user is None:  # signing in: nobody yet, but a person who knew the password
        actor = Actor(instance.user, None, "session")
    record(STREAM, act, actor.key, "self" if actor.user else "system", database_now(), {"user": instance.user_id})
