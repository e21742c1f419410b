"""What the code on a table may do: its own match while the round is open, one seat a phone, as the organiser chose."""

from datetime import timedelta

import pytest

from accounts.actors import Actor
from journal.clock import database_now
from rules_engine.errors import Conflict
from tests.refusals import refusal
from tests.tournaments.factories import account, afresh, next_round, report_all, running, score, table
from tests.tournaments.table_phones import seats_at, table_actor, tokens_of
from tournaments.decks.selectors.reveal import revealed_plans
from tournaments.decks.services.deck_ready import mark_deck_ready_for
from tournaments.models import Match, ResultReport, Round, TableCode, Tournament
from tournaments.results.services.reports import confirm_report, report_result
from tournaments.results.services.stored_reports import Status
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.table_access.selectors import match_at
from tournaments.table_access.services import (
    agree_from_table,
    call_from_table,
    disagree_from_table,
    mark_deck_ready_from_table,
    renew_codes,
    report_from_table,
    revoke_codes,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def stored_held(shared_db) -> Tournament:
    return running(table_reports="agreed")


@pytest.fixture
def held(stored_held, db) -> Tournament:
    return afresh(stored_held)


@pytest.fixture(scope="module")
def stored_match(stored_held) -> Match:
    round_ = next_round(stored_held)
    tokens_of(stored_held)
    return table(round_)


@pytest.fixture
def match(stored_match, db) -> Match:
    return afresh(stored_match)


def reported(match: Match, phone: str = "one") -> ResultReport:
    first, _second = seats_at(match)
    held = match.round.stage.tournament
    return report_from_table(table_actor(held, name=phone), first, score(2, 0), database_now()).report


def test_a_report_waits_for_the_other_player(held, match):
    report = reported(match)
    assert (report.role, report.actor_label, report.by_seat) == ("table", "Table 1", seats_at(match)[0])
    answer = agree_from_table(table_actor(held, name="two"), report, seats_at(match)[1], database_now())
    assert answer.status is Status.ACCEPTED


def test_a_phone_that_reported_for_one_seat_agrees_for_no_other(held, match):
    report, second = reported(match), seats_at(match)[1]
    one = table_actor(held, name="one")
    assert refusal(lambda: agree_from_table(one, report, second, database_now())) == "other_seat"
    assert refusal(lambda: report_from_table(one, second, score(2, 0), database_now())) == "other_seat"
    assert refusal(lambda: disagree_from_table(one, report, second, database_now())) == "other_seat"
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED


def test_an_equal_report_from_the_other_phone_makes_it_count(held, match):
    reported(match)
    answer = report_from_table(table_actor(held, name="two"), seats_at(match)[1], score(2, 0), database_now())
    assert answer.status is Status.ACCEPTED


def test_a_different_report_is_a_conflict_for_staff(held, match):
    reported(match)
    answer = report_from_table(table_actor(held, name="two"), seats_at(match)[1], score(0, 2), database_now())
    assert answer.status is Status.CONFLICT


@pytest.fixture
def for_staff(held):
    Tournament.objects.filter(pk=held.pk).update(table_reports="staff")


def test_where_staff_agree_no_player_does(for_staff, held, match):
    report, second = reported(match), seats_at(match)[1]
    two, now = table_actor(held, name="two"), database_now()
    assert refusal(lambda: agree_from_table(two, report, second, now)) == "staff_agree"
    assert report_from_table(two, second, score(2, 0), now).status is Status.WAITING
    assert refusal(lambda: confirm_report(account("ben"), report, now, seat=second)) == "staff_agree"
    assert report_result(account("ben"), match, score(2, 0), now, seat=second).status is Status.WAITING
    assert ResultReport.objects.filter(match=match).count() == 1
    assert confirm_report(account("olive"), report, now).status is Status.ACCEPTED


def test_where_staff_agree_players_own_reports_count_as_ever(for_staff, held, match):
    first, second = seats_at(match)
    report = report_result(account("ada"), match, score(2, 0), database_now(), seat=first).report
    two = table_actor(held, name="two")
    assert refusal(lambda: agree_from_table(two, report, second, database_now())) == "staff_agree"
    assert confirm_report(account("ben"), report, database_now(), seat=second).status is Status.ACCEPTED


def test_switched_off_nothing_is_reported(held, match):
    Tournament.objects.filter(pk=held.pk).update(table_reports="off")
    assert refusal(lambda: reported(match)) == "no_table_reports"


def test_another_tables_match_is_refused(held, match):
    other = match.round.matches.get(table_number=2)
    first, now = seats_at(other)[0], database_now()
    one = table_actor(held)
    assert refusal(lambda: report_from_table(one, first, score(2, 0), now)) == "other_match"
    assert refusal(lambda: call_from_table(one, other, "rules", "", now)) == "other_match"
    assert refusal(lambda: mark_deck_ready_from_table(one, first, 1, now)) == "other_match"


def test_another_events_code_is_refused(held, match):
    other = running(name="Another cup")
    next_round(other)
    tokens_of(other)
    stranger = table_actor(other)
    assert refusal(lambda: report_from_table(stranger, seats_at(match)[0], score(2, 0), database_now())) == "dead_code"


def test_an_actor_with_the_id_of_another_code_is_refused(held, match):
    tokens = table_actor(held, table=2)
    forged = Actor(None, None, "table", tokens.link_issued_at, held.stream, tokens.table_code, 1, "one")
    assert refusal(lambda: report_from_table(forged, seats_at(match)[0], score(2, 0), database_now())) == "dead_code"


@pytest.mark.parametrize(
    "end",
    [
        lambda held: revoke_codes(account("olive"), held, database_now()),
        lambda held: renew_codes(account("olive"), held, database_now()),
        lambda held: TableCode.objects.update(
            valid_from=database_now() - timedelta(hours=2), expires_at=database_now() - timedelta(hours=1)
        ),
    ],
    ids=["revoked", "renewed", "expired"],
)
def test_a_dead_code_stores_nothing_even_for_who_came_before(held, match, end):
    before = table_actor(held)
    end(held)
    first = seats_at(match)[0]
    assert refusal(lambda: report_from_table(before, first, score(2, 0), database_now())) == "dead_code"
    assert refusal(lambda: call_from_table(before, match, "rules", "", database_now())) == "dead_code"
    assert not ResultReport.objects.exists()


def test_a_closed_round_has_no_current_match(held, match):
    report_all(match.round)
    pair_next_round(account("olive"), held, database_now())
    assert Round.objects.get(pk=match.round_id).state == Round.State.CLOSED
    assert match_at(held, 1) is None
    assert refusal(lambda: reported(match)) == "other_match"


def test_after_the_next_round_the_code_means_the_new_match(held, match):
    report_all(match.round)
    publish_round(account("olive"), pair_next_round(account("olive"), held, database_now()), database_now())
    current = match_at(held, 1)
    assert current.pk != match.pk
    assert refusal(lambda: reported(match)) == "other_match"
    assert reported(current).match == current


def test_a_moved_table_takes_its_match_along(held, match):
    one, two = match, match.round.matches.get(table_number=2)
    Match.objects.filter(pk=one.pk).update(table_number=9)
    assert match_at(held, 1) is None
    Match.objects.filter(pk=two.pk).update(table_number=1)
    assert refusal(lambda: reported(one)) == "other_match"
    two.refresh_from_db()
    assert reported(two).match == two


def test_a_report_on_an_older_look_stores_nothing(held, match):
    first = seats_at(match)[0]
    Match.objects.filter(pk=match.pk).update(version=7)
    with pytest.raises(Conflict) as error:
        report_from_table(table_actor(held), first, score(2, 0), database_now(), version=0)
    assert error.value.code == "match_changed"


def test_a_table_calls_a_judge(held, match):
    call = call_from_table(table_actor(held), match, "rules", "", database_now())
    assert (call.match, call.member) == (match, None)
    assert refusal(lambda: call_from_table(table_actor(held), match, "rules", "", database_now())) == "call_open"


def test_plans_are_shown_once_all_decks_are_placed_and_to_no_later_code(held, match):
    first, second = seats_at(match)
    one, now = table_actor(held), database_now()
    mark_deck_ready_from_table(one, first, 1, now)
    assert revealed_plans(one, _fresh(match), now) == ()
    mark_deck_ready_from_table(table_actor(held, name="two"), second, 1, now)
    assert revealed_plans(one, _fresh(match), now) == ()
    for seat in (first, second):
        mark_deck_ready_for(account("olive"), seat, 1, now)
    assert len(revealed_plans(one, _fresh(match), now)) == 2
    tokens_of(held)
    assert revealed_plans(table_actor(held), _fresh(match), now) == ()


def _fresh(match: Match) -> Match:
    return match_at(match.round.stage.tournament, match.table_number or 0)
