"""The clock of a round: started, paused, stopped, changed, and extra time of single tables."""

from datetime import datetime, timedelta

import pytest

from journal.models import LedgerEntry
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, draft, next_round, report_all, running, table
from tournaments.events.services.event_templates import copy_tournament
from tournaments.events.services.events import create_tournament, finish_tournament, reopen_tournament
from tournaments.events.services.settings import update_settings
from tournaments.models import Match, RoundClock, Stage, Tournament
from tournaments.room.selectors.clocks import clock_of, minutes_a_round
from tournaments.room.services.clocks import (
    change_clock,
    give_extra_time,
    pause_clock,
    publish_and_start,
    reset_clock,
    resume_clock,
    start_clock,
    stop_clock,
)
from tournaments.rounds.services.rounds import pair_next_round, publish_round, withdraw_round

pytestmark = pytest.mark.django_db
PLAYED = {"game": "dead_or_destroyed", "game_format": "standard"}


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def olive():
    return account("olive")


def shown(event_, minutes, match=None):
    """Phase, state and minutes left of the clock at an instant; None without one."""
    clock = clock_of(event_, at(minutes), match)
    return clock and (clock.phase, clock.state, clock.left / 60)


@pytest.fixture
def held():
    """A running event of a game without stacking, 50 minutes a round, in its first round."""
    event_ = running(4, round_minutes=50, **PLAYED)
    next_round(event_)
    return event_


@pytest.fixture
def round_(held):
    return held.stages.get().rounds.get()


def test_clock_waits_for_a_press_then_runs_and_is_over(held, round_):
    assert shown(held, 5) == ("round", "not started", 50)
    start_clock(olive(), round_, at(5))
    assert [shown(held, minutes) for minutes in (5, 54.5, 55, 58)] == [
        ("round", "running", 50), ("round", "running", 0.5), ("round", "over", 0), ("round", "over", -3)
    ]  # fmt: skip


def test_stacking_has_a_phase_of_its_own_and_the_round_follows_by_itself():
    event_ = running(4, round_minutes=50, stacking_minutes=6)
    start_clock(olive(), next_round(event_), NOW)
    assert [shown(event_, minutes) for minutes in (0, 5, 6, 56)] == [
        ("stacking", "running", 6), ("stacking", "running", 1), ("round", "running", 50), ("round", "over", 0)
    ]  # fmt: skip
    assert RoundClock.objects.count() == 2


def test_stacking_that_ends_early_lets_the_round_begin():
    event_ = running(4, round_minutes=50)
    round_ = next_round(event_)
    start_clock(olive(), round_, NOW)
    assert stop_clock(olive(), round_, "stacking", at(4)).phase == "round"
    assert shown(event_, 5) == ("round", "running", 49)
    assert refusal(lambda: stop_clock(olive(), round_, "stacking", at(5))) == "other_phase"


def test_pause_holds_the_round_that_followed_by_itself():
    event_ = running(4, round_minutes=50)
    round_ = next_round(event_)
    start_clock(olive(), round_, NOW)
    pause_clock(olive(), round_, at(20))
    assert shown(event_, 90) == ("round", "paused", 40)
    resume_clock(olive(), round_, at(90))
    assert shown(event_, 91) == ("round", "running", 39)


def test_pause_of_stacking_holds_the_round_too():
    event_ = running(4, round_minutes=50)
    round_ = next_round(event_)
    start_clock(olive(), round_, NOW)
    pause_clock(olive(), round_, at(4))
    assert shown(event_, 90) == ("stacking", "paused", 6)
    resume_clock(olive(), round_, at(90))
    assert (shown(event_, 95), shown(event_, 97)) == (("stacking", "running", 1), ("round", "running", 49))


def test_an_ended_time_goes_on_with_what_it_had_left(held, round_):
    start_clock(olive(), round_, NOW)
    stop_clock(olive(), round_, "round", at(10))
    assert shown(held, 12) == ("round", "over", -2)
    resume_clock(olive(), round_, at(15))
    assert shown(held, 15) == ("round", "running", 40)


def test_a_clock_back_at_its_start_can_be_started_again(held, round_):
    start_clock(olive(), round_, NOW)
    assert refusal(lambda: reset_clock(olive(), round_, " ", at(1))) == "reason_needed"
    reset_clock(olive(), round_, "Pressed too early", at(1))
    assert shown(held, 2) == ("round", "not started", 50)
    start_clock(olive(), round_, at(9))
    assert shown(held, 10) == ("round", "running", 49)


