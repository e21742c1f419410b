"""Rounds and matches by API: pairing, reports, conflicts kept and answered, corrections."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, staff
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, ResultReport, Role, Round
from tournaments.rounds.services.rounds import pair_next_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel():
    """Ada and Ben at one table of a published round: (clients of ada and ben, address of the match)."""
    tournament = event()
    for name in ("ada", "ben"):
        sign_up(account(name), tournament, account(name).person, NOW)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    match = round_.matches.get()
    names = [seat.entry.name for seat in match.seats.all()]
    return caller(names[0]), caller(names[1]), f"{path_of(tournament)}matches/{match.pk}/"


def test_round_is_paired_once_published_and_withdrawn():
    olive, path = caller("olive"), f"{path_of(running(4, swiss_rounds=2))}rounds/"
    paired = good(olive.post(path, {"after": 0, "seed": 7}), 201)
    assert (paired["number"], paired["state"], paired["seed"]) == (1, "paired", 7)
    assert olive.post(path, {"after": 0}).json()["code"] == "already_paired"
    assert good(olive.post(f"{path}1/publish/"))["state"] == "published"
    assert olive.post(f"{path}1/publish/").json()["code"] == "published_already"
    assert olive.post(f"{path}1/withdraw/", {}).status_code == 400
    good(olive.post(f"{path}1/withdraw/", {"reason": "a late player"}))
    assert olive.get(f"{path}1/").json()["code"] == "unknown_round"
    assert good(olive.post(path, {"after": 0}), 201)["version"] == 2


@pytest.mark.parametrize(
    "body", [{}, {"after": -1}, {"after": 2**64}, {"after": "x"}, {"after": 0, "seed": 2**32}, {"after": None}]
)
def test_pairing_refuses_what_is_no_order(body):
    tournament = running(4)
    assert caller("olive").post(f"{path_of(tournament)}rounds/", body).status_code == 400
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.Name.SCOREKEEPER, "waiting"), (Role.Name.JUDGE, "standing"), (Role.Name.ORGANISER, "standing")],
)
def test_who_plays_the_match_reports_it_from_the_seat_unless_an_official(duel, role, status):
    ada, _ben, path = duel
    match = Match.objects.get()
    user = match.seats.first().entry.members.get().person.user
    Role.objects.create(tournament=match.round.stage.tournament, user=user, name=role, granted_at=NOW)
    assert good(ada.post(f"{path}report/", {"games_won": [2, 1]}))["status"] == status
    if status == "waiting":
        assert ada.post(f"{path}confirm/", {"report": 1}).json()["code"] == "own_report"
        assert good(ada.get(path))["result"] is None


def test_a_scorekeepers_word_counts_at_anothers_table(duel):
    _ada, _ben, path = duel
    staff(Match.objects.get().round.stage.tournament, "kit", Role.Name.SCOREKEEPER)
    assert good(caller("kit").post(f"{path}report/", {"games_won": [2, 1]}))["status"] == "standing"


def test_players_report_waits_until_the_other_confirms(duel):
    ada, ben, path = duel
    answer = good(ada.post(f"{path}report/", {"games_won": [2, 1]}))
    assert (answer["status"], answer["report"], answer["match"]["result"]) == ("waiting", 1, None)
    assert answer["match"]["reports"][0]["seat"] == 1
    assert ada.post(f"{path}confirm/", {"report": 1}).json()["code"] == "own_report"
    assert ben.post(f"{path}confirm/", {"report": 2}).json()["code"] == "unknown_report"
    confirmed = good(ben.post(f"{path}confirm/", {"report": 1}))
    assert confirmed["match"]["result"] == {
        "report": 1, "kind": "played", "games_won": [2, 1], "games_drawn": 0, "outcomes": ["win", "loss"],
        "placings": [], "scores": [], "games": [],
    }  # fmt: skip
    assert good(caller().get(path))["reports"] == []


def test_conflicting_report_is_kept_and_answered_409(duel):
    ada, ben, path = duel
    good(ada.post(f"{path}report/", {"games_won": [2, 1]}))
    key = {"Idempotency-Key": "bens-report"}
    answers = [ben.post(f"{path}report/", {"games_won": [0, 2]}, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [409, 409]
    assert answers[0]["Content-Type"] == "application/problem+json"
    assert answers[0].json()["code"] == "result_conflict"
    assert answers[0].json()["details"] == {"report": 2, "standing": None}
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert (ResultReport.objects.count(), Match.objects.get().state) == (2, "conflict")
    settled = good(caller("olive").post(f"{path}confirm/", {"report": 2}))
    assert settled["match"]["result"]["games_won"] == [0, 2]
    late = ada.post(f"{path}report/", {"games_won": [2, 0]}).json()
    assert late["details"]["standing"]["games_won"] == [0, 2]
    assert good(caller("olive").post(f"{path}uphold/", {"reason": "seen at the table"}))["state"] == "done"


def test_dispute_hands_the_match_to_staff(duel):
    ada, ben, path = duel
    good(ada.post(f"{path}report/", {"games_won": [2, 1]}))
    assert good(ben.post(f"{path}dispute/", {"report": 1}))["state"] == "conflict"


def test_strangers_do_not_speak_for_a_match():
    tournament = event(3)
    sign_up(account("ada"), tournament, account("ada").person, NOW)
    round_ = next_round(start_tournament(account("olive"), tournament, NOW))
    other = next(match for match in round_.matches.all() if not match.seats.filter(entry__name="ada").exists())
    path = f"{path_of(tournament)}matches/{other.pk}/"
    for act, body in (("report", {"games_won": [2, 0]}), ("confirm", {"report": 1}), ("dispute", {"report": 1})):
        assert caller("ada").post(f"{path}{act}/", body).json()["code"] in ("not_your_match", "unknown_report")
    assert not ResultReport.objects.exists()


@pytest.mark.parametrize(
    ("body", "won", "drawn"),
    [
        ({"kind": "intentional_draw"}, [0, 0], 3),
        ({"kind": "no_show", "absent": [2]}, [2, 0], 0),
        ({"kind": "no_show", "absent": [1, 2]}, [0, 0], 0),
        ({"kind": "double_loss"}, [0, 0], 0),
        ({"games_won": [1, 1], "games_drawn": 1}, [1, 1], 1),
    ],
)
def test_staff_report_every_kind_of_result(duel, body, won, drawn):
    answer = good(caller("olive").post(f"{duel[2]}report/", body))
    assert (answer["match"]["result"]["games_won"], answer["match"]["result"]["games_drawn"]) == (won, drawn)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"games_won": []}, 422),
        ({"games_won": [2]}, 422),
        ({"games_won": [2, 2]}, 422),
        ({"games_won": [3, 0]}, 422),
        ({"games_won": [-1, 2]}, 400),
        ({"games_won": [100, 0]}, 400),
        ({"games_won": [0] * 21}, 400),
        ({"games_won": [10**30, 0]}, 400),
        ({"games_won": "2-0"}, 400),
        ({"games_won": None}, 400),
        ({"kind": "bye"}, 400),
        ({"kind": ["played"]}, 400),
        ({"kind": "no_show"}, 422),
        ({"kind": "no_show", "absent": [3]}, 422),
    ],
)
def test_absurd_scores_are_refused(duel, body, status):
    assert caller("olive").post(f"{duel[2]}report/", body).status_code == status
    assert not ResultReport.objects.exists()


def test_correction_needs_reason_and_the_result_that_was_seen(duel):
    olive, path = caller("olive"), duel[2]
    body = {"games_won": [0, 2], "reason": "misread"}
    assert olive.post(f"{path}correct/", body).json()["code"] == "nothing_to_correct"
    good(olive.post(f"{path}report/", {"games_won": [2, 0]}))
    assert olive.post(f"{path}correct/", {"games_won": [0, 2]}).status_code == 400
    good(olive.post(f"{path}correct/", {**body, "seen": 1}))
    assert olive.post(f"{path}correct/", {**body, "seen": 1}).json()["code"] == "result_changed"
    assert olive.post(f"{path}correct/", {**body, "seen": 9}).json()["code"] == "unknown_report"


def test_closed_round_is_corrected_by_officials_only():
    tournament = running(4, swiss_rounds=2)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    round_ = next_round(tournament)
    report_all(round_)
    pair_next_round(account("olive"), tournament, NOW)
    path = f"{path_of(tournament)}matches/{round_.matches.first().pk}/"
    body = {"games_won": [0, 2], "reason": "misread"}
    assert caller("kit").post(f"{path}correct/", body).status_code == 403
    assert caller("kit").post(f"{path}uphold/", {"reason": "x"}).status_code == 403
    assert caller("olive").post(f"{path}report/", {"games_won": [1, 2]}).json()["code"] == "round_closed"
    assert good(caller("olive").post(f"{path}correct/", body))["match"]["result"]["games_won"] == [0, 2]


def test_repeat_with_a_key_has_no_second_effect():
    olive, path = caller("olive"), f"{path_of(running(4))}rounds/"
    key = {"Idempotency-Key": "round-1"}
    first, second = (olive.post(path, {"after": 0}, headers=key) for _ in range(2))
    assert (first.status_code, second.status_code, first.content) == (201, 201, second.content)
    assert olive.post(path, {"after": 1}, headers=key).json()["code"] == "key_reused"
    assert Round.objects.count() == 1


def test_a_report_asks_few_questions(duel):
    """Some thirty, whatever the field: each is paid for under the lock of the event."""
    ada, _ben, path = duel
    for reporter, most in ((ada, 28), (caller("olive"), 31)):
        with CaptureQueriesContext(connection) as asked:
            good(reporter.post(f"{path}report/", {"games_won": [2, 1]}))
        assert len(asked) <= most, [each["sql"][:80] for each in asked]


def test_the_answer_shows_the_match_as_the_report_left_it(duel):
    """What was loaded before the report is brought up to date, not read again: it says the same as a later look."""
    ada, ben, path = duel
    told = good(ada.post(f"{path}report/", {"games_won": [2, 1]}))
    assert told["match"] == {name: good(ada.get(path))[name] for name in told["match"]}
    told = good(ben.post(f"{path}confirm/", {"report": 1}))
    assert told["match"] == {name: good(ben.get(path))[name] for name in told["match"]}
    assert told["match"]["result"]["games_won"] == [2, 1]
    told = good(caller("olive").post(f"{path}correct/", {"games_won": [0, 2], "reason": "typed wrong"}))
    assert told["match"] == {name: good(caller("olive").get(path))[name] for name in told["match"]}
