"""Standings of an event: recomputed, cached by ledger position, the same whatever Redis does."""

from contextlib import contextmanager

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.queries import count_queries
from tests.races import race
from tests.tournaments.factories import NOW, account, next_round, report_all, running, score, table
from tournaments.models import Tournament
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result
from tournaments.rounds.services.rounds import withdraw_round
from tournaments.standings.selectors.standings import (
    compute_standings_of,
    standing_rows,
    standings_are_warm,
    standings_key,
    standings_of,
)
from tournaments.tasks import busy_key, refresh_standings

pytestmark = pytest.mark.django_db


def test_every_act_moves_the_standings_on(redis_url):
    tournament = running(4)
    round_ = next_round(tournament)
    seen = [standings_of(tournament)]
    report_result(account("olive"), table(round_), score(2, 0), NOW)
    seen.append(standings_of(tournament))
    correct_result(account("olive"), table(round_), score(0, 2), "sides swapped", NOW)
    seen.append(standings_of(tournament))
    assert len(set(seen)) == 3
    assert seen[-1] == compute_standings_of(tournament)


def test_wiping_redis_changes_no_answer(redis_url):
    tournament = running(6)
    report_all(next_round(tournament))
    before = standings_of(tournament)
    cache.clear()
    assert standings_of(tournament) == before == compute_standings_of(tournament)


def test_a_round_that_was_taken_back_counts_nowhere(redis_url):
    tournament = running(3)
    withdraw_round(account("olive"), next_round(tournament), "late", NOW)
    assert {line.match_points for line in standings_of(tournament)} == {0}
    next_round(tournament)
    assert sum(line.match_points for line in standings_of(tournament)) == tournament.scoring_policy.win


def test_workers_warm_exactly_the_position_that_is_asked_for(redis_url):
    tournament = running(4)
    report_all(next_round(tournament))
    refresh_standings(tournament.pk)
    refresh_standings(tournament.pk)  # twice does no harm
    assert count_queries(standings_of, tournament) == 1  # the ledger's head, nothing else
    refresh_standings(0)


@pytest.mark.parametrize("players", [10, 60])
def test_queries_do_not_grow_with_the_field(players, redis_url):
    tournament = running(players)
    report_all(next_round(tournament))
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        assert len(standing_rows(tournament)) == players
    assert len(asked) == 5


def is_warm(tournament):
    return standings_are_warm(standings_key(tournament))


@contextmanager
def meanwhile(words, act):
    """Run `act` once, in the middle of the first query that has `words` in it."""
    left = [act]

    def wrapper(execute, sql, *rest):
        if words in sql and left:
            left.pop()()
        return execute(sql, *rest)

    with connection.execute_wrapper(wrapper):
        yield
    assert not left


def test_a_message_for_warm_standings_costs_a_glance(redis_url):
    tournament = running(4)
    report_all(next_round(tournament))
    refresh_standings(tournament.pk)
    with CaptureQueriesContext(connection) as asked:
        refresh_standings(tournament.pk)
    assert len(asked) == 2  # the event and the ledger's head: of twenty messages for one position, one computes


def test_others_keep_off_an_event_that_a_worker_is_at(redis_url):
    tournament, other = running(4), running(4, name="Beside it")
    assert cache.add(busy_key(tournament), 1, 30)
    refresh_standings(tournament.pk)
    refresh_standings(other.pk)
    assert not is_warm(tournament)
    assert is_warm(other)
    cache.delete(busy_key(tournament))
    refresh_standings(tournament.pk)
    assert is_warm(tournament)


def test_an_act_while_standings_are_computed_is_not_passed_over(redis_url):
    tournament = running(4)
    round_ = next_round(tournament)
    refused = []

    def report():
        report_result(account("olive"), table(round_), score(2, 0), NOW)
        refresh_standings(tournament.pk)  # its own message, turned away: somebody is at it
        refused.append(not is_warm(tournament))

    with meanwhile("tournaments_seatresult", report):
        refresh_standings(tournament.pk)
    assert refused == [True]
    assert is_warm(tournament)
    assert standings_of(tournament) == compute_standings_of(tournament)


@pytest.mark.django_db(transaction=True)
def test_workers_racing_with_acts_leave_the_newest_position_warm(redis_url, settings):
    patient = {"SOCKET_CONNECT_TIMEOUT": 10, "SOCKET_TIMEOUT": 10}  # a machine that does much else is no stalled server
    settings.CACHES = {"default": {**settings.CACHES["default"], "OPTIONS": patient}}
    tournament = running(16)
    round_ = next_round(tournament)

    def act_and_work(number):
        report_result(account("olive"), table(round_, number + 1), score(2, 0), NOW)
        refresh_standings(tournament.pk)

    assert race(act_and_work, 8) == [None] * 8
    assert is_warm(Tournament.objects.get(pk=tournament.pk))
    assert standings_of(tournament) == compute_standings_of(tournament)


def test_a_cache_that_keeps_nothing_is_filled_once_and_left(redis_url, settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    tournament = running(4)
    refresh_standings(tournament.pk)
    assert standings_of(tournament) == compute_standings_of(tournament)
