"""The times to expect of a round: from the clock and the reports, on pages and in the clock's answer."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client

from scoring.models import SheetPart
from scoring.sheets.ledgers import GAMES, with_act
from tests.tournaments.factories import NOW, account, next_round, report_all, running, score, table
from tournaments.forecast.games_over import GamesOver, games_over
from tournaments.forecast.timetable import Moments, kept_next_start, timetable_of
from tournaments.models import Match, Round
from tournaments.results.services.reports import report_result
from tournaments.room.services.clocks import give_extra_time, pause_clock, start_clock
from tournaments.sheets.services.writing import open_match_sheet, save_match_part
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


def test_games_written_on_a_sheet_bring_the_end_closer():
    """Both tables of a best of three write 1:0 down; what cannot be read counts for nothing."""
    event = running(4, round_minutes=50, swiss_rounds=3, score_sheets=True, best_of=3)
    round_ = next_round(event)
    start_clock(account("olive"), round_, NOW)
    before = timetable_of(event, at(16)).end.median
    for number in (1, 2):
        match = table(round_, number)
        sheet = open_match_sheet(account("olive"), match, at(0))
        game = {"winner": sheet.players[0]["name"], "won_by": "unknown"}
        content = with_act({}, game, "Olive", at(15), GAMES)
        save_match_part(account("olive"), match, 0, content, sheet.parts.get(place=0).version, at(15))
    assert games_over(round_) == {table(round_, number).pk: GamesOver((1, 0, 0), at(15)) for number in (1, 2)}
    assert timetable_of(event, at(16)).end.median < before
    SheetPart.objects.filter(place=0).update(content={"games": [{"winner": 7, "when": "soon"}, "odd"]})
    assert [over.at for over in games_over(round_).values()] == [at(15)] * 2
    SheetPart.objects.filter(place=0).update(content=["odd"])
    assert games_over(round_) == {}
    assert timetable_of(event, at(16)).end.median == before


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


RECORDED = json.loads((Path(__file__).parents[2] / "data" / "journey_times.json").read_text())["rounds"]
"""Real reporting times of a journey in browsers, here a minute for each of its seconds."""


Forecast = tuple[datetime, Moments, datetime, datetime]
"""Now, what is forecast of the round's end, the hard end of its clock (ten minutes after its time), its true end."""


def forecasts_of(rounds: Iterable[Iterable[float]], minutes: int) -> Iterator[Forecast]:
    """Before each report of an event of 16 with rounds of so many minutes."""
    event, begins = running(16, round_minutes=minutes, swiss_rounds=3, **PLAYED), 0.0
    for reported in rounds:
        round_ = next_round(event)
        Round.objects.filter(pk=round_.pk).update(published_at=at(begins))
        start_clock(account("olive"), round_, at(begins))
        ends = at(begins + max(reported))
        for number, minute in enumerate(reported, 1):
            now = at(begins + minute - 0.1)
            found = timetable_of(event, now)
            assert found is not None
            yield now, found.end, at(begins + minutes) + timedelta(minutes=10), ends
            report_result(account("olive"), table(round_, number), score(2, 0), at(begins + minute))
        begins += max(reported) + 6


def crossings(rounds: Iterable[Iterable[float]], minutes: int) -> int:
    """How many of the forecasts pass the hard end, or now where that is later."""
    return sum(found.high > max(hard, now) for now, found, hard, _ends in forecasts_of(rounds, minutes))


def test_four_of_five_ranges_hold_the_end_and_none_crosses_the_hard_end_of_the_clock():
    found = list(forecasts_of(REPORTED, 50))
    assert all(each.low <= each.median <= each.high <= max(hard, now) for now, each, hard, _ends in found)
    assert sum(each.low <= ends <= each.high for _now, each, _hard, ends in found) >= 0.7 * len(found)


@pytest.mark.parametrize("minutes", [50, 40, 20])
def test_recorded_reports_of_a_journey_never_cross_the_hard_end_of_the_clock(minutes):
    """As they came; with a clock that half of the tables outlast; with one that they outlast by far."""
    assert crossings(RECORDED, minutes) == 0


def test_without_the_cut_off_recorded_reports_cross_the_hard_end(monkeypatch):
    """The control."""
    monkeypatch.setattr("tournaments.forecast.round_ends.MAX_SETTLING", 1e9)
    assert crossings(RECORDED, 20) > 0


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
