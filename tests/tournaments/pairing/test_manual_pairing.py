"""Places changed by hand: what each change leaves, what is refused, and what no sequence of changes may break."""

import random
from collections import Counter

import pytest

from tournaments.pairing.manual.changes import best_of, bill_of, change_draft, put_back
from tournaments.pairing.manual.round_draft import Act, Change, Kind, Refused, RoundDraft, Seating, difference
from tournaments.pairing.swiss.contenders import Contender, RoundInput


def bye(entry, **values):
    return Seating((entry,), kind=Kind.BYE, **values)


def places(*seatings, unplaced=(), inactive=()):
    return RoundDraft((), tuple(unplaced), frozenset(inactive)).replaced((), seatings)


TWO = places(Seating((1, 2), 1), Seating((3, 4), 2), bye(5))
FIELD = RoundInput(tuple(Contender(each, each % 3) for each in range(1, 9)))


def after(change, draft=TWO, given=FIELD):
    return change_draft(draft, change, given).draft


def shown(draft):
    """The places in short: seats by table, then those alone, then who has none."""
    tables = {each.number: each.seats for each in draft.seatings if each.number}
    return tables, [each.seats[0] for each in draft.seatings if each.number is None], draft.unplaced


@pytest.mark.parametrize(
    ("change", "tables", "alone", "unplaced"),
    [
        (Change(Act.SWAP, (1, 4)), {1: (4, 2), 2: (3, 1)}, [5], ()),
        (Change(Act.SWAP, (1, 2)), {1: (2, 1), 2: (3, 4)}, [5], ()),
        (Change(Act.SEATS, table=2), {1: (1, 2), 2: (4, 3)}, [5], ()),
        (Change(Act.SWAP, (2, 5)), {1: (1, 5), 2: (3, 4)}, [2], ()),
        (Change(Act.BYE, (3,)), {1: (1, 2), 2: (5, 4)}, [3], ()),
        (Change(Act.BREAK, table=1), {2: (3, 4)}, [5], (1, 2)),
        (Change(Act.BREAK, (5,)), {1: (1, 2), 2: (3, 4)}, [], (5,)),
        (Change(Act.MOVE, table=1, to=7), {7: (1, 2), 2: (3, 4)}, [5], ()),
        (Change(Act.MOVE, table=1, to=2), {2: (1, 2), 1: (3, 4)}, [5], ()),
    ],
)
def test_change_leaves_the_places_it_says(change, tables, alone, unplaced):
    assert shown(after(change)) == (tables, alone, unplaced)


LATE = places(Seating((1, 2), 1), Seating((3, 4), 3), bye(5), unplaced=(6, 7))


@pytest.mark.parametrize(
    ("change", "tables", "alone", "unplaced"),
    [
        (Change(Act.MAKE, (6, 5)), {1: (1, 2), 2: (6, 5), 3: (3, 4)}, [], (7,)),
        (Change(Act.MAKE, (6, 7), to=9), {1: (1, 2), 3: (3, 4), 9: (6, 7)}, [5], ()),
        (Change(Act.SWAP, (6, 1)), {1: (6, 2), 3: (3, 4)}, [5], (1, 7)),
        (Change(Act.BYE, (6,)), {1: (1, 2), 3: (3, 4)}, [6], (5, 7)),
    ],
)
def test_who_has_no_place_gets_one(change, tables, alone, unplaced):
    assert shown(after(change, LATE)) == (tables, alone, unplaced)


def test_bye_in_an_even_field_leaves_the_opponent_without_a_place():
    assert shown(after(Change(Act.BYE, (1,)), places(Seating((1, 2), 1)))) == ({}, [1], (2,))


def test_new_table_is_the_fixed_table_of_who_needs_it_while_it_is_free():
    field = RoundInput((*FIELD.contenders[:5], Contender(6, 0, fixed_table=8), Contender(7, 0, fixed_table=3)))
    assert after(Change(Act.MAKE, (6, 7)), LATE, field).table(8).seats == (6, 7)
    assert after(Change(Act.MAKE, (7, 5)), LATE, field).table(2).seats == (7, 5)


BEGUN = places(Seating((1, 2), 1, begun=True), Seating((3, 4), 2), Seating((6,), kind=Kind.NO_SHOW), bye(5))


