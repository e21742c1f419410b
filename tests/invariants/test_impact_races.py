"""Two staff save what they looked at, at once: one wins, the other is told; with a control that has no mark."""

import pytest

from journal.ledger.selectors import verify_stream
from rules_engine.errors import Conflict
from tests.races import race
from tests.tournaments.factories import NOW, account, next_round, report_all, running
from tests.tournaments.impact.test_impact import DOUBLE_LOSS
from tournaments.core.rounds import matches_of
from tournaments.impact import services as impact
from tournaments.impact.selectors import Situation
from tournaments.models import Amendment, ResultReport
from tournaments.results.services.corrections import correct_result

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


@pytest.fixture
def turns(many):
    """How often each race is run: a slice, or the full figure."""
    return many(100, 2)


def race_of_corrections(clients):
    """Each client saves the correction of a table of its own, all by the same look: what they were answered."""
    tournament = running(2 * clients)
    round_ = next_round(tournament)
    report_all(round_)
    matches = matches_of(round_)

    def act(number):
        return correct_result(account("olive"), matches[number], DOUBLE_LOSS, "both came late", NOW)

    seen = impact.look_at(tournament, lambda: act(0), with_tables=True).mark

    def save(number):
        try:
            impact.apply_if_unchanged(tournament, lambda: act(number), seen=seen, with_tables=True)
        except Conflict as conflict:
            return conflict.code
        return "stored"

    return tournament, race(save, clients)


@pytest.mark.parametrize("clients", [2, 4])
def test_of_corrections_by_one_look_one_is_stored_and_the_others_are_told(clients, turns):
    for _turn in range(turns):
        tournament, answers = race_of_corrections(clients)
        assert sorted(answers) == ["moved_on"] * (clients - 1) + ["stored"]
        reports = ResultReport.objects.filter(match__round__stage__tournament=tournament)
        assert reports.filter(kind="double_loss").count() == 1
        assert Amendment.objects.filter(tournament=tournament).count() == 1
        assert verify_stream(tournament.stream) == []


def test_control_without_the_mark_stores_them_all(monkeypatch):
    monkeypatch.setattr(Situation, "mark", property(lambda situation: "always the same"))
    _tournament, answers = race_of_corrections(2)
    assert answers == ["stored", "stored"]
