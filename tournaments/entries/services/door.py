"""The door: players enter themselves by the code on a poster, or say who of the list they are.

Every step looks the code up again under the event's lock, which closing and renewing take too: nothing happens by an
old code, and a claim ends with its code (docs/how-it-works/trust.md#t6).
"""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.selectors import actor_by_key
from accounts.identity.services import create_person, issue_personal_link
from accounts.models import Person, PersonalLink
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, NotFound, TooMany, needed
from tournaments.core.ledger import expect_state, lock_tournament, log_act
from tournaments.core.links import last_of_links
from tournaments.core.members import lock_member
from tournaments.decks.selectors.registered import about_member
from tournaments.entries.selectors.door import OPEN_STATES, is_free, is_open, live_codes
from tournaments.entries.selectors.entries import waits_for_check_in
from tournaments.entries.services.attendance import check_in_entry, expect_entry_state, lock_entry
from tournaments.entries.services.desk_entries import check_opponents, linkable_person
from tournaments.entries.services.entries import clean_name, sign_up
from tournaments.models import DoorClaim, DoorCode, Entry, EntryMember, Tournament

MAX_USES = 500
"""Entries and claims by one code: enough for a hall, far from filling an event with invented names."""


@dataclass(frozen=True, slots=True)
class CameIn:
    """An entry that came in by the door, and the raw token of its new personal link ("" for an account)."""

    entry: Entry
    token: str = ""


@in_transaction
def open_door(actor: Actor, tournament: Tournament, now: datetime, *, free_claims: bool = False) -> DoorCode:
    """A new code, in place of the one there was; DomainError "wrong_state" unless players enter or play."""
    tournament = lock_tournament(tournament)
    expect_state(tournament, *OPEN_STATES)
    renewed = tournament.door_codes.filter(revoked_at=None).update(revoked_at=now)
    code = DoorCode.objects.create(tournament=tournament, free_claims=free_claims, issued_by=actor.user, created_at=now)
    log_act(tournament, "door.renewed" if renewed else "door.opened", actor, now)
    return code


@in_transaction
def close_door(actor: Actor, tournament: Tournament, now: datetime) -> None:
    """Nobody comes in by the code any more, and no claim can be answered."""
    tournament = lock_tournament(tournament)
    if tournament.door_codes.filter(revoked_at=None).update(revoked_at=now):
        log_act(tournament, "door.closed", actor, now)


@in_transaction
def enter_by_door(actor: Actor, code: DoorCode, name: str, now: datetime, *, person: Person | None = None) -> CameIn:
    """Enter oneself: as `person`, or as a new one of this name with a personal link. Checked in where that is asked.

    Raises what `sign_up` raises, DomainError "bad_name", NotFound "unknown_door", TooMany "door_full".
    """
    tournament, token = _use(code), ""
    if person is None:
        person = create_person(clean_name(name), now=now)
        actor = _as_player(actor, tournament, person, now)
        token = issue_personal_link(person, actor, now, last_of_links(tournament, now), tournament.stream)
    entry = sign_up(actor, tournament, person, now, at_door=True)
    return CameIn(check_in_at_door(actor, entry, now), token)


@in_transaction
def claim_entry(actor: Actor, code: DoorCode, member: EntryMember, now: datetime) -> DoorClaim:
    """Say that one is a player of the list; it opens nothing before `take_claim`.

    DomainError "has_account", "erased", Conflict "wrong_entry_state", NotFound "unknown_door", "no_member",
    TooMany "door_full".
    """
    tournament = _use(code)
    entry = lock_entry(member.entry, *OPEN_STATES)[1]
    expect_entry_state(entry, Entry.State.REGISTERED, Entry.State.WAITING)
    member = lock_member(member)
    linkable_person(entry, member.order)
    claim = DoorClaim.objects.create(code=code, member=member, created_at=now)
    log_act(tournament, "door.claimed", actor, now, about_member(member))
    return claim


