"""Decks in the hands of judges: read on record, drawn for a check, checked against what lies on the table."""

import hmac
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.digests import digest_of
from decks.models import DeckVersion
from journal.transactions import in_transaction
from rules_engine.errors import DomainError, NotAllowed
from tournaments.core.draws import propose_check
from tournaments.core.ledger import lock_tournament, log_act, require_reason
from tournaments.core.log import ALLOWED
from tournaments.core.members import lock_member
from tournaments.core.rounds import current_round
from tournaments.decks.selectors.deck_checks import candidates_of, drawn_this_round, order_key, times_checked
from tournaments.decks.selectors.decks import newest_check
from tournaments.decks.selectors.registered import about_member
from tournaments.decks.services.decks import expect_seen, open_for_decks
from tournaments.models import DeckCheck, EntryMember, Round, Tournament
from tournaments.permissions import member_of

MAX_NOTES = 500


@dataclass(frozen=True, slots=True)
class CheckCosts:
    """What a check costs now: seconds by which the round's expected end moves, by entry number.

    A player who isn't named costs nothing. `known` is False while no end is expected; `is_last_round` where all the
    rounds that everybody plays have begun, so that players passed over before are due.
    """

    seconds: Mapping[int, float] = field(default_factory=dict)
    known: bool = False
    is_last_round: bool = False

    def of(self, number: int) -> int | None:
        """The seconds for one entry; None while they aren't known."""
        return round(self.seconds.get(number, 0)) if self.known else None


@dataclass(frozen=True, slots=True)
class DrawnCheck:
    """Whose deck was drawn, and what the check costs in seconds; None while that isn't known."""

    member: EntryMember
    cost: int | None


@in_transaction
def read_deck(actor: Actor, member: EntryMember, now: datetime, reason: str = "") -> DeckVersion:
    """A player's registered deck for a judge; the reading stands in the log. DomainError "no_deck" without one.

    A judge who plays too gives a reason (DomainError "reason_needed") before reading another's deck
    (docs/how-it-works/trust.md#access).
    """
    tournament, member = lock_tournament(member.tournament), lock_member(member)
    version, reason = _deck_for(actor, tournament, member, reason)
    log_act(tournament, "deck.read", actor, now, _subjects(member, version), _personal(reason))
    return version


@in_transaction
def record_check(
    actor: Actor,
    member: EntryMember,
    outcome: str,
    notes: str,
    now: datetime,
    *,
    seen: int | None = None,
    reason: str = "",
) -> DeckCheck:
    """Record that a judge compared the cards on the table with the registered list; it is never changed afterwards.

    `seen` is the number of the version that the judge compared with: Conflict "deck_changed" where another one is
    registered by now. DomainError "no_deck", "notes_needed" where the deck differs; "reason_needed" for a judge who
    plays too; NotAllowed "own_deck".
    """
    tournament, member = lock_tournament(member.tournament), lock_member(member)
    version, reason = _deck_for(actor, tournament, member, reason)
    notes = " ".join(notes.split())[:MAX_NOTES]
    if _is_own(actor, tournament, member):
        raise NotAllowed("own_deck", _("This is your own or a team-mate's deck: ask another judge."))
    expect_seen(actor, tournament, member, version, seen)
    if outcome == DeckCheck.Outcome.PROBLEM and not notes:
        raise DomainError("notes_needed", _("Say what differs from the registered list."), field="notes")
    round_ = current_round(tournament)
    check = DeckCheck.objects.create(
        tournament=tournament,
        member=member,
        version=version,
        round=round_ if round_ and round_.state != Round.State.PAIRED else None,
        judge=actor.user,
        outcome=outcome,
        notes=notes,
        checked_at=now,
    )
    subjects = _subjects(member, version) | {"check": check.pk, "outcome": outcome}
    log_act(tournament, "deck.checked", actor, now, subjects, _personal(reason) | ({"notes": notes} if notes else {}))
    return check


