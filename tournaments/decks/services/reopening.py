"""One entry's deck opened again after the lock: by a judge, for a while, for one registration."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import DomainError
from tournaments.core.ledger import log_act, require_reason
from tournaments.decks.selectors.decks import is_locked_for
from tournaments.decks.selectors.registered import about_member
from tournaments.decks.services.decks import open_for_decks
from tournaments.models import EntryMember

LONGEST = timedelta(hours=24)


@in_transaction
def reopen_deck(actor: Actor, member: EntryMember, minutes: int, reason: str, now: datetime) -> EntryMember:
    """Let a player register once more, for `minutes` from now (24 hours at most); needs a reason.

    A deck that was allowed as it is has to be settled again: its player is asked for another one.

    DomainError "not_locked" while everybody can still register, "bad_time", "reason_needed", "wrong_state".
    """
    reason = require_reason(reason)
    tournament, member = open_for_decks(member)
    if not is_locked_for(tournament, member, now):
        raise DomainError("not_locked", _("Decks aren't locked: the player can still register."))
    if not timedelta() < timedelta(minutes=minutes) <= LONGEST:
        raise DomainError("bad_time", _("Reopen a deck for a minute to a day."), field="minutes")
    member.deck_reopened_until = now + timedelta(minutes=minutes)
    member.deck_allowed_at = None
    member.save(update_fields=["deck_reopened_until", "deck_allowed_at"])
    until = member.deck_reopened_until.isoformat(timespec="seconds")
    log_act(tournament, "deck.reopened", actor, now, {**about_member(member), "until": until}, {"reason": reason})
    return member


@in_transaction
def close_reopened_deck(actor: Actor, member: EntryMember, now: datetime) -> EntryMember:
    """Shut a reopened deck before its time; DomainError "not_reopened" where none is open."""
    tournament, member = open_for_decks(member)
    if member.deck_reopened_until is None or member.deck_reopened_until <= now:
        raise DomainError("not_reopened", _("This deck is not reopened (any more)."))
    member.deck_reopened_until = None
    member.save(update_fields=["deck_reopened_until"])
    log_act(tournament, "deck.shut", actor, now, about_member(member))
    return member
