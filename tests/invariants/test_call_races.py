"""Calls for a judge in a race: of judges who claim at once one goes, of calls from one table one stands.

Each proof has a control: without the lock of the event the same race goes wrong.
"""

import pytest

from rules_engine.errors import Conflict
from tests.races import race
from tests.tournaments.factories import NOW, account, next_round, running, staff, table
from tournaments.models import JudgeCall, Role, Tournament
from tournaments.room.services import calls
from tournaments.room.services.calls import call_judge, claim_call

pytestmark = pytest.mark.django_db(transaction=True)
JUDGES = ("juno", "jan", "jil", "jo")


@pytest.fixture
def match():
    tournament = running(4)
    for name in JUDGES:
        staff(tournament, name, Role.Name.JUDGE)
    return table(next_round(tournament))


@pytest.mark.sqlite
def test_of_judges_who_claim_at_once_one_goes(match):
    call = call_judge(account("olive"), match, "rules", "", NOW)
    answers = race(claimer(call), len(JUDGES))
    assert sorted(answers) == ["call_claimed"] * (len(JUDGES) - 1) + ["goes"]
    assert JudgeCall.objects.get().judge.username == JUDGES[answers.index("goes")]


@pytest.mark.sqlite
def test_of_calls_from_one_table_at_once_one_stands(match):
    def call(_number):
        try:
            call_judge(account("olive"), match, "rules", "", NOW)
        except Conflict as refused:
            return refused.code
        return "called"

    assert sorted(race(call, 4)) == ["call_open"] * 3 + ["called"]
    assert JudgeCall.objects.count() == 1


def test_without_the_lock_several_judges_go(match, monkeypatch):
    """The control: each judge is told that she goes; for PostgreSQL, as SQLite has one writer at a time anyway."""
    monkeypatch.setattr(calls, "lock_tournament", lambda event: Tournament.objects.get(pk=event.pk))
    for _turn in range(20):
        JudgeCall.objects.all().delete()
        call = call_judge(account("olive"), match, "rules", "", NOW)
        if race(claimer(call), len(JUDGES)).count("goes") > 1:
            return
    pytest.fail("the lock was never missed")


def claimer(call):
    actors = [account(name) for name in JUDGES]

    def claim(number):
        for _try in range(9):
            try:
                claim_call(actors[number], call, NOW)
            except Conflict as refused:
                if refused.code != "busy":
                    return refused.code
            else:
                return "goes"
        return "busy"

    return claim
