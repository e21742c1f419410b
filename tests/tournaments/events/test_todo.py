"""What an event asks of its staff: each need where it is there, the most pressing first, nothing where nothing is."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from journal.models import OutboxMessage
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, score, staff, table
from tests.tournaments.web.organiser.test_organiser import browser, manage
from tournaments.entries.services.entries import sign_up
from tournaments.events.selectors.events import next_step
from tournaments.events.selectors.overview import deck_overview, entry_counts
from tournaments.events.selectors.todo import Need, Seen, Todo, todos_of
from tournaments.events.services.events import start_tournament
from tournaments.models import JudgeCall, Match, Role, RoundClock
from tournaments.results.services.reports import report_result
from tournaments.room.selectors.clocks import clock_of
from tournaments.web.organiser.todo_words import LOOKS, PLACES, TEXTS, todo_line

pytestmark = pytest.mark.django_db


def todos(tournament, name="olive", now=NOW):
    counts, decks = entry_counts(tournament), deck_overview(tournament)
    seen = Seen(next_step(tournament), counts, decks, clock_of(tournament, now))
    return {each.need: each for each in todos_of(account(name), tournament, seen, now)}


def call(tournament, match, state=JudgeCall.State.OPEN):
    return JudgeCall.objects.create(tournament=tournament, match=match, called_at=NOW, state=state)


def test_a_complete_round_asks_nothing():
    tournament = running(4, stacking_minutes=None)
    report_all(next_round(tournament))
    assert todos(tournament) == {}


def test_before_the_start_it_names_who_is_not_ready():
    tournament = event(5, check_in=True, capacity=5, deck_required=True, players_report=True)
    found = todos(tournament)
    counts = {need: todo.count for need, todo in found.items()}
    assert counts == {Need.CHECK_IN: 5, Need.DECK_MISSING: 5, Need.LINK: 5, Need.FULL: 5}


def test_at_the_tables_it_names_conflicts_reports_and_calls():
    tournament = event(6)
    people = [account(name) for name in ("ada", "ben")]
    for each in people:
        sign_up(each, tournament, each.person, NOW)
    from_start = start_tournament(account("olive"), tournament, NOW)
    round_ = next_round(from_start)
    first, other = table(round_, 1), table(round_, 2)
    Match.objects.filter(pk=first.pk).update(state=Match.State.CONFLICT)
    Match.objects.filter(pk=other.pk).update(state=Match.State.REPORTED)
    call(from_start, other)
    call(from_start, first, JudgeCall.State.CLAIMED)
    found = todos(from_start)
    assert list(found)[:2] == [Need.CONFLICT, Need.CALL]
    assert found[Need.CONFLICT].tables == ((first.pk, 1),)
    assert found[Need.CALL].tables == ((other.pk, 2),)
    assert found[Need.UNCONFIRMED].count == 1
    staff(from_start, "kit", Role.Name.SCOREKEEPER)
    assert Need.CALL not in todos(from_start, "kit")


def test_time_that_is_over_names_the_missing_tables():
    tournament = running(6, round_minutes=50, stacking_minutes=None)
    round_ = next_round(tournament)
    report_result(account("olive"), table(round_, 1), score(2, 0), NOW)
    RoundClock.objects.filter(round=round_).delete()
    for phase, seconds in ((RoundClock.Phase.STACKING, 60), (RoundClock.Phase.ROUND, 3000)):
        RoundClock.objects.create(round=round_, phase=phase, length_seconds=seconds, started_at=NOW)
    assert Need.TIME_OVER not in todos(tournament, now=NOW + timedelta(minutes=49))
    assert todos(tournament, now=NOW + timedelta(minutes=51))[Need.TIME_OVER].count == 2


def test_parked_work_is_the_organisers():
    tournament = running(4)
    next_round(tournament)
    OutboxMessage.objects.filter(stream=tournament.stream).update(done_at=None, parked_at=NOW)
    assert todos(tournament)[Need.WORK].count > 0
    staff(tournament, "juno", Role.Name.JUDGE)
    assert Need.WORK not in todos(tournament, "juno")


def test_staff_are_told_what_they_can_do():
    waits = event(5, check_in=True, capacity=5, players_report=True)
    plays = running(4, round_minutes=50, stacking_minutes=None)
    next_round(plays)
    told = {}
    for name, role in (("juno", Role.Name.JUDGE), ("hana", Role.Name.HEAD_JUDGE), ("kit", Role.Name.SCOREKEEPER)):
        for tournament in (waits, plays):
            staff(tournament, name, role)
        told[name] = {*todos(waits, name), *todos(plays, name)}
    assert {*todos(waits)} == {Need.CHECK_IN, Need.LINK, Need.FULL}
    assert told == {
        "juno": {Need.CHECK_IN, Need.LINK},
        "hana": {Need.CHECK_IN, Need.LINK},
        "kit": {Need.CHECK_IN},
    }


@pytest.mark.parametrize("need", list(Need))
@pytest.mark.parametrize("count", [1, 7])
def test_every_need_has_words_and_a_page(need, count):
    tournament = event()
    line = todo_line(tournament, Todo(need, count))
    assert line.text
    assert line.url.startswith(f"/e/{tournament.slug}/")
    assert LOOKS.get(need, "wait") in ("wrong", "wait", "open")
    assert {*TEXTS} == {*PLACES} == {*Need}


def test_page_lists_them_in_as_many_queries_for_many_as_for_few():
    counts = []
    for players in (6, 40):
        tournament = running(players)
        round_ = next_round(tournament)
        Match.objects.filter(round=round_).update(state=Match.State.CONFLICT)
        olive = browser("olive")
        olive.get(manage(tournament, ""))
        with CaptureQueriesContext(connection) as queries:
            page = olive.get(manage(tournament, "")).content.decode()
        counts.append(len(queries))
        assert f"{players // 2} tables have different reports" in page
    assert counts[0] == counts[1]
