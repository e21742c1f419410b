"""Longer simulations of a plan: by chunks on workers, on the page and over the API; stopped, failed, replaced, gone."""

from collections import Counter
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from journal.ledger.selectors import head_of
from journal.models import OutboxMessage
from rules_engine.errors import Conflict, NotFound
from tests.tournaments.api.callers import caller
from tests.tournaments.factories import NOW, event
from tests.tournaments.forecast.test_planning import share_of
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tests.tournaments.web.visitors import text_of
from tournaments import tasks
from tournaments.forecast import plan_runs
from tournaments.forecast.plan_runs import CHUNKS, ask_plan_run, plan_run_state, run_for, stop_plan_run
from tournaments.forecast.planning import Counts, Plan, Record, count_runs, outcome_of, simulate_plan

pytestmark = pytest.mark.django_db
PLAN = Plan(24, 5, 8, 0.05)
ASKED = {"players": 24, "rounds": 5, "cut": 8, "draws": 5, "minutes": 50}


@pytest.fixture
def held(monkeypatch):
    monkeypatch.setattr(plan_runs, "MOST_A_CHUNK", 20)
    return event(24, round_minutes=50)


def work(run_id, chunks=range(CHUNKS)):
    """What workers do with the messages of a run."""
    for number in chunks:
        tasks.simulate_plan(run_id, number)


def start(held):
    """Asked for on the page; its id."""
    browser("olive").post(manage(held, "plan/start/"), ASKED)
    return str(run_for(held, PLAN, 50).run.pk)


def page_of(held, **asked):
    response = browser("olive").get(manage(held, "plan/"), ASKED | asked)
    return response, response.content.decode(), text_of(response.content.decode())


def test_chunks_together_are_what_all_their_runs_show():
    whole, found = Counts(), []
    for seed in ("a", "b", "c"):
        part = count_runs(PLAN, 30, seed)
        whole.add(part)
        found.append(simulate_plan(PLAN, 30, seed))
    assert whole.runs == 90
    assert outcome_of(PLAN, whole).without_loss.mean == pytest.approx(sum(each.without_loss.mean for each in found) / 3)
    pairs = [(1, 2), (0, 3), (2, 2), (1, 4)]
    inside, total = 4, 11
    spread = sum((one - inside / total * many) ** 2 for one, many in pairs)
    assert share_of(pairs).error == pytest.approx(1.96 * spread**0.5 / total)


def test_a_run_is_a_message_for_each_chunk_and_says_how_far_it_is(held):
    before = head_of(held.stream)
    run = ask_plan_run(held, PLAN, 50, 3, NOW)
    messages = OutboxMessage.objects.filter(task=plan_runs.TASK, stream=held.stream)
    assert sorted(message.args[1] for message in messages) == list(range(CHUNKS))
    assert plan_run_state(held, run.id).state == "waiting"
    work(run.id, range(5))
    work(run.id, range(5))
    state = plan_run_state(held, run.id)
    assert (state.state, state.percent, state.outcomes[0].runs) == ("running", 25, 100)
    first = state.outcomes
    work(run.id)
    state = plan_run_state(held, run.id)
    assert (state.state, state.percent) == ("done", 100)
    assert [found.plan for found in state.outcomes] == plan_runs.plans_of(run)
    assert all(found.runs == 20 * CHUNKS for found in state.outcomes)
    assert state.outcomes[1].makes_cut[Record(1, 0)].error < first[1].makes_cut[Record(1, 0)].error
    assert head_of(held.stream) == before
    with pytest.raises(Conflict, match="ended already"):
        stop_plan_run(held, run.id, NOW)


def test_stopped_and_replaced_runs_play_no_more(held):
    run = ask_plan_run(held, PLAN, 50, 3, NOW)
    work(run.id, range(2))
    stop_plan_run(held, run.id, NOW)
    work(run.id)
    state = plan_run_state(held, run.id)
    assert (state.state, state.done, state.outcomes[0].runs) == ("stopped", 2, 40)
    first = ask_plan_run(held, PLAN, 50, 3, NOW)
    second = ask_plan_run(held, PLAN, 45, 3, NOW)
    work(first.id)
    with pytest.raises(NotFound, match="isn't kept any more"):
        plan_run_state(held, first.id)
    assert run_for(held, PLAN, 50) is None
    assert run_for(held, PLAN, 45).run == second
    with pytest.raises(NotFound):
        plan_run_state(event(4), second.id)


