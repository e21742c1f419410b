"""Decks at an event: registered until the deadline, reopened or changed by a judge with a reason, judged, hashed."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import Person
from decks.digests import commit_to
from decks.formats.reading import Notice
from decks.models import DeckVersion, LegalityCheck
from decks.services.decks import (
    CleanList,
    Judgement,
    Terms,
    check_versions,
    freeze_version,
    judge_all,
    keep_judgements,
    read_cleanly,
    save_list_as,
)
from journal.transactions import in_transaction
from rules_engine.decklist import Decklist
from rules_engine.errors import Conflict, DomainError, one_of_several
from rules_engine.repair import Verdict
from tournaments.core.ledger import lock_tournament, log_act, require_reason
from tournaments.core.members import lock_member
from tournaments.decks.selectors.deck_checks import last_read
from tournaments.decks.selectors.decks import OPEN_STATES, judged_on, may_register
from tournaments.decks.selectors.own_decks import find_own_version
from tournaments.decks.selectors.registered import about_member
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.permissions import acting_role

SALT_BYTES = 32
HELD = (
    "deck_version", "deck_registered_at", "deck_reopened_until", "deck_allowed_at", "deck_salt", "deck_commitment",
)  # fmt: skip
"""The fields of a member that say which deck is registered."""


@dataclass(frozen=True, slots=True)
class RegisteredDeck:
    """What was registered, the verdict on it, and the member that now holds salt and commitment.

    `notices` say what was assumed while a pasted list was read.
    """

    version: DeckVersion
    verdict: Verdict
    member: EntryMember
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class HandedList:
    """A decklist that a judge registers for a member, what the deck is to be called, and which version was `seen`."""

    member: EntryMember
    name: str
    text: str
    seen: int | None = None


def terms_of(tournament: Tournament) -> Terms:
    """What the event's decks are judged by: its variant, its day, and the lists pinned for it."""
    game, game_format, variant = tournament.game, tournament.game_format, tournament.variant
    return Terms(game, game_format, judged_on(tournament), variant, tournament.pinned_lists)


def judge_for(tournament: Tournament, decklist: Decklist) -> Verdict:
    """The same verdict on a decklist that nobody stores."""
    (judgement,) = judge_all([decklist], terms_of(tournament))
    return judgement.verdict


@in_transaction
def register_deck(actor: Actor, member: EntryMember, name: str, text: str, now: datetime) -> RegisteredDeck:
    """Register a pasted decklist before the deadline; an illegal list is registered too, with its verdict.

    `now` is when the request came in. It decides about a deadline of the event's own, so nobody is late for having
    waited behind others; the start locks whoever comes after it in the row, deadline or none. Reading and
    judging are done before the event's lock is taken.

    Raises DomainError "decks_locked" from the deadline on (unless a judge reopened this entry), "unread_lines" while a
    line is not understood, "no_decklists", "wrong_state", "too_many_decks"; Conflict "later_deck" where a deck that
    came in later is registered, "event_changed" where the game or format changed meanwhile.
    """
    clean, judgement = _read_for(member.tournament, text)
    tournament, member = _open_for_player(member, now)
    version = _save(actor, tournament, member, name, clean, now)
    return replace(_register(actor, tournament, member, version, judgement, now), notices=clean.notices)


@in_transaction
def register_stored_deck(actor: Actor, member: EntryMember, public_id: str, now: datetime) -> RegisteredDeck:
    """Register the newest version of a deck that the actor keeps; the same refusals as `register_deck`.

    NotFound "unknown_deck" for a deck that is not the actor's own or of another game or format.
    """
    version = find_own_version(actor, member.tournament, public_id)
    (judgement,) = judge_all([version.decklist], terms_of(member.tournament))
    tournament, member = _open_for_player(member, now)
    _expect_format(tournament, judgement.terms)
    return _register(actor, tournament, member, version, judgement, now)


