"""Who is there: check-in, waiting list, withdrawal, drop and return."""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import expect_state, lock_tournament, log_act
from tournaments.core.rounds import rounds_of
from tournaments.entries.selectors.entries import free_places, last_round_seated, may_check_in, plays_elsewhere
from tournaments.models import Amendment, Entry, Seat, Tournament
from tournaments.notifications.services import notify_of_place
from tournaments.standings.services import given_if_shown, record_amendment
from tournaments.structure.selectors.stages import current_stage

State = Entry.State
OPEN_STATES = (Tournament.State.DRAFT, Tournament.State.REGISTRATION, Tournament.State.RUNNING)


@in_transaction
def check_in_entry(actor: Actor, entry: Entry, now: datetime, *, present: bool = True) -> Entry:
    """Mark an entry as there (or take that back) before the start."""
    tournament, entry = lock_entry(entry, Tournament.State.DRAFT, Tournament.State.REGISTRATION)
    expect_entry_state(entry, State.REGISTERED)
    entry.checked_in_at = now if present else None
    entry.save(update_fields=["checked_in_at"])
    log_act(tournament, "entry.checked_in" if present else "entry.check_in_undone", actor, now, {"entry": entry.number})
    return entry


@in_transaction
def note_seen(actor: Actor, entry: Entry, now: datetime) -> Entry:
    """Log that staff saw a player who plays, while the event runs: nobody asks about them before the next round."""
    tournament, entry = lock_entry(entry, Tournament.State.RUNNING)
    expect_entry_state(entry, State.REGISTERED)
    log_act(tournament, "entry.seen", actor, now, {"entry": entry.number})
    return entry


@in_transaction
def check_in_oneself(actor: Actor, entry: Entry, now: datetime) -> Entry:
    """Check in as the player, from the event's opening time to its start; DomainError "check_in_closed"."""
    _tournament, entry = lock_entry(entry, *OPEN_STATES)
    if not may_check_in(entry, now):
        raise DomainError("check_in_closed", _("You can't check in now. Ask at the desk."))
    return check_in_entry(actor, entry, now)


@in_transaction
def drop_entry(actor: Actor, entry: Entry, now: datetime) -> Entry:
    """Leave the event: before the start the place goes to the first in waiting; afterwards results stay.

    Whoever only waits is withdrawn at any time and never stands among the players.
    """
    tournament, entry = lock_entry(entry, *OPEN_STATES)
    expect_entry_state(entry, State.REGISTERED, State.WAITING)
    held_place = entry.state == State.REGISTERED
    if held_place and tournament.state == Tournament.State.RUNNING:
        before = given_if_shown(tournament)
        after_round = last_round_seated(entry)
        entry = _set_state(actor, tournament, entry, State.DROPPED, "entry.dropped", now, dropped_after=after_round)
        record_amendment(tournament, Amendment.Kind.DROP, before, now, entry=entry)
        return entry
    was = {"was": entry.state}
    entry = _set_state(actor, tournament, entry, State.WITHDRAWN, "entry.withdrawn", now, subjects=was)
    if held_place:
        promote_waiting(actor, tournament, now)
    return entry


def correct_leavers(tournament: Tournament, number: int) -> str:
    """Let those who left have left after the last round that seats them, where round `number` or a later one matters.

    Called in a transaction that changed who sits there, with the event locked; answers their numbers for the log.
    """
    seats = Seat.objects.filter(entry=OuterRef("pk"), round__superseded_at=None).order_by("-round__number")
    left = tournament.entries.select_for_update(of=("self",)).filter(dropped_after__isnull=False)
    left = left.annotate(last=Coalesce(Subquery(seats.values("round__number")[:1]), 0))
    wrong = list(left.filter(Q(dropped_after__gte=number) | Q(last__gte=number)).exclude(dropped_after=F("last")))
    for entry in wrong:
        entry.dropped_after = entry.last
        entry.save(update_fields=["dropped_after"])
    return " ".join(str(entry.number) for entry in wrong)


def withdraw_dropped(actor: Actor, tournament: Tournament, now: datetime) -> None:
    """Before the start again, let those who had dropped count as withdrawn; their places go to those who wait."""
    dropped = list(tournament.entries.select_for_update().filter(state=State.DROPPED))
    for entry in dropped:
        was = {"was": State.REGISTERED.value}
        _set_state(actor, tournament, entry, State.WITHDRAWN, "entry.withdrawn", now, subjects=was)
    if dropped:
        promote_waiting(actor, tournament, now)


