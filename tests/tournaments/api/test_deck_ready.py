"""Placing decks by API: the own press, marks for the table alone, plans after the reveal, a judge's taking back."""

import pytest

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.decks.test_deck_ready import duel_of
from tests.tournaments.decks.test_drafts import designed
from tests.tournaments.factories import next_round, report_all, staff, table
from tournaments.models import DeckPlacement, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel():
    """A table of two accounts with decks, and the address of its match."""
    found = duel_of()
    found.path = f"{path_of(found.event)}matches/{found.match.pk}/"
    found.names = [actor.user.username for actor in found.here]
    return found


def test_each_places_the_own_deck_and_both_see_the_plans(duel):
    one, two = (caller(name) for name in duel.names)
    before = good(one.get(duel.path))
    assert (before["stacking"]["game"], before["stacking"]["minutes"], before["plans"]) == (1, 10, [])
    answer = good(one.post(f"{duel.path}placements/", {"game": 1}))
    assert [mark["placed_at"] is not None for mark in answer["stacking"]["marks"]] == [True, False]
    assert good(two.get(duel.path))["plans"] == []
    answer = good(two.post(f"{duel.path}placements/", {"game": 1}))
    assert (answer["stacking"]["game"], answer["stacking"]["is_on"]) == (2, False)
    assert "plans" not in answer
    seen = [good(client.get(duel.path))["plans"] for client in (one, two)]
    assert seen[0] == seen[1]
    assert [(plan["seat"], plan["state"], len(plan["cards"])) for plan in seen[0]] == [(1, "shown", 1), (2, "shown", 1)]


def test_marks_are_for_staff_and_the_table_alone(duel):
    staff(duel.event, "kit", Role.Name.SCOREKEEPER)
    duel.place(duel.here[0])
    for name, seen in (("", False), ("mallory", False), (duel.there[0].user.username, False), ("kit", True)):
        answer = good(caller(name).get(duel.path))
        assert (answer["stacking"] is not None, answer["plans"]) == (seen, [])
    assert "stacking" not in good(caller("olive").get(f"{path_of(duel.event)}rounds/1/matches/"))["results"][0]


@pytest.mark.parametrize(("name", "shown"), [("", 0), ("mallory", 0), ("kit", 0), ("juno", 2), ("olive", 2)])
def test_plans_after_the_reveal_are_for_officials_and_the_table(duel, name, shown):
    for who, role in (("kit", Role.Name.SCOREKEEPER), ("juno", Role.Name.JUDGE)):
        staff(duel.event, who, role)
    duel.place(*duel.here)
    assert len(good(caller(name).get(duel.path))["plans"]) == shown


def test_the_same_key_places_once_and_the_last_game_ends_it(duel):
    one, two = (caller(name) for name in duel.names)
    for _again in range(2):
        good(one.post(f"{duel.path}placements/", {"game": 1}, headers={"Idempotency-Key": "k"}))
    assert DeckPlacement.objects.count() == 1
    good(two.post(f"{duel.path}placements/", {"game": 1}))
    for game in (2, 3):
        for client in (one, two):
            answer = good(client.post(f"{duel.path}placements/", {"game": game}))
    assert answer == {"stacking": None}


@pytest.mark.parametrize("body", [{}, {"game": 0}, {"game": 10}, {"game": "x"}, {"game": None}, {"game": 2**64}])
def test_what_is_no_game_is_refused(duel, body):
    assert caller(duel.names[0]).post(f"{duel.path}placements/", body).status_code == 400


def test_refusals_name_their_code(duel):
    one = caller(duel.names[0])
    answer = one.post(f"{duel.path}placements/", {"game": 2})
    assert (answer.status_code, answer.json()["code"], answer.json()["details"]) == (409, "other_game", {"game": 1})
    other = caller(duel.there[0].user.username)
    assert other.post(f"{duel.path}placements/", {"game": 1}).json()["code"] == "not_your_match"
    report_all(duel.match.round, 2, 0)
    assert one.post(f"{duel.path}placements/", {"game": 1}).json()["code"] == "not_stacking"
    assert good(one.get(duel.path))["stacking"] is None


