"""Decks at an event: registered until the deadline, reopened or changed by a judge with a reason, judged, sealed."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.digests import commit_to
from decks.models import DeckVersion, LegalityCheck
from decks.selectors.legality import judge_decklist
from decks.services.decks import check_version, freeze_version, save_deck_version
from journal.transactions import in_transaction
from rules_engine.decklist import Decklist
from rules_engine.errors import DomainError
from rules_engine.repair import Verdict
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.selectors.decks import OPEN_STATES, judged_on, may_register
from tournaments.selectors.own_decks import find_own_version
from tournaments.services.acts import lock_tournament, log_act, needed_reason

SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class RegisteredDeck:
    """What was registered, the verdict on it, and the member that now holds salt and commitment."""

    version: DeckVersion
    verdict: Verdict
    member: EntryMember


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

    Raises DomainError "decks_locked" from the deadline on (unless a judge reopened this entry), "unread_lines" while a
    line is not understood, "no_decklists", "wrong_state".
    """
    tournament, member = _open_for_player(member, now)
    version = save_deck_version(actor.key, member.person, tournament.game, tournament.game_format, name, text, now)
    return _register(actor, tournament, member, version, now)


@in_transaction
def register_stored_deck(actor: Actor, member: EntryMember, public_id: str, now: datetime) -> RegisteredDeck:
    """Register the newest version of a deck that the actor keeps; the same refusals as `register_deck`.

    NotFound "unknown_deck" for a deck that is not the actor's own or of another game or format.
    """
    tournament, member = _open_for_player(member, now)
    return _register(actor, tournament, member, find_own_version(actor, tournament, public_id), now)


@in_transaction
def replace_deck(actor: Actor, member: EntryMember, name: str, text: str, reason: str, now: datetime) -> RegisteredDeck:
    """Register a decklist for a player as a judge, also after the deadline; needs a reason, the old version is kept."""
    reason = needed_reason(reason)
    tournament, member = open_for_decks(member)
    version = save_deck_version(actor.key, member.person, tournament.game, tournament.game_format, name, text, now)
    return _register(actor, tournament, member, version, now, reason)


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


@in_transaction
def judge_stale_decks(tournament: Tournament, now: datetime) -> None:
    """Judge the registered decks again that were judged under other lists than those the event has pinned."""
    registered = EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False)
    versions = [member.deck_version for member in registered.select_related("deck_version__deck")]
    checks = LegalityCheck.objects.filter(version__in=versions).order_by("checked_at", "id")
    judged_under = dict(checks.values_list("version_id", "lists"))
    for version in versions:
        if version is not None and judged_under.get(version.pk) != tournament.pinned_lists:
            check_deck_of(tournament, version, now)


def open_for_decks(member: EntryMember) -> tuple[Tournament, EntryMember]:
    """The locked event and member, while decks still matter there: DomainError "wrong_state"."""
    tournament = lock_tournament(member.tournament)
    member = EntryMember.objects.select_for_update(of=("self",)).select_related("entry", "person").get(pk=member.pk)
    if tournament.state not in OPEN_STATES or member.entry.state == Entry.State.WITHDRAWN:
        raise DomainError("wrong_state", _("Decks cannot be registered for this event any more."))
    return tournament, member


def _open_for_player(member: EntryMember, now: datetime) -> tuple[Tournament, EntryMember]:
    tournament, member = open_for_decks(member)
    if not may_register(tournament, member, now):
        raise DomainError(
            "decks_locked", _("Decks are locked since the deadline. A judge can still change one, with a reason.")
        )
    return tournament, member


def _same_format(version: DeckVersion, tournament: Tournament) -> bool:
    return (version.deck.game, version.deck.format) == (tournament.game, tournament.game_format)


def _detach(actor: Actor, tournament: Tournament, member: EntryMember, version: DeckVersion, now: datetime) -> None:
    _hold(member, None, None)
    log_act(tournament, "deck.detached", actor, now, {"entry": member.entry.number, "version": version.pk})


def _hold(member: EntryMember, version: DeckVersion | None, now: datetime | None) -> None:
    """Put a deck on a member, sealed by a fresh salt; a deck reopened for the player is shut again."""
    member.deck_version, member.deck_registered_at, member.deck_reopened_until = version, now, None
    member.deck_salt = secrets.token_hex(SALT_BYTES) if version else ""
    member.deck_commitment = commit_to(member.deck_salt, version.decklist.entries) if version else ""
    member.save(
        update_fields=["deck_version", "deck_registered_at", "deck_reopened_until", "deck_salt", "deck_commitment"]
    )


def _register(
    actor: Actor, tournament: Tournament, member: EntryMember, version: DeckVersion, now: datetime, reason: str = ""
) -> RegisteredDeck:
    """Freeze, judge and hold a version; `reason` is a judge's, "" where the player registers."""
    version = freeze_version(version, now)
    verdict = check_deck_of(tournament, version, now)
    _hold(member, version, now)
    act = "deck.replaced" if reason else "deck.registered"
    subjects: dict[str, int | str] = {"entry": member.entry.number, "version": version.pk}
    subjects["commitment"] = member.deck_commitment
    log_act(tournament, act, actor, now, subjects, {"reason": reason} if reason else None)
    return RegisteredDeck(version, verdict, member)
