"""What players need: from the real event, every course where they are few, chance on workers elsewhere."""

import os
import random
import signal
from collections.abc import Iterator
from threading import Event

import pytest
from django.core.cache import cache
from redis import Redis

from config.celery import app
from journal.models import LedgerEntry, OutboxMessage
from journal.outbox.relay import relay_batch
from rules_engine.errors import Conflict, DomainError
from scoring.standings.records import Outcome
from tests.decks.test_rechecks import deliver_twice, wait_until, worker_processes
from tests.races import race
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, entry, next_round, report_all, running, score
from tournaments import tasks
from tournaments.core.forecast_renewal import RENEW
from tournaments.core.rounds import matches_of
from tournaments.entries.services.attendance import drop_entry
from tournaments.forecast import services as services
from tournaments.forecast.inputs import OutlookGiven
from tournaments.forecast.playouts import Playouts, standard_error, usual_scores
from tournaments.forecast.selectors import RunState, compute_outlook, newest_run, outlook_given, outlook_of
from tournaments.forecast.services import ask_outlook, cancel_outlook, keep_chunk, show_outlook
from tournaments.forecast.stage_state import Verdict
from tournaments.models import AwardedBye, Entry, OutlookChunk, OutlookRun, Tournament
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import pair_next_round
from tournaments.standings.selectors.standings import compute_standings_of
from tournaments.structure.services.stage_drafts import StageDraft, stage_drafts_of
from tournaments.structure.services.stages import set_stages

pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulations of a few courses."""
    monkeypatch.setattr(services, "CHUNKS", 4)
    monkeypatch.setattr(services, "SAMPLES", 30)


def with_cut(tournament: Tournament, **changes: object) -> Tournament:
    """The event with a cut to the best after what it has."""
    cut = StageDraft(**{"kind": "single", "qualify": "top", "qualify_value": 2, **changes})
    set_stages(account("olive"), tournament, [*stage_drafts_of(tournament), cut], NOW)
    return Tournament.objects.get(pk=tournament.pk)


def work() -> None:
    """Do in this process what the outbox asks for."""
    for message in OutboxMessage.objects.filter(task=services.TASK, delivered_at=None):
        tasks.simulate_outlook(*message.args)


def ask(tournament: Tournament, seed: int = 7) -> OutlookRun:
    return ask_outlook(account("olive"), tournament, NOW, seed)


def state(tournament: Tournament) -> RunState:
    found = outlook_given(tournament)
    run = newest_run(tournament, found[0] if found else None)
    assert run is not None
    return run


def test_outlook_of_the_last_round_counts_every_course():
    tournament = with_cut(running(4, swiss_rounds=2))
    report_all(next_round(tournament))
    next_round(tournament, seed=2)
    found = compute_outlook(tournament)
    assert (found.open_matches, found.unpaired_rounds, found.given.places) == (2, 0, 2)
    assert found.tallies is not None
    winners = [line.contender for line in found.standings if line.match_points == 3]
    assert found.after(winners[0])[Outcome.WIN] is Verdict.IN
    assert sum(found.tallies[each].share()[2] for each in winners) > 0
    assert {found.tallies[each.contender].share()[2] for each in found.standings} == {
        found.tallies[winners[0]].share()[2]
    }


def test_certainty_with_tiebreakers_holds_in_every_course_played_for_real():
    tournament = with_cut(running(6, swiss_rounds=2), qualify_value=3)
    report_all(next_round(tournament), 2, 1)
    round_ = next_round(tournament, seed=2)
    report_result(account("olive"), matches_of(round_)[0], score(2, 0), NOW)
    found = compute_outlook(tournament)
    chance = random.Random(1)
    scores = [(won, lost) for _outcome, won, lost, _drawn in usual_scores(found.given.length)]
    for match in matches_of(round_)[1:]:
        report_result(account("olive"), match, score(*chance.choice(scores)), NOW)
    ranks = {line.contender: line.rank for line in compute_standings_of(tournament)}
    for id, rank in ranks.items():
        assert found.verdict(id) is not (Verdict.OUT if rank <= 3 else Verdict.IN)
    assert Verdict.IN in {found.verdict(id) for id in ranks}


def test_secret_pairings_do_not_show():
    tournament = running(8, swiss_rounds=3)
    report_all(next_round(tournament))
    before = compute_outlook(tournament)
    pair_next_round(account("olive"), tournament, NOW, seed=5)
    after = compute_outlook(tournament)
    assert (before.given, before.prospects) == (after.given, after.prospects)
    assert (after.open_matches, after.unpaired_rounds) == (0, 2)


def test_outlook_needs_a_running_stage_of_points():
    assert compute_outlook(running(4)) is None
    tournament = with_cut(running(4, swiss_rounds=1), qualify="everybody", qualify_value=None)
    next_round(tournament)
    assert compute_outlook(tournament) is None


def test_cut_by_points_is_told_by_points():
    tournament = with_cut(running(4, swiss_rounds=2), kind="swiss", qualify="points", qualify_value=3)
    report_all(next_round(tournament))
    next_round(tournament, seed=2)
    found = compute_outlook(tournament)
    by_points = {line.match_points: found.verdict(line.contender) for line in found.standings}
    assert by_points == {3: Verdict.IN, 0: Verdict.OPEN}


def test_whoever_dropped_takes_no_place_of_a_cut_but_one_of_the_prizes():
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    leader = compute_standings_of(tournament)[0].contender
    drop_entry(account("olive"), Entry.objects.get(pk=leader), NOW)
    assert compute_outlook(tournament).given.gone_take_places
    assert leader in compute_outlook(tournament).prospects
    found = compute_outlook(with_cut(tournament))
    assert leader not in found.prospects
    assert (found.verdict(leader), found.is_by_points(leader)) == (Verdict.OUT, True)


def test_awarded_byes_of_rounds_to_come_are_counted():
    tournament = running(6, swiss_rounds=2)
    report_all(next_round(tournament))
    lucky = entry(tournament, "Ben")
    AwardedBye.objects.create(entry=lucky, round_number=2)
    given = compute_outlook(tournament).given
    assert given.rounds == ((lucky.pk,),)
    assert Playouts(given)._sample(random.Random(1))[-1].seats[0].contender == lucky.pk


def test_outlook_survives_a_wiped_cache():
    tournament = with_cut(running(6, swiss_rounds=2))
    report_all(next_round(tournament))
    asked = outlook_of(tournament)
    cache.clear()
    assert asked == outlook_of(tournament) == outlook_of(tournament) == compute_outlook(tournament)


def test_given_is_told_and_read_back():
    tournament = with_cut(running(7, swiss_rounds=2))
    report_all(next_round(tournament))
    next_round(tournament, seed=2)
    given = compute_outlook(tournament).given
    assert OutlookGiven.from_dict(given.as_dict()) == given


def test_simulation_agrees_with_every_course(few, monkeypatch):
    monkeypatch.setattr(services, "SAMPLES", 300)
    tournament = with_cut(running(6, swiss_rounds=2), qualify_value=3)
    report_all(next_round(tournament), 2, 1)
    next_round(tournament, seed=2)
    exact = compute_outlook(tournament).tallies
    ask(tournament)
    work()
    for id, tally in state(tournament).tallies.items():
        inside, _level, seen = tally.share()
        wanted, _tied, every = exact[id].share()
        assert seen == 1200
        assert abs(inside / seen - wanted / every) < 5 * standard_error(inside, seen)


@pytest.mark.parametrize("players", [6, 7, 40])
def test_simulated_rounds_give_everybody_one_place(players, few):
    tournament = running(players, swiss_rounds=4)
    report_all(next_round(tournament))
    next_round(tournament, seed=2)
    given = compute_outlook(tournament).given
    records = Playouts(given)._sample(random.Random(3))
    for number in (2, 3, 4):
        seated = [seat.contender for each in records if each.round_number == number for seat in each.seats]
        done = [seat.contender for each in given.records if each.round_number == number for seat in each.seats]
        assert sorted(seated + done) == sorted(given.within)
    assert given.standings(records)[0].match_points >= 9


def test_chunks_done_twice_and_in_any_order_give_the_same_sums(few):
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    run = ask(tournament)
    messages = [message.args for message in OutboxMessage.objects.filter(task=services.TASK)]
    assert messages == [[run.pk, number] for number in range(4)]
    for args in (*messages, *messages[::-1]):
        tasks.simulate_outlook(*args)
    first = {id: tally.as_list() for id, tally in state(tournament).tallies.items()}
    assert (state(tournament).samples, state(tournament).is_running) == (120, False)
    OutlookChunk.objects.all().delete()
    for args in messages[::-1]:
        tasks.simulate_outlook(*args)
    assert {id: tally.as_list() for id, tally in state(tournament).tallies.items()} == first


def test_another_seed_gives_another_sample(few):
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    found = []
    for seed in (1, 1, 2):
        ask(tournament, seed)
        work()
        found.append({id: tally.as_list() for id, tally in state(tournament).tallies.items()})
    assert found[0] == found[1] != found[2]
    assert OutlookRun.objects.count() == 1


def test_a_simulation_whose_rest_was_given_up_keeps_nobody_waiting(few):
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    run = ask(tournament)
    tasks.simulate_outlook(run.pk, 0)
    OutboxMessage.objects.filter(task=services.TASK).update(parked_at=NOW)
    assert ask(tournament) != run
    assert state(tournament).is_running


def test_one_simulation_at_a_time_which_can_be_stopped(few):
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    run = ask(tournament)
    tasks.simulate_outlook(run.pk, 0)
    with pytest.raises(Conflict) as refused:
        ask(tournament)
    assert refused.value.code == "outlook_running"
    cancel_outlook(account("olive"), tournament, NOW)
    work()
    assert (state(tournament).done, state(tournament).is_running) == (1, False)
    keep_chunk(run.pk, 2, {}, NOW)
    assert state(tournament).done == 1
    assert refusal(cancel_outlook, account("olive"), tournament, NOW) == "outlook_over"
    ask(tournament)
    acts = LedgerEntry.objects.filter(stream=tournament.stream, act__startswith="outlook").values_list("act", flat=True)
    assert list(acts) == ["outlook.asked", "outlook.stopped", "outlook.asked"]


def test_stopping_ends_a_chunk_under_way():
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    looks = []

    def goes_on() -> bool:
        looks.append(1)
        return len(looks) < 3

    courses = Playouts(compute_outlook(tournament).given)
    assert courses.tally_samples("1", 100, goes_on) is None
    assert len(looks) == 3


def test_simulation_of_a_deleted_run_or_unknown_chunk_does_nothing(few):
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    run = ask(tournament)
    tasks.simulate_outlook(run.pk, 99)
    run.delete()
    tasks.simulate_outlook(run.pk, 0)
    assert not OutlookChunk.objects.exists()


def test_run_is_outdated_once_something_counts_anew(few):
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    ask(tournament)
    work()
    assert state(tournament).is_current
    show_outlook(account("olive"), tournament, NOW, shows=True)
    assert state(tournament).is_current, "an act that moves nothing does not age it"
    next_round(tournament, seed=2)
    assert not state(tournament).is_current


def test_nothing_to_simulate_is_said(few):
    assert refusal(ask, running(4)) == "no_outlook"
    tournament = running(4, swiss_rounds=1)
    report_all(next_round(tournament))
    with pytest.raises(DomainError):
        ask(tournament)


@pytest.mark.django_db(transaction=True)
def test_chunk_computed_by_several_at_once_counts_once(few):
    tournament = running(6, swiss_rounds=3)
    report_all(next_round(tournament))
    run = ask(tournament)
    assert race(lambda _number: tasks.simulate_outlook(run.pk, 0), 4) == [None] * 4
    assert state(tournament).done == 1


@pytest.fixture
def queue(redis_url) -> Iterator[Redis]:
    server = Redis.from_url(redis_url)
    server.flushdb()
    yield server
    server.flushdb()
    server.close()


@pytest.mark.django_db(transaction=True)
def test_workers_finish_a_simulation_though_one_is_killed_and_messages_come_twice(queue, monkeypatch):
    monkeypatch.setattr(services, "CHUNKS", 10)
    tournament = running(8, swiss_rounds=3)
    report_all(next_round(tournament))
    run = ask(tournament)
    OutboxMessage.objects.exclude(task=services.TASK).delete()
    deliver_twice()
    with worker_processes(2) as (first, second):
        while relay_batch(app, Event()):
            pass
        assert wait_until(lambda: state(tournament).done > 1)
        os.kill(first.pid, signal.SIGKILL)
        assert wait_until(lambda: not state(tournament).is_running)
        assert second.is_alive()
    kept = {id: tally.as_list() for id, tally in state(tournament).tallies.items()}
    OutlookChunk.objects.all().delete()
    for number in range(10):
        tasks.simulate_outlook(run.pk, number)
    assert {id: tally.as_list() for id, tally in state(tournament).tallies.items()} == kept


def renew() -> None:
    """Do what the outbox asks for once a round is over or published."""
    for message in OutboxMessage.objects.filter(task=RENEW, delivered_at=None):
        tasks.renew_outlook(*message.args)


def test_shares_are_hidden_while_results_come_in_and_found_again_when_the_round_is_over(few):
    tournament = running(8, swiss_rounds=4)
    first, *others = [match for match in matches_of(next_round(tournament)) if match.table_number]
    run = ask(tournament)
    work()
    assert state(tournament).tallies
    report_result(account("olive"), first, score(2, 0), NOW)
    assert (state(tournament).done, state(tournament).tallies) == (4, {})
    renew()
    assert state(tournament).run.pk == run.pk, "the round is not over yet"
    for match in others:
        report_result(account("olive"), match, score(2, 0), NOW)
    renew()
    assert state(tournament).run.pk != run.pk
    assert state(tournament).tallies == {}, "not before it is simulated"
    work()
    assert state(tournament).is_current
    assert set(state(tournament).tallies) == {each.pk for each in tournament.entries.all()}


def test_a_published_round_is_simulated_with_its_tables(few):
    tournament = running(8, swiss_rounds=4)
    report_all(next_round(tournament))
    run = ask(tournament)
    next_round(tournament, seed=2)
    renew()
    assert state(tournament).is_current
    assert state(tournament).run.pk != run.pk
    again = state(tournament).run.pk
    renew()
    assert state(tournament).run.pk == again, "asked for twice, it is done once"


def test_nobody_asked_or_it_was_stopped_so_nothing_is_simulated(few):
    tournament = running(8, swiss_rounds=4)
    round_ = next_round(tournament)
    report_all(round_)
    assert not OutboxMessage.objects.filter(task=RENEW).exists()
    ask(tournament)
    cancel_outlook(account("olive"), tournament, NOW)
    next_round(tournament, seed=2)
    renew()
    assert not OutboxMessage.objects.filter(task=RENEW).exists()
    assert not state(tournament).is_current
