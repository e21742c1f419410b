"""Calls for a judge: who makes them, who answers, and what each is told."""

import pytest

from accounts.models import Person
from accounts.actors import Actor
from journal.models import LedgerEntry
from rules_engine.errors import DomainError
from tests.tournaments.cast import NOW, account, next_round, running, staff, table
from tournaments.models import JudgeCall, Match, Role, Tournament
from tournaments.selectors.calls import call_at, open_calls
from tournaments.services.calls import (
    call_judge,
    claim_call,
    escalate_call,
    release_call,
    resolve_call,
    withdraw_call,
)
from tournaments.services.rounds import withdraw_round

pytestmark = pytest.mark.django_db
State = JudgeCall.State


@pytest.fixture
def event() -> Tournament:
    tournament = running(4)
    next_round(tournament)
    return tournament


@pytest.fixture
def match(event: Tournament) -> Match:
    return table(event.stages.get().rounds.get())


def player(match: Match, place: int = 1) -> Actor:
    """Whoever sits there, by personal link."""
    person = Person.objects.get(members__seats__match=match, members__seats__order=place)
    return Actor(None, person, "link", NOW, match.round.stage.tournament.stream)


def refused(code: str, act, *args) -> None:
    with pytest.raises(DomainError) as error:
        act(*args)
    assert error.value.code == code


def test_player_calls_a_judge_to_the_own_table(match):
    call = call_judge(player(match), match, "rules", "  May  she? ", NOW)
    assert (call.state, call.note, call.member.person) == (State.OPEN, "May she?", player(match).person)
    entry = LedgerEntry.objects.get(act="call.made")
    assert "note" not in entry.subjects and "note" in entry.digests


def test_table_has_one_open_call(match):
    call = call_judge(player(match), match, "rules", "", NOW)
    refused("call_open", call_judge, player(match, 2), match, "deck", "", NOW)
    withdraw_call(player(match), call, NOW)
    assert call_judge(player(match, 2), match, "deck", "", NOW).kind == "deck"
