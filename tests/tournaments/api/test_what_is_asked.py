"""What programs may ask: unknown names are refused; lists are filtered, sorted, cut to some fields, not sent twice."""

import pytest
from django.core.cache import cache
from rest_framework.settings import api_settings
from rest_framework.throttling import UserRateThrottle

from accounts.http.permissions import PERMISSIONS
from accounts.models import PersonalLink
from journal.clock import database_now
from tests.permission_rows import CAST, lets_in, rows
from tests.tournaments.api.callers import JsonClient, caller, good, path_of
from tests.tournaments.api.test_permissions import crowd, operations
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running, staff, table
from tournaments.entries.services.desk_entries import issue_entry_link
from tournaments.entries.services.entries import sign_up
from tournaments.events.services.events import start_tournament
from tournaments.models import Role

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def ids(shared_db):
    """The ids of an event that the tests share; what they do to it is taken back."""
    return crowd()[0]


OTHER_BODIES = ("tallies_compute", "bring_create")
"""A score sheet has keys of its own; a file is sent as a form."""


@pytest.fixture(scope="module")
def programs(ids):
    """A program of each who may do something; "" may do what everybody may."""
    return {name: caller(name) for name in ("olive", "juno", "ada", "")}


def program_for(operation, programs):
    """A program that may do this; None where site admins alone may, after their second factor."""
    row = PERMISSIONS[rows("operations")[operation]]
    may = (program for name, program in programs.items() if lets_in(row, CAST[name or "nobody"] | {"visible", "owner"}))
    return next(may, None)


@pytest.mark.parametrize("where", ["parameter", "field"])
def test_every_operation_refuses_what_it_does_not_know(ids, programs, where):
    deck = good(caller("olive").post("/api/v1/decks/", {"game": "doom_pile", "game_format": "standard"}), 201)
    ids = {**ids, "deck_id": deck["id"]}
    answered = {}
    for operation, method, path in operations():
        address, client = path.format(**ids), program_for(operation, programs)
        if client is None:
            continue
        if where == "parameter":
            response = getattr(client, method)(f"{address}?colour=red")
        elif method in ("get", "delete") or operation in OTHER_BODIES:
            continue
        else:
            response = getattr(client, method)(address, {"colour": "red"})
        answered[operation] = response.json().get("code")
    assert {name: code for name, code in answered.items() if code != f"unknown_{where}"} == {}


@pytest.mark.parametrize("body", [[{"colour": "red"}], [1], "red", 5])
def test_an_operation_without_a_body_takes_none_of_any_shape(ids, body):
    answer = caller("olive").post(f"/api/v1/events/{ids['slug']}/entries/1/check-in/", body)
    assert (answer.status_code, answer.json()["details"]) == (400, {"field": "body"})


def test_a_field_is_named_by_its_way_from_the_outside(ids):
    problem = caller("olive").post(f"/api/v1/events/{ids['slug']}/entries/", {"entries": [{"name": "Dot", "age": 7}]})
    assert problem.status_code == 400
    assert problem.json()["details"] == {"field": "entries.age"}


def test_only_the_fields_asked_for_are_answered(ids):
    olive, path = caller("olive"), f"/api/v1/events/{ids['slug']}/"
    assert good(olive.get(f"{path}?fields=name,state")) == {"name": "Autumn Doom Cup", "state": "running"}
    page = good(olive.get(f"{path}entries/?fields=name&limit=2"))
    assert page["count"] == 4
    assert [set(line) for line in page["results"]] == [{"name"}] * 2
    assert olive.get(f"{path}entries/?fields=name,age").json()["code"] == "unknown_field"


def names(tournament, query, name="olive", part="entries/", key="name"):
    """What a list answers, by one of its fields."""
    return [line[key] for line in good(caller(name).get(f"{path_of(tournament)}{part}?{query}"))["results"]]


def test_entries_are_found_by_name_state_and_check_in():
    tournament = event(3)
    first = entry(tournament, names(tournament, "")[0])
    good(caller("olive").post(f"{path_of(tournament)}entries/{first.number}/check-in/"))
    everybody = names(tournament, "")
    assert names(tournament, "order=name") == sorted(everybody)
    assert names(tournament, f"q={everybody[1][:3].upper()}") == [everybody[1]]
    assert names(tournament, "checked_in=true") == [first.name]
    assert names(tournament, "checked_in=false") == [name for name in everybody if name != first.name]
    assert names(tournament, "state=dropped") == []
    assert caller("olive").get(f"{path_of(tournament)}entries/?state=purple").status_code == 400


