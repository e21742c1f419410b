"""Undoing an act within ten minutes: the state from before it, unless something else happened since.

What undoing needs to know stands in the entry of the log; what was deleted is made again from there.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NoReturn

from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.models import User
from accounts.services import restore_personal_links
from journal.models import LedgerEntry
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError, NotAllowed, NotFound
from tournaments.models import Amendment, Announcement, Entry, Penalty, Role, Round, StaffInvite, Tournament
from tournaments.selectors.log import NEED, stated_in
from tournaments.selectors.undoing import DROPPED, OPEN_FOR, STATE_CHANGED, UNDONE, can_be_undone, may_undo
from tournaments.services.acts import lock_tournament, log_act
from tournaments.services.amendments import given_if_shown, record_amendment
from tournaments.services.entries import check_in_entry, return_entry
from tournaments.services.events import close_registration, open_registration, reopen_tournament
from tournaments.services.needs import award_byes, keep_apart

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
        raise NotFound("unknown_act", _("There is no such act in this event's log."))
    if not can_be_undone(entry):
        raise DomainError("not_undoable", _("This act cannot be undone."))
    if not actor.is_known:
        raise NotAllowed("sign_in", _("Please sign in first."))
    if not may_undo(actor, tournament, entry):
        raise NotAllowed("not_allowed", _("You may not do this."))
    if now - entry.at > OPEN_FOR:
        raise DomainError("too_late", _("An act can be undone for ten minutes. Put it right on its page instead."))
    if LedgerEntry.objects.filter(stream=tournament.stream, act=UNDONE, subjects__of=sequence).exists():
        raise Conflict("undone_already", _("This was undone already."))
    UNDOERS[entry.act](actor, tournament, entry, now)
    log_act(tournament, UNDONE, actor, now, {"of": sequence, "what": entry.act})
    return entry


def _refuse() -> NoReturn:
    raise Conflict("moved_on", _("Something else happened since: this cannot be undone any more."))


def _entry_of(tournament: Tournament, entry: LedgerEntry) -> Entry:
    return Entry.objects.select_for_update().get(tournament=tournament, number=entry.subjects["entry"])


def _return_dropped(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """Back in the event, unless somebody dropped them once more since: players may undo their own drop alone."""
    later = LedgerEntry.objects.filter(stream=tournament.stream, act=DROPPED, sequence__gt=entry.sequence)
    if later.filter(subjects__entry=entry.subjects["entry"]).exists():
        _refuse()
    return_entry(actor, _entry_of(tournament, entry), now)


def _restore_withdrawn(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The state from before, the place in the queue and the check-in with it; after the start only who waited."""
    gone, was = _entry_of(tournament, entry), entry.subjects.get("was", "")
    begun = tournament.state not in (State.DRAFT, State.REGISTRATION)
    if gone.state != Entry.State.WITHDRAWN or (begun and was != Entry.State.WAITING):
        _refuse()
    gone.state = was
    gone.save(update_fields=["state"])


def _check_in_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    check_in_entry(actor, _entry_of(tournament, entry), now)


