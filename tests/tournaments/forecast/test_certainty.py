"""What points make certain, against trying everything out."""

import random
from itertools import combinations

import pytest

from scoring.standings.records import Outcome
from tests.tournaments.forecast.oracle import Verdicts, by_counts, by_pairings
from tournaments.forecast.certainty import compute_prospects
from tournaments.forecast.stage_state import Runner, Situation, Stakes, Verdict

STAKES = (Stakes(), Stakes(2, 1, 0, 2), Stakes(3, 1, 0, 0), Stakes(1, 0, 0, 1), Stakes(4, 3, 1, 2), Stakes(2, 1, 0, 1))
LATE = (frozenset(), frozenset())
ONE = (frozenset(),)


def told(situation: Situation) -> Verdicts:
    """What is certain, in the oracle's form."""
    return {id: (each.now, each.after) for id, each in compute_prospects(situation).items()}


def agree(situation: Situation, expected: Verdicts) -> None:
    """The same verdicts for everybody, but after results that nobody can have any more."""
    found = told(situation)
    assert expected.keys() <= found.keys()
    for id, (now, after) in ((id, found[id]) for id in expected):
        assert now is expected[id][0], (situation, id)
        for outcome in after.keys() & expected[id][1]:
            assert after[outcome] is expected[id][1][outcome], (situation, id, outcome)


def field(chance: random.Random, count: int, most: int = 5, *, whole: bool = False) -> tuple[Runner, ...]:
    """Somebody with some points each; now and then somebody who dropped out or takes no place."""
    points = [chance.choice([3 * chance.randrange(most), chance.randrange(3 * most)]) for _each in range(count)]
    left = {place for place in range(count) if not whole and chance.random() < 0.1}
    return tuple(
        Runner(place, each, place not in left, place not in left or chance.random() < 0.5)
        for place, each in enumerate(points)
    )


def paired(chance: random.Random, runners: tuple[Runner, ...]) -> tuple[tuple[int, ...], ...]:
    """Known matches of some of them, one each."""
    ids = [each.id for each in runners]
    chance.shuffle(ids)
    count = chance.randrange(len(ids) // 2 + 1)
    return tuple((ids[2 * each], ids[2 * each + 1]) for each in range(count))


def some(chance: random.Random, situation: Situation) -> list[int]:
    """Some of those who take a place."""
    ids = [each.id for each in situation.runners if each.takes_place]
    return chance.sample(ids, min(3, len(ids)))


def situations(chance: random.Random, count: int, rounds: int, *, known: bool) -> Situation:
    """A field in the middle of something."""
    runners = field(chance, count)
    return Situation(
        runners,
        chance.randrange(1, count),
        chance.choice(STAKES),
        paired(chance, runners) if known else (),
        tuple(frozenset() for _round in range(rounds)),
    )


@pytest.mark.parametrize(("rounds", "known", "most", "cases"), [(0, True, 8, 60), (1, True, 6, 60), (2, False, 6, 40)])
def test_certainty_is_what_every_pairing_and_result_gives(rounds, known, most, cases, seed):
    chance = random.Random(seed)
    for _case in range(cases):
        situation = situations(chance, chance.randrange(2, most + 1), rounds, known=known)
        agree(situation, by_pairings(situation))


@pytest.mark.long
@pytest.mark.parametrize(("count", "cases"), [(7, 12), (8, 12)])
def test_certainty_of_eight_players_two_rounds_from_the_end(count, cases, seed):
    chance = random.Random(seed)
    for _case in range(cases):
        situation = situations(chance, count, 2, known=False)
        agree(situation, by_pairings(situation))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rounds", "known", "counts", "cases"), [
    (1, True, (14, 15, 16), 3), (2, False, (8, 9, 10), 1), (2, True, (5, 6), 1),
    pytest.param(2, False, (13, 14, 15, 16), 12, marks=pytest.mark.long),
    pytest.param(2, True, (8, 9, 10), 8, marks=pytest.mark.long),
])  # fmt: skip
def test_certainty_of_sixteen_players_is_what_every_distribution_gives(rounds, known, counts, cases, seed):
    chance = random.Random(seed)
    for count in counts:
        for _case in range(cases):
            situation = situations(chance, count, rounds, known=known)
            agree(situation, by_counts(situation, some(chance, situation)))


@pytest.mark.full
def test_the_two_exhaustive_answers_agree(seed):
    chance = random.Random(seed)
    for _case in range(12):
        situation = situations(chance, chance.randrange(3, 7), chance.randrange(3), known=chance.random() < 0.5)
        mine = by_pairings(situation)
        other = by_counts(situation, mine)
        assert {id: now for id, (now, _after) in mine.items()} == {id: now for id, (now, _after) in other.items()}