def test_matches_are_found_by_table_state_and_entry():
    tournament = running(4)
    round_ = next_round(tournament)
    tables = names(tournament, "", part="rounds/1/matches/", key="table")
    assert names(tournament, "table=2", part="rounds/1/matches/", key="table") == [2]
    assert names(tournament, "state=done", part="rounds/1/matches/", key="table") == []
    assert names(tournament, "state=open", part="rounds/1/matches/", key="table") == tables
    seats = good(caller("").get(f"{path_of(tournament)}rounds/1/matches/?entry=1"))["results"]
    assert [1 in [seat["entry"] for seat in match["seats"]] for match in seats] == [True]
    assert names(tournament, "state=published", part="rounds/", key="number") == [round_.number]
    assert names(tournament, "stage=2", part="rounds/", key="number") == []


def test_standings_after_an_earlier_round():
    tournament = running(4)
    report_all(next_round(tournament), 2, 0)
    first = names(tournament, "", part="standings/", key="points")
    report_all(next_round(tournament), 2, 0)
    assert names(tournament, "after=1", part="standings/", key="points") == first
    assert names(tournament, "after=2", part="standings/", key="points") != first
    assert caller("").get(f"{path_of(tournament)}standings/?after=3").json()["code"] == "unknown_round"
    one = names(tournament, "", part="standings/")[2]
    assert names(tournament, f"q={one}", part="standings/") == [one]


def test_events_are_found_by_game_state_and_whose_they_are():
    mine, other = event(name="Mine"), running(2, name="Other cup")
    names = lambda query: [line["name"] for line in good(caller("olive").get(f"/api/v1/events/?{query}"))["results"]]  # noqa: E731
    assert {"Mine", other.name} <= set(names(""))
    assert names("q=min") == ["Mine"]
    assert names("state=registration") == ["Mine"]
    assert names("game=doomlings") == []
    assert names("mine=false") == []
    assert names("order=name") == sorted(names(""))
    assert names(f"starts_after={mine.starts_at.year + 9}-01-01T00:00:00Z") == []


def test_log_is_read_from_a_number_on_by_kind_and_by_actor(ids):
    olive, path = caller("olive"), f"/api/v1/events/{ids['slug']}/log/"
    numbers = [line["sequence"] for line in good(olive.get(path))["results"]]
    assert [line["sequence"] for line in good(olive.get(f"{path}?after=3"))["results"]] == numbers[3:]
    assert [line["sequence"] for line in good(olive.get(f"{path}?order=-sequence"))["results"]] == numbers[::-1]
    kinds = {line["act"].partition(".")[0] for line in good(olive.get(f"{path}?kind=rounds"))["results"]}
    assert kinds == {"round"}
    lines = good(olive.get(path))["results"]
    whose = lines[-1]["actor"]
    by_one = good(olive.get(path, {"actor": whose}))["results"]
    assert [line["sequence"] for line in by_one] == [line["sequence"] for line in lines if line["actor"] == whose]
    assert good(olive.get(f"{path}?actor=nobody"))["results"] == []