@in_transaction
def replace_deck(
    actor: Actor, member: EntryMember, name: str, text: str, reason: str, now: datetime, *, seen: int | None = None
) -> RegisteredDeck:
    """Register a decklist for a player as a judge, also after the deadline; needs a reason, the old version is kept.

    `seen` is the number of the version that the judge had before them: Conflict "deck_changed" as `expect_seen` says.
    """
    (registered,) = replace_decks(actor, [HandedList(member, name, text, seen)], reason, now)
    return registered


@in_transaction
def replace_decks(actor: Actor, lists: Iterable[HandedList], reason: str, now: datetime) -> list[RegisteredDeck]:
    """The same for several players, all or none; all are read and judged before the event's lock is taken.

    The details of a refusal name the `number` of the entry that it is about.
    """
    reason, read, registered = require_reason(reason), [], []
    for handed in lists:
        with one_of_several(number=handed.member.entry.number):
            read.append((handed, *_read_for(handed.member.tournament, handed.text)))
    for handed, clean, judgement in read:
        with one_of_several(number=handed.member.entry.number):
            tournament, member = open_for_decks(handed.member)
            if member.deck_version is not None:
                expect_seen(actor, tournament, member, member.deck_version, handed.seen)
            version = _save(actor, tournament, member, handed.name, clean, now)
            deck = _register(actor, tournament, member, version, judgement, now, reason)
            registered.append(replace(deck, notices=clean.notices))
    return registered


@in_transaction
def judge_decks_again(actor: Actor, tournament: Tournament, now: datetime) -> int:
    """Judge every registered deck as the event's settings now ask for, after another day, game or format was chosen.

    What a judge allowed stays so where the same lists decide as before, as they always do once the event has pinned
    its own. Decks of another game or format are taken off the entries, each with a line in the log; answers how many.
    """
    tournament = lock_tournament(tournament)
    before = _judged_under(tournament)
    members = _registered(tournament).select_related("entry", "deck_version__deck").defer("deck_version__source_text")
    decks = [(member, member.deck_version) for member in members if member.deck_version is not None]
    check_versions([version for _m, version in decks if _same_format(version, tournament)], terms_of(tournament), now)
    others = [pk for pk, terms in _judged_under(tournament).items() if terms != before[pk]]
    _registered(tournament).filter(deck_version__in=others).update(deck_allowed_at=None)
    strange = [(member, version) for member, version in decks if not _same_format(version, tournament)]
    for member, version in strange:
        _detach(actor, tournament, member, version, now)
    return len(strange)


def judge_stale_decks(tournament: Tournament, now: datetime) -> None:
    """Judge the registered decks again that were judged under other lists than those the event has pinned.

    For services, in their transaction.
    """
    stale = [pk for pk, (_way, lists) in _judged_under(tournament).items() if lists != tournament.pinned_lists]
    if stale:
        versions = DeckVersion.objects.filter(pk__in=stale).defer("source_text")
        check_versions(list(versions), terms_of(tournament), now)


def _judged_under(tournament: Tournament) -> dict[int, tuple[str, Any]]:
    """By registered version, the variant and the lists of its newest check; two queries."""
    held = list(_registered(tournament).values_list("deck_version", flat=True))
    checks = LegalityCheck.objects.filter(version__in=held).order_by("checked_at", "id")
    newest = {pk: (variant, lists) for pk, variant, lists in checks.values_list("version_id", "variant", "lists")}
    return {pk: newest.get(pk, ("", None)) for pk in held}


def _registered(tournament: Tournament) -> QuerySet[EntryMember]:
    members = EntryMember.objects.filter(tournament=tournament, deck_version__isnull=False)
    return members.order_by("entry__number", "order")


def open_for_decks(member: EntryMember) -> tuple[Tournament, EntryMember]:
    """The locked event and member, while decks still matter there: DomainError "wrong_state", NotFound "no_member"."""
    tournament, member = lock_tournament(member.tournament), lock_member(member)
    if tournament.state not in OPEN_STATES or member.entry.state == Entry.State.WITHDRAWN:
        raise DomainError("wrong_state", _("Deck registration for this event is over."))
    return tournament, member


