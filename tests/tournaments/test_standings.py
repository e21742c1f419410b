"""Standings of an event: recomputed, cached by ledger position, the same whatever Redis does."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.cast import NOW, account, next_round, report_all, running, score, table
from tournaments.jobs import refresh_standings
from tournaments.selectors.standings import compute_standings_of, standing_rows, standings_of
from tournaments.services.results import correct_result, report_result

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


def test_workers_warm_exactly_the_position_that_is_asked_for(redis_url):
    tournament = running(4)
    report_all(next_round(tournament))
    refresh_standings(tournament.pk)
    refresh_standings(tournament.pk)  # twice does no harm
    with CaptureQueriesContext(connection) as asked:
        standings_of(tournament)
    assert len(asked) == 1  # the ledger's head, nothing else
    refresh_standings(0)


@pytest.mark.parametrize("players", [10, 60])
def test_queries_do_not_grow_with_the_field(players, redis_url):
    tournament = running(players)
    report_all(next_round(tournament))
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        assert len(standing_rows(tournament)) == players
    assert len(asked) == 4
