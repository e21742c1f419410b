"""Results and penalties posted by separate processes: one wins, the others are told, a repeat counts once (R3, R4, R8).

Each proof has a control: without the lock, or without the check of the round, the same posts must go wrong.
"""

import pytest
from django.db import connection
from rest_framework.test import APIClient

from accounts.identity.keys import issue_api_token
from journal.ledger.selectors import head_of, verify_stream
from journal.models import LedgerEntry
from rules_engine.errors import Conflict
from tests.invariants.test_races import drop_constraint, no_lock, restore_constraint  # noqa: F401
from tests.races import goes_wrong, race
from tests.tournaments.factories import NOW, account, next_round, running, score, table
from tournaments.events.services.events import finish_tournament
from tournaments.models import Match, Penalty, ResultReport, Tournament
from tournaments.penalties.services import give_penalty
from tournaments.results.selectors import contradictions_of
from tournaments.results.services.corrections import correct_result
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db(transaction=True)

BODIES = [
    {"games_won": won, "games_drawn": drawn}
    for won, drawn in (([2, 0], 0), ([2, 1], 0), ([1, 1], 0), ([1, 2], 0), ([0, 2], 0), ([1, 0], 0), ([0, 1], 0))
] + [{"kind": "double_loss"}]  # fmt: skip


@pytest.fixture
def turns(many):
    """How often each race is run: a slice, or the full figure of docs/how-it-works/trust.md."""
    return many(200, 1)


@pytest.fixture
def tokens():
    """A program's token for Olive, in whose name every process posts; the site is loaded before they start."""
    olive = account("olive")
    APIClient().get("/api/v1/events/")
    return issue_api_token(olive.user, olive, NOW.replace(year=2126))[1]


def poster(match, token, bodies, keys):
    """Posts one body of several, with its key where there is one; answers the status and what was said.

    Like any client it asks again where the site was too busy to look.
    """
    slug = match.round.stage.tournament.slug
    path = f"/api/v1/events/{slug}/matches/{match.pk}/report/"

    def post(number):
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        key = {"HTTP_IDEMPOTENCY_KEY": keys[number]} if keys[number] else {}
        for _try in range(9):
            answer = client.post(path, bodies[number], format="json", **key)
            if answer.json().get("code") != "busy":
                break
        return answer.status_code, answer.json()

    return post


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 8])
def test_of_different_posts_one_counts_and_the_others_are_told_which(clients, turns, tokens):
    for _turn in range(turns):
        match = table(next_round(running(4)))
        answers = race(poster(match, tokens, BODIES, [None] * clients), clients)
        assert sorted(status for status, _said in answers) == [200] + [409] * (clients - 1)
        standing = as_loaded(match)
        winner = next(said["match"]["result"] for status, said in answers if status == 200)
        told = [said for status, said in answers if status == 409]
        assert all(each["code"] == "result_conflict" for each in told)
        assert all(each["details"]["standing"] == winner for each in told)
        assert (winner["report"], standing.reports.count()) == (1, clients)
        assert len(contradictions_of(standing)) == clients - 1
        assert verify_stream(match.round.stage.tournament.stream) == []


def as_loaded(match):
    return Match.objects.prefetch_related("reports__acts").get(pk=match.pk)


@pytest.mark.sqlite
@pytest.mark.parametrize("keys", [[None] * 16, ["one-key"] * 16, [f"key-{number}" for number in range(16)]])
def test_same_post_sixteen_times_counts_once(keys, many, tokens):
    for turn in range(many(40, 1)):
        match = table(next_round(running(4)))
        given = [key and f"{key}-{turn}" for key in keys]
        answers = race(poster(match, tokens, [BODIES[1]] * 16, given), 16)
        assert {(status, said.get("status", said.get("code"))) for status, said in answers} <= {(200, "standing")}
        assert ResultReport.objects.filter(match=match).count() == 1
        assert (
            LedgerEntry.objects.filter(stream=match.round.stage.tournament.stream, act__startswith="result").count()
            == 1
        )


@pytest.mark.sqlite
def test_one_key_with_different_bodies_stores_one(turns, tokens):
    for turn in range(turns):
        match = table(next_round(running(4)))
        answers = race(poster(match, tokens, BODIES, [f"same-{turn}"] * 4), 4)
        assert sorted(status for status, _said in answers) == [200, 422, 422, 422]
        assert {said["code"] for status, said in answers if status == 422} == {"key_reused"}
        assert ResultReport.objects.filter(match=match).count() == 1


