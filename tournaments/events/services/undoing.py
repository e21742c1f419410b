"""Undoing an act within ten minutes: the state from before it, unless something else happened since.

What undoing needs to know stands in the entry of the log; what was deleted is made again from there.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import restore_personal_links
from accounts.models import User
from journal.models import LedgerEntry
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.core.log import NEED, stated_in
from tournaments.entries.selectors.entries import free_places, last_round_seated
from tournaments.entries.services.attendance import check_in_entry, return_entry, withdraw_dropped
from tournaments.entries.services.pairing_constraints import award_byes, keep_apart
from tournaments.events.selectors.undo_limits import CODES, DOOR, DROPPED, STATE_CHANGED, pair_in, still_holds
from tournaments.events.selectors.undoing import OPEN_FOR, UNDONE, can_be_undone, may_undo
from tournaments.events.services.events import close_registration, open_registration, reopen_tournament
from tournaments.models import Amendment, Announcement, Entry, Penalty, Role, StaffInvite, Tournament
from tournaments.standings.services import given_if_shown, record_amendment

Undoer = Callable[[Actor, Tournament, LedgerEntry, datetime], object]
State = Tournament.State


@in_transaction
def undo_act(actor: Actor, tournament: Tournament, sequence: int, now: datetime) -> LedgerEntry:
    """Take back the act with this number in the event's log; answers that entry.

    NotFound "unknown_act", NotAllowed "sign_in", "not_allowed", DomainError "not_undoable", "too_late", Conflict
    "undone_already", "moved_on" where something else happened since, and what the opposite act raises.
    """
    tournament = lock_tournament(tournament)
    entry = LedgerEntry.objects.filter(stream=tournament.stream, sequence=sequence).first()
    if entry is None:
        raise NotFound("unknown_act", _("This event's log has no such action."))
    if not can_be_undone(entry):
        raise DomainError("not_undoable", _("You can't undo this action."))
    if not actor.is_known:
        raise NotAllowed("sign_in", _("Please sign in first."))
    if not may_undo(actor, tournament, entry):
        raise NotAllowed("not_allowed", _("You don't have permission to do this."))
    if now - entry.at > OPEN_FOR:
        raise DomainError("too_late", _("Undo works for ten minutes. Correct it on its page."))
    if LedgerEntry.objects.filter(stream=tournament.stream, act=UNDONE, subjects__of=sequence).exists():
        raise Conflict("undone_already", _("This is already undone."))
    if not still_holds(tournament, entry, now):
        raise Conflict("moved_on", _("You can't undo this after later changes."))
    UNDOERS[entry.act](actor, tournament, entry, now)
    log_act(tournament, UNDONE, actor, now, {"of": sequence, "what": entry.act})
    return entry


def _entry_of(tournament: Tournament, entry: LedgerEntry) -> Entry:
    return Entry.objects.select_for_update().get(tournament=tournament, number=entry.subjects["entry"])


def _return_dropped(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    return_entry(actor, _entry_of(tournament, entry), now)


def _restore_withdrawn(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The state from before, the place in the queue and the check-in with it."""
    gone = _entry_of(tournament, entry)
    gone.state = entry.subjects.get("was", "")
    gone.save(update_fields=["state"])


def _check_in_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    check_in_entry(actor, _entry_of(tournament, entry), now)


