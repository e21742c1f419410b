"""Which parts of an event's pages an act changes: so it is known which pages are to be built anew."""

from collections.abc import Mapping
from enum import StrEnum

from tournaments.core.audiences import ROOM_ONCE_PUBLISHED, UNDONE


class Part(StrEnum):
    """A part of what an event's pages show."""

    FACTS = "facts"
    """What the organiser set, and how far the event is."""
    ENTRIES = "entries"
    ROUNDS = "rounds"
    """Who sits where in published rounds, and which of them are over."""
    RESULTS = "results"
    PENALTIES = "penalties"
    """A disqualification takes a player out."""
    CLOCK = "clock"
    ANNOUNCEMENTS = "announcements"
    DECKS = "decks"
    """Who registered a deck, and what the viewer's still needs."""
    CALLS = "calls"
    """Calls for a judge, which those at the table see."""
    OTHERS = "others"
    """Whatever an act changes that tells no result; see `ends_answers`."""
    NAMES = "names"
    """What people are called and whether they show a profile: acts of the accounts."""


FACTS, ENTRIES, ROUNDS, RESULTS = Part.FACTS, Part.ENTRIES, Part.ROUNDS, Part.RESULTS
RANKING = (ENTRIES, RESULTS, Part.PENALTIES)
"""What the standings are made of."""
ENDS_ROUNDS = ("round.paired", "round.entered")
"""Acts that end the rounds before, which everybody may see, and begin one that only staff may see."""
CHANGES: Mapping[Part, tuple[str, ...]] = {
    FACTS: (
        "event.settings_changed", "event.state_changed", "event.moved", "event.move_taken_back", "stages.set", "stage.",
        "outlook.shown", "outlook.hidden",
    ),
    ENTRIES: (
        "entry.registered", "entry.renamed", "entry.withdrawn", "entry.member_added", "entry.dropped", "entry.returned",
        "entry.member_changed", "entry.member_removed", "entry.promoted", "entry.mates_changed", "person.erased",
    ),
    ROUNDS: ("round.published", "round.closed", "round.followed", "stage.", *ENDS_ROUNDS),
    RESULTS: ("result.", "round.results_changed"),
    Part.PENALTIES: ("penalty.",),
    Part.CLOCK: ("clock.", "match.extra_time"),
    Part.ANNOUNCEMENTS: ("announcement.",),
    Part.DECKS: ("deck.",),
    Part.CALLS: ("call.",),
    Part.NAMES: (
        "account_renamed", "person_linked", "person_unlinked", "profile_shown", "profile_hidden", "person_erased",
    ),
}  # fmt: skip
"""The acts that change a part, by name or, with a dot at the end, by kind.

What no act here changes is shown on pages that every act has built anew: those of staff, and of the player's match.
"""
TELLS_RESULTS = "result."


def parts_of(act: str, subjects: Mapping[str, object]) -> frozenset[Part]:
    """The parts that an act changes; an act undone, those that it changed."""
    if act == UNDONE:
        return parts_of(str(subjects.get("what", "")), {})
    if act in ROOM_ONCE_PUBLISHED and subjects.get("published"):
        return frozenset({ROUNDS, RESULTS})
    kind = f"{act.partition('.')[0]}."
    return frozenset(part for part, acts in CHANGES.items() if act in acts or kind in acts)


def ends_answers(act: str) -> bool:
    """Whether an act changes `OTHERS`, and so ends what an event keeps for its readers (`tournaments.kept_answers`)."""
    return not act.startswith(TELLS_RESULTS)
