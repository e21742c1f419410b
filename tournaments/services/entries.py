"""Who takes part: walk-ins, sign-up, waiting list, check-in, withdrawal, drop and return."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import Person
from accounts.services import create_person
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.models import Entry, EntryMember, Seat, Tournament
from tournaments.selectors.rounds import current_round
from tournaments.services.acts import lock_tournament, log_act

State = Entry.State
OPEN_STATES = (Tournament.State.DRAFT, Tournament.State.REGISTRATION, Tournament.State.RUNNING)
MOST_AT_ONCE = 5000


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """One person to enter."""

    name: str
    club: str = ""
    email: str = ""


@in_transaction
def register_walk_ins(actor: Actor, tournament: Tournament, drafts: Sequence[EntryDraft], now: datetime) -> list[Entry]:
    """Enter people typed or imported by staff, each a new person, in the order given.

    Above the capacity they go on the waiting list. While the event runs they enter from the next round on.
    """
    if not 1 <= len(drafts) <= MOST_AT_ONCE:
        raise DomainError("bad_count", _("Enter between 1 and %(most)d people at once.") % {"most": MOST_AT_ONCE})
    names = [clean_name(draft.name) for draft in drafts]
    tournament = _open_for_entries(tournament)
    people = [create_person(name, email=draft.email, now=now) for name, draft in zip(names, drafts, strict=True)]
    return _enter(actor, tournament, [(person, draft.club) for person, draft in zip(people, drafts, strict=True)], now)


@in_transaction
def sign_up(actor: Actor, tournament: Tournament, person: Person, now: datetime, *, club: str = "") -> Entry:
    """Enter oneself while registration is open; again after withdrawing (DomainError "entered_already" otherwise)."""
    tournament = lock_tournament(tournament)
    if tournament.state != Tournament.State.REGISTRATION or not tournament.self_sign_up:
        raise DomainError("registration_closed", _("Registration for this event is not open."))
    former = EntryMember.objects.filter(tournament=tournament, person=person).select_related("entry").first()
    if former is None:
        return _enter(actor, tournament, [(person, club)], now)[0]
    if former.entry.state != State.WITHDRAWN:
        raise Conflict("entered_already", _("You are entered already."))
    return _set_state(actor, tournament, former.entry, _free_state(tournament, 1)[0], "entry.returned", now)


def clean_name(name: str) -> str:
    """A name as stored: single spaces, nothing unprintable, 1 to 120 characters; DomainError "bad_name" otherwise."""
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > 120 or not tidy.isprintable():
        raise DomainError(
            "bad_name", _("“%(name)s” is not a name of 1 to 120 printable characters.") % {"name": tidy[:40]}
        )
    return tidy


def _open_for_entries(tournament: Tournament) -> Tournament:
    tournament = lock_tournament(tournament)
    if tournament.state not in OPEN_STATES:
        raise DomainError(
            "wrong_state",
            _("Nobody can be entered: the event is “%(state)s”.") % {"state": tournament.get_state_display()},
        )
    return tournament


def _free_state(tournament: Tournament, wanted: int) -> list[str]:
    """The state each of `wanted` new entries gets: registered while there is room, then waiting."""
    taken = tournament.entries.filter(state=State.REGISTERED).count()
    room = wanted if tournament.capacity is None else max(0, tournament.capacity - taken)
    return [State.REGISTERED if place < room else State.WAITING for place in range(wanted)]


def next_round_number(tournament: Tournament) -> int:
    """The number the next paired round will have."""
    last = current_round(tournament)
    return last.number + 1 if last else 1


def _enter(actor: Actor, tournament: Tournament, people: Sequence[tuple[Person, str]], now: datetime) -> list[Entry]:
    highest = tournament.entries.aggregate(highest=Max("number"))["highest"] or 0
    states, first_round = _free_state(tournament, len(people)), next_round_number(tournament)
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament, number=highest + place, name=person.name, club=" ".join(club.split())[:80],
            state=state, registered_at=now, entered_round=first_round,
        )
        for place, ((person, club), state) in enumerate(zip(people, states, strict=True), start=1)
    )  # fmt: skip
    EntryMember.objects.bulk_create(
        EntryMember(entry=entry, tournament=tournament, person=person)
        for entry, (person, _club) in zip(entries, people, strict=True)
    )
    subjects = {"first_entry": entries[0].number, "last_entry": entries[-1].number, "count": len(entries)}
    log_act(
        tournament, "entry.registered", actor, now, subjects, {f"name_{entry.number}": entry.name for entry in entries}
    )
    return entries


@in_transaction
def check_in_entry(actor: Actor, entry: Entry, now: datetime, *, present: bool = True) -> Entry:
    """Mark an entry as there (or take that back) before the start."""
    tournament, entry = _lock_entry(entry, Tournament.State.DRAFT, Tournament.State.REGISTRATION)
    _expect_state(entry, State.REGISTERED)
    entry.checked_in_at = now if present else None
    entry.save(update_fields=["checked_in_at"])
    log_act(tournament, "entry.checked_in" if present else "entry.check_in_undone", actor, now, {"entry": entry.number})
    return entry


@in_transaction
def drop_entry(actor: Actor, entry: Entry, now: datetime) -> Entry:
    """Leave the event: before the start the place goes to the first in waiting; afterwards results stay."""
    tournament, entry = _lock_entry(entry, *OPEN_STATES)
    _expect_state(entry, State.REGISTERED, State.WAITING)
    if tournament.state == Tournament.State.RUNNING:
        return _set_state(
            actor, tournament, entry, State.DROPPED, "entry.dropped", now, dropped_after=_last_round_seated(entry)
        )
    held_place = entry.state == State.REGISTERED
    entry = _set_state(actor, tournament, entry, State.WITHDRAWN, "entry.withdrawn", now)
    if held_place:
        _promote_waiting(actor, tournament, now)
    return entry


@in_transaction
def return_entry(actor: Actor, entry: Entry, now: datetime) -> Entry:
    """Take a dropped or withdrawn entry back, or somebody in from the waiting list; paired from the next round on."""
    tournament, entry = _lock_entry(entry, *OPEN_STATES)
    _expect_state(entry, State.DROPPED, State.WITHDRAWN, State.WAITING)
    return _set_state(actor, tournament, entry, State.REGISTERED, "entry.returned", now)


def _last_round_seated(entry: Entry) -> int:
    seated = Seat.objects.filter(entry=entry, round__superseded_at=None).aggregate(last=Max("round__number"))
    return seated["last"] or 0


def _lock_entry(entry: Entry, *states: str) -> tuple[Tournament, Entry]:
    tournament = lock_tournament(entry.tournament)
    if tournament.state not in states:
        raise DomainError(
            "wrong_state",
            _("This cannot be done while the event is “%(state)s”.") % {"state": tournament.get_state_display()},
        )
    return tournament, Entry.objects.select_for_update().get(pk=entry.pk)


def _expect_state(entry: Entry, *states: str) -> None:
    if entry.state not in states:
        raise Conflict(
            "wrong_entry_state", _("%(name)s is %(state)s.") % {"name": entry.name, "state": entry.get_state_display()}
        )


def _set_state(
    actor: Actor,
    tournament: Tournament,
    entry: Entry,
    state: str,
    act: str,
    now: datetime,
    *,
    dropped_after: int | None = None,
) -> Entry:
    entry.state, entry.dropped_after = state, dropped_after
    entry.save(update_fields=["state", "dropped_after"])
    log_act(tournament, act, actor, now, {"entry": entry.number})
    return entry


def _promote_waiting(actor: Actor, tournament: Tournament, now: datetime) -> None:
    waiting = tournament.entries.filter(state=State.WAITING).order_by("registered_at", "number").first()
    if waiting is not None and _free_state(tournament, 1) == [State.REGISTERED]:
        _set_state(actor, tournament, waiting, State.REGISTERED, "entry.promoted", now)