def robin(chance: random.Random, count: int, left: int) -> Situation:
    """A round robin before its last rounds: every match is known."""
    rounds = []
    ring = list(range(count))
    for _round in range(count - 1):
        rounds.append([(ring[place], ring[-1 - place]) for place in range(count // 2)])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    matches = tuple(pair for each in rounds[-left:] for pair in each)
    return Situation(field(chance, count, left + 2), chance.randrange(1, count), chance.choice(STAKES), matches)


@pytest.mark.parametrize(("count", "cases"), [(4, 10), (6, 10), (8, 6), (10, 2)])
def test_certainty_two_rounds_before_a_round_robin_ends(count, cases, seed):
    chance = random.Random(seed)
    for _case in range(cases):
        situation = robin(chance, count, 2)
        agree(situation, by_pairings(situation))


@pytest.mark.long
def test_certainty_of_sixteen_players_two_rounds_before_a_round_robin_ends(seed):
    situation = robin(random.Random(seed), 16, 2)
    agree(situation, by_pairings(situation))


def test_awarded_byes_are_counted(seed):
    chance = random.Random(seed)
    for _case in range(30):
        runners = field(chance, chance.randrange(4, 7), whole=True)
        awarded = frozenset(chance.sample([each.id for each in runners], 2))
        situation = Situation(runners, chance.randrange(1, 4), chance.choice(STAKES), (), (awarded,))
        agree(situation, by_pairings(situation))


@pytest.mark.parametrize("shape", ["three_rounds", "awarded_in_two", "tangled"])
def test_nothing_is_called_certain_wrongly_where_the_answer_may_be_late(shape, seed, monkeypatch):
    chance = random.Random(seed)
    monkeypatch.setattr("tournaments.forecast.certainty.MAX_STATES", 2)
    for _case in range(12):
        runners = field(chance, 4, whole=True)
        matches = tuple(combinations(range(4), 2)) if shape == "tangled" else ()
        awarded = frozenset({chance.randrange(4)}) if shape == "awarded_in_two" else frozenset()
        rounds = {"three_rounds": (*LATE, frozenset()), "awarded_in_two": (awarded, frozenset()), "tangled": ()}[shape]
        situation = Situation(runners, chance.randrange(1, 4), chance.choice(STAKES[:3]), matches, rounds)
        expected = by_pairings(situation)
        for id, (now, after) in told(situation).items():
            assert now in (Verdict.OPEN, expected[id][0])
            possible = after.keys() & expected[id][1]
            assert all(after[outcome] in (Verdict.OPEN, expected[id][1][outcome]) for outcome in possible)


def test_draw_is_enough_in_the_last_round():
    runners = tuple(Runner(id, points) for id, points in enumerate([12, 10, 10, 9, 9, 6]))
    situation = Situation(runners, 4, matches=((0, 1), (2, 3), (4, 5)))
    found = compute_prospects(situation)
    assert found[0].now is Verdict.IN
    assert found[1].now is Verdict.OPEN
    assert found[1].after[Outcome.DRAW] is Verdict.IN
    assert found[3].after == {Outcome.WIN: Verdict.IN, Outcome.DRAW: Verdict.OPEN, Outcome.LOSS: Verdict.OPEN}
    assert found[5].now is Verdict.OPEN


def test_tie_on_the_line_is_never_certain():
    runners = (Runner(1, 9), Runner(2, 6), Runner(3, 6), Runner(4, 0))
    found = compute_prospects(Situation(runners, 2))
    assert [found[id].now for id in (1, 2, 3, 4)] == [Verdict.IN, Verdict.OPEN, Verdict.OPEN, Verdict.OUT]
    assert found[2].after == {}


def test_nothing_is_said_of_tables_of_several_or_where_losing_pays():
    runners = tuple(Runner(id, 0) for id in range(4))
    assert compute_prospects(Situation(runners, 1, matches=((0, 1, 2, 3),))) == {}
    assert compute_prospects(Situation(runners, 1, Stakes(1, 2, 0, 1), rounds=ONE)) == {}


def test_points_to_reach_are_certain_by_oneself():
    runners = (Runner(1, 9), Runner(2, 8), Runner(3, 6), Runner(4, 5))
    found = compute_prospects(Situation(runners, 0, matches=((1, 2), (3, 4)), goal=9))
    assert [found[id].now for id in (1, 2, 3, 4)] == [Verdict.IN, Verdict.OPEN, Verdict.OPEN, Verdict.OUT]
    assert found[2].after[Outcome.DRAW] is Verdict.IN
    assert found[3].after == {Outcome.WIN: Verdict.IN, Outcome.DRAW: Verdict.OUT, Outcome.LOSS: Verdict.OUT}


def test_winners_of_one_round_do_not_pay_for_those_of_another():
    """Summed over both rounds the results would balance, and both others pass; round by round they cannot."""
    runners = (Runner(0, 1), Runner(1, 0), Runner(2, 0))
    found = compute_prospects(Situation(runners, 2, rounds=LATE))
    assert found[0].after[Outcome.WIN] is Verdict.IN
