"""Places at tables of several changed by hand: what each change leaves, what is refused, what no sequence may break."""

import random
from functools import partial

import pytest

from tests.tournaments.pairing.test_manual_pairing import bye, change_and_undo, check_places, places, shown
from tournaments.pairing.manual.changes import best_of, bill_of, change_draft
from tournaments.pairing.manual.round_draft import Act, Change, Kind, Refused, RoundDraft, Seating
from tournaments.pairing.pods.contenders import Remainder, TableContender, TableInput, TablePolicy
from tournaments.pairing.pods.pods import seat_tables
from tournaments.pairing.swiss.contenders import Contender, RoundInput

POLICY = TablePolicy(4, 3, 4)
FIELD = TableInput(tuple(TableContender(each, each % 3) for each in range(1, 13)), POLICY)
ROUND = places(Seating((1, 2, 3, 4), 1), Seating((5, 6, 7), 2), Seating((8, 9), 3), bye(10), unplaced=(11,))


def after(change, draft=ROUND, given=FIELD):
    return change_draft(draft, change, given).draft


@pytest.mark.parametrize(
    ("change", "tables", "alone", "unplaced"),
    [
        (Change(Act.SWAP, (1, 7)), {1: (7, 2, 3, 4), 2: (5, 6, 1)}, [10], (11,)),
        (Change(Act.SWAP, (1, 3)), {1: (3, 2, 1, 4)}, [10], (11,)),
        (Change(Act.SWAP, (2, 10)), {1: (1, 10, 3, 4)}, [2], (11,)),
        (Change(Act.SWAP, (2, 11)), {1: (1, 11, 3, 4)}, [10], (2,)),
        (Change(Act.SEAT, (1,), 2), {1: (2, 3, 4), 2: (5, 6, 7, 1)}, [10], (11,)),
        (Change(Act.SEAT, (11,), 3), {3: (8, 9, 11)}, [10], ()),
        (Change(Act.SEAT, (10,), 3), {3: (8, 9, 10)}, [], (11,)),
        (Change(Act.SEAT, (8,), 2), {2: (5, 6, 7, 8), 3: None}, [10], (9, 11)),
        (Change(Act.UNSEAT, (2,)), {1: (1, 3, 4)}, [10], (2, 11)),
        (Change(Act.UNSEAT, (8,)), {3: None}, [10], (8, 9, 11)),
        (Change(Act.UNSEAT, (10,)), {}, [], (10, 11)),
        (Change(Act.BYE, (2,)), {1: (1, 3, 4)}, [2, 10], (11,)),
        (Change(Act.BYE, (11,)), {}, [10, 11], ()),
        (Change(Act.MAKE, (10, 11)), {4: (10, 11)}, [], ()),
        (Change(Act.SEATS, table=1), {1: (2, 3, 4, 1)}, [10], (11,)),
        (Change(Act.BREAK, table=2), {2: None}, [10], (5, 6, 7, 11)),
        (Change(Act.MOVE, table=1, to=2), {1: (5, 6, 7), 2: (1, 2, 3, 4)}, [10], (11,)),
    ],
)
def test_change_leaves_the_places_it_says(change, tables, alone, unplaced):
    stay = {each.number: each.seats for each in ROUND.seatings if each.number}
    expected = {number: seats for number, seats in {**stay, **tables}.items() if seats}
    assert shown(after(change)) == (expected, alone, unplaced)


def test_who_is_taken_off_has_a_bye_where_players_are_left_over_for_byes():
    given = TableInput(FIELD.contenders, TablePolicy(4, 3, 4, Remainder.BYES))
    assert shown(after(Change(Act.UNSEAT, (2,)), given=given))[1:] == ([2, 10], (11,))
    assert shown(after(Change(Act.UNSEAT, (10,)), given=given))[1:] == ([], (10, 11))
    left = places(Seating((1, 2, 3, 4), 1), inactive=(2,))
    assert shown(after(Change(Act.UNSEAT, (2,)), left, given)) == ({1: (1, 3, 4)}, [], ())


BEGUN = places(
    Seating((1, 2, 3, 4), 1, begun=True), Seating((5, 6, 7), 2, begun=True), Seating((8, 9), 3), unplaced=(11,)
)


@pytest.mark.parametrize(
    ("code", "draft", "change"),
    [
        ("table_full", ROUND, Change(Act.SEAT, (11,), 1)),
        ("table_full", ROUND, Change(Act.SEAT, (5,), 1)),
        ("same_place", ROUND, Change(Act.SEAT, (5,), 2)),
        ("same_place", ROUND, Change(Act.UNSEAT, (11,))),
        ("unknown_table", ROUND, Change(Act.SEAT, (11,), 9)),
        ("unknown_table", ROUND, Change(Act.SEAT, (11,))),
        ("unknown_entry", ROUND, Change(Act.SEAT, (99,), 2)),
        ("unknown_entry", ROUND, Change(Act.SEAT, (), 2)),
        ("unknown_entry", ROUND, Change(Act.UNSEAT, (1, 2))),
        ("not_free", ROUND, Change(Act.MAKE, (1, 11))),
        ("bye_already", ROUND, Change(Act.BYE, (10,))),
        ("not_swiss", ROUND, Change(Act.REPAIR_MINIMAL)),
        ("too_few_entries", places(*BEGUN.seatings), Change(Act.PAIR_REST)),
        ("has_begun", BEGUN, Change(Act.SEAT, (11,), 2)),
        ("has_begun", BEGUN, Change(Act.SEAT, (1,), 3)),
        ("has_begun", BEGUN, Change(Act.UNSEAT, (1,))),
        ("has_begun", BEGUN, Change(Act.SWAP, (1, 8))),
        ("has_begun", BEGUN, Change(Act.SEATS, table=1)),
    ],
)
def test_what_the_places_do_not_allow_is_refused(code, draft, change):
    with pytest.raises(Refused) as caught:
        after(change, draft)
    assert caught.value.code == code


