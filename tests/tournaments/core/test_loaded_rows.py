"""Rows kept without the query they came by: the same rows, and any other question is asked of the database."""

from collections.abc import Iterable

import pytest
from django.db import connection
from django.db.models import Model, QuerySet
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import NOW, account, next_round, running, score, table
from tournaments.core.rounds import matches_of, with_all
from tournaments.models import Match, Round
from tournaments.results.services.reports import report_result

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def reported() -> Round:
    """A round of two tables, of which one has told its result."""
    held = running(4)
    round_ = next_round(held)
    report_result(account("olive"), table(round_, 1), score(2, 1), NOW)
    return round_


def query_sets(rows: Iterable[Model]) -> int:
    """How many query sets prefetching left in rows and below."""
    count = 0
    for row in rows:
        for found in row.__dict__.get("_prefetched_objects_cache", {}).values():
            count += isinstance(found, QuerySet) + query_sets(found)
    return count


def everything(matches: Iterable[Match]) -> list[object]:
    """What lists read of matches."""
    return [
        (
            match,
            [(seat, seat.entry) for seat in match.seats.all()],
            [(report, list(report.seat_results.all()), list(report.acts.all())) for report in match.reports.all()],
        )
        for match in matches
    ]


def test_the_rows_are_the_same_and_no_query_is_left(reported):
    prefetched, loaded = list(with_all(reported.matches.all())), matches_of(reported)
    assert query_sets(prefetched) == 6, "the control: seats and reports of two matches, lines and acts of one report"
    assert query_sets(loaded) == 0
    with CaptureQueriesContext(connection) as asked:
        assert everything(loaded) == everything(prefetched)
        assert loaded[0].seats.all()[:1] == tuple(prefetched[0].seats.all()[:1])
        assert all(each.match is match for match in loaded for each in (*match.seats.all(), *match.reports.all()))
        assert {match.round for match in loaded} == {reported}
    assert len(asked) == 0
    with CaptureQueriesContext(connection) as again:
        matches_of(reported)
    assert len(again) == 5


def test_another_question_is_asked_of_the_database(reported):
    kept = matches_of(reported)
    match = next(match for match in kept if match.table_number == 1)
    first, second = match.seats.all()
    assert list(match.seats.filter(order=second.order)) == [second]
    assert set(match.seats.exclude(pk=first.pk)) == {second}
    assert match.reports.count() == 1
    assert not match.reports.none().exists()
    report_result(account("olive"), table(reported, 2), score(0, 2), NOW)
    other = next(match for match in kept if match.table_number == 2)
    assert list(other.reports.all()) == []
    assert other.reports.filter(number=1).exists()
