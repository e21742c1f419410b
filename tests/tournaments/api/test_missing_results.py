"""Pairing on missing results by API: what is refused, what is accepted, what a round tells of it."""

import pytest

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import account, next_round, running, score, table
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def held():
    return running(6, swiss_rounds=3)


@pytest.fixture
def first(held):
    """Round 1 without a result at tables 1 and 3."""
    round_ = next_round(held)
    report(table(round_, 2))
    return round_


def report(match):
    report_result(account("olive"), match, score(2, 0), match.round.paired_at)


def test_refusal_lists_what_is_missing_and_naming_it_pairs(held, first):
    olive, rounds = caller("olive"), f"{path_of(held)}rounds/"
    problem = good(olive.post(rounds, {"after": 1}), 422)
    missing = problem["details"]["missing"]
    assert problem["code"] == "missing_results"
    assert [(each["round"], each["table"], each["state"]) for each in missing] == [(1, 1, "open"), (1, 3, "open")]
    ids = [each["match"] for each in missing]
    assert good(olive.post(rounds, {"after": 1, "without": ids}), 422)["code"] == "reason_needed"
    assert good(olive.post(rounds, {"after": 1, "without": ids[:1], "reason": "late"}), 422)["details"] == {
        "missing": missing[1:]
    }
    made = good(olive.post(rounds, {"after": 1, "without": ids, "reason": "late"}), 201)
    assert (made["paired_without"], made["results_changed_at"]) == (ids, None)


@pytest.mark.parametrize("without", ["1", [0], [-1], ["x"], [2**63], [[1]], {"1": 1}])
def test_absurd_lists_are_not_read(held, first, without):
    assert caller("olive").post(f"{path_of(held)}rounds/", {"after": 1, "without": without}).status_code == 400


def test_changed_result_shows_on_later_rounds_to_everybody(held, first):
    olive, path = caller("olive"), path_of(held)
    good(olive.post(f"{path}rounds/", {"after": 1, "without": ids_of(first), "reason": "late"}), 201)
    good(olive.post(f"{path}rounds/2/publish/"))
    changed = {"games_won": [0, 2], "reason": "misread"}
    good(olive.post(f"{path}matches/{table(first, 2).pk}/correct/", changed))
    one, two = good(caller().get(f"{path}rounds/"))["results"]
    assert (one["results_changed_at"], one["paired_without"], one["state"]) == (None, [], "published")
    assert two["results_changed_at"] is not None
    assert two["paired_without"] == ids_of(first)
    good(olive.post(f"{path}matches/{table(first, 1).pk}/report/", {"games_won": [2, 0]}))
    good(olive.post(f"{path}matches/{table(first, 3).pk}/report/", {"games_won": [2, 0]}))
    assert good(caller().get(f"{path}rounds/1/"))["state"] == "closed"


def ids_of(round_):
    return [table(round_, 1).pk, table(round_, 3).pk]