def test_minutes_are_added_by_a_press_and_taken_for_a_reason(held, round_):
    start_clock(olive(), round_, NOW)
    change_clock(olive(), round_, "round", 300, at(1), seen=3000)
    assert shown(held, 1) == ("round", "running", 54)
    assert refusal(lambda: change_clock(olive(), round_, "round", -300, at(1))) == "reason_needed"
    change_clock(olive(), round_, "round", -240, at(1), reason="The shop closes")
    assert shown(held, 1) == ("round", "running", 50)
    kept = LedgerEntry.objects.filter(stream=held.stream, act="clock.changed").order_by("sequence")
    assert [each.subjects["seconds"] for each in kept] == [300, -240]
    assert [value.value for value in kept.last().personal_values.all()] == ["The shop closes"]


def test_minutes_can_be_changed_before_the_start(held, round_):
    change_clock(olive(), round_, "round", 300, NOW)
    assert shown(held, 5) == ("round", "not started", 55)
    start_clock(olive(), round_, at(5))
    assert shown(held, 5) == ("round", "running", 55)


@pytest.mark.parametrize("seconds", [0, -2941, 12 * 3600])
def test_no_clock_is_shorter_than_a_minute_or_longer_than_half_a_day(held, round_, seconds):
    assert refusal(lambda: change_clock(olive(), round_, "round", seconds, NOW, reason="no")) == "bad_minutes"


@pytest.mark.parametrize(
    ("acts", "last", "code"),
    [
        ((), "pause", "clock_stands"),
        ((), "resume", "clock_runs"),
        (("start",), "start", "clock_runs"),
        (("start",), "resume", "clock_runs"),
        (("start", "pause"), "pause", "clock_stands"),
        (("start", "pause", "resume"), "resume", "clock_runs"),
        (("start", "stop"), "pause", "clock_stands"),
        (("start", "stop"), "stop", "clock_stands"),
        (("start",), "changed", "clock_changed"),
        (("start",), "phase", "other_phase"),
    ],
)
def test_who_presses_second_is_told(held, round_, acts, last, code):
    presses = {
        "start": lambda: start_clock(olive(), round_, at(1)),
        "pause": lambda: pause_clock(olive(), round_, at(3)),
        "resume": lambda: resume_clock(olive(), round_, at(4)),
        "stop": lambda: stop_clock(olive(), round_, "round", at(2)),
        "changed": lambda: change_clock(olive(), round_, "round", 60, at(4), seen=2940),
        "phase": lambda: change_clock(olive(), round_, "stacking", 60, at(4)),
    }
    for act in acts:
        presses[act]()
    assert refusal(presses[last]) == code


def test_a_round_is_published_with_its_clock_running():
    event_ = running(4, round_minutes=50, **PLAYED)
    publish_and_start(olive(), pair_next_round(olive(), event_, NOW), at(3))
    assert shown(event_, 3) == ("round", "running", 50)


def test_an_event_without_a_clock_is_published_all_the_same():
    event_ = running(4, round_minutes=0)
    round_ = publish_and_start(olive(), pair_next_round(olive(), event_, NOW), NOW)
    assert (round_.state, shown(event_, 1)) == ("published", None)
    assert refusal(lambda: start_clock(olive(), round_, NOW)) == "no_clock"


def test_there_is_no_clock_between_rounds(held, round_):
    start_clock(olive(), round_, NOW)
    report_all(round_, 1, 0)
    assert shown(held, 5) is None
    second = pair_next_round(olive(), held, at(6))
    assert shown(held, 6) is None
    assert refusal(lambda: start_clock(olive(), second, at(6))) == "round_closed"
    publish_round(olive(), second, at(7))
    assert shown(held, 7) == ("round", "not started", 50)


def test_a_round_taken_back_takes_its_clock_along(held, round_):
    start_clock(olive(), round_, NOW)
    withdraw_round(olive(), round_, "Somebody came late", at(5))
    assert shown(held, 5) is None
    assert refusal(lambda: pause_clock(olive(), round_, at(6))) == "round_closed"


def test_a_round_opened_again_has_no_running_clock():
    event_ = running(2, round_minutes=50, swiss_rounds=1, **PLAYED)
    round_ = next_round(event_)
    start_clock(olive(), round_, NOW)
    report_all(round_, 1, 0)
    finish_tournament(olive(), event_, at(9))
    assert RoundClock.objects.get().stopped_at == at(9)
    reopen_tournament(olive(), event_, "A wrong result", at(20))
    assert shown(Tournament.objects.get(), 21) is None


