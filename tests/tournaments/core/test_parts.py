"""Which parts of pages an act changes: every act of the log is decided."""

from tournaments.core.audiences import ROOM_ONCE_PUBLISHED, UNDONE, ear_of
from tournaments.core.parts import CHANGES, Part, parts_of
from tournaments.web.shared.log_words import SENTENCES

NOWHERE = {
    "event.created", "event.brought", "event.recorded", "event.copied", "event.rehearsed", "event.discarded",
    "entry.checked_in", "entry.check_in_undone", "entry.all_checked_in", "entry.seen", "entry.links_issued",
    "entry.links_mailed",
    "entry.bye_awarded", "entry.bye_taken_back", "entry.link_issued", "entry.links_revoked",
    "round.lock", "round.unlock", "outlook.asked", "outlook.stopped",
}  # fmt: skip
"""Acts that change nothing for the room, or that it must not know of."""
NOWHERE_KINDS = ("staff.", "work.", "sheet.", "table_codes.", "need.", "door.", "webhook.", "client.")


def test_every_act_of_the_log_is_decided_once():
    changing = {act for act in SENTENCES if parts_of(act, {"published": 1})}
    nowhere = {act for act in SENTENCES if act in NOWHERE or act.startswith(NOWHERE_KINDS)}
    assert changing | nowhere | {UNDONE} == set(SENTENCES)
    assert not changing & nowhere
    named = {act for acts in CHANGES.values() for act in acts if "." in act and not act.endswith(".")}
    assert named <= set(SENTENCES)


def test_whatever_the_room_is_told_of_changes_a_part():
    for act in set(SENTENCES) - {UNDONE}:
        assert ear_of(act, {"published": 1}) == "staff" or parts_of(act, {"published": 1}), act


def test_a_change_of_a_round_shows_once_it_is_published():
    for act in ROOM_ONCE_PUBLISHED:
        assert (parts_of(act, {}), parts_of(act, {"published": 1})) == (frozenset(), {Part.ROUNDS, Part.RESULTS})


def test_an_act_undone_changes_what_it_changed():
    assert parts_of(UNDONE, {"what": "penalty.taken_back"}) == {Part.PENALTIES}
