"""The score sheet of a match by API: written, filed, read, signed, by whom it may be and by nobody else."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.standings.presets import PRESETS
from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import NOW, account, event, next_round, staff, table
from tests.tournaments.sheet_acts import doomlings, file, fresh, opened, places, played, sums, work, write
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import Match, Role

pytestmark = pytest.mark.django_db
NAMES = ("ada", "ben", "cem", "dora")


@pytest.fixture(scope="module")
def world(shared_db):
    """Ada, Ben, Cem and Dora with accounts at one table; what a test does to it is taken back."""
    tournament = event(game="doomlings", best_of=1, score_sheets=True)
    for name in NAMES:
        sign_up(account(name), tournament, account(name).person, NOW)
    return table(next_round(start_tournament(account("olive"), tournament, NOW))).pk


@pytest.fixture
def match(world):
    return Match.objects.select_related("round__stage__tournament").get(pk=world)


@pytest.fixture
def path(match):
    return f"{path_of(match.round.stage.tournament)}matches/{match.pk}/sheet/"


def by_seat(match):
    """A program for everybody at the table, in seat order."""
    return [caller(seat.entry.name) for seat in match.seats.order_by("order")]


def put(client, path, place, content, version=0):
    return client.put(f"{path}parts/{place}/", {"content": content, "version": version})


def test_table_writes_files_reads_and_signs(match, path):
    players = by_seat(match)
    for place, client in enumerate(players, 1):
        assert good(put(client, path, place, sums(place)))["version"] == 1
    assert good(players[0].post(f"{path}file/", {}))["state"] == "filed"
    assert good(players[0].get(f"{path}tally/"))["tally"] is None
    work()
    told = good(players[3].get(f"{path}tally/"))
    assert [each["score"] for each in told["tally"]["players"]] == [1, 2, 3, 4]
    assert (told["state"], told["signatures"], told["asked"]) == ("signing", [], 4)
    for client in players:
        said = good(client.post(f"{path}sign/", {"revision": 1}))
    assert (said["state"], places(match)) == ("counts", [4, 3, 2, 1])


def test_what_a_player_writes_is_shown_to_that_player_and_staff(match, path):
    players = by_seat(match)
    good(put(players[0], path, 1, {"hand": ["Faith"]}))
    shown = {
        name: [part["content"] for part in good(client.get(path))["parts"]]
        for name, client in (("own", players[0]), ("other", players[1]), ("olive", caller("olive")))
    }
    assert shown["own"][1] == shown["olive"][1] == {"hand": ["Faith"]}
    assert shown["other"] == [{}, None, {}, {}, {}]
    assert put(players[1], path, 1, {}).json()["code"] == "not_your_part"


@pytest.mark.parametrize("text", [rb"A\u0000", rb"\ud800"])
def test_content_that_no_database_can_hold_is_refused(match, path, text):
    raw = b'{"content": {"hand": ["%s"]}, "version": 0}' % text
    answer = by_seat(match)[0].put(f"{path}parts/1/", raw, content_type="application/json")
    assert answer.status_code == 400


def test_nobody_else_reads_or_writes(match, path):
    good(put(by_seat(match)[0], path, 1, sums(1)))
    tournament = match.round.stage.tournament
    other = opened(played(doomlings()))
    strange = f"{path_of(other.round.stage.tournament)}matches/{other.pk}/sheet/"
    for client, address, status in (
        (caller("mallory"), path, 403), (caller(), path, 401), (caller("ada"), strange, 403),
        (caller("olive"), strange.replace(other.round.stage.tournament.slug, tournament.slug), 404),
    ):  # fmt: skip
        assert client.get(address).status_code == status
        assert put(client, address, 1, {}).status_code == status
        assert client.post(f"{address}file/", {}).status_code == status


def test_name_of_a_player_is_not_typed_over(match, path):
    client = by_seat(match)[0]
    good(put(client, path, 1, {**sums(3), "name": "Somebody", "members": ["x"]}))
    good(put(client, path, 0, {"players": [], "options": {"ties": "draw"}}))
    good(client.post(f"{path}file/", {}))
    content = good(client.get(f"{path}tally/"))["content"]
    assert [each["name"] for each in content["players"]] == [seat.entry.name for seat in match.seats.order_by("order")]
    assert content["options"] == {}


@pytest.mark.parametrize(
    ("act", "body", "code"),
    [("sign/", {"revision": 7}, "no_revision"), ("sign/", {}, "invalid"), ("file/", {"reason": 7 * ["x"]}, "invalid")],
)
def test_what_does_not_fit_is_refused(match, path, act, body, code):
    client = by_seat(match)[0]
    good(put(client, path, 1, sums(1)))
    good(client.post(f"{path}file/", {}))
    work()
    assert client.post(f"{path}{act}", body).json()["code"] == code


def test_sheet_that_nobody_began_is_not_found(match, path):
    client = by_seat(match)[0]
    assert client.get(path).json()["code"] == "no_sheet"
    assert client.post(f"{path}file/", {}).json()["code"] == "no_sheet"
    good(put(client, path, 1, sums(1)))
    assert client.get(f"{path}tally/").json()["code"] == "not_filed"


@pytest.mark.parametrize("place", ["5", "-1", "x", str(2**63), "9" * 400])
def test_place_that_is_none_is_not_found(match, path, place):
    assert put(by_seat(match)[0], path, place, {}).status_code == 404


def test_repeated_filing_with_one_key_is_one_revision(match, path):
    client = by_seat(match)[0]
    good(put(client, path, 1, sums(1)))
    answers = [client.post(f"{path}file/", {}, headers={"idempotency-key": "once"}) for _press in range(2)]
    assert [good(answer)["revision"] for answer in answers] == [1, 1]


def test_staff_file_at_once_and_correct_with_a_reason(match, path):
    olive = caller("olive")
    for place in range(1, 5):
        good(put(olive, path, place, sums(place)))
    good(olive.post(f"{path}file/", {}))
    work()
    assert places(match) == [4, 3, 2, 1]
    good(put(olive, path, 1, sums(50), 1))
    assert olive.post(f"{path}file/", {}).json()["code"] == "reason_needed"
    assert put(by_seat(match)[0], path, 1, sums(1), 2).json()["code"] == "counted"
    good(olive.post(f"{path}file/", {"reason": "typed wrong"}))
    work()
    assert places(match) == [1, 4, 3, 2]


def test_staff_correct_by_the_sheet_at_once_as_they_saw_it(match, path):
    olive = caller("olive")
    for place in range(1, 5):
        good(put(olive, path, place, sums(place)))
    good(olive.post(f"{path}file/", {}))
    work()
    body = {"reason": "typed wrong", "seen": good(olive.get(path))["mark"]}
    assert olive.post(f"{path}correct/", body).json()["code"] == "nothing_to_correct"
    good(put(olive, path, 1, sums(50), 1))
    assert olive.post(f"{path}correct/", body).json()["code"] == "part_changed"
    assert by_seat(match)[0].post(f"{path}correct/", {"reason": "mine"}).status_code == 403
    assert places(match) == [4, 3, 2, 1]
    good(olive.post(f"{path}correct/", {"reason": "typed wrong"}))
    assert places(match) == [1, 4, 3, 2]


def test_who_did_not_come_is_marked_and_may_come_after_all(match, path):
    opened(match)
    olive = caller("olive")
    good(olive.post(f"{path}absent/", {"place": 4, "absent": True}))
    assert match.score_sheet.absent == [4]
    good(olive.post(f"{path}absent/", {"place": 4, "absent": False}))
    match.score_sheet.refresh_from_db()
    assert match.score_sheet.absent == []
    assert olive.post(f"{path}absent/", {"place": 5, "absent": True}).json()["code"] == "no_place"
    assert caller("mallory").post(f"{path}absent/", {"place": 4, "absent": True}).status_code == 403


def test_scorekeeper_at_the_own_table_is_a_player(match, path):
    players = by_seat(match)
    name = match.seats.get(order=1).entry.name
    staff(match.round.stage.tournament, name, Role.Name.SCOREKEEPER)
    for place in range(1, 5):
        good(put(caller("olive"), path, place, sums(place)))
    good(players[0].post(f"{path}file/", {}))
    work()
    assert places(match) == []
    assert good(players[0].get(path))["state"] == "signing"


def test_confirmation_without_signatures_needs_a_reason(match, path):
    write(opened(match), 1, 2, 3, 4)
    file(match)
    work()
    olive, address = caller("olive"), path.replace("sheet/", "confirm/")
    assert olive.post(address, {"report": 1}).json()["code"] == "reason_needed"
    good(olive.post(address, {"report": 1, "reason": "Dora left"}))
    assert places(match) == [4, 3, 2, 1]


def test_list_of_a_round_costs_the_same_however_many_tables():
    costs = []
    for players in (4, 24):
        tournament = doomlings(players)
        round_ = tournament.stages.get().rounds.get()
        for number in range(1, round_.matches.count() + 1):
            match = opened(played(tournament, number))
            write(match, *range(match.seats.count()))
            if number % 2:
                file(match)
        work()
        client = caller("olive")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            told = good(client.get(f"{path_of(tournament)}rounds/1/sheets/"))
        costs.append(len(queries))
        assert {each["state"] for each in told["results"]} <= {"signing", "writing"}
    assert costs[0] == costs[1]


def test_fresh_match_is_loaded_with_its_sheets_reports_in_a_constant_number_of_queries():
    match = opened(played(doomlings()))
    for points in (1, 2, 3):
        write(match, points, 9, 8, 7)
        file(match)
        work()
    with CaptureQueriesContext(connection) as queries:
        found = fresh(match)
        assert [report.sheet_revision.sheet.newest for report in found.reports.all()] == [3, 3, 3]
    assert len(queries) <= 6


def test_b9_promotion_points_of_a_best_of_3_reach_the_standings_of_the_api():
    facts = {"game": "doomtrooper", "game_format": "second-edition", "best_of": 3, "sheet_options": {"target": 20}}
    match = opened(played(doomlings(2, **facts, policy=PRESETS["total_score"].policy)))
    root, olive = path_of(match.round.stage.tournament), caller("olive")
    one, other = (seat.entry.name for seat in match.seats.order_by("order"))
    values = [[(other, 3), (one, 20)], [(one, 19), (other, 25)], [(one, 2), (other, 22)]]
    victims = {one: other, other: one}
    games = [
        [{"act": "kill", "player": who, "victim": victims[who], "value": value} for who, value in game]
        for game in values
    ]
    acts = [*games[0], {"act": "next_game"}, *games[1], {"act": "next_game"}, *games[2]]
    version = match.score_sheet.sheet.parts.get(place=0).version
    good(put(olive, f"{root}matches/{match.pk}/sheet/", 0, {"acts": acts}, version))
    good(olive.post(f"{root}matches/{match.pk}/sheet/file/", {}))
    work()
    totals = {name: sum(value for game in values for who, value in game if who == name) for name in (one, other)}
    result = good(olive.get(f"{root}matches/{match.pk}/"))["result"]
    assert (result["games_won"], result["placings"]) == ([1, 2], [])
    assert [float(score) for score in result["scores"]] == [totals[one], totals[other]] == [41, 50]
    lines = good(olive.get(f"{root}standings/"))["results"]
    first = [(line["name"], line["tiebreakers"][0]) for line in lines]
    assert [(name, each["key"], each["value"]["fraction"]) for name, each in first] == [
        (other, "victory_points", "50"), (one, "victory_points", "41"),
    ]  # fmt: skip
