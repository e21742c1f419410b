"""Officials who press at once: one is served, the others are told; with a control that has no lock and no look."""

import pytest

from journal.ledger.selectors import verify_stream
from rules_engine.errors import Conflict
from tests.races import race
from tests.tournaments.factories import NOW, account, next_round, running, table
from tournaments.models import Match, RoundClock
from tournaments.room.services import clocks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]
CLIENTS = 3


def pressed(act):
    """What each of the clients was answered."""

    def press(_number):
        try:
            act()
        except Conflict as conflict:
            return conflict.code
        return "served"

    return sorted(race(press, CLIENTS))


def test_of_presses_at_once_one_is_served():
    event = running(4, game="dead_or_destroyed", game_format="standard", round_minutes=50)
    round_, olive = next_round(event), account("olive")
    assert pressed(lambda: clocks.start_clock(olive, round_, NOW)) == ["clock_runs", "clock_runs", "served"]
    assert pressed(lambda: clocks.change_clock(olive, round_, "round", 60, NOW, seen=3000)) == [
        "clock_changed", "clock_changed", "served"
    ]  # fmt: skip
    assert pressed(lambda: clocks.pause_clock(olive, round_, NOW)) == ["clock_stands", "clock_stands", "served"]
    match = table(round_)
    assert pressed(lambda: clocks.give_extra_time(olive, match, 180, "judge", NOW, seen=0)) == [
        "extra_time_changed", "extra_time_changed", "served"
    ]  # fmt: skip
    assert (RoundClock.objects.get().length_seconds, Match.objects.get(pk=match.pk).extra_seconds) == (3060, 180)
    assert verify_stream(event.stream) == []


def test_control_without_a_look_adds_them_all_up():
    event = running(4, game="dead_or_destroyed", game_format="standard", round_minutes=50)
    round_, olive = next_round(event), account("olive")
    assert pressed(lambda: clocks.change_clock(olive, round_, "round", 60, NOW)) == ["served"] * CLIENTS
    assert RoundClock.objects.get().length_seconds == 3000 + 60 * CLIENTS
