"""What a planned event comes to: against exact counts, against our own pairing, on the page, by command and API."""

import json
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from fractions import Fraction
from random import Random

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, event
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import text_of
from tournaments.forecast import planning
from tournaments.forecast.planning import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    Count,
    Plan,
    Record,
    Share,
    Sums,
    first_runs,
    play,
    simulate_plan,
)
from tournaments.forecast.plans import compare_plans, usual_plan
from tournaments.forecast.timetable import pace_of, usual_pace
from tournaments.pairing.swiss.contenders import Contender, PairingPolicy, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss


def share_of(found: Iterable[tuple[int, int]]) -> Share | None:
    """Among all with a record, the share that was in, from (in, all) of each run."""
    sums = Sums()
    for inside, whole in found:
        sums.add(inside, whole)
    return sums.share


def really_paired(plan: Plan, seed: int) -> list[Record]:
    """The records of an event paired as ours are: no rematch, byes once, at least cost; results by the same chances."""
    chance, ids = Random(seed), range(1, plan.players + 1)
    points, losses, draws, byes = Counter(), Counter(), Counter(), set()
    met = dict.fromkeys(ids, ())
    for round_ in range(plan.rounds):
        field = [Contender(each, points[each], met[each], each in byes) for each in ids]
        paired = pair_swiss(RoundInput(tuple(field), PairingPolicy(), seed * 100 + round_))
        if paired.bye:
            byes.add(paired.bye)
            points[paired.bye] += 3
        for one, other in paired.pairs:
            met[one], met[other] = (*met[one], other), (*met[other], one)
            if chance.random() < plan.draw_share:
                points.update({one: 1, other: 1})
                draws.update([one, other])
            else:
                winner, loser = (one, other) if chance.random() < 0.5 else (other, one)
                points[winner] += 3
                losses[loser] += 1
    buchholz = {each: sum(points[other] for other in met[each]) for each in ids}
    best_first = sorted(ids, key=lambda each: (points[each], buchholz[each], chance.random()), reverse=True)
    return [Record(losses[each], draws[each]) for each in best_first]


def test_without_draws_the_counts_are_exact():
    """Eight players, three rounds: one wins all, three lose once, three twice, one always."""
    for seed in range(20):
        ranked = play(Plan(8, 3, 2), Random(seed))
        assert Counter(record.losses for record in ranked) == {0: 1, 1: 3, 2: 3, 3: 1}
    found = simulate_plan(Plan(8, 3, 2), 500, 1)
    assert found.without_loss == Count(1.0, 1, 1)
    assert found.makes_cut[Record(1, 0)].value == float(Fraction(1, 3))
    assert found.makes_cut[Record(2, 0)].value == 0
    assert simulate_plan(Plan(8, 3, 4), 100, 1).makes_cut[Record(1, 0)].value == 1
    assert simulate_plan(Plan(8, 3), 50, 1).makes_cut == {}


@pytest.mark.parametrize("plan", [Plan(19, 5, 4, 0.1), Plan(32, 5, 8, 0.05)])
def test_real_pairings_give_the_same_counts(plan):
    runs = 60
    events = [really_paired(plan, seed) for seed in range(runs)]
    found = simulate_plan(plan, 2000, 1)
    unbeaten = [sum(record.losses == 0 for record in ranked) for ranked in events]
    assert sum(unbeaten) / runs == pytest.approx(found.without_loss.mean, abs=0.4)
    for record in (Record(1, 0), Record(1, 1), Record(2, 0)):
        really = share_of((Counter(each[: plan.cut])[record], Counter(each)[record]) for each in events)
        assert abs(really.value - found.makes_cut[record].value) <= 2 * really.error + found.makes_cut[record].error


def test_the_error_holds_nineteen_times_in_twenty():
    plan = Plan(24, 5, 8, 0.1)
    truth = simulate_plan(plan, 6000, 99).makes_cut[Record(1, 1)].value
    found = [simulate_plan(plan, 60, seed).makes_cut[Record(1, 1)] for seed in range(100)]
    assert sum(abs(each.value - truth) <= each.error for each in found) >= 86