@pytest.mark.parametrize(
    ("code", "draft", "change"),
    [
        ("unknown_table", TWO, Change(Act.BREAK, table=9)),
        ("unknown_table", TWO, Change(Act.LOCK)),
        ("unknown_table", TWO, Change(Act.MOVE, table=1, to=0)),
        ("unknown_table", TWO, Change(Act.MOVE, table=1, to=10_000)),
        ("unknown_entry", TWO, Change(Act.SWAP, (1, 99))),
        ("unknown_entry", TWO, Change(Act.SWAP, (1,))),
        ("unknown_entry", TWO, Change(Act.LOCK, (99,))),
        ("same_entry", TWO, Change(Act.SWAP, (1, 1))),
        ("same_place", TWO, Change(Act.UNLOCK, table=1)),
        ("same_place", TWO, Change(Act.MOVE, table=1, to=1)),
        ("same_place", LATE, Change(Act.SWAP, (6, 7))),
        ("not_free", TWO, Change(Act.MAKE, (1, 5))),
        ("not_free", BEGUN, Change(Act.SWAP, (3, 6))),
        ("which_bye", places(Seating((1, 2), 1), bye(3), bye(4)), Change(Act.BYE, (1,))),
        ("bye_already", TWO, Change(Act.BYE, (5,))),
        ("table_taken", LATE, Change(Act.MAKE, (6, 7), to=3)),
        ("nothing_to_pair", places(Seating((1, 2), 1, locked=True)), Change(Act.PAIR_REST)),
        ("has_begun", BEGUN, Change(Act.SWAP, (1, 3))),
        ("has_begun", BEGUN, Change(Act.SEATS, table=1)),
        ("has_begun", BEGUN, Change(Act.BREAK, table=1)),
        ("has_begun", BEGUN, Change(Act.BYE, (2,))),
        ("has_begun", BEGUN, Change(Act.MOVE, table=2, to=1)),
    ],
)
def test_what_the_places_do_not_allow_is_refused(code, draft, change):
    with pytest.raises(Refused) as caught:
        after(change, draft)
    assert caught.value.code == code


def test_who_left_the_event_is_not_placed_again():
    dropped = places(Seating((1, 2), 1), Seating((3, 4), 2), inactive=(1,))
    assert after(Change(Act.BREAK, table=1), dropped).unplaced == (2,)
    again = after(Change(Act.PAIR_REST, seed=3), dropped)
    assert sorted(again.ids) == [2, 3, 4]
    assert again.byes


def test_pairing_again_keeps_locked_and_begun_tables_byes_and_numbers():
    field = places(
        Seating((1, 2), 4, locked=True), Seating((3, 4), 1, begun=True), Seating((5, 6), 2), bye(7, locked=True),
        unplaced=(8,),
    )  # fmt: skip
    for seed in range(20):
        outcome = change_draft(field, Change(Act.PAIR_REST, seed=seed), FIELD)
        again = outcome.draft
        assert (again.table(4).seats, again.table(1).seats) == ((1, 2), (3, 4))
        assert 7 in again.byes
        assert {each.number for each in again.seatings} == {1, 2, 4, None}
        assert again.unplaced == ()
        assert set(outcome.given.locked) == {(1, 2), (3, 4)}


def test_awarded_bye_stays_and_costs_nothing():
    given = RoundInput((Contender(1, 0, (2,)), Contender(2, 0), Contender(3, 9, had_bye=True, awarded_bye=True)))
    round_ = places(Seating((1, 2), 1), bye(3))
    assert after(Change(Act.PAIR_REST, seed=1), places(bye(3), unplaced=(1, 2)), given).byes == (3,)
    cost = bill_of(round_, given).cost
    assert (cost.second_byes, cost.bye_score, cost.rematches) == (0, 0, 1)


def test_bill_counts_every_bye_and_everybody_without_a_place():
    given = RoundInput(tuple(Contender(each, each, had_bye=each > 2) for each in range(1, 6)))
    bill = bill_of(places(Seating((1, 2), 1), bye(3), bye(4), unplaced=(5,)), given)
    assert (bill.unplaced, bill.cost.second_byes, bill.cost.bye_score, bill.cost.sum_sq_diff) == (1, 2, 7, 1)


