"""Leagues for programs: events have one name everywhere."""

import pytest

from accounts.models import User
from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import NOW, account, staff
from tests.tournaments.leagues.test_leagues import league_of, played
from tests.tournaments.web.visitors import browser
from tournaments.leagues.services import add_league_event
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db


def told(path: str) -> set[tuple[str, int]]:
    """Which events brought points to the first line: (event, weight)."""
    lines = good(caller().get(path + "standings/"))["results"]
    return {(each["event"], each["weight"]) for each in lines[0]["events"]}


def test_points_name_their_event_by_its_slug_also_when_an_earlier_one_joins():
    later = played("Ada", "Ben", days=7)
    league = league_of(later)
    path = f"/api/v1/leagues/{league.slug}/"
    assert told(path) == {(later.slug, 1)}
    earlier = played("Ada", "Ben", name="Spring cup")
    add_league_event(account("olive"), league, earlier, NOW, weight=2)
    assert told(path) == {(later.slug, 1), (earlier.slug, 2)}
    events = {each["event"] for each in good(caller().get(path + "events/"))["results"]}
    assert events == set(Tournament.objects.values_list("slug", flat=True))


def test_settings_are_not_replaced_from_an_old_look():
    league = league_of()
    olive, path = caller("olive"), f"/api/v1/leagues/{league.slug}/"
    body = {"name": "Spring", "points": [5, 3, 1], "seen": good(olive.get(path))["mark"]}
    changed = good(olive.put(path, body))
    refused = olive.put(path, {**body, "name": "Summer"})
    assert (refused.status_code, refused.json()["code"]) == (409, "settings_changed")
    assert good(olive.get(path))["name"] == "Spring"
    assert good(olive.put(path, {**body, "name": "Summer", "seen": changed["mark"]}))["name"] == "Summer"


def test_organisers_of_a_league_come_and_go():
    tournament = played("Ada", "Ben")
    league = league_of(tournament)
    staff(tournament, "juno", Role.Name.JUDGE)
    olive, path = caller("olive"), f"/api/v1/leagues/{league.slug}/organisers/"
    assert olive.post(path, {"username": "mallory"}).json()["code"] == "not_staff"
    good(olive.post(path, {"username": "juno"}), 204)
    assert [each["username"] for each in good(olive.get(path))["results"]] == ["juno", "olive"]
    User.objects.filter(username="juno").update(is_active=False)
    assert olive.post(f"{path}remove/", {"username": "olive"}).json()["code"] == "last_organiser"
    User.objects.filter(username="juno").update(is_active=True)
    good(caller("juno").post(f"{path}remove/", {"username": "olive"}), 204)
    assert olive.get(path).status_code == 403
    assert caller("juno").post(f"{path}remove/", {"username": "juno"}).json()["code"] == "last_organiser"
    assert list(league.organisers.values_list("username", flat=True)) == ["juno"]


def test_who_is_who_is_listed_joined_and_parted():
    league = league_of(played("Ada", "Ben"), played("Adah", "Ben", days=7, name="Spring cup"))
    olive, path = caller("olive"), f"/api/v1/leagues/{league.slug}/players/"

    def persons() -> dict[str, list[int]]:
        lines = good(olive.get(path))["results"]
        return {each["name"]: [one["person"] for one in each["persons"]] for each in lines}

    before = persons()
    assert {name: len(found) for name, found in before.items()} == {"Ada": 1, "Adah": 1, "Ben": 2}
    both = {"person": before["Ada"][0], "other": before["Adah"][0]}
    good(olive.post(f"{path}join/", both), 204)
    assert {name: len(found) for name, found in persons().items()} == {"Adah": 2, "Ben": 2}
    good(olive.post(f"{path}part/", {"person": before["Adah"][0]}), 204)
    assert persons() == before
    met = {"person": before["Ada"][0], "other": before["Ben"][0]}
    assert olive.post(f"{path}join/", met).json()["code"] == "same_event"
    assert olive.post(f"{path}part/", {"person": 10**12}).json()["code"] == "unknown_player"
    assert olive.post(f"{path}part/", {"person": 2**64}).status_code == 400


def test_standings_of_a_league_leave_as_a_table():
    league = league_of(played("Ada", "Ben"))
    told = caller().get(f"/api/v1/leagues/{league.slug}/standings.csv")
    page = browser().get(f"/l/{league.slug}/standings.csv")
    assert (told.status_code, told.content) == (200, page.content.removeprefix(b"\xef\xbb\xbf"))