def test_a_control_that_pairs_by_lot_alone_leaves_others_without_a_loss(monkeypatch):
    def by_lot(points, rested, chance):
        order = list(range(len(points)))
        chance.shuffle(order)
        return list(zip(order[::2], order[1::2], strict=True)), None

    monkeypatch.setattr(planning, "paired", by_lot)
    assert simulate_plan(Plan(8, 3, 2), 300, 1).without_loss != Count(1.0, 1, 1)


def test_the_same_seed_says_the_same_and_a_page_never_waits_for_many_runs():
    plan = Plan(33, 6, 8, 0.1)
    assert simulate_plan(plan, 30, 5) == simulate_plan(plan, 30, 5)
    assert simulate_plan(plan, 30, 5) != simulate_plan(plan, 30, 6)
    assert first_runs(Plan(2000, 20)) * 2000 * 20 <= 2_000_000
    assert first_runs(Plan(16, 5)) == 1000
    largest = Plan(MAX_PLAYERS, MAX_ROUNDS - 1, 128, 0.05)
    assert first_runs(largest) * MAX_PLAYERS * MAX_ROUNDS <= 2_000_000
    assert len(compare_plans(usual_pace(NOW, 50), largest, 50, 1)) == 4


@pytest.mark.django_db
def test_more_rounds_end_later_and_one_line_is_the_recommended():
    held = event(24, round_minutes=50)
    plan = usual_plan(held)
    assert (plan.players, plan.rounds, plan.cut) == (24, 5, 8)
    lines = compare_plans(pace_of(held), plan, 50, 1)
    assert [line.plan.rounds for line in lines] == [4, 5, 6]
    assert [line.is_recommended for line in lines] == [False, True, False]
    ends = [line.end.median for line in lines]
    assert ends == sorted(ends)
    assert held.starts_at + timedelta(hours=7) < ends[1] < held.starts_at + timedelta(hours=10)


@pytest.mark.django_db
def test_page_says_why_by_numbers_and_stores_nothing(django_assert_max_num_queries):
    held = event(24, round_minutes=50)
    held.hall_closes_at = held.starts_at + timedelta(hours=2)
    held.save()
    page = browser("olive")
    text = text_of(page.get(manage(held, "plan/")).content.decode())
    assert "5 rounds and a top 8 are recommended for 24 players" in text
    assert "after the hall closes" in text
    with django_assert_max_num_queries(40):
        asked = {"players": 200, "rounds": 7, "cut": 0, "draws": 0, "minutes": 0}
        text = text_of(page.get(manage(held, "plan/"), asked).content.decode())
    assert "7 rounds" in text
    for wrong in ({"players": "x"}, {"players": 8, "cut": 9}, {"rounds": 0}):
        text = text_of(page.get(manage(held, "plan/"), wrong).content.decode())
        assert "What it comes to" not in text
        assert "Simulate" in text


@pytest.mark.django_db
def test_api_and_command_say_what_the_simulation_finds(capsys):
    held = event(24, round_minutes=50)
    address, asked = f"/api/v1/events/{held.slug}/plan/", {"players": 16, "rounds": 4, "cut": 4, "draws": 0, "seed": 3}
    told = caller("olive").get(address, asked).json()
    found = simulate_plan(Plan(16, 4, 4), first_runs(Plan(16, 4, 4)), 3)
    assert told["without_loss"] == {"mean": 1.0, "low": 1, "high": 1}
    assert [each["share"] for each in told["makes_cut"]] == [share.value for share in found.makes_cut.values()]
    assert told["end"]["low"] < told["end"]["high"]
    assert caller("olive").get(address).json()["is_recommended"] is True
    assert caller("olive").get(address, {"players": 1}).status_code == 400
    call_command("plan_event", players=16, rounds=4, cut=4, draws=0, runs=told["runs"], seed=3, json=True)
    assert json.loads(capsys.readouterr().out)["makes_cut"] == told["makes_cut"]
    call_command("plan_event", players=24, runs=50)
    assert "24 players, 5 rounds, cut 8; 50 runs" in capsys.readouterr().out
    with pytest.raises(CommandError, match="players"):
        call_command("plan_event", players=2)
