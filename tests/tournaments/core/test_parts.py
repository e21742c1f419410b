"""Which parts of pages an act changes, and who is told at once: every act of the log is decided."""

from tournaments.core.parts import (
    CHANGES,
    CHANGES_ONCE_PUBLISHED,
    ENDS_ROUNDS,
    FOR_STAFF,
    UNDONE,
    Part,
    ear_of,
    parts_of,
)
from tournaments.web.shared.log_words import SENTENCES

NOWHERE = {
    "event.created", "event.brought", "event.copied", "event.rehearsed", "event.discarded", "need.changed",
    "entry.checked_in", "entry.check_in_undone", "entry.all_checked_in", "entry.links_issued",
    "entry.bye_awarded", "entry.bye_taken_back", "entry.link_issued", "entry.links_revoked",
    "round.lock", "round.unlock", "outlook.asked", "outlook.stopped",
}  # fmt: skip
"""Acts that change nothing for the room, or that it must not know of."""
NOWHERE_KINDS = ("staff.", "work.", "sheet.", "table_codes.", "need.", "door.")


def test_every_act_of_the_log_is_decided_once():
    changing = {act for act in SENTENCES if parts_of(act, {"published": 1})}
    nowhere = {act for act in SENTENCES if act in NOWHERE or act.startswith(NOWHERE_KINDS)}
    assert changing | nowhere | {UNDONE} == set(SENTENCES)
    assert not changing & nowhere
    named = {act for acts in CHANGES.values() for act in acts if "." in act and not act.endswith(".")}
    assert named | CHANGES_ONCE_PUBLISHED <= set(SENTENCES)


def test_an_act_that_nobody_thought_of_is_for_staff():
    assert ear_of("deck.sold", {"published": 1}) == ear_of("new.thing", {}) == "staff"
    assert parts_of("new.thing", {}) == frozenset()


def test_a_change_of_a_round_is_for_the_room_once_it_is_published():
    for act in CHANGES_ONCE_PUBLISHED:
        heard = (ear_of(act, {"published": 0}), ear_of(act, {}), ear_of(act, {"published": 1}))
        assert heard == ("staff", "staff", "room")


def test_pairing_ends_the_rounds_before_and_tells_staff_alone():
    for act in ENDS_ROUNDS:
        assert (ear_of(act, {}), parts_of(act, {})) == ("staff", {Part.ROUNDS})


def test_of_an_act_undone_hears_whoever_heard_of_it():
    heard = [ear_of(UNDONE, {"of": 3, "what": what}) for what in ("result.reported", "penalty.given", UNDONE)]
    assert heard == ["room", "staff", "staff"]
    assert parts_of(UNDONE, {"what": "penalty.taken_back"}) == {Part.PENALTIES} <= FOR_STAFF
