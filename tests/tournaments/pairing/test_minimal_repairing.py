"""Rounds repaired for other scores: never worse than the best, and the fewest tables changed among the best."""

import random
from dataclasses import replace

import pytest

from tests.tournaments.pairing.pair_checker import cost_of
from tournaments.pairing.manual import minimal_repairing
from tournaments.pairing.manual.minimal_repairing import repair_minimal
from tournaments.pairing.swiss.contenders import Apart, Contender, Finish, Order, PairingPolicy, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss

POLICIES = [
    PairingPolicy(order=order, clubs=clubs, finish=finish)
    for order in Order
    for clubs in (Apart.IGNORE, Apart.SOFT, Apart.HARD)
    for finish in Finish
]


def every_round(ids):
    """All ways to pair ids off, one of them alone with a bye where they are odd: ((pairs), bye)."""
    if not ids:
        yield (), None
        return
    first, rest = ids[0], ids[1:]
    for other in rest:
        for pairs, bye in every_round([each for each in rest if each != other]):
            yield ((first, other), *pairs), bye
    if len(ids) % 2:
        for pairs, _bye in every_round(rest):
            yield pairs, first


def random_field(chance, size, policy):
    """Contenders in the middle of an event that met some of each other."""
    met = {(one, other) for one in range(size) for other in range(one) if chance.random() < 0.25}
    return RoundInput(
        tuple(
            Contender(
                id=one + 1,
                score=chance.choice((0, 1, 3, 3, 4, 6)),
                opponents=tuple(other + 1 for other in range(size) if {(one, other), (other, one)} & met),
                had_bye=chance.random() < 0.3,
                club=chance.choice((None, "1", "2")),
                place=one + 1,
                downfloats=chance.randrange(3),
                upfloats=chance.randrange(3),
            )
            for one in range(size)
        ),
        policy,
        seed=chance.randrange(99),
    )


def corrected(chance, given):
    """The same field after a result between two of them was turned round."""
    one, other = chance.sample(given.contenders, 2)
    scores = {one.id: one.score + 3, other.id: max(0, other.score - 3)}
    return replace(
        given, contenders=tuple(replace(each, score=scores.get(each.id, each.score)) for each in given.contenders)
    )


def changed(repaired, pairs, bye):
    """How many places are not there yet."""
    tables = {frozenset(pair) for pair in repaired.pairs} - {frozenset(pair) for pair in pairs}
    return len(tables) + (repaired.bye not in (None, bye))


def least_changes(given, locked, pairs, bye):
    """(cost, fewest changed places) over every round there is that keeps the locked pairs."""
    seated = {each for pair in locked for each in pair}
    free = [each.id for each in given.contenders if each.id not in seated]
    unserved = [each.id for each in given.contenders if each.id in free and not each.had_bye]
    old = {frozenset(pair) for pair in pairs}
    found = []
    for each, alone in every_round(free):
        if alone is not None and unserved and alone not in unserved:
            continue
        fresh = len({frozenset(pair) for pair in each} - old) + (alone not in (None, bye))
        found.append((cost_of(given, [*locked, *each], alone), fresh))
    return min(found)


def check_least(seed, sizes):
    chance = random.Random(seed)
    before = random_field(chance, chance.choice(sizes), chance.choice(POLICIES))
    stands = pair_swiss(before)
    locked = tuple(pair for pair in stands.pairs if chance.random() < 0.15)
    after = replace(corrected(chance, before), locked=locked)
    repaired = repair_minimal(after, stands.pairs, stands.bye)
    assert repaired.bound == repaired.cost
    assert repaired.fewest
    fresh = changed(repaired, [pair for pair in stands.pairs if pair not in locked], stands.bye)
    assert (repaired.cost, fresh) == least_changes(after, locked, stands.pairs, stands.bye)
    return fresh


def test_repaired_round_is_best_with_the_fewest_changes():
    found = [check_least(seed, (4, 5, 6, 7, 8)) for seed in range(150)]
    assert {0, 2} < set(found)


@pytest.mark.long
def test_repaired_round_is_best_with_the_fewest_changes_often():
    for seed in range(3_000):
        check_least(1_000 + seed, (4, 5, 6, 7, 8, 9, 10))


def test_nothing_changes_while_the_round_is_as_good_as_any():
    given = random_field(random.Random(3), 8, PairingPolicy())
    stands = pair_swiss(given)
    assert changed(repair_minimal(replace(given, seed=1234), stands.pairs, stands.bye), stands.pairs, stands.bye) == 0


def test_who_left_is_left_out_and_the_one_opposite_seated_again():
    given = RoundInput(tuple(Contender(each, 3) for each in (1, 2, 3, 4, 5)))
    repaired = repair_minimal(given, [(1, 2), (4, 3), (5, 6)], None)
    assert (repaired.pairs, repaired.bye) == (((1, 2), (4, 3)), 5)


def test_awarded_byes_stay():
    given = RoundInput((Contender(1, 3), Contender(2, 3), Contender(3, 0, awarded_bye=True)))
    assert repair_minimal(given, [(1, 3)], 2).pairs == ((1, 2),)


@pytest.mark.parametrize("order", list(Order))
def test_large_field_is_repaired_in_parts_at_the_cost_of_the_best(order):
    chance = random.Random(7)
    field = RoundInput(
        tuple(
            Contender(each, chance.choice((0, 3, 3, 6, 6, 9, 12))) for each in range(1, minimal_repairing.WHOLE + 120)
        ),
        PairingPolicy(order=order),
    )
    stands = pair_swiss(field)
    locked = stands.pairs[5:8]
    for _time in range(5):
        after = replace(corrected(chance, field), locked=locked)
        repaired = repair_minimal(after, stands.pairs, stands.bye)
        assert repaired.cost == pair_swiss(after).cost == cost_of(after, [*locked, *repaired.pairs], repaired.bye)
        assert changed(repaired, stands.pairs, stands.bye) <= 8


def test_part_of_a_large_field_gives_as_few_changes_as_the_whole(monkeypatch):
    chance = random.Random(11)
    field = RoundInput(tuple(Contender(each, chance.choice((0, 3, 3, 6, 6, 9))) for each in range(1, 81)))
    stands = pair_swiss(field)
    for _time in range(10):
        after = corrected(chance, field)
        whole = repair_minimal(after, stands.pairs, stands.bye)
        with monkeypatch.context() as patch:
            patch.setattr(minimal_repairing, "WHOLE", 20)
            part = repair_minimal(after, stands.pairs, stands.bye)
        assert part.cost == whole.cost
        assert not part.fewest
        assert changed(part, stands.pairs, stands.bye) == changed(whole, stands.pairs, stands.bye)
