"""The times to expect of a round: from the clock and the reports, on pages and in the clock's answer."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.tournaments.factories import NOW, account, next_round, report_all, running, score, table
from tournaments.forecast.round_ends import MAX_SETTLING
from tournaments.forecast.timetable import kept_next_start, timetable_of
from tournaments.models import Match, Round
from tournaments.results.services.reports import report_result
from tournaments.room.services.clocks import give_extra_time, pause_clock, start_clock
from tournaments.web.shared.timetable_words import timetable_words

pytestmark = pytest.mark.django_db
PLAYED = {"game": "dead_or_destroyed", "game_format": "standard"}


def at(minutes: float):
    return NOW + timedelta(minutes=minutes)


@pytest.fixture
def held():
    """Eight players, 50 minutes a round, in the first round since ten o'clock."""
    event = running(8, round_minutes=50, swiss_rounds=3, **PLAYED)
    round_ = next_round(event)
    start_clock(account("olive"), round_, NOW)
    return event, round_


def test_a_round_ends_in_its_time_or_soon_after_it_and_others_follow(held):
    event, round_ = held
    found = timetable_of(event, at(20))
    assert at(20) < found.end.low < found.end.median < found.end.high < at(65)
    assert found.end.median < found.next_start.median < found.event_end.median
    assert found.event_end.median > at(100)
    assert found.round == round_


def test_nothing_is_expected_before_the_clock_runs_or_once_all_results_are_in(held):
    event, round_ = held
    report_all(round_, 2, 0)
    assert timetable_of(event, at(30)) is None
    waiting = running(4, round_minutes=50, **PLAYED)
    next_round(waiting)
    assert timetable_of(waiting, at(30)) is None


def test_after_the_last_round_none_starts():
    event = running(4, round_minutes=50, swiss_rounds=1, **PLAYED)
    start_clock(account("olive"), next_round(event), NOW)
    found = timetable_of(event, at(20))
    assert found.next_start is None
    assert found.event_end == found.end


def test_a_pause_and_extra_time_move_the_end(held):
    event, round_ = held
    before = timetable_of(event, at(45)).end.median
    give_extra_time(account("olive"), table(round_), 900, "deck check", at(45))
    with_extra = timetable_of(event, at(45))
    assert with_extra.end.median > before
    pause_clock(account("olive"), round_, at(45))
    assert timetable_of(event, at(75)).end.median - with_extra.end.median == timedelta(minutes=30)


def test_what_the_event_shows_counts(held):
    """Tables that end after ten minutes promise a shorter next round."""
    event, round_ = held
    slow = timetable_of(event, at(12)).event_end.median
    for number in (1, 2, 3):
        report_result(account("olive"), table(round_, number), score(2, 0), at(10))
    assert timetable_of(event, at(12)).event_end.median < slow - timedelta(minutes=15)


@pytest.mark.parametrize(("minutes", "state"), [(600, "done"), (190, "wait"), (60, "wrong")])
def test_staff_see_whether_the_event_is_over_before_the_hall_closes(held, minutes, state):
    event, _round = held
    found = timetable_of(event, at(20)).event_end
    event.hall_closes_at = found.median if state == "wait" else at(minutes)
    words = timetable_words(event, at(20))
    assert words.hall_state == state
    assert words.hall.startswith("The hall closes at ")
    event.hall_closes_at = None
    assert timetable_words(event, at(20)).hall == ""


# When the eight tables of three rounds reported, in minutes of their round: an evening of Dead or Destroyed.
REPORTED = (
    (18.2, 24.9, 31.0, 33.4, 38.8, 44.1, 51.3, 53.9),
    (15.1, 22.7, 26.4, 29.9, 41.5, 47.2, 49.8, 55.6),
    (20.6, 21.3, 35.7, 36.1, 40.2, 50.9, 51.8, 54.4),
)


def test_no_range_crosses_the_hard_end_of_the_clock_whatever_was_reported():
    """The hard end: the time of the last table and the ten minutes that settling may take."""
    event = running(16, round_minutes=50, swiss_rounds=3, **PLAYED)
    begins, held, asked = 0.0, 0, 0
    for reported in REPORTED:
        round_ = next_round(event)
        Round.objects.filter(pk=round_.pk).update(published_at=at(begins))
        start_clock(account("olive"), round_, at(begins))
        for number, minute in enumerate(reported, 1):
            found = timetable_of(event, at(begins + minute - 0.1)).end
            assert found.low <= found.median <= found.high
            assert found.high <= max(at(begins + 50), at(begins + minute)) + timedelta(seconds=MAX_SETTLING)
            held += found.low <= at(begins + reported[-1]) <= found.high
            asked += 1
            report_result(account("olive"), table(round_, number), score(2, 0), at(begins + minute))
        begins += reported[-1] + 6
    assert held >= 0.7 * asked


def test_the_questions_to_the_database_do_not_grow_with_the_tables(held, django_assert_max_num_queries):
    event, _round = held
    with django_assert_max_num_queries(16):
        timetable_of(event, at(20))
    large = running(40, round_minutes=50, swiss_rounds=6, **PLAYED)
    start_clock(account("olive"), next_round(large), NOW)
    with django_assert_max_num_queries(16):
        timetable_of(large, at(20))


def test_what_phones_ask_for_is_kept_a_while(held, django_assert_num_queries):
    event, round_ = held
    first = kept_next_start(event, round_, at(20))
    with django_assert_num_queries(0):
        assert kept_next_start(event, round_, at(20.2)) == first
    Match.objects.filter(round=round_).update(extra_seconds=1800)
    assert kept_next_start(event, round_, at(40)) != first


def test_pages_say_it_and_nothing_about_anybody(held, monkeypatch):
    event, _round = held
    for module in ("tournaments.web.organiser.events", "tournaments.web.judge.floor", "tournaments.web.shared.clock"):
        monkeypatch.setattr(f"{module}.database_now", lambda: at(20))
    staff = Client()
    staff.force_login(account("olive").user)
    for page in ("manage/", "floor/"):
        answer = staff.get(f"/e/{event.slug}/{page}").content.decode()
        assert "Expected times" in answer
        assert "Round 2 starts" in answer
    told = Client().get(f"/e/{event.slug}/clock/").json()
    assert told["next"].startswith("Round 2 about ")
