"""Which acts the whole room is notified of at once; of all others only staff."""

from collections.abc import Mapping

from journal.live.notices import Audience

ROOM = frozenset({
    "event.settings_changed", "event.state_changed", "event.moved", "event.move_taken_back",
    "entry.registered", "entry.renamed", "entry.member_changed", "person.erased",
    "entry.withdrawn", "entry.dropped", "entry.returned", "entry.member_added", "entry.member_removed",
    "entry.promoted",
    "round.published", "round.closed", "round.results_changed", "round.followed",
    "stages.set", "stage.begun", "stage.taken_back",
    "result.reported", "result.confirmed", "result.contradicted", "result.disputed", "result.upheld", "result.settled",
    "result.corrected", "result.imposed", "match.extra_time",
    "outlook.shown", "outlook.hidden",
})  # fmt: skip
"""What changes a page that everybody may read."""
ROOM_PREFIXES = ("clock.", "announcement.", "call.")
"""Kinds of acts that are made to be seen. Of a call only those at its table see something; all others ask in vain."""
ROOM_ONCE_PUBLISHED = frozenset({
    "round.withdrawn", "round.swap", "round.make", "round.break", "round.bye", "round.move", "round.seat",
    "round.unseat", "round.repair", "round.mend", "round.undo", "match.seats_turned",
})  # fmt: skip
"""Changes of a round: nobody but staff knows of one before it is published (docs/how-it-works/trust.md#d5)."""


UNDONE = "act.undone"
OF_CALLS = "call."
PUBLIC_SUBJECTS = frozenset({
    "round", "version", "match", "table", "match_round", "stage", "phase", "seconds", "from", "to", "announcement",
    "of", "what",
})  # fmt: skip
"""What the room's acts are about, for a program; the API shows of it what its reader may see."""
PUBLIC_ENTRIES = ("entry.dropped", "entry.promoted")
"""The acts whose entry everybody sees; another may be of a person who waits, or has withdrawn."""


def ear_of(act: str, subjects: Mapping[str, object]) -> Audience:
    """Who is notified of an act as soon as it is stored; of one undone, those who were notified of it."""
    if act == UNDONE:
        return ear_of(str(subjects.get("what", "")), {})
    if act in ROOM or act.startswith(ROOM_PREFIXES):
        return "room"
    return "room" if act in ROOM_ONCE_PUBLISHED and subjects.get("published") else "staff"


def public_subjects(act: str, subjects: Mapping[str, object]) -> Mapping[str, object] | None:
    """What everybody may know that an act is about; None where not even that it happened, as with judge calls."""
    what = str(subjects.get("what", "")) if act == UNDONE else act
    if ear_of(act, subjects) != "room" or what.startswith(OF_CALLS):
        return None
    public = {*PUBLIC_SUBJECTS, "entry"} if act in PUBLIC_ENTRIES else PUBLIC_SUBJECTS
    return {name: subject for name, subject in subjects.items() if name in public}