@pytest.mark.postgresql
def test_without_lock_several_posts_count(no_lock, tokens):  # noqa: F811
    """The control of the tests above."""

    def counted():
        match = table(next_round(running(4)))
        answers = race(poster(match, tokens, BODIES, [None] * 8), 8)
        return sum(status == 200 for status, _said in answers)

    drop_constraint(ResultReport, "one_report_a_number")
    try:
        assert goes_wrong(counted)
    finally:
        connection.cursor().execute("TRUNCATE tournaments_resultreport CASCADE")
        restore_constraint(ResultReport, "one_report_a_number")


def press_correction(match, seen):
    def press(number):
        try:
            correct_result(account("olive"), match, score(*((0, 2), (1, 2))[number % 2]), "typo", NOW, seen=seen)
        except Conflict as error:
            return error.code, error.details["standing"]
        return "corrected", None

    return press


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 8])
def test_of_corrections_of_one_result_the_first_wins(clients, turns):
    for _turn in range(turns):
        match = table(next_round(running(4)))
        seen = report_result(account("olive"), match, score(2, 0), NOW).report.pk
        answers = race(press_correction(match, seen), clients)
        standing = Match.objects.get(pk=match.pk).accepted_report_id
        told = [("result_changed", standing)] * (clients - 1)
        assert sorted(answers, key=str) == sorted([("corrected", None), *told], key=str)
        assert ResultReport.objects.filter(match=match).count() == 2


def press_penalty(match):
    entry = match.seats.get(order=1).entry

    def press(_number):
        try:
            give_penalty(account("juno"), entry, "match_loss", "Slow play", NOW, match=match, version=match.version)
        except Conflict as error:
            return error.code
        return "given"

    return press


@pytest.mark.sqlite
@pytest.mark.parametrize("clients", [2, 8])
def test_match_loss_pressed_by_several_is_given_once(clients, turns):
    for _turn in range(turns):
        match = table(next_round(running(4)))
        answers = race(press_penalty(match), clients)
        assert sorted(answers) == ["given"] + ["match_changed"] * (clients - 1)
        assert Penalty.objects.filter(match=match).count() == ResultReport.objects.filter(match=match).count() == 1


def recorded_round(tournament, token, turn):
    """Plays a round by API; answers each request that was made, to be made again."""
    round_ = next_round(tournament, turn)
    requests = []
    for match in round_.matches.filter(kind="played"):
        for key, body in ((f"r{round_.pk}-{match.pk}", BODIES[0]), (None, BODIES[0]), (None, BODIES[4])):
            requests.append((poster(match, token, [body], [key]), match.pk))
    for post, _match in requests:
        post(0)
    return requests


def state_of(tournament):
    """Everything that a late request could touch."""
    matches = Match.objects.filter(round__stage__tournament=tournament).order_by("pk")
    return (
        list(matches.values_list("pk", "state", "version", "accepted_report")),
        ResultReport.objects.filter(match__in=matches).count(),
        head_of(tournament.stream),
    )


def replay(requests, copies=1):
    return [post(0)[0] for post, _match in requests for _copy in range(copies)]


@pytest.mark.sqlite
def test_late_requests_touch_neither_the_next_round_nor_the_end(many, tokens):
    copies = many(40, 1)
    tournament = running(6, swiss_rounds=2)
    requests = recorded_round(tournament, tokens, 1)
    second = next_round(tournament, 2)
    before = state_of(tournament)
    assert set(replay(requests, copies)) <= {200, 409}
    assert late_post(requests, tokens) == 409
    assert state_of(tournament) == before
    for match in second.matches.all():
        report_result(account("olive"), match, score(2, 0), NOW)
    tournament = Tournament.objects.get(pk=tournament.pk)
    finish_tournament(account("olive"), tournament, NOW)
    before = state_of(tournament)
    replay(requests, copies)
    assert state_of(tournament) == before


def test_without_the_check_of_the_round_a_late_request_goes_through(no_lock, tokens):  # noqa: F811
    """The control of the test above."""
    tournament = running(6, swiss_rounds=2)
    requests = recorded_round(tournament, tokens, 1)
    next_round(tournament, 2)
    before = state_of(tournament)
    late_post(requests, tokens)
    assert state_of(tournament) != before


def late_post(requests, token):
    """A result that nobody had sent while its round was open."""
    match = Match.objects.get(pk=requests[0][1])
    return poster(match, token, [BODIES[5]], [None])(0)[0]