@pytest.mark.parametrize("name", ["olive", "juno", "kit"])
def test_staff_place_for_a_player(duel, name):
    for who, role in (("kit", Role.Name.SCOREKEEPER), ("juno", Role.Name.JUDGE)):
        staff(duel.event, who, role)
    client, path = caller(name), f"{duel.path}placements/for/"
    assert caller(duel.names[0]).post(path, {"game": 1, "seat": 2}).status_code == 403
    assert client.post(path, {"game": 1, "seat": 3}).json()["code"] == "unknown_seat"
    assert client.post(path, {"game": 1}).status_code == 400
    for _again in range(2):
        answer = good(client.post(path, {"game": 1, "seat": 2}))
        assert [mark["placed_at"] is not None for mark in answer["stacking"]["marks"]] == [False, True]
    assert good(client.post(path, {"game": 1, "seat": 1}))["stacking"]["game"] == 2


def test_scorekeeper_does_not_place_for_the_other_side_of_the_own_table(duel):
    staff(duel.event, duel.names[0], Role.Name.SCOREKEEPER)
    answer = caller(duel.names[0]).post(f"{duel.path}placements/for/", {"game": 1, "seat": 2})
    assert (answer.status_code, answer.json()["code"]) == (403, "own_match")


def test_judge_takes_a_placing_back(duel):
    juno = caller(staff(duel.event, "juno", Role.Name.JUDGE).user.username)
    one, body = caller(duel.names[0]), {"game": 1, "seat": 1, "reason": "by mistake"}
    good(one.post(f"{duel.path}placements/", {"game": 1}))
    assert one.post(f"{duel.path}placements/take-back/", body).status_code == 403
    assert juno.post(f"{duel.path}placements/take-back/", {**body, "reason": ""}).status_code == 400
    assert juno.post(f"{duel.path}placements/take-back/", {**body, "seat": 3}).json()["code"] == "unknown_seat"
    answer = good(juno.post(f"{duel.path}placements/take-back/", body))
    assert [mark["placed_at"] for mark in answer["stacking"]["marks"]] == [None, None]
    assert juno.post(f"{duel.path}placements/take-back/", body).json()["code"] == "not_placed"


@pytest.mark.parametrize(
    ("minutes", "status"), [(1, 200), (60, 200), (None, 200), (0, 200), (-1, 400), (61, 400), ("x", 400)]
)
def test_minutes_are_a_setting_also_while_the_event_runs(duel, minutes, status):
    answer = caller("olive").patch(path_of(duel.event), {"stacking_minutes": minutes})
    assert answer.status_code == status
    if status == 200:
        assert answer.json()["stacking_minutes"] == minutes


def test_a_table_begins_the_minutes_of_game_2_and_its_clock_tells_them(duel):
    one, two = (caller(name) for name in duel.names)
    assert one.post(f"{duel.path}placements/begin/", {"game": 1}).json()["code"] == "rounds_clock"
    duel.place(*duel.here)
    answer = good(one.post(f"{duel.path}placements/begin/", {"game": 2}))
    assert answer["stacking"]["until"] is not None
    assert good(two.get(duel.path))["stacking"] == answer["stacking"]
    other = caller(duel.there[0].user.username)
    assert other.post(f"{duel.path}placements/begin/", {"game": 2}).json()["code"] == "not_your_match"


def test_the_own_stack_is_saved_and_shown_to_its_player_alone(duel):
    name, path = duel.names[0], f"{path_of(duel.event)}my/stack/"
    before = good(caller(name).get(path))
    assert (before["match"], before["game"], before["saved_at"], len(before["cards"])) == (duel.match.pk, 1, None, 30)
    saved = good(caller(name).put(path, {"cards": before["cards"][::-1]}))
    assert saved["cards"] == before["cards"][::-1]
    assert saved["saved_at"] is not None
    assert good(caller(duel.names[1]).get(path))["cards"] == before["cards"]
    refused = caller(name).put(path, {"cards": before["cards"][1:]})
    assert (refused.status_code, refused.json()["code"]) == (409, "deck_changed")
    assert caller("juno").get(path).status_code == 403


def test_a_draft_moves_from_the_step_that_was_seen():
    tournament = designed()
    match = table(next_round(tournament))
    path = f"{path_of(tournament)}matches/{match.pk}/"
    assert good(caller("ada").get(path))["draft"]["step"] == 0
    answer = good(caller("ada").post(f"{path}draft/", {"step": 0}))
    assert (answer["step"], answer["running"]) == (1, {"hold": 28, "keep": 14, "towards": "left"})
    late = caller("ben").post(f"{path}draft/", {"step": 0})
    assert (late.status_code, late.json()["details"]) == (409, {"step": 1})
    assert good(caller("ben").post(f"{path}draft/", {"step": 1, "back": True}))["step"] == 0
    assert good(caller("").get(path))["draft"] is None