def test_extra_time_counts_for_its_table_alone(held, round_):
    start_clock(olive(), round_, NOW)
    given = give_extra_time(olive(), table(round_, 1), 180, "A judge was called", at(5))
    assert given.extra_seconds == 180
    assert shown(held, 51, table(round_, 1)) == ("round", "running", 2)
    assert shown(held, 51, table(round_, 2)) == ("round", "over", -1)
    assert clock_of(held, at(51), table(round_, 1)).ends_at == at(53)
    kept = LedgerEntry.objects.get(stream=held.stream, act="match.extra_time")
    assert (kept.subjects["table"], kept.subjects["total"]) == (1, 180)


def test_extra_time_does_not_count_while_decks_are_stacked():
    event_ = running(4, round_minutes=50)
    round_ = next_round(event_)
    start_clock(olive(), round_, NOW)
    give_extra_time(olive(), table(round_), 180, "Late", at(1))
    assert shown(event_, 1, table(round_)) == ("stacking", "running", 9)
    assert shown(event_, 11, table(round_)) == ("round", "running", 52)


@pytest.mark.parametrize(
    ("seconds", "reason", "seen", "code"),
    [
        (180, "  ", None, "reason_needed"),
        (0, "none", None, "bad_extra_time"),
        (-61, "less than none", None, "bad_extra_time"),
        (120 * 60, "too much", None, "bad_extra_time"),
        (60, "two judges", 0, "extra_time_changed"),
    ],
)
def test_extra_time_is_refused(round_, seconds, reason, seen, code):
    give_extra_time(olive(), table(round_), 60, "A judge was called", NOW)
    assert refusal(lambda: give_extra_time(olive(), table(round_), seconds, reason, NOW, seen=seen)) == code
    assert Match.objects.get(pk=table(round_).pk).extra_seconds == 60


def test_a_table_with_a_result_gets_no_extra_time(round_):
    report_all(round_, 1, 0)
    assert refusal(lambda: give_extra_time(olive(), table(round_), 60, "late", NOW)) == "match_done"


@pytest.mark.parametrize(
    ("play", "minutes"),
    [
        ({}, 80),
        ({"best_of": 1}, 60),
        ({"game": "doomlings"}, 45),
        ({"game": "dead_or_destroyed"}, 60),
        ({"round_minutes": 35}, 35),
        ({"round_minutes": 0}, 0),
    ],
)
def test_a_round_is_as_long_as_set_or_as_usual_for_the_game(play, minutes):
    assert minutes_a_round(create_tournament(olive(), draft(**play), NOW)) == minutes


def test_settings_change_the_next_clock_and_no_running_one(held, round_):
    start_clock(olive(), round_, NOW)
    update_settings(olive(), held, {"round_minutes": 0}, at(1))
    assert shown(Tournament.objects.get(), 2) == ("round", "running", 48)


def test_copies_keep_the_minutes(held):
    assert copy_tournament(olive(), held, {}, NOW).round_minutes == 50


@pytest.mark.parametrize("minutes", [-1, 601])
def test_minutes_no_round_has_are_refused(held, minutes):
    assert refusal(lambda: update_settings(olive(), held, {"round_minutes": minutes}, NOW)) == "bad_event"


def test_a_clock_warns_as_the_stage_says_else_the_event_else_the_way(held, round_):
    start_clock(olive(), round_, NOW)
    assert clock_of(held, NOW).warnings == (600, 300)
    update_settings(olive(), held, {"clock_warnings": [20, 2]}, NOW)
    assert clock_of(Tournament.objects.get(), NOW).warnings == (1200, 120)
    Stage.objects.update(clock_warnings=[1])
    assert clock_of(Tournament.objects.get(), NOW).warnings == (60,)
    Stage.objects.update(clock_warnings=[])
    assert clock_of(Tournament.objects.get(), NOW).warnings == ()


@pytest.mark.parametrize("minutes", [[0], [601], [5, 5], [1, 2, 3, 4, 5, 6]])
def test_warnings_no_clock_has_are_refused(held, minutes):
    assert refusal(lambda: update_settings(olive(), held, {"clock_warnings": minutes}, NOW)) == "bad_event"


@pytest.mark.parametrize("players", [4, 40])
def test_the_clock_takes_two_queries_however_many_play(django_assert_num_queries, players):
    event_ = running(players, **PLAYED)
    start_clock(olive(), next_round(event_), NOW)
    with django_assert_num_queries(2):
        assert clock_of(event_, NOW)
