"""Events, staff, tokens, the log and lists by API."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken

from accounts.actors import SYSTEM
from accounts.identity.services import create_account
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.api.test_whole_event import EVENT
from tests.tournaments.factories import NOW, account, event, next_round, report_all, running, staff
from tournaments.models import Entry, Role, Tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"game": "chess"}, 404),
        ({"game_format": "modern"}, 404),
        ({"best_of": 2}, 422),
        ({"best_of": 11}, 400),
        ({"time_zone": "Mars/Base"}, 422),
        ({"starts_at": "0001-01-01T00:00:00+14:00"}, 400),
        ({"starts_at": "9999-12-31T23:59:59-12:00"}, 400),
        ({"starts_at": "tomorrow"}, 400),
        ({"swiss_rounds": 10**40}, 400),
        ({"capacity": 1}, 400),
        ({"visibility": "secret"}, 400),
        ({"policy": {"floor": "1/0"}}, 400),
        ({"policy": {"floor": "2"}}, 400),
        ({"policy": {"floor": "9/3"}}, 422),
        ({"policy": {"tiebreakers": []}}, 400),
        ({"policy": {"tiebreakers": ["coin"]}}, 400),
        ({"policy": {"game_win": 0}}, 400),
        ({"policy": {"bye_games": [2]}}, 400),
        ({"policy": [1]}, 400),
        ({"name": " "}, 400),
        ({"game": "house_game", "game_format": "open", "score_sheets": True}, 422),
        ({"sheet_options": {"ties": "draw"}, "game": "house_game", "game_format": "open"}, 422),
        ({"sheet_options": {"mode": ["teams"]}, "game": "doomtrooper", "game_format": "second-edition"}, 422),
        ({"sheet_options": ["teams"]}, 400),
    ],
)
def test_event_refuses_what_cannot_be(changes, status):
    assert caller("olive").post("/api/v1/events/", {**EVENT, **changes}).status_code == status
    assert not Tournament.objects.exists()


def test_event_says_what_is_agreed_on_for_its_sheets():
    olive, said = caller("olive"), {"game": "doomlings", "game_format": "standard", "best_of": 1}
    agreed = {"ties": "draw", "signatures": "one"}
    created = good(olive.post("/api/v1/events/", {**EVENT, **said, "sheet_options": agreed}), 201)
    assert (created["score_sheets"], created["sheet_options"]) == (True, agreed)
    changed = good(olive.patch(f"/api/v1/events/{created['slug']}/", {"score_sheets": False, "sheet_options": {}}))
    assert (changed["score_sheets"], changed["sheet_options"]) == (False, {})


def test_only_listed_fields_are_written():
    extra = {
        "slug": "mine",
        "state": "finished",
        "stream": "x",
        "created_by": 1,
        "id": 7,
        "finished_at": EVENT["starts_at"],
    }
    olive = caller("olive")
    for name, value in extra.items():
        assert olive.post("/api/v1/events/", {**EVENT, name: value}).json()["details"] == {"field": name}
    assert not Tournament.objects.exists()


def test_settings_are_replaced_or_changed_and_frozen_while_running():
    tournament = event(4, capacity=8, place="Hall 3")
    olive, path = caller("olive"), path_of(tournament)
    changed = good(olive.patch(path, {"policy": {"draw": 2}, "place": ""}))
    assert (changed["policy"]["draw"], changed["policy"]["win"], changed["capacity"], changed["place"]) == (2, 3, 8, "")
    replaced = good(olive.put(path, {name: EVENT[name] for name in ("name", "starts_at", "game", "game_format")}))
    assert (replaced["policy"]["draw"], replaced["capacity"]) == (1, None)
    assert olive.put(path, {"name": "Only"}).status_code == 400
    good(olive.post(f"{path}start/"))
    assert olive.patch(path, {"best_of": 5}).json()["details"] == {"fields": ["best_of"]}
    assert good(olive.patch(path, {"name": "Winter Cup"}))["name"] == "Winter Cup"


def test_rules_of_pairing_are_shown_to_all_and_changed_while_running():
    tournament = event(4)
    olive, path = caller("olive"), path_of(tournament)
    usual = {"order": "least_squares", "clubs": "ignore", "teams": "ignore", "finish": "lot", "last_finish": "lot"}
    assert good(caller("").get(path))["pairing"] == usual
    good(olive.post(f"{path}start/"))
    assert good(olive.patch(path, {"pairing": {"clubs": "soft"}}))["pairing"] == {**usual, "clubs": "soft"}
    assert good(olive.patch(path, {"pairing": {"order": "top_down"}}))["pairing"]["clubs"] == "soft"
    assert olive.patch(path, {"pairing": {"clubs": "never"}}).status_code == 400
    replaced = olive.put(path, {name: EVENT[name] for name in ("name", "starts_at", "game", "game_format")})
    assert good(replaced)["pairing"] == usual


def test_start_without_required_decks_is_asked_for():
    tournament = event(2, deck_required=True)
    olive, path = caller("olive"), path_of(tournament)
    refused = olive.post(f"{path}start/").json()
    assert (refused["code"], refused["details"]) == ("decks_missing", {"count": 2})
    assert good(olive.post(f"{path}start/", {"without_decks": True}))["state"] == "running"


def test_event_moves_through_its_states_and_refuses_others():
    tournament = event(2)
    olive, path = caller("olive"), path_of(tournament)
    assert olive.post(f"{path}open/").json()["code"] == "wrong_state"
    assert good(olive.post(f"{path}close/"))["state"] == "draft"
    assert good(olive.post(f"{path}open/"))["state"] == "registration"
    assert olive.post(f"{path}finish/").json()["code"] == "wrong_state"
    good(olive.post(f"{path}start/"))
    good(olive.post(f"{path}finish/"))
    assert olive.post(f"{path}reopen/", {}).status_code == 400
    assert good(olive.post(f"{path}reopen/", {"reason": "a table was missed"}))["state"] == "running"
    assert good(olive.post(f"{path}cancel/", {"reason": "power cut"}))["state"] == "cancelled"


def test_list_shows_public_events_and_ones_own():
    public, private = event(), event(visibility="private")
    event(visibility="unlisted")
    slugs = {row["slug"] for row in good(caller("mallory").get("/api/v1/events/"))["results"]}
    assert slugs == {public.slug}
    assert private.slug in {row["slug"] for row in good(caller("olive").get("/api/v1/events/"))["results"]}


def test_staff_is_invited_joins_and_leaves():
    tournament = event()
    olive, kit, path = caller("olive"), caller("kit"), path_of(tournament)
    assert olive.post(f"{path}invites/", {"role": "player"}).status_code == 400
    token = good(olive.post(f"{path}invites/", {"role": "scorekeeper"}), 201)["token"]
    second = good(olive.post(f"{path}invites/", {"role": "judge"}), 201)["token"]
    invites = good(olive.get(f"{path}invites/"))["results"]
    assert {invite["role"] for invite in invites} == {"scorekeeper", "judge"}
    assert token not in str(invites)
    assert good(kit.post("/api/v1/invites/accept/", {"token": token}))["my_roles"] == ["scorekeeper"]
    assert kit.post("/api/v1/invites/accept/", {"token": token}).json()["code"] == "unknown_invite"
    open_ = next(invite for invite in invites if invite["role"] == "judge")
    good(olive.delete(f"{path}invites/{open_['id']}/"), 204)
    assert olive.delete(f"{path}invites/{open_['id']}/").status_code == 404
    assert kit.post("/api/v1/invites/accept/", {"token": second}).status_code == 404
    rows = {row["user"]: row["id"] for row in good(kit.get(f"{path}staff/"))["results"]}
    assert olive.delete(f"{path}staff/{rows['olive']}/").json()["code"] == "last_organiser"
    good(olive.delete(f"{path}staff/{rows['kit']}/"), 204)


def test_log_names_acts_without_names_and_judges_see_theirs():
    tournament = event(2)
    staff(tournament, "juno", Role.Name.JUDGE)
    acts = good(caller("olive").get(f"{path_of(tournament)}log/"))["results"]
    assert [row["act"] for row in acts][:2] == ["event.created", "event.state_changed"]
    assert "Ada" not in str(acts)
    assert good(caller("juno").get(f"{path_of(tournament)}log/"))["results"] == []


def test_token_is_issued_for_a_password_expires_and_is_revoked():
    create_account("olive", "correct horse", SYSTEM, NOW)
    client, body = caller(), {"username": "olive", "password": "correct horse"}
    issued = good(client.post("/api/v1/tokens/", body), 201)
    assert AuthToken.objects.get().expiry is not None
    client.credentials(HTTP_AUTHORIZATION=f"Token {issued['token']}")
    good(client.post("/api/v1/events/", EVENT), 201)
    good(client.delete("/api/v1/tokens/"), 204)
    assert client.post("/api/v1/events/", EVENT).status_code == 401


def test_unknown_and_known_accounts_look_alike_and_guessing_is_slowed():
    create_account("olive", "correct horse", SYSTEM, NOW)
    answers = [caller().post("/api/v1/tokens/", {"username": name, "password": "x"}) for name in ("olive", "nobody")]
    assert answers[0].status_code == 401
    assert answers[0].content == answers[1].content
    tries = [caller().post("/api/v1/tokens/", {"username": "olive", "password": "x"}) for _ in range(12)]
    assert tries[-1].status_code == 429


@pytest.mark.parametrize("token", ["Token", "Token x", "Token " + "0" * 64, "Token é", "Token a b"])
def test_bad_token_is_401_everywhere(token):
    client = caller()
    client.credentials(HTTP_AUTHORIZATION=token)
    assert client.get("/api/v1/events/").status_code == 401


def test_session_needs_csrf_token_does_not():
    session = caller(csrf=True)
    session.force_login(account("olive").user)
    for refused in (session.post("/api/v1/events/", EVENT), session.delete("/api/v1/tokens/")):
        assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    good(caller("olive", csrf=True).post("/api/v1/events/", EVENT), 201)


def queries_of(path):
    """How many queries it takes."""
    client = caller("olive")
    client.get(path)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = good(client.get(path))
    return len(queries), page["count"]


@pytest.mark.parametrize("resource", ["entries/", "rounds/1/matches/", "standings/", "staff/", "log/"])
def test_lists_take_a_constant_number_of_queries(resource):
    few, many = running(10), running(60)
    for tournament in (few, many):
        report_all(next_round(tournament))
    for number in range(20):
        staff(many, f"judge{number}", Role.Name.JUDGE)
    (small, short), (large, long) = queries_of(path_of(few) + resource), queries_of(path_of(many) + resource)
    assert (small, long > short) == (large, True)


def test_list_of_events_takes_a_constant_number_of_queries():
    for _ in range(3):
        event(2)
    small, _count = queries_of("/api/v1/events/")
    for _ in range(20):
        event(2)
    assert queries_of("/api/v1/events/") == (small, 23)


@pytest.mark.parametrize("query", ["limit=100000", "limit=x", "limit=-1", "offset=-5", "offset=" + "9" * 30, "limit=0"])
def test_pages_are_bounded(query):
    tournament = event()
    rows = [Entry(tournament=tournament, number=n, name="Ada", registered_at=NOW) for n in range(1, 601)]
    Entry.objects.bulk_create(rows)
    page = good(caller("olive").get(f"{path_of(tournament)}entries/?{query}"))
    assert len(page["results"]) <= 500


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_unknown_method_is_405(method):
    assert getattr(caller("olive"), method)("/api/v1/events/").status_code == 405


def test_unknown_address_is_a_problem():
    response = caller().get("/api/v1/nothing/")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(("game", "length"), [("doomlings", 1), ("doom_pile", 3)])
def test_length_left_out_is_the_usual_one_of_the_game(game, length):
    created = good(caller("olive").post("/api/v1/events/", {**EVENT, "game": game, "game_format": "standard"}), 201)
    assert (created["best_of"], created["policy"]["bye_games"]) == (length, [length // 2 + 1, 0])
