"""Calls for a judge: who makes them, who answers, and what each is told."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.actors import Actor
from accounts.models import Person
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from tests.refusals import refusal
from tests.tournaments.factories import NOW, account, next_round, report_all, running, score, staff, table
from tournaments.core.log import log_of
from tournaments.events.services.events import finish_tournament
from tournaments.models import JudgeCall, Match, Role, Tournament
from tournaments.results.services.reports import report_result
from tournaments.room.selectors.calls import call_at, ended_calls, open_calls
from tournaments.room.services.calls import (
    call_judge,
    claim_call,
    escalate_call,
    release_call,
    resolve_call,
    withdraw_call,
)
from tournaments.rounds.services.rounds import pair_next_round, withdraw_round

pytestmark = pytest.mark.django_db
State = JudgeCall.State


@pytest.fixture
def event() -> Tournament:
    tournament = running(4)
    next_round(tournament)
    staff(tournament, "juno", Role.Name.JUDGE)
    return tournament


@pytest.fixture
def match(event: Tournament) -> Match:
    return table(event.stages.get().rounds.get())


@pytest.fixture
def call(match: Match) -> JudgeCall:
    return call_judge(player(match), match, "rules", "May she?", NOW)


def player(match: Match, place: int = 1) -> Actor:
    """Whoever sits there, by personal link."""
    seat = match.seats.get(order=place)
    return Actor(None, Person.objects.get(pk=seat.member.person_id), "link", NOW, match.round.stage.tournament.stream)


def refused(code: str, act: Callable[..., object], *args: object) -> None:
    assert refusal(act, *args) == code


def test_player_calls_a_judge_to_the_own_table(match):
    call = call_judge(player(match), match, "rules", "  May   she? ", NOW)
    assert (call.state, call.note, call.member.person) == (State.OPEN, "May she?", player(match).person)
    entry = LedgerEntry.objects.get(act="call.made")
    assert "note" not in entry.subjects
    assert "note" in entry.digests


def test_table_has_one_open_call(match, call):
    refused("call_open", call_judge, player(match, 2), match, "deck", "", NOW)
    withdraw_call(player(match), call, NOW)
    assert call_judge(player(match, 2), match, "deck", "", NOW).kind == "deck"


def test_nobody_calls_to_a_foreign_table(event, match):
    other = table(match.round, 2)
    refused("not_at_match", call_judge, player(other), match, "rules", "", NOW)
    refused("not_at_match", call_judge, account("mallory"), match, "rules", "", NOW)


def test_staff_call_to_any_table_for_nobody(event, match):
    kit = staff(event, "kit", Role.Name.SCOREKEEPER)
    assert call_judge(kit, match, "other", "", NOW).member is None


def test_call_is_refused_once_the_round_is_over(event, match):
    report_all(match.round)
    next_round(event)
    refused("round_closed", call_judge, player(match), match, "rules", "", NOW)


def test_call_about_something_unknown_is_refused(match):
    refused("bad_kind", call_judge, player(match), match, "pizza", "", NOW)


def test_second_judge_is_told_who_goes(event, call):
    claim_call(account("juno"), call, NOW)
    with pytest.raises(DomainError, match="juno") as error:
        claim_call(account("olive"), call, NOW)
    assert error.value.code == "call_claimed"
    assert claim_call(account("juno"), call, NOW).judge == account("juno").user


def test_call_put_back_can_be_claimed_by_another(call):
    refused("not_claimed", release_call, account("juno"), call, NOW)
    claim_call(account("juno"), call, NOW)
    release_call(account("juno"), call, NOW)
    assert claim_call(account("olive"), call, NOW).judge == account("olive").user


def test_call_handed_on_waits_for_another_judge(call):
    claim_call(account("juno"), call, NOW)
    escalate_call(account("juno"), call, NOW)
    refused("call_escalated", escalate_call, account("juno"), call, NOW)
    claimed = claim_call(account("olive"), call, NOW)
    assert (claimed.state, claimed.escalated_at) == (State.CLAIMED, NOW)


def test_resolving_tells_the_outcome_and_ends_the_call(event, call):
    refused("outcome_needed", resolve_call, account("juno"), call, " ", NOW)
    resolve_call(account("juno"), call, "Ruling given", NOW)
    refused("call_ended", claim_call, account("olive"), call, NOW)
    assert call_at(call.match) is None
    assert [each.outcome for each in ended_calls(event)] == ["Ruling given"]


def test_resolving_gives_the_time_that_the_call_took(match, call):
    resolve_call(account("juno"), call, "Ruling given", NOW + timedelta(minutes=4), extra_seconds=240)
    match.refresh_from_db()
    assert match.extra_seconds == 240


def test_refused_extra_time_leaves_the_call_open(match, call):
    report_result(account("olive"), match, score(2, 0), NOW)
    with pytest.raises(DomainError):
        resolve_call(account("juno"), call, "Ruling given", NOW, extra_seconds=240)
    assert call_at(match) == call


def test_judge_answers_no_call_of_the_own_table(event, match, call):
    juno, seat = account("juno"), match.seats.get(order=2)
    Person.objects.filter(user=juno.user).update(user=None)
    Person.objects.filter(pk=seat.member.person_id).update(user=juno.user)
    playing = account("juno")
    for act in (claim_call, escalate_call):
        refused("own_table", act, playing, call, NOW)
    refused("own_table", resolve_call, playing, call, "Mine", NOW)


def test_only_the_caller_takes_the_call_back(match, call):
    refused("not_your_call", withdraw_call, player(match, 2), call, NOW)
    refused("not_your_call", withdraw_call, account("juno"), call, NOW)
    assert withdraw_call(player(match), call, NOW).state == State.WITHDRAWN


def test_call_of_a_pairing_taken_back_leaves_the_queue(event, match, call):
    assert list(open_calls(event)) == [call]
    withdraw_round(account("olive"), match.round, "wrong", NOW)
    assert list(open_calls(event)) == []


def test_judges_read_calls_in_the_log(event, call):
    assert "call.made" in [entry.act for entry in log_of(event, whole=False)]


def test_a_call_is_over_with_its_round(event, match, call):
    report_all(match.round)
    assert list(open_calls(event)) == [call]
    next_round(event)
    assert list(open_calls(event)) == []
    ended = ended_calls(event).get()
    assert (ended.state, ended.ended_at, ended.outcome) == (State.LAPSED, NOW, "")
    assert LedgerEntry.objects.filter(act="call.lapsed").get().subjects["call"] == call.pk
    refused("call_ended", claim_call, account("juno"), call, NOW)


def test_a_call_of_a_round_that_waits_stays_until_its_last_result(event, match, call):
    other = table(match.round, 2)
    report_result(account("olive"), other, score(2, 0), NOW)
    pair_next_round(account("olive"), event, NOW, without=[match.pk], reason="they still play")
    assert list(open_calls(event)) == [call]
    report_result(account("olive"), match, score(2, 0), NOW)
    assert list(open_calls(event)) == []


def test_the_end_of_the_event_ends_its_calls(event, match, call):
    report_all(match.round)
    finish_tournament(account("olive"), event, NOW)
    assert call_at(match) is None
