"""Decks at an event: registered until the deadline, changed by a judge with a reason, read on record."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.models import DeckVersion
from decks.selectors.legality import judge_decklist
from decks.services.decks import check_version, freeze_version, save_deck_version
from journal.transactions import in_transaction
from rules_engine.decklist import Decklist
from rules_engine.errors import DomainError
from rules_engine.repair import Verdict
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.selectors.events import deck_deadline_of
from tournaments.services.acts import lock_tournament, log_act, needed_reason

OPEN_STATES = (Tournament.State.DRAFT, Tournament.State.REGISTRATION, Tournament.State.RUNNING)


@dataclass(frozen=True, slots=True)
class RegisteredDeck:
    """What was registered and the verdict on it."""

    version: DeckVersion
    verdict: Verdict


def judged_on(tournament: Tournament) -> date:
    """The date whose card lists decide: the day of the event where it takes place."""
    return tournament.starts_at.astimezone(ZoneInfo(tournament.time_zone)).date()


def check_deck_of(tournament: Tournament, version: DeckVersion, now: datetime) -> Verdict:
    """Judge a version by the event's variant, on the day of the event, under the lists pinned for it; stored."""
    return check_version(version, judged_on(tournament), now, tournament.variant, tournament.pinned_lists)


def judge_for(tournament: Tournament, decklist: Decklist) -> Verdict:
    """The same verdict on a decklist that nobody stores."""
    game, game_format, variant = tournament.game, tournament.game_format, tournament.variant
    return judge_decklist(decklist, game, game_format, judged_on(tournament), variant, tournament.pinned_lists)


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


@in_transaction
def judge_decks_again(actor: Actor, tournament: Tournament, now: datetime) -> int:
    """Judge every registered deck as the event's settings now ask for, after another day, game or format was chosen.

    Decks of another game or format are taken off the entries, each with a line in the log; answers how many.
    """
    tournament = lock_tournament(tournament)
    registered = EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False)
    members = registered.select_related("entry", "deck_version__deck").order_by("entry__number", "order")
    decks = [(member, member.deck_version) for member in members if member.deck_version is not None]
    for _member, version in decks:
        if _same_format(version, tournament):
            check_deck_of(tournament, version, now)
    strange = [(member, version) for member, version in decks if not _same_format(version, tournament)]
    for member, version in strange:
        _detach(actor, tournament, member, version, now)
    return len(strange)


def _same_format(version: DeckVersion, tournament: Tournament) -> bool:
    return (version.deck.game, version.deck.format) == (tournament.game, tournament.game_format)


def _detach(actor: Actor, tournament: Tournament, member: EntryMember, version: DeckVersion, now: datetime) -> None:
    member.deck_version = member.deck_registered_at = None
    member.save(update_fields=["deck_version", "deck_registered_at"])
    log_act(tournament, "deck.detached", actor, now, {"entry": member.entry.number, "version": version.pk})


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
    verdict = check_deck_of(tournament, version, now)
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
    return RegisteredDeck(version, verdict)
