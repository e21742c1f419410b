"""What must still be so for an act to be undone: asked by the pages that offer it and by the service that does it."""

from collections.abc import Callable, Mapping
from datetime import datetime

from accounts.models import PersonalLink, User
from journal.models import LedgerEntry
from tournaments.core.log import NEED, stated_in
from tournaments.core.rounds import rounds_of
from tournaments.entries.selectors.entries import free_places, plays_elsewhere
from tournaments.models import (
    Announcement,
    Entry,
    EntryMember,
    KeptApart,
    Penalty,
    Role,
    Round,
    StaffInvite,
    Stage,
    Tournament,
)

Limit = Callable[[Tournament, LedgerEntry, datetime], bool]
State = Tournament.State
DROPPED, STATE_CHANGED = "entry.dropped", "event.state_changed"
BEFORE_START, OPEN = (State.DRAFT, State.REGISTRATION), (State.DRAFT, State.REGISTRATION, State.RUNNING)
PLAYING = (Entry.State.REGISTERED, Entry.State.WAITING)
CODES = ("table_codes.issued", "table_codes.renewed", "table_codes.revoked", "table_codes.revoked_one")
DOOR = ("door.opened", "door.renewed", "door.closed")


def still_holds(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """Whether event and object are still as the act left them; one to four queries."""
    return HOLDS[entry.act](tournament, entry, now)


def entry_in(tournament: Tournament, entry: LedgerEntry) -> Entry:
    """The entry of the event that an act is about."""
    return tournament.entries.get(number=entry.subjects["entry"])


def pair_in(entry: LedgerEntry) -> set[int]:
    """The numbers of the two whom an act about needs names."""
    stated = stated_in(entry)
    return {int(stated.get(key) or 0) for key in ("entry", "other")}


def _is_dropped(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """Out still, by this very drop: players may undo their own alone.

    Not once a bracket or a round robin went on without them: the walkover or bye that others got stays.
    """
    later = LedgerEntry.objects.filter(stream=tournament.stream, act=DROPPED, sequence__gt=entry.sequence)
    is_out = tournament.state in OPEN and entry_in(tournament, entry).state == Entry.State.DROPPED
    if not is_out or later.filter(subjects__entry=entry.subjects["entry"]).exists():
        return False
    since = rounds_of(tournament).filter(paired_at__gt=entry.at).exclude(state=Round.State.PAIRED)
    return not since.exclude(stage__kind__in=[Stage.Kind.SWISS, Stage.Kind.TABLES]).exists()


def _is_withdrawn(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """Out still, and in no other entry; to the queue at any time, to a place before the start and while one is free."""
    waited = entry.subjects.get("was", "") == Entry.State.WAITING
    may_return = waited or (tournament.state in BEFORE_START and free_places(tournament) != 0)
    gone = tournament.entries.filter(number=entry.subjects["entry"], state=Entry.State.WITHDRAWN)
    return may_return and gone.exclude(members__in=plays_elsewhere(EntryMember.objects.all())).exists()


def _is_checked_out(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    found = entry_in(tournament, entry)
    return tournament.state in BEFORE_START and found.state == Entry.State.REGISTERED and found.checked_in_at is None


def _are_checked_in(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """Those whom that one POST checked in share its moment."""
    together = tournament.entries.filter(checked_in_at=entry.at, state=Entry.State.REGISTERED)
    return tournament.state in BEFORE_START and together.exists()


def _are_links_dead(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """The links of a person who still has no other way in: no account, and no newer link."""
    people = entry_in(tournament, entry).members.filter(person__user=None, person__erased_at=None).values("person")
    links = PersonalLink.objects.filter(person__in=people, scope=tournament.stream)
    newer = links.filter(revoked_at=None).values("person")
    return links.filter(revoked_at=entry.at).exclude(person__in=newer).exists()


def _is_bye_free(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """A person who plays, without a bye in a round that nobody paired yet."""
    number, found = int(entry.subjects["round"]), entry_in(tournament, entry)
    paired = Round.objects.filter(stage__tournament=tournament, superseded_at=None, number__gte=number)
    if tournament.state not in OPEN or found.state not in PLAYING:
        return False
    return not paired.exists() and not found.awarded_byes.filter(round_number=number).exists()


def _may_meet(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    found = list(tournament.entries.filter(number__in=pair_in(entry)).order_by("pk"))
    if tournament.state not in OPEN or len(found) != 2:
        return False
    return not KeptApart.objects.filter(one=found[0], other=found[1]).exists()


def _is_penalty_off(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    penalty = Penalty.objects.filter(pk=entry.subjects["penalty"]).first()
    if tournament.state not in OPEN or penalty is None or penalty.taken_back_at != entry.at:
        return False
    disqualifies = penalty.kind == Penalty.Kind.DISQUALIFICATION
    out = (Entry.State.DROPPED, Entry.State.WITHDRAWN)
    found = entry_in(tournament, entry)
    return not disqualifies or (found.state in out and not plays_elsewhere(found.members.all()).exists())


def _is_role_gone(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    held = Role.objects.filter(tournament=tournament, user=entry.subjects["user"], name=entry.subjects["role"])
    return not held.exists() and User.objects.filter(pk=entry.subjects["user"], is_active=True).exists()


def _is_invite_revoked(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    revoked = StaffInvite.objects.filter(tournament=tournament, role=entry.subjects["role"], accepted_at=None)
    return revoked.filter(revoked_at=entry.at, expires_at__gt=now).exists()


def _is_withdrawn_news(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    withdrawn = Announcement.objects.filter(tournament=tournament, pk=entry.subjects["announcement"])
    return withdrawn.exclude(withdrawn_at=None).exists()


def _are_codes_so(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """What it made or revoked is so still, and no table has got another code since."""
    codes = tournament.table_codes
    made = codes.filter(created_at=entry.at, revoked_at=None)
    tables = set(codes.filter(revoked_at=entry.at).values_list("table_number", flat=True))
    others = codes.filter(revoked_at=None, table_number__in=tables).exclude(created_at=entry.at)
    return (bool(tables) or made.exists()) and not others.exists()


def _is_door_so(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """No code but the one it made opens the door."""
    return not tournament.door_codes.filter(revoked_at=None).exclude(created_at=entry.at).exists() and (
        tournament.door_codes.filter(created_at=entry.at, revoked_at=None).exists()
        or tournament.door_codes.filter(revoked_at=entry.at).exists()
    )


def _is_state_so(tournament: Tournament, entry: LedgerEntry, now: datetime) -> bool:
    """Where the change took it; a start cannot be undone once it was another or a round was paired."""
    if tournament.state != entry.subjects["to"]:
        return False
    if tournament.state != State.RUNNING:
        return True
    return tournament.started_at == entry.at and not Round.objects.filter(stage__tournament=tournament).exists()


HOLDS: Mapping[str, Limit] = {
    DROPPED: _is_dropped,
    "entry.withdrawn": _is_withdrawn,
    "entry.check_in_undone": _is_checked_out,
    "entry.all_checked_in": _are_checked_in,
    "entry.links_revoked": _are_links_dead,
    "entry.bye_taken_back": _is_bye_free,
    NEED: _may_meet,
    "penalty.taken_back": _is_penalty_off,
    "staff.removed": _is_role_gone,
    "staff.invite_revoked": _is_invite_revoked,
    "announcement.withdrawn": _is_withdrawn_news,
    **dict.fromkeys(CODES, _are_codes_so),
    **dict.fromkeys(DOOR, _is_door_so),
    STATE_CHANGED: _is_state_so,
}
"""For each act that can be undone."""