def test_no_table_of_two_has_room():
    pairs = RoundInput(tuple(Contender(each, 0) for each in range(1, 6)))
    with pytest.raises(Refused) as caught:
        after(Change(Act.SEAT, (5,), 1), places(Seating((1, 2), 1), unplaced=(5,)), pairs)
    assert caught.value.code == "table_full"


def test_pairing_again_keeps_locked_and_begun_tables_and_is_the_seating_of_the_rest():
    round_ = places(
        Seating((1, 2, 3, 4), 7, locked=True), Seating((5, 6, 7), 1, begun=True), Seating((8, 9), 2),
        bye(10, locked=True), unplaced=(11, 12),
    )  # fmt: skip
    for seed in range(10):
        outcome = change_draft(round_, Change(Act.PAIR_REST, seed=seed), FIELD)
        again = outcome.draft
        assert (again.table(7).seats, again.table(1).seats, again.byes) == ((1, 2, 3, 4), (5, 6, 7), (10,))
        assert sorted(again.table(2).seats) == [8, 9, 11, 12]
        assert again.unplaced == ()
        assert set(outcome.given.locked) == {(1, 2, 3, 4), (5, 6, 7)}
        assert seat_tables(TableInput.from_dict(outcome.given.as_dict())).tables == outcome.paired.tables


def test_pairing_again_gives_needed_tables():
    field = TableInput(
        tuple(TableContender(each, fixed_table=5 if each == 3 else None) for each in range(1, 9)), POLICY
    )
    again = after(Change(Act.PAIR_REST, seed=2), places(unplaced=range(1, 9)), field)
    assert 3 in again.table(5).seats
    assert sorted(each.number for each in again.seatings) == [1, 5]


def test_bill_counts_sizes_repeats_and_who_has_no_place():
    met = TableInput(
        tuple(TableContender(each, opponents=(2,) if each == 1 else (1,) if each == 2 else ()) for each in range(1, 9)),
        POLICY,
    )
    best = best_of(places(unplaced=range(1, 9)), met)
    assert (best.cost.repeats, best.cost.wrong_sizes, best.proved) == (0, 0, True)
    bill = bill_of(places(Seating((1, 2, 3), 1), Seating((4, 5, 6, 7), 2), unplaced=(8,)), met)
    assert (bill.unplaced, bill.cost.repeats, bill.cost.wrong_sizes) == (1, 1, 1)
    assert bill_of(places(Seating((1, 3, 4, 5), 1), Seating((2, 6, 7, 8), 2)), met).cost.wrong_sizes == 0


def test_who_left_without_a_place_asks_for_no_table():
    """The field a round was paired from names those who left since; tables are sized for those who are here."""
    eight = places(Seating((1, 2, 3, 4), 1), Seating((5, 6, 7, 8), 2))
    assert bill_of(eight, FIELD).cost.wrong_sizes == 0


def random_change(chance, draft):
    ids = sorted(draft.ids)
    numbers = [each.number for each in draft.seatings if each.number] or [1]
    act = chance.choice(list(Act))
    pair = act in (Act.SWAP, Act.MAKE)
    entries = tuple(chance.sample(ids, min(len(ids), 2 if pair else 1)))
    table = chance.choice([None, *numbers, *numbers])
    return Change(act, entries, table, chance.choice([None, chance.randint(1, 9)]), chance.getrandbits(16))


def check(before, draft, most):
    """The invariants, by brute force: nobody twice, nobody lost, no number twice, no table too large, none of one."""
    check_places(before, draft)
    for each in draft.seatings:
        assert (len(each.seats) >= 2) == (each.number is not None) == (each.kind is Kind.PLAYED)
        assert len(each.seats) <= most


@pytest.mark.sampled(4)
@pytest.mark.parametrize("run", range(40))
def test_any_sequence_of_changes_keeps_the_places_sound_and_is_undone_exactly(run, seed):
    chance = random.Random(f"{seed} {run}")
    size, most = chance.randint(2, 12), chance.choice((4, 5))
    policy = TablePolicy(4, chance.choice((2, 3)), most, chance.choice(list(Remainder)))
    given = TableInput(
        tuple(TableContender(each, chance.randint(0, 4), byes=int(chance.random() < 0.2)) for each in range(size)),
        policy,
    )
    ids = chance.sample(range(size), size)
    tables = [
        Seating(tuple(ids[each : each + 4]), each // 4 + 1, begun=chance.random() < 0.1)
        for each in range(0, size - 3, 4)
    ]
    seated = {seat for each in tables for seat in each.seats}
    inactive = frozenset(seat for seat in sorted(seated) if chance.random() < 0.05)
    start = RoundDraft((), tuple(set(ids) - seated), inactive).replaced((), tables)
    change_and_undo(start, given, chance, random_change, partial(check, most=most))