@in_transaction
def return_entry(actor: Actor, entry: Entry, now: datetime) -> Entry:
    """Take a dropped or withdrawn entry back, or a person in from the waiting list; paired from the next round on.

    Before the start the entry is to be checked in anew. Who never played cannot come once the field of the stage being
    played is set (DomainError "field_closed"), nor a withdrawn entry one of whom plays in another by now
    (Conflict "plays_elsewhere"), nor one all of whom had their data erased (DomainError "erased").
    """
    tournament, entry = lock_entry(entry, *OPEN_STATES)
    expect_entry_state(entry, State.DROPPED, State.WITHDRAWN, State.WAITING)
    if not entry.members.filter(person__erased_at=None).exists():
        raise DomainError("erased", _("This player's data has been erased."))
    if entry.state != State.DROPPED:
        check_field_is_open(tournament)
    elsewhere = plays_elsewhere(entry.members.select_related("person"))
    if entry.state == State.WITHDRAWN and (member := elsewhere.first()) is not None:
        text = _("%(member)s plays in another entry now, so %(name)s can't come back. The others can sign up again.")
        raise Conflict("plays_elsewhere", text % {"member": member.person.name, "name": entry.name})
    before = given_if_shown(tournament) if entry.state == State.DROPPED else None
    entry = take_back(actor, tournament, entry, State.REGISTERED, now)
    record_amendment(tournament, Amendment.Kind.DROP, before, now, entry=entry)
    return entry


@in_transaction
def promote_waiting(actor: Actor, tournament: Tournament, now: datetime) -> int:
    """Give free places to those who wait longest, each with an entry in the log; answers how many moved up.

    Nobody moves up once the players of the current stage are set.
    """
    tournament = lock_tournament(tournament)
    if current_stage(tournament).seeds is not None:
        return 0
    waiting = tournament.entries.filter(state=State.WAITING).order_by("registered_at", "number")
    moving = list(waiting[: free_places(tournament)])
    for entry in moving:
        _set_state(actor, tournament, entry, State.REGISTERED, "entry.promoted", now)
        notify_of_place(tournament, entry, now)
    return len(moving)


def take_back(actor: Actor, tournament: Tournament, entry: Entry, state: str, now: datetime) -> Entry:
    """Let a locked entry in again with this state; before the start it is to be checked in anew."""
    if tournament.started_at is None:
        entry.checked_in_at = None
    return _set_state(actor, tournament, entry, state, "entry.returned", now)


def lock_entry(entry: Entry, *states: str) -> tuple[Tournament, Entry]:
    """Lock tournament, then entry; DomainError "wrong_state" unless the event is in one of the states."""
    tournament = lock_tournament(entry.tournament)
    expect_state(tournament, *states)
    return tournament, Entry.objects.select_for_update().get(pk=entry.pk)


def expect_entry_state(entry: Entry, *states: str) -> None:
    """Conflict "wrong_entry_state" unless the entry is in one of the states."""
    if entry.state not in states:
        raise Conflict(
            "wrong_entry_state",
            _("You can't do this: the state of %(name)s is “%(state)s”.")
            % {"name": entry.name, "state": entry.get_state_display()},
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
    subjects: Mapping[str, int | str] | None = None,
) -> Entry:
    """Change an entry's state; whoever comes in without ever having had a seat plays from the next round on."""
    entry.state, entry.dropped_after = state, dropped_after
    if state == State.REGISTERED and not last_round_seated(entry):
        entry.entered_round = next_round_number(tournament)
    entry.save(update_fields=["state", "dropped_after", "entered_round", "registered_at", "checked_in_at"])
    log_act(tournament, act, actor, now, {"entry": entry.number, **(subjects or {})})
    return entry


def check_field_is_open(tournament: Tournament) -> None:
    """Refuse newcomers once the players of the current stage are set: DomainError "field_closed"."""
    if current_stage(tournament).seeds is not None:
        raise DomainError("field_closed", _("Entry is closed: this stage's players are set."))


def next_round_number(tournament: Tournament) -> int:
    """The number the next paired round will have."""
    return (rounds_of(tournament).values_list("number", flat=True).last() or 0) + 1
