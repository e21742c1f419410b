"""Personal links by mail: each is issued by whoever asks for the mails, and sent by a worker."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import issue_personal_link
from accounts.notifications.messages import site_address
from journal.models import OutboxMessage
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import DomainError, TooMany
from tournaments.core.ledger import expect_state, lock_tournament, log_act
from tournaments.core.links import last_of_links
from tournaments.entries.selectors.door import OPEN_STATES
from tournaments.entries.selectors.entries import members_without_a_way_in, members_without_account
from tournaments.entries.services.desk_entries import without_opponents
from tournaments.models import EntryMember, Tournament

MAIL_LINK = "tournaments.mail_link"
MAX_A_DAY = 500
"""Mails of one event: enough for a convention, far from a way to send strangers what an event is called."""


@dataclass(frozen=True, slots=True)
class Recipients:
    """Players without an account: with no link yet, with one, and how many have neither link nor address."""

    linkless: list[EntryMember]
    linked: list[EntryMember]
    unreachable: int


def can_mail_links(tournament: Tournament) -> bool:
    """Whether this site sends mail and knows its own address; a rehearsal mails nobody."""
    return bool(settings.DOOMDESK_MAIL and site_address()) and tournament.rehearsal_of_id is None


def link_recipients(actor: Actor, tournament: Tournament) -> Recipients:
    """Who can get a link by mail from the actor; a scorekeeper's own opponents are left out."""
    members = without_opponents(actor, tournament, members_without_account(tournament))
    linkless = set(members_without_a_way_in(tournament).values_list("pk", flat=True))
    reachable = [member for member in members if member.person.email]
    return Recipients(
        [member for member in reachable if member.pk in linkless],
        [member for member in reachable if member.pk not in linkless],
        sum(member.pk in linkless and not member.person.email for member in members),
    )


@in_transaction
def mail_links(actor: Actor, tournament: Tournament, now: datetime, *, renew: bool = False) -> int:
    """Have a new personal link mailed to everybody with an address and no link; answers how many they are.

    `renew`: to those with a link too, which ends. DomainError "no_mail", "wrong_state"; TooMany "too_many_mails".
    """
    tournament = lock_tournament(tournament)
    if not can_mail_links(tournament):
        raise DomainError("no_mail", _("This site sends no email."))
    expect_state(tournament, *OPEN_STATES)
    found = link_recipients(actor, tournament)
    members = found.linkless + (found.linked if renew else [])
    recent = _mails_of(tournament).filter(created_at__gt=now - timedelta(days=1))
    if recent.count() + len(members) > MAX_A_DAY:
        raise TooMany("too_many_mails", _("Too many emails for today. Print the links or try again tomorrow."))
    last, scope = last_of_links(tournament, now), tournament.stream
    for member in members:
        seed = secrets.token_urlsafe(24)  # the worker makes the token from it: none is stored
        issue_personal_link(member.person, actor, now, last, scope, seed)
        enqueue(MAIL_LINK, [member.pk, seed, get_language() or ""], now, scope)
    if members:
        log_act(tournament, "entry.links_mailed", actor, now, {"count": len(members)})
    return len(members)


def link_mail_counts(tournament: Tournament) -> dict[str, int]:
    """How many mails with links of the last days were sent, wait and failed."""
    return _mails_of(tournament).aggregate(
        sent=Count("pk", filter=~Q(done_at=None)),
        waiting=Count("pk", filter=Q(done_at=None, parked_at=None)),
        failed=Count("pk", filter=~Q(parked_at=None)),
    )


def _mails_of(tournament: Tournament) -> QuerySet[OutboxMessage]:
    return OutboxMessage.objects.filter(task=MAIL_LINK, stream=tournament.stream)