def _check_out_all(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """Those whom that one POST checked in: they share its moment."""
    tournament.entries.filter(checked_in_at=entry.at, state=Entry.State.REGISTERED).update(checked_in_at=None)


def _restore_links(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    members = _entry_of(tournament, entry).members.select_related("person")
    for member in members:
        restore_personal_links(member.person, actor, entry.at, now, tournament.stream)


def _award_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    award_byes(actor, _entry_of(tournament, entry), [int(entry.subjects["round"])], now)


def _keep_apart_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The two of whom one act said that they may meet, for the reason that was given for keeping them apart."""
    pair = pair_in(entry)
    one, other = Entry.objects.filter(tournament=tournament, number__in=pair).order_by("number")
    before = LedgerEntry.objects.filter(stream=tournament.stream, act=NEED, sequence__lt=entry.sequence)
    constraints = (stated_in(each) for each in before.order_by("-sequence").prefetch_related("personal_values")
            if pair_in(each) == pair)  # fmt: skip
    reason = next((str(each.get("reason", "")) for each in constraints if each.get("what") == "apart"), "")
    keep_apart(actor, one, other, reason, now)


def _reinstate_penalty(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The penalty counts again, and who was disqualified is out again. Results stayed as they were all the time."""
    penalty = Penalty.objects.select_for_update().get(pk=entry.subjects["penalty"])
    player = _entry_of(tournament, entry)
    penalty.taken_back_at, penalty.taken_back_by, penalty.taken_back_reason = None, "", ""
    penalty.save(update_fields=["taken_back_at", "taken_back_by", "taken_back_reason"])
    if penalty.kind == Penalty.Kind.DISQUALIFICATION:
        before = given_if_shown(tournament)
        player.state = Entry.State.DISQUALIFIED
        if player.dropped_after is None:  # taken back before the start
            player.dropped_after = last_round_seated(player)
        player.save(update_fields=["state", "dropped_after"])
        record_amendment(tournament, Amendment.Kind.PENALTY, before, now, entry=player)


def _restore_role(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    user = User.objects.get(pk=entry.subjects["user"])
    Role.objects.create(tournament=tournament, user=user, name=entry.subjects["role"], granted_at=now)


def _restore_invite(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    revoked = StaffInvite.objects.filter(tournament=tournament, role=entry.subjects["role"], accepted_at=None)
    revoked.filter(revoked_at=entry.at, expires_at__gt=now).update(revoked_at=None)


def _post_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    Announcement.objects.filter(tournament=tournament, pk=entry.subjects["announcement"]).update(withdrawn_at=None)


def _restore_codes(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The codes that the act replaced or revoked, in place of those it made."""
    revoked = list(tournament.table_codes.filter(revoked_at=entry.at).values_list("pk", flat=True))
    tournament.table_codes.filter(created_at=entry.at, revoked_at=None).update(revoked_at=now)
    tournament.table_codes.filter(pk__in=revoked).update(revoked_at=None)


def _restore_door(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The code that the act replaced or revoked, in place of the one it made."""
    before = tournament.door_codes.filter(revoked_at=entry.at).first()
    tournament.door_codes.filter(created_at=entry.at, revoked_at=None).update(revoked_at=now)
    if before is not None:
        before.revoked_at = None
        before.save(update_fields=["revoked_at"])


def _change_state_back(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """An event opened, closed, started or finished by mistake."""
    was, became = entry.subjects["from"], entry.subjects["to"]
    if became == State.RUNNING:
        _take_start_back(actor, tournament, entry, now)
    elif became == State.FINISHED:
        reopen_tournament(actor, tournament, _("finished by mistake"), now)
    elif was == State.DRAFT:
        close_registration(actor, tournament, now)
    else:
        open_registration(actor, tournament, now)


def _take_start_back(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """Before the start again, while nothing is paired: the field, the queue and the planned rounds as they were.

    Those whose place went to a person who was entered since wait for one.
    """
    gone = tournament.entries.filter(state=Entry.State.WITHDRAWN).order_by("registered_at", "number")
    left_out, not_reached = (_numbers_in(entry, subject) for subject in ("left_out", "not_reached"))
    back = list(gone.filter(number__in=left_out).values_list("pk", flat=True)[: free_places(tournament)])
    gone.filter(number__in=left_out + not_reached).exclude(pk__in=back).update(state=Entry.State.WAITING)
    gone.filter(pk__in=back).update(state=Entry.State.REGISTERED)
    tournament.state, tournament.started_at, tournament.pinned_lists = entry.subjects["from"], None, None
    tournament.swiss_rounds = int(entry.subjects.get("planned", 0)) or None
    tournament.save(update_fields=["state", "started_at", "pinned_lists", "swiss_rounds"])
    withdraw_dropped(actor, tournament, now)


def _numbers_in(entry: LedgerEntry, subject: str) -> list[int]:
    return [int(each) for each in str(entry.subjects.get(subject, "")).split()]


UNDOERS: Mapping[str, Undoer] = {
    DROPPED: _return_dropped,
    "entry.withdrawn": _restore_withdrawn,
    "entry.check_in_undone": _check_in_again,
    "entry.all_checked_in": _check_out_all,
    "entry.links_revoked": _restore_links,
    "entry.bye_taken_back": _award_again,
    NEED: _keep_apart_again,
    "penalty.taken_back": _reinstate_penalty,
    "staff.removed": _restore_role,
    "staff.invite_revoked": _restore_invite,
    "announcement.withdrawn": _post_again,
    **dict.fromkeys(CODES, _restore_codes),
    **dict.fromkeys(DOOR, _restore_door),
    STATE_CHANGED: _change_state_back,
}
"""How each act is undone; `selectors.undoing` says who may, `selectors.undo_limits` until when in what happens."""
