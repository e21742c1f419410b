"""Which acts of an event can be undone, by whom and how long; what the viewer did lately that can be."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from accounts.access import is_allowed
from accounts.actors import Actor
from journal.models import LedgerEntry
from tournaments.models import Round, Tournament
from tournaments.selectors.log import NEED, stated_in

OPEN_FOR = timedelta(minutes=10)
MOST_OFFERED = 3
UNDONE = "act.undone"
STATE_CHANGED = "event.state_changed"
DROPPED = "entry.dropped"
RULES: Mapping[str, str] = {
    DROPPED: "entries.manage",
    "entry.withdrawn": "entries.manage",
    "entry.check_in_undone": "entries.manage",
    "entry.all_checked_in": "entries.manage",
    "entry.links_revoked": "entries.manage",
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
    STATE_CHANGED: "event.settings",
}
"""The acts that can be undone, each with the permission that undoing it takes: the one that the act takes."""
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
    """Whether the actor may: who may do the act; and players what they did themselves."""
    if is_allowed(RULES[entry.act], actor, tournament):
        return True
    return entry.act == DROPPED and entry.actor == actor.key and is_allowed("entry.own", actor, tournament)


def undoable_acts(actor: Actor, tournament: Tournament, now: datetime) -> list[LedgerEntry]:
    """What the actor did here in the last ten minutes and may still undo, newest first, three at most; two queries."""
    if not actor.is_known:
        return []
    lately = LedgerEntry.objects.filter(stream=tournament.stream, actor=actor.key, at__gt=now - OPEN_FOR)
    entries = list(lately.filter(act__in=[*RULES, UNDONE]).order_by("-sequence").prefetch_related("personal_values"))
    undone = {entry.subjects["of"] for entry in entries if entry.act == UNDONE}
    open_ = (entry for entry in entries if can_be_undone(entry) and entry.sequence not in undone)
    return [each for each in open_ if may_undo(actor, tournament, each) and _still_holds(tournament, each)][
        :MOST_OFFERED
    ]


def _still_holds(tournament: Tournament, entry: LedgerEntry) -> bool:
    """Whether the event is where a change of its state took it; a start cannot be undone once a round was paired."""
    if entry.act != STATE_CHANGED:
        return True
    began = tournament.state == Tournament.State.RUNNING
    return entry.subjects["to"] == tournament.state and not (
        began and Round.objects.filter(stage__tournament=tournament).exists()
    )