def test_what_one_has_is_not_sent_again(ids):
    ada, path = caller("ada"), f"/api/v1/events/{ids['slug']}/standings/"
    first = ada.get(path)
    assert first["Cache-Control"] == "private, no-cache"
    again = ada.get(path, HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    other = ada.get(f"{path}?fields=name", HTTP_IF_NONE_MATCH=first["ETag"])
    assert other.status_code == 200


def test_pages_of_other_sites_may_read_what_visitors_may(ids):
    away, path = JsonClient(), f"/api/v1/events/{ids['slug']}/"
    read = away.get(path, HTTP_ORIGIN="https://elsewhere.example")
    assert read["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in read
    asked = {"HTTP_ACCESS_CONTROL_REQUEST_METHOD": "POST", "HTTP_ACCESS_CONTROL_REQUEST_HEADERS": "authorization"}
    told = away.options(f"{path}open/", HTTP_ORIGIN="https://elsewhere.example", **asked)
    assert "POST" not in told["Access-Control-Allow-Methods"]
    assert "authorization" not in told["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Origin" not in away.get("/", HTTP_ORIGIN="https://elsewhere.example")


def test_every_answer_says_how_many_requests_are_left(ids, monkeypatch):
    monkeypatch.setattr(UserRateThrottle, "THROTTLE_RATES", {**api_settings.DEFAULT_THROTTLE_RATES, "user": "2/min"})
    cache.clear()
    ada, path = caller("ada"), f"/api/v1/events/{ids['slug']}/"
    told = [ada.get(path) for _ in range(3)]
    assert [response.status_code for response in told] == [200, 200, 429]
    assert [response["RateLimit-Limit"] for response in told] == ["2"] * 3
    assert [response["RateLimit-Remaining"] for response in told] == ["1", "0", "0"]
    assert 0 < int(told[2]["RateLimit-Reset"]) <= 60
    assert int(told[2]["Retry-After"]) > 0


def test_a_personal_link_opens_the_api_of_its_own_event_and_no_other():
    tournament, other = running(2), running(2, name="Other cup")
    next_round(tournament)
    own = entry(tournament, names(tournament, "")[0])
    token = issue_entry_link(account("olive"), own, database_now())
    guest = JsonClient(HTTP_AUTHORIZATION=f"Link {token}")
    assert good(guest.get(f"{path_of(tournament)}my/"))["number"] == own.number
    match = own.seats.get().match
    report = {"games_won": [2, 0]}
    assert good(guest.post(f"{path_of(tournament)}matches/{match.pk}/report/", report))["status"] == "waiting"
    assert guest.get(f"{path_of(other)}my/").status_code in (403, 404)
    assert guest.get(f"{path_of(tournament)}log/").status_code == 403
    PersonalLink.objects.update(revoked_at=NOW)
    assert guest.get(f"{path_of(tournament)}my/").status_code == 401


def test_pages_pass_over_the_header_of_a_link(monkeypatch):
    tournament = running(2)
    token = issue_entry_link(account("olive"), entry(tournament, names(tournament, "")[0]), database_now())
    guest, page = JsonClient(HTTP_AUTHORIZATION=f"Link {token}"), f"/e/{tournament.slug}/my/"
    opened = lambda: guest.get(page).status_code == 200  # noqa: E731
    assert good(guest.get(f"{path_of(tournament)}my/"))
    assert not opened()
    monkeypatch.setattr("accounts.http.middleware.API_PREFIX", "/")
    assert opened(), "the control"


@pytest.mark.parametrize(("path", "answers"), [("/api/v1/nothing/", (404, 404)), ("/api/v1/schema/", (401, 429))])
def test_a_wrong_link_is_counted_wherever_it_is_read(path, answers, monkeypatch):
    counted = []
    monkeypatch.setattr("accounts.http.middleware.count_miss", lambda request: counted.append(request.path))
    stranger = JsonClient(HTTP_AUTHORIZATION="Link guessed")
    assert stranger.get(path).status_code == answers[0]
    assert stranger.get("/").status_code == 200
    assert counted == [path], "a page reads none"
    monkeypatch.undo()
    assert [stranger.get(path).status_code for _ in range(31)][-1] == answers[1]


def test_a_wrong_link_is_refused_and_counted(ids):
    stranger = JsonClient(HTTP_AUTHORIZATION="Link guessed")
    answers = [stranger.get(f"/api/v1/events/{ids['slug']}/").status_code for _ in range(32)]
    assert answers[0] == 401
    assert answers[-1] == 429


def test_who_made_a_players_link_reads_no_report_through_it_in_their_own_match(monkeypatch):
    tournament = event(1)
    judge = staff(tournament, "juno", Role.Name.JUDGE)
    sign_up(judge, tournament, judge.person, NOW)
    guest = entry(tournament, names(tournament, "")[0])
    token = issue_entry_link(judge, guest, database_now())
    match = table(next_round(start_tournament(account("olive"), tournament, NOW)))
    good(caller("juno").post(f"{path_of(tournament)}matches/{match.pk}/report/", {"games_won": [2, 1]}))
    through = JsonClient(HTTP_AUTHORIZATION=f"Link {token}")
    reads = [f"{path_of(tournament)}matches/{match.pk}/", f"{path_of(tournament)}my/matches/"]
    told = lambda: [b'"reports":[]' in through.get(path).content for path in reads]  # noqa: E731
    assert told() == [True, True]
    monkeypatch.setattr("tournaments.api.views.matches.issuer_plays", lambda *_of: False)
    assert told() == [False, False], "the control"
