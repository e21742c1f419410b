"""The people who run an event: invited by link, removed by the organiser."""

import secrets
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import hash_token
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotFound
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.models import Role, StaffInvite, Tournament
from tournaments.permissions import is_official
from tournaments.room.services.calls import put_back_calls

VALID_FOR = timedelta(days=7)


@in_transaction
def invite_staff(actor: Actor, tournament: Tournament, role: str, now: datetime) -> str:
    """The raw token of a new invitation for one role, valid for seven days and one person; only its hash is kept."""
    if role not in Role.Name.values:
        raise DomainError("unknown_role", _("There is no role called “%(role)s”.") % {"role": role})
    tournament, token = lock_tournament(tournament), secrets.token_urlsafe(24)
    StaffInvite.objects.create(
        tournament=tournament, role=role, token_hash=hash_token(token), created_at=now, expires_at=now + VALID_FOR
    )
    log_act(tournament, "staff.invited", actor, now, {"role": role})
    return token


def find_invite(token: str, now: datetime) -> StaffInvite:
    """The open invitation of a token; used, revoked, expired and unknown ones are NotFound "unknown_invite"."""
    invite = StaffInvite.objects.select_related("tournament").filter(
        token_hash=hash_token(token), accepted_at=None, revoked_at=None, expires_at__gt=now
    ).first()  # fmt: skip
    if invite is None:
        raise NotFound("unknown_invite", _("This invitation isn't valid. Ask for a new one."))
    return invite


@in_transaction
def accept_invite(actor: Actor, token: str, now: datetime) -> Tournament:
    """Take the role an invitation offers; needs an account. The invitation is used up."""
    if actor.user is None:
        raise DomainError("account_needed", _("Sign in to accept a role."))
    tournament = lock_tournament(find_invite(token, now).tournament)
    invite = find_invite(token, now)
    Role.objects.get_or_create(tournament=tournament, user=actor.user, name=invite.role, defaults={"granted_at": now})
    invite.accepted_by, invite.accepted_at = actor.user, now
    invite.save(update_fields=["accepted_by", "accepted_at"])
    log_act(tournament, "staff.joined", actor, now, {"role": invite.role, "user": actor.user.pk})
    return tournament


@in_transaction
def revoke_invite(actor: Actor, invite: StaffInvite, now: datetime) -> None:
    """Make an open invitation worthless at once. Conflict "invite_used" once a person accepted or revoked it."""
    tournament = lock_tournament(invite.tournament)
    if not StaffInvite.objects.filter(pk=invite.pk, accepted_at=None, revoked_at=None).update(revoked_at=now):
        raise Conflict("invite_used", _("This invitation was already used or revoked: see who is on the staff."))
    log_act(tournament, "staff.invite_revoked", actor, now, {"role": invite.role})


@in_transaction
def remove_role(actor: Actor, role: Role, now: datetime) -> None:
    """Take a role away; gone at the next request. The calls of who is no judge or organiser any more wait again.

    An event keeps at least one organiser who can sign in (Conflict "last_organiser").
    """
    tournament = lock_tournament(role.tournament)
    organisers = Role.objects.filter(tournament=tournament, name=Role.Name.ORGANISER, user__is_active=True)
    if role.name == Role.Name.ORGANISER and not organisers.exclude(pk=role.pk).exists():
        raise Conflict("last_organiser", _("Add another organiser first."))
    user, name = role.user, role.name
    role.delete()
    log_act(tournament, "staff.removed", actor, now, {"role": name, "user": user.pk})
    if not is_official(Actor(user, None, "session"), tournament):
        put_back_calls(actor, tournament, user, now)