def test_page_answers_at_once_and_then_shows_progress_and_result(held):
    _response, html, text = page_of(held)
    assert "the first answer" in text
    assert "<progress" not in html
    run_id = start(held)
    response, html, text = page_of(held)
    assert response["Refresh"] == "3"
    assert "waiting for a worker" in text
    assert '<progress max="100" value="0"' in html
    work(run_id, range(8))
    response, html, text = page_of(held, still="")
    assert "Refresh" not in response
    assert '<progress max="100" value="40"' in html
    assert "simulated so far" in text
    assert "From up to 160 simulated events" in text
    work(run_id)
    response, html, text = page_of(held)
    assert "Refresh" not in response
    assert "From up to 400 simulated events" in text
    assert "Simulate longer" not in text


def test_page_says_plainly_what_was_stopped_or_failed(held):
    run_id = start(held)
    work(run_id, range(1))
    OutboxMessage.objects.filter(args__0=run_id, args__1=5).update(parked_at=NOW)
    _response, _html, text = page_of(held)
    assert "A part of it failed." in text
    assert "Simulate longer" in text
    run_id = start(held)
    browser("olive").post(manage(held, "plan/stop/"), {"query": "players=24"})
    _response, _html, text = page_of(held)
    assert "Stopped" in text
    refused = browser("olive").post(manage(held, "plan/stop/"), {"query": ""}, follow=True)
    assert "has ended already" in text_of(refused.content.decode())
    browser("olive").post(manage(held, "plan/start/"), ASKED | {"rounds": "many"})
    assert str(run_for(held, PLAN, 50).run.pk) == run_id
    assert browser("mallory").post(manage(held, "plan/start/"), ASKED).status_code == 403


def test_api_starts_follows_and_stops_a_run(held):
    olive, address = caller("olive"), f"/api/v1/events/{held.slug}/plan/runs/"
    answer = olive.post(address, {"players": 24, "seed": 3}, content_type="application/json")
    assert answer.status_code == 202
    told = answer.json()
    assert (told["state"], told["chunks"], told["done"], told["plans"]) == ("waiting", CHUNKS, 0, [])
    work(told["id"], range(1))
    told = olive.get(f"{address}{told['id']}/").json()
    assert (told["state"], told["done"]) == ("running", 1)
    assert Counter(each["rounds"] for each in told["plans"]) == {4: 1, 5: 1, 6: 1}
    assert olive.post(f"{address}{told['id']}/stop/").json()["state"] == "stopped"
    assert olive.post(f"{address}{told['id']}/stop/").json()["code"] == "run_over"
    assert olive.get(f"{address}{uuid4()}/").status_code == 404
    assert caller("mallory").post(address).status_code in (403, 404)


def test_page_before_there_is_an_event_says_hours(client):
    page = browser("olive")
    assert "/new/plan/" in page.get("/new/").content.decode()
    text = text_of(page.get("/new/plan/", {"players": 24, "rounds": 5, "cut": 8}).content.decode())
    assert "5 rounds and a top 8 are recommended for 24 players" in text
    assert "hours." in text
    assert "Hours until the end" in text
    wrong = text_of(page.get("/new/plan/", {"players": 2}).content.decode())
    assert "What it comes to" not in wrong
    assert client.get("/new/plan/").status_code == 302


def test_queries_do_not_grow_with_the_players():
    counts = []
    for players in (4, 64):
        held, page = event(players, round_minutes=50), browser("olive")
        ask_plan_run(held, Plan(players, 3), 50, 1, NOW)
        with CaptureQueriesContext(connection) as queries:
            page.get(manage(held, "plan/"), ASKED | {"players": players, "rounds": 3, "cut": 0, "draws": 0})
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 40