def test_best_leaves_locks_and_absent_people_aside():
    given = RoundInput((Contender(1, 3), Contender(2, 0), Contender(3, 3), Contender(4, 0), Contender(5, 0)))
    round_ = places(Seating((1, 2), 1, locked=True), Seating((3, 4), 2, begun=True), Seating((5,), kind=Kind.NO_SHOW))
    assert bill_of(round_, given).cost.sum_sq_diff == 18
    assert best_of(round_, given).cost.sum_sq_diff == 0
    assert best_of(round_, given).bye is None


def random_change(chance, draft):
    ids = sorted(draft.ids)
    numbers = [each.number for each in draft.seatings if each.number] or [1]
    entries = tuple(chance.choices(ids, k=chance.choice((1, 2, 2, 2))))
    table = chance.choice([None, *numbers])
    return Change(
        chance.choice(list(Act)), entries, table, chance.choice([None, chance.randint(1, 12)]), chance.getrandbits(16)
    )


def check(before, draft):
    """The invariants, by brute force: nobody twice, nobody lost, no number twice, tables of two, byes of one."""
    check_places(before, draft)
    for each in draft.seatings:
        assert (len(each.seats) == 2) == (each.number is not None) == (each.kind is Kind.PLAYED)


def check_places(before, draft):
    """Nobody twice, nobody lost, no number twice, and what has begun stays."""
    seats = Counter(seat for each in draft.seatings for seat in each.seats)
    assert all(times == 1 for times in seats.values())
    assert sorted([*seats, *draft.unplaced]) == sorted(before.ids - (draft.inactive - seats.keys()))
    assert not draft.inactive & set(draft.unplaced)
    numbers = [each.number for each in draft.seatings if each.number is not None]
    assert len(numbers) == len(set(numbers))
    for each in before.seatings:
        if each.begun:
            kept = draft.at(each.seats[0])
            assert (kept.seats, kept.number) == (each.seats, each.number)


def change_and_undo(start, given, chance, draw, check):
    """Thirty changes as `draw` draws them, some undone on the way and the others at last: then all is as it was."""
    now = start
    done = []
    for _turn in range(30):
        if done and chance.random() < 0.25:
            before, gone, come = done.pop()
            now = put_back(now, gone, come)
            assert (now.seatings, now.unplaced) == (before.seatings, before.unplaced)
            continue
        try:
            new = change_draft(now, draw(chance, now), given).draft
        except Refused:
            continue
        check(now, new)
        assert new.digest() != now.digest()
        done.append((now, *difference(now, new)))
        now = new
    for _before, gone, come in reversed(done):
        now = put_back(now, gone, come)
    assert (now.seatings, now.unplaced, now.digest()) == (start.seatings, start.unplaced, start.digest())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("run", range(60))
def test_any_sequence_of_changes_keeps_the_places_sound_and_is_undone_exactly(run, seed):
    chance = random.Random(f"{seed} {run}")
    size = chance.randint(1, 13)
    given = RoundInput(tuple(Contender(each, chance.randint(0, 4), (), chance.random() < 0.2) for each in range(size)))
    ids = chance.sample(range(size), size)
    tables = [
        Seating((ids[each], ids[each + 1]), each + 1, begun=chance.random() < 0.1) for each in range(0, size - 3, 2)
    ]
    rest = set(ids) - {seat for each in tables for seat in each.seats}
    inactive = frozenset(seat for each in tables for seat in each.seats if chance.random() < 0.05)
    start = RoundDraft((), tuple(rest), inactive).replaced((), tables)
    change_and_undo(start, given, chance, random_change, check)


def test_undoing_is_refused_once_a_table_has_begun_or_is_gone():
    new = after(Change(Act.SWAP, (1, 3)))
    gone, come = difference(TWO, new)
    begun = new.replaced([new.table(1)], [Seating(new.table(1).seats, 1, begun=True)])
    for draft, code in ((begun, "has_begun"), (TWO, "moved_on")):
        with pytest.raises(Refused) as caught:
            put_back(draft, gone, come)
        assert caught.value.code == code


def test_seating_is_read_back_as_it_was_written():
    seating = Seating((4, 2), 3, locked=True, reasons=({"code": "by_hand", "params": {}},))
    again = Seating.from_dict(seating.as_dict())
    assert (again, again.reasons) == (seating, seating.reasons)
