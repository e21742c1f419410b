"""Which acts of an event can be undone, by whom and how long; what the viewer did lately that can be."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from itertools import islice

from accounts.actors import Actor
from accounts.http.access import is_allowed
from journal.models import LedgerEntry
from tournaments.core.log import NEED, stated_in
from tournaments.events.selectors.undo_limits import DROPPED, STATE_CHANGED, still_holds
from tournaments.models import Entry, Tournament
from tournaments.permissions import PLAYER, member_of, roles_of

OPEN_FOR = timedelta(minutes=10)
MAX_OFFERED = 3
UNDONE = "act.undone"
RULES: Mapping[str, str] = {
    DROPPED: "entries.manage",
    "entry.withdrawn": "entries.manage",
    "entry.check_in_undone": "entries.check_in",
    "entry.all_checked_in": "entries.check_in",
    "entry.links_revoked": "entries.links",
    "entry.bye_taken_back": "entry.byes",
    NEED: "entry.needs",
    "penalty.taken_back": "penalty.give",
    "staff.removed": "event.staff",
    "staff.invite_revoked": "event.staff",
    "announcement.withdrawn": "announce",
    "table_codes.issued": "tables.codes",
    "table_codes.renewed": "tables.codes",
    "table_codes.revoked": "tables.codes",
    "table_codes.revoked_one": "tables.codes",
    "door.opened": "entries.links",
    "door.renewed": "entries.links",
    "door.closed": "entries.links",
    STATE_CHANGED: "event.settings",
}
"""The acts that can be undone, each with the permission that undoing it takes: the one that the act takes."""
OF_SECURITY = frozenset(act for act in RULES if act.startswith(("staff.", "table_codes.", "entry.links", "door.")))
"""Acts about who may act: what a person revoked, no other member of the staff brings back but an organiser."""
STATES_BACK = {
    ("draft", "registration"), ("registration", "draft"), ("draft", "running"), ("registration", "running"),
    ("running", "finished"),
}  # fmt: skip
"""The changes of an event's state that can be undone; calling it off asks for its name beforehand."""
LIMITS: Mapping[str, Callable[[LedgerEntry], bool]] = {
    NEED: lambda entry: stated_in(entry).get("what") == "meet",
    STATE_CHANGED: lambda entry: (entry.subjects["from"], entry.subjects["to"]) in STATES_BACK,
}
"""Acts of which only some can be undone."""


def can_be_undone(entry: LedgerEntry) -> bool:
    """Whether an act is of a kind that can be undone, however long ago it was."""
    limit = LIMITS.get(entry.act)
    return entry.act in RULES and (limit is None or limit(entry))


def may_undo(actor: Actor, tournament: Tournament, entry: LedgerEntry) -> bool:
    """Whether the actor may: who may do the act, and players what they did themselves.

    Acts of security: whoever did them, and organisers.
    """
    is_own = entry.actor == actor.key
    if is_allowed(RULES[entry.act], actor, tournament):
        return entry.act not in OF_SECURITY or is_own or is_allowed("event.staff", actor, tournament)
    return entry.act == DROPPED and is_own and is_allowed("entry.own", actor, tournament)


def _only_plays_on(actor: Actor, tournament: Tournament) -> bool:
    """Whether the actor is a player who has not dropped out, and so did nothing that a player may undo."""
    if roles_of(actor, tournament) != {PLAYER} or (actor.user is not None and actor.user.is_staff):
        return False
    member = member_of(actor, tournament)
    return member is not None and member.entry.state == Entry.State.REGISTERED


def undoable_acts(actor: Actor, tournament: Tournament, now: datetime) -> list[LedgerEntry]:
    """What the actor did here in the last ten minutes and may still undo, newest first, three at most.

    Only what can still work: two queries, and one to four for each act that could be undone at all.
    """
    if not actor.is_known or _only_plays_on(actor, tournament):
        return []
    lately = LedgerEntry.objects.filter(stream=tournament.stream, actor=actor.key, at__gt=now - OPEN_FOR)
    entries = list(lately.filter(act__in=[*RULES, UNDONE]).order_by("-sequence").prefetch_related("personal_values"))
    undone = {entry.subjects["of"] for entry in entries if entry.act == UNDONE}
    open_ = (entry for entry in entries if can_be_undone(entry) and entry.sequence not in undone)
    offered = (each for each in open_ if may_undo(actor, tournament, each) and still_holds(tournament, each, now))
    return list(islice(offered, MAX_OFFERED))