@in_transaction
def answer_claim(actor: Actor, claim: DoorClaim, now: datetime, *, is_they: bool) -> DoorClaim:
    """The staff's word on a claim: its phone may take the entry, or not.

    Conflict "claim_over", NotFound "unknown_door", NotAllowed "own_opponent" for a scorekeeper who met them.
    """
    tournament, claim = _lock_claim(claim, now)
    check_opponents(actor, tournament, claim.member.entry)
    claim.confirmed_by, claim.declined_at = (actor.key, None) if is_they else ("", now)
    claim.save(update_fields=["confirmed_by", "declined_at"])
    act = "door.confirmed" if is_they else "door.declined"
    log_act(tournament, act, actor, now, about_member(claim.member))
    return claim


@in_transaction
def take_claim(actor: Actor, claim: DoorClaim, now: datetime) -> CameIn:
    """Give the claim's phone a new personal link of its player, which ends the older ones; once.

    The link's issuer is who confirmed it. Conflict "claim_waits" before that, "claim_over", NotFound "unknown_door",
    and what `linkable_person` raises.
    """
    tournament, claim = _lock_claim(claim, now)
    member = claim.member
    if not claim.confirmed_by and not is_free(claim.code, member):
        raise Conflict("claim_waits", _("The staff haven't confirmed yet that it's you."))
    entry = lock_entry(member.entry, *OPEN_STATES)[1]
    expect_entry_state(entry, Entry.State.REGISTERED, Entry.State.WAITING)
    person = linkable_person(entry, member.order)
    if PersonalLink.objects.filter(person=person, created_at__gt=claim.created_at).exists():
        raise _over()  # the player came in by another phone, or the desk gave them a link
    player = _as_player(actor, tournament, person, now)
    issuer = actor_by_key(claim.confirmed_by) if claim.confirmed_by else player
    token = issue_personal_link(person, issuer, now, last_of_links(tournament, now), tournament.stream)
    claim.taken_at = now
    claim.save(update_fields=["taken_at"])
    DoorClaim.objects.filter(member=member, taken_at=None, declined_at=None).update(declined_at=now)
    log_act(tournament, "entry.link_issued", issuer, now, about_member(member))
    return CameIn(check_in_at_door(player, entry, now), token)


@in_transaction
def check_in_at_door(actor: Actor, entry: Entry, now: datetime) -> Entry:
    """Check in a player who stands at the door, where the event asks for it and the player has a place."""
    return check_in_entry(actor, entry, now) if waits_for_check_in(entry) else entry


def _as_player(actor: Actor, tournament: Tournament, person: Person, now: datetime) -> Actor:
    """The visitor as the player that they are by the link they are given."""
    return Actor(None, person, "link", now, tournament.stream, device=actor.device)


def _use(code: DoorCode) -> Tournament:
    """The locked event of a code that still opens, which counts one use more."""
    tournament = lock_tournament(code.tournament)
    code = _live(code)
    if code.uses >= MAX_USES:
        raise TooMany("door_full", _("Too many players used this code. Ask the staff to renew it."))
    code.uses += 1
    code.save(update_fields=["uses"])
    return tournament


def _lock_claim(claim: DoorClaim, now: datetime) -> tuple[Tournament, DoorClaim]:
    tournament = lock_tournament(claim.code.tournament)
    _live(claim.code)
    found = DoorClaim.objects.select_related("code__tournament", "member__entry").filter(pk=claim.pk).first()
    if found is None or not is_open(found, now):  # a removed member takes the claim along
        raise _over()
    return tournament, found


def _over() -> Conflict:
    return Conflict("claim_over", _("This took too long or was answered already. Type your name again."))


def _live(code: DoorCode) -> DoorCode:
    return needed(live_codes().filter(pk=code.pk).first(), unknown_door())


def unknown_door() -> NotFound:
    """What unknown, renewed and closed codes are answered alike."""
    return NotFound("unknown_door", _("This door code isn't valid any more. Ask the staff."))
