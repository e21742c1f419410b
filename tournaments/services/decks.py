"""Decks at an event: registered until the deadline, changed by a judge with a reason, read on record."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.models import DeckVersion
from decks.services import check_version, freeze_version, save_deck_version
from journal.transactions import in_transaction
from rules_engine.errors import DomainError
from rules_engine.legality import LegalityReport
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.selectors.events import deck_deadline_of
from tournaments.services.acts import lock_tournament, log_act, needed_reason

OPEN_STATES = (Tournament.State.DRAFT, Tournament.State.REGISTRATION, Tournament.State.RUNNING)


@dataclass(frozen=True, slots=True)
class RegisteredDeck:
    """What was registered and the verdict on it."""

    version: DeckVersion
    report: LegalityReport


def judged_on(tournament: Tournament) -> date:
    """The date whose card lists decide: the day of the event where it takes place."""
    return tournament.starts_at.astimezone(ZoneInfo(tournament.time_zone)).date()


@in_transaction
def register_deck(actor: Actor, member: EntryMember, name: str, text: str, now: datetime) -> RegisteredDeck:
    """Register a pasted decklist before the deadline; an illegal list is registered too, with its verdict.

    Raises DomainError "decks_locked" from the deadline on, "unread_lines" while a line is not understood,
    "no_decklists", "wrong_state".
    """
    tournament, member = _open_for_decks(member)
    deadline = deck_deadline_of(tournament)
    if deadline is not None and now >= deadline:
        raise DomainError(
            "decks_locked", _("Decks are locked since the deadline. A judge can still change one, with a reason.")
        )
    return _register(actor, tournament, member, name, text, now, "deck.registered", "")


@in_transaction
def replace_deck(actor: Actor, member: EntryMember, name: str, text: str, reason: str, now: datetime) -> RegisteredDeck:
    """Register a decklist for a player as a judge, also after the deadline; needs a reason, the old version is kept."""
    reason = needed_reason(reason)
    tournament, member = _open_for_decks(member)
    return _register(actor, tournament, member, name, text, now, "deck.replaced", reason)


@in_transaction
def read_deck(actor: Actor, member: EntryMember, now: datetime, reason: str = "") -> DeckVersion:
    """A player's registered deck for a judge; the reading stands in the log. DomainError "no_deck" without one.

    A judge who plays too gives a reason (DomainError "reason_needed") before reading another's deck (TRUST.md 3).
    """
    tournament = lock_tournament(member.tournament)
    own = member_of(actor, tournament)
    if own is not None and own != member:
        reason = needed_reason(reason)
    if member.deck_version is None:
        raise DomainError("no_deck", _("%(name)s has not registered a deck.") % {"name": member.person.name})
    subjects = {"entry": member.entry.number, "version": member.deck_version.pk}
    log_act(tournament, "deck.read", actor, now, subjects, {"reason": reason} if reason else None)
    return member.deck_version


def _open_for_decks(member: EntryMember) -> tuple[Tournament, EntryMember]:
    tournament = lock_tournament(member.tournament)
    member = EntryMember.objects.select_for_update(of=("self",)).select_related("entry", "person").get(pk=member.pk)
    if tournament.state not in OPEN_STATES or member.entry.state == Entry.State.WITHDRAWN:
        raise DomainError("wrong_state", _("Decks cannot be registered for this event any more."))
    return tournament, member


def _register(
    actor: Actor,
    tournament: Tournament,
    member: EntryMember,
    name: str,
    text: str,
    now: datetime,
    act: str,
    reason: str,
) -> RegisteredDeck:
    version = save_deck_version(actor.key, member.person, tournament.game, tournament.game_format, name, text, now)
    version = freeze_version(version, now)
    report = check_version(version, judged_on(tournament), now)
    member.deck_version, member.deck_registered_at = version, now
    member.save(update_fields=["deck_version", "deck_registered_at"])
    log_act(
        tournament,
        act,
        actor,
        now,
        {"entry": member.entry.number, "version": version.pk},
        {"reason": reason} if reason else None,
    )
    return RegisteredDeck(version, report)