def expect_seen(
    actor: Actor, tournament: Tournament, member: EntryMember, version: DeckVersion, seen: int | None
) -> None:
    """Conflict "deck_changed" where another list is registered than the judge saw; for services.

    By its number, and by the one read last of the same number, for each deck of a player counts its versions from 1.
    """
    read = last_read(actor, tournament, member)
    is_other = seen != version.number or (read is not None and read.number == seen and read != version)
    if seen is not None and is_other:
        raise Conflict("deck_changed", _("The player registered another list. Read it and check again."))


def _open_for_player(member: EntryMember, now: datetime) -> tuple[Tournament, EntryMember]:
    tournament, member = open_for_decks(member)
    if not may_register(tournament, member, now):
        raise DomainError("decks_locked", _("Decks are locked. A judge can still change one, with a reason."))
    return tournament, member


def _same_format(version: DeckVersion, tournament: Tournament) -> bool:
    return (version.deck.game, version.deck.format) == (tournament.game, tournament.game_format)


def _detach(actor: Actor, tournament: Tournament, member: EntryMember, version: DeckVersion, now: datetime) -> None:
    _hold(member, None, None)
    log_act(tournament, "deck.detached", actor, now, {**about_member(member), "version": version.pk})


def _hold(member: EntryMember, version: DeckVersion | None, now: datetime | None) -> None:
    """Put a deck on a member, committed to with a fresh salt; what judges decided about the one before is over."""
    member.deck_version, member.deck_registered_at = version, now
    member.deck_reopened_until = member.deck_allowed_at = None
    member.deck_salt = secrets.token_hex(SALT_BYTES) if version else ""
    member.deck_commitment = commit_to(member.deck_salt, version.decklist.entries) if version else ""
    member.save(update_fields=HELD)


def _read_for(tournament: Tournament, text: str) -> tuple[CleanList, Judgement]:
    """What `text` says, and what the event as the caller knows it makes of that."""
    clean = read_cleanly(text, tournament.game, tournament.game_format)
    (judgement,) = judge_all([clean.decklist], terms_of(tournament))
    return clean, judgement


def _save(
    actor: Actor, tournament: Tournament, member: EntryMember, name: str, clean: CleanList, now: datetime
) -> DeckVersion:
    _expect_format(tournament, clean)
    return save_list_as(actor.key, member.person, name, clean, now, _role_to(actor, tournament, member.person))


def _role_to(actor: Actor, tournament: Tournament, owner: Person) -> str:
    """What the actor is to a player's deck: its owner, or what they are at the event."""
    is_own = owner == actor.person or (actor.user is not None and actor.user.pk == owner.user_id)
    return "owner" if is_own else acting_role(actor, tournament)


def _expect_format(tournament: Tournament, read: CleanList | Terms) -> None:
    """Conflict "event_changed" where the locked event has another game or format than that a deck was read for."""
    if (read.game, read.format) != (tournament.game, tournament.game_format):
        raise Conflict(
            "event_changed",
            _("The event's game or format has changed. Check your deck for the new one, then register it."),
        )


def _register(
    actor: Actor,
    tournament: Tournament,
    member: EntryMember,
    version: DeckVersion,
    judgement: Judgement,
    now: datetime,
    reason: str = "",
) -> RegisteredDeck:
    """Freeze a version, keep its judgement, and hold it; `reason` is a judge's, "" where the player registers.

    It is judged again where the locked event's terms turn out to be others. DomainError "no_cards" for an empty list.
    """
    if not version.entries:
        raise DomainError("no_cards", _("This deck is empty. Add cards, then register it."))
    if member.deck_registered_at is not None and now < member.deck_registered_at:
        raise Conflict("later_deck", _("A newer deck is already registered."))
    version, terms = freeze_version(version, now), terms_of(tournament)
    if judgement.terms != terms:
        (judgement,) = judge_all([version.decklist], terms)
    keep_judgements([(version, judgement)], now)
    _hold(member, version, now)
    act = "deck.replaced" if reason else "deck.registered"
    subjects: dict[str, int | str] = {**about_member(member), "version": version.pk}
    subjects["commitment"] = member.deck_commitment
    log_act(tournament, act, actor, now, subjects, {"reason": reason} if reason else None)
    return RegisteredDeck(version, judgement.verdict, member)
