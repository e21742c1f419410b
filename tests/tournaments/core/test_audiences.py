"""Who is told of an act at once: every act of the log is decided, an unknown one is for staff."""

import pytest

from tournaments.core.audiences import ROOM, ROOM_ONCE_PUBLISHED, ROOM_PREFIXES, UNDONE, ear_of
from tournaments.web.shared.log_words import SENTENCES

STAFF_PREFIXES = (
    "deck.", "penalty.", "need.", "staff.", "work.", "sheet.", "table_codes.", "door.", "webhook.", "client.",
)  # fmt: skip
STAFF = {
    "event.created", "event.brought", "event.recorded", "event.copied", "event.rehearsed", "event.discarded",
    "entry.checked_in", "entry.check_in_undone", "entry.all_checked_in", "entry.links_issued", "entry.mates_changed",
    "entry.bye_awarded", "entry.bye_taken_back", "entry.link_issued", "entry.links_revoked", "entry.links_mailed",
    "entry.seen", "round.paired", "round.entered", "round.lock", "round.unlock", "outlook.asked", "outlook.stopped",
}  # fmt: skip
"""Acts that change nothing for the room, or that it must not know of."""


def is_decided(act: str) -> bool:
    """Whether somebody thought about who is told."""
    named = [act in ROOM, act in ROOM_ONCE_PUBLISHED, act.startswith(ROOM_PREFIXES), act in STAFF, act == UNDONE]
    return sum([*named, act.startswith(STAFF_PREFIXES)]) == 1


def test_every_act_of_the_log_is_decided_once():
    assert [act for act in SENTENCES if not is_decided(act)] == []


def test_an_act_that_nobody_thought_of_is_for_staff():
    assert ear_of("deck.sold", {"published": 1}) == ear_of("new.thing", {}) == "staff"


@pytest.mark.parametrize("act", sorted(ROOM_ONCE_PUBLISHED))
def test_a_change_of_a_round_is_for_the_room_once_it_is_published(act):
    assert (ear_of(act, {"published": 0}), ear_of(act, {}), ear_of(act, {"published": 1})) == ("staff", "staff", "room")


def test_of_an_act_undone_hears_whoever_heard_of_it():
    heard = [ear_of(UNDONE, {"of": 3, "what": what}) for what in ("result.reported", "penalty.given", UNDONE)]
    assert heard == ["room", "staff", "staff"]
