"""The arithmetic of a round's clock, without a database."""

from datetime import UTC, datetime, timedelta

import pytest

from tournaments.timing import (
    ClockState,
    Timing,
    clock_words,
    current_phase,
    followed,
    usual_minutes,
    warning_at,
    warnings_of,
)

NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


NOT, RUN, STANDS, OVER = ClockState.NOT_STARTED, ClockState.RUNNING, ClockState.PAUSED, ClockState.OVER
CASES = {
    "not begun": (Timing(3000), 7, 0, NOT, 3000, None),
    "not begun, extra": (Timing(3000), 7, 120, NOT, 3120, None),
    "begins later": (Timing(3000, at(10)), 7, 0, NOT, 3000, at(60)),
    "at its beginning": (Timing(3000, NOON), 0, 0, RUN, 3000, at(50)),
    "runs": (Timing(3000, NOON), 7, 0, RUN, 2580, at(50)),
    "a second before": (Timing(3000, NOON), 50 - 1 / 60, 0, RUN, 1, at(50)),
    "at its end": (Timing(3000, NOON), 50, 0, OVER, 0, at(50)),
    "over": (Timing(3000, NOON), 52, 0, OVER, -120, at(50)),
    "over for others": (Timing(3000, NOON), 52, 180, RUN, 60, at(53)),
    "was paused": (Timing(3000, NOON, None, 300), 20, 0, RUN, 2100, at(55)),
    "stands": (Timing(3000, NOON, at(10)), 20, 0, STANDS, 2400, None),
    "stands again": (Timing(3000, NOON, at(10), 120), 20, 60, STANDS, 2580, None),
    "stopped": (Timing(3000, NOON, None, 0, at(30)), 31, 0, OVER, -60, at(30)),
    "stopped, extra": (Timing(3000, NOON, None, 0, at(30)), 31, 180, RUN, 120, at(33)),
    "stopped after its end": (Timing(3000, NOON, None, 0, at(70)), 60, 0, OVER, -600, at(50)),
    "stopped while it stood": (Timing(3000, NOON, None, 600, at(30)), 40, 0, OVER, -600, at(30)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_phase_tells_how_it_stands(case):
    timing, minutes, extra, state, left, end = CASES[case]
    now = at(minutes)
    assert (timing.state(now, extra), round(timing.left(now, extra), 6), timing.ends_at(extra)) == (state, left, end)


def test_a_pause_takes_nothing_from_what_is_left():
    stands = Timing(3000, NOON, at(10))
    goes_on = Timing(3000, NOON, None, 25 * 60)
    assert stands.left(at(34)) == stands.left(at(11)) == goes_on.left(at(35)) == 2400


def test_the_round_begins_where_stacking_ends():
    phases = followed([Timing(600, NOON), Timing(3000)])
    assert phases[1].started_at == at(10)
    assert [current_phase(phases, at(minutes)) for minutes in (0, 9.99, 10, 59, 70)] == [0, 0, 1, 1, 1]


def test_the_round_begins_earlier_when_stacking_is_ended():
    phases = followed([Timing(600, NOON, None, 0, at(4)), Timing(3000)])
    assert (phases[1].started_at, current_phase(phases, at(5))) == (at(4), 1)


@pytest.mark.parametrize("stacking", [Timing(600), Timing(600, NOON, at(3))])
def test_the_round_waits_for_stacking_that_stands_or_was_not_begun(stacking):
    phases = followed([stacking, Timing(3000)])
    assert (phases[1].state(at(40)), current_phase(phases, at(40))) == (NOT, 0)


def test_a_round_begun_by_itself_keeps_its_own_beginning():
    assert followed([Timing(600, NOON), Timing(3000, at(20))])[1].started_at == at(20)


@pytest.mark.parametrize(
    ("length", "left", "warning"),
    [(3000, 601, None), (3000, 600, 600), (3000, 301, 600), (3000, 300, 300), (3000, 1, 300), (3000, 0, 0),
     (3000, -9, 0), (600, 599, None), (600, 300, 300), (60, 30, None)],
)  # fmt: skip
def test_warnings_stand_from_ten_and_five_minutes_and_at_time(length, left, warning):
    assert warning_at(left, length, (600, 300)) == warning


def test_a_short_phase_does_not_warn_at_its_beginning():
    found = [warnings_of(length, (600, 300)) for length in (3000, 600, 300)]
    assert found == [(600, 300), (300,), ()]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(3000, "50:00"), (2999.2, "50:00"), (61, "1:01"), (0.4, "0:01"), (0, "0:00"), (-0.4, "0:00"), (-65.9, "+1:05"),
     (7200, "120:00")],
)  # fmt: skip
def test_time_reads_as_clocks_show_it(seconds, words):
    assert clock_words(seconds) == words


def test_a_round_has_time_for_one_long_game_and_short_others():
    assert (usual_minutes(10, 60, 1), usual_minutes(10, 60, 3), usual_minutes(20, 45, 1)) == (60, 80, 45)