@in_transaction
def draw_check(actor: Actor, tournament: Tournament, now: datetime, costs: CheckCosts | None = None) -> DrawnCheck:
    """Draw whose deck is checked next: those checked least often, where it costs nothing; the draw is logged.

    Left out: who has no deck, dropped or withdrew, was drawn this round already; for a judge who plays, the own deck
    and everybody at their table. Of a team the same draw then takes one member's deck. The event's key decides, which
    only the finished event shows; the log has its digest, so that the draw can be repeated then. DomainError
    "nobody_to_check".
    """
    tournament = lock_tournament(tournament)
    costs, key = costs or CheckCosts(), order_key(tournament)
    candidates: dict[int, dict[int, EntryMember]] = defaultdict(dict)
    for member in candidates_of(tournament, member_of(actor, tournament)):
        candidates[member.entry.number][member.order] = member
    drawn_before = drawn_this_round(tournament)
    left = {number for number in candidates if number not in drawn_before} or set(candidates)
    times = times_checked(tournament)
    drawn = propose_check(left, times, key, costs.seconds, in_order=costs.is_last_round)
    if drawn is None:
        raise DomainError("nobody_to_check", _("There's no registered deck to check."))
    cost = costs.of(drawn)
    counted = digest_of([[number, times.get(number, 0), costs.of(number)] for number in sorted(left)])
    member = _drawn_member(tournament, candidates[drawn], key)
    subjects: dict[str, int | str] = {**about_member(member), "among": len(left), "input": counted}
    subjects |= {"order": sha256(key).hexdigest()} | ({} if cost is None else {"cost": cost})
    log_act(tournament, "deck.check_drawn", actor, now, subjects)
    return DrawnCheck(member, cost)


def _drawn_member(tournament: Tournament, members: Mapping[int, EntryMember], key: bytes) -> EntryMember:
    """Which of an entry's `members`, by place, is checked: the key for the entry puts them in an order of their own."""
    if len(members) == 1:
        return next(iter(members.values()))
    by_member = times_checked(tournament, "member")
    number = next(iter(members.values())).entry.number
    times = {place: by_member.get(member.pk, 0) for place, member in members.items()}
    place = propose_check(members, times, hmac.digest(key, f"entry {number}".encode(), "sha256"))
    return members[place or 1]


@in_transaction
def allow_deck(
    actor: Actor, member: EntryMember, reason: str, now: datetime, *, seen: int | None = None
) -> EntryMember:
    """A judge lets a registered deck be played although it is not legal; needs a reason. `seen` as in `record_check`.

    Whose deck it is stands among the personal values of the act, for the log is the organisers' too, who know of
    verdicts only how many there are (docs/how-it-works/trust.md#access).

    DomainError "no_deck", "not_illegal" where there is nothing to allow, "allowed_already", "reason_needed",
    "wrong_state"; Conflict "deck_changed"; NotAllowed "own_deck".
    """
    reason = require_reason(reason)
    tournament, member = open_for_decks(member)
    if _is_own(actor, tournament, member):
        raise NotAllowed("own_deck", _("This is your own or a team-mate's deck: ask another judge."))
    check = newest_check(member)
    if member.deck_version is None or check is None or check.legal is not False:
        raise DomainError("not_illegal", _("Nothing to allow: this deck isn't marked “not legal”."))
    expect_seen(actor, tournament, member, member.deck_version, seen)
    if member.deck_allowed_at is not None:
        raise DomainError("allowed_already", _("This deck is allowed already."))
    member.deck_allowed_at = now
    member.save(update_fields=["deck_allowed_at"])
    log_act(tournament, ALLOWED, actor, now, {}, {"entry": str(member.entry.number), "reason": reason})
    return member


def _is_own(actor: Actor, tournament: Tournament, member: EntryMember) -> bool:
    own = member_of(actor, tournament)
    return own is not None and own.entry_id == member.entry_id


def _deck_for(actor: Actor, tournament: Tournament, member: EntryMember, reason: str) -> tuple[DeckVersion, str]:
    own = member_of(actor, tournament)
    if own is not None and own != member:
        reason = require_reason(reason)
    if member.deck_version is None:
        raise DomainError("no_deck", _("%(name)s has not registered a deck.") % {"name": member.person.name})
    return member.deck_version, reason


def _subjects(member: EntryMember, version: DeckVersion) -> dict[str, int | str]:
    return {**about_member(member), "version": version.pk}


def _personal(reason: str) -> dict[str, str]:
    return {"reason": reason} if reason else {}