def _check_out_all(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """Those whom that one press checked in: they share its moment."""
    together = tournament.entries.filter(checked_in_at=entry.at, state=Entry.State.REGISTERED)
    if tournament.state not in (State.DRAFT, State.REGISTRATION) or not together.update(checked_in_at=None):
        _refuse()


def _restore_links(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    members = _entry_of(tournament, entry).members.select_related("person")
    people = [member.person for member in members]
    if not sum(restore_personal_links(each, actor, entry.at, now, tournament.stream) for each in people):
        _refuse()


def _award_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    award_byes(actor, _entry_of(tournament, entry), [int(entry.subjects["round"])], now)


def _keep_apart_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The two of whom one act said that they may meet, for the reason that was given for keeping them apart."""
    pair = _pair_in(entry)
    one, other = Entry.objects.filter(tournament=tournament, number__in=pair).order_by("number")
    before = LedgerEntry.objects.filter(stream=tournament.stream, act=NEED, sequence__lt=entry.sequence)
    told = (stated_in(each) for each in before.order_by("-sequence").prefetch_related("personal_values")
            if _pair_in(each) == pair)  # fmt: skip
    reason = next((str(each.get("reason", "")) for each in told if each.get("what") == "apart"), "")
    keep_apart(actor, one, other, reason, now)


def _pair_in(entry: LedgerEntry) -> set[int]:
    stated = stated_in(entry)
    return {int(stated.get(key) or 0) for key in ("entry", "other")}


def _reinstate_penalty(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The penalty counts again, and who was disqualified is out again. Results stayed as they were all the time."""
    penalty = Penalty.objects.select_for_update().get(pk=entry.subjects["penalty"])
    player = _entry_of(tournament, entry)
    disqualifies = penalty.kind == Penalty.Kind.DISQUALIFICATION
    if penalty.taken_back_at != entry.at or (disqualifies and player.state != Entry.State.DROPPED):
        _refuse()
    penalty.taken_back_at, penalty.taken_back_by, penalty.taken_back_reason = None, "", ""
    penalty.save(update_fields=["taken_back_at", "taken_back_by", "taken_back_reason"])
    if disqualifies:
        before = given_if_shown(tournament)
        player.state = Entry.State.DISQUALIFIED
        player.save(update_fields=["state"])
        record_amendment(tournament, Amendment.Kind.PENALTY, before, now, entry=player)


def _restore_role(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    user = User.objects.filter(pk=entry.subjects["user"], is_active=True).first()
    if user is None:
        _refuse()
    Role.objects.get_or_create(
        tournament=tournament, user=user, name=entry.subjects["role"], defaults={"granted_at": now}
    )


def _restore_invite(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    revoked = StaffInvite.objects.filter(tournament=tournament, role=entry.subjects["role"], accepted_at=None)
    if not revoked.filter(revoked_at=entry.at, expires_at__gt=now).update(revoked_at=None):
        _refuse()


def _post_again(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    withdrawn = Announcement.objects.filter(tournament=tournament, pk=entry.subjects["announcement"])
    if not withdrawn.exclude(withdrawn_at=None).update(withdrawn_at=None):
        _refuse()


def _restore_codes(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """The codes that the act replaced or revoked, in place of those it made."""
    made = tournament.table_codes.filter(created_at=entry.at, revoked_at=None).update(revoked_at=now)
    revoked = tournament.table_codes.filter(revoked_at=entry.at)
    tables = set(revoked.values_list("table_number", flat=True))
    if not (made or tables) or tournament.table_codes.filter(revoked_at=None, table_number__in=tables).exists():
        _refuse()
    revoked.update(revoked_at=None)


def _change_state_back(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """An event opened, closed, started or finished by mistake."""
    was, became = entry.subjects["from"], entry.subjects["to"]
    if tournament.state != became:
        _refuse()
    if became == State.RUNNING:
        _take_start_back(actor, tournament, entry, now)
    elif became == State.FINISHED:
        reopen_tournament(actor, tournament, _("finished by mistake"), now)
    elif was == State.DRAFT:
        close_registration(actor, tournament, now)
    else:
        open_registration(actor, tournament, now)


def _take_start_back(actor: Actor, tournament: Tournament, entry: LedgerEntry, now: datetime) -> None:
    """Before the start again, while nothing is paired: the field, the queue and the planned rounds as they were."""
    if tournament.started_at != entry.at or Round.objects.filter(stage__tournament=tournament).exists():
        _refuse()
    for subject, state in (("left_out", Entry.State.REGISTERED), ("not_reached", Entry.State.WAITING)):
        numbers = [int(each) for each in str(entry.subjects.get(subject, "")).split()]
        gone = tournament.entries.filter(number__in=numbers, state=Entry.State.WITHDRAWN)
        gone.update(state=state)
    tournament.state, tournament.started_at, tournament.pinned_lists = entry.subjects["from"], None, None
    tournament.swiss_rounds = int(entry.subjects.get("planned", 0)) or None
    tournament.save(update_fields=["state", "started_at", "pinned_lists", "swiss_rounds"])


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
    "table_codes.issued": _restore_codes,
    "table_codes.renewed": _restore_codes,
    "table_codes.revoked": _restore_codes,
    "table_codes.revoked_one": _restore_codes,
    STATE_CHANGED: _change_state_back,
}
"""How each act is undone; `selectors.undoing` says who may."""
