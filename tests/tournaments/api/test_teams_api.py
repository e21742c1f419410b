"""Teams by API: members added by staff, and joined by the team's own link."""

import pytest

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.entries.test_teams import names_of, playing, team_event, withdrawn_team
from tests.tournaments.factories import NOW, account, entry, event
from tests.tournaments.web.visitors import browser
from tournaments.entries.services.entries import sign_up
from tournaments.permissions import member_of, withdrawn_entry_of

pytestmark = pytest.mark.django_db


def test_staff_add_members_before_the_start():
    tournament = team_event()
    olive, path = caller("olive"), f"{path_of(tournament)}entries/"
    good(olive.post(path, {"entries": [{"name": "Red", "members": ["Ada"]}]}), 201)
    assert good(olive.post(f"{path}1/members/", {"name": "Ben"}), 201)["members"] == ["Ada", "Ben"]
    assert good(olive.get(f"{path}1/"))["members"] == ["Ada", "Ben"]
    link = good(olive.post(f"{path}1/personal-link/", {"member": 2}), 201)["path"]
    assert "/p/" in link
    assert olive.post(f"{path}1/personal-link/", {"member": 3}).json()["code"] == "no_member"
    for body in ({}, {"name": ""}, {"name": "x" * 121}):
        assert olive.post(f"{path}1/members/", body).status_code == 400
    for _more in range(4):
        good(olive.post(f"{path}1/members/", {"name": "More"}), 201)
    assert olive.post(f"{path}1/members/", {"name": "Seventh"}).json()["code"] == "too_many_members"


def test_a_mate_joins_by_the_link_of_the_team():
    tournament = team_event()
    path = path_of(tournament)
    sign_up(account("ada"), tournament, account("ada").person, NOW, team="Red")
    link = good(caller("ada").get(f"{path}my/team/"))
    assert link["path"] == f"/e/{tournament.slug}/join/{link['token']}/"
    body = {"token": link["token"]}
    assert good(caller("ben").post(f"{path}entries/join/", body), 201)["members"] == ["ada", "ben"]
    assert caller("ben").post(f"{path}entries/join/", body).json()["code"] == "entered_already"
    assert caller("cem").post(f"{path}entries/join/", {"token": "x"}).json()["code"] == "unknown_team"
    assert caller().post(f"{path}entries/join/", body).status_code == 401
    other = team_event()
    assert caller("cem").post(f"{path_of(other)}entries/join/", body).json()["code"] == "unknown_team"
    assert names_of(tournament.entries.get()) == ["ada", "ben"]


def test_nobody_joins_where_no_teams_play():
    tournament = event()
    sign_up(account("ada"), tournament, account("ada").person, NOW)
    assert good(caller("ada").get(f"{path_of(tournament)}my/team/")) == {"token": "", "path": ""}


def test_who_withdrew_and_is_added_by_name_takes_that_place_by_its_personal_link():
    """A name is nobody's account: a new person, until whoever holds the place's link and the account says so."""
    tournament = withdrawn_team("ben")
    blue, red = (f"{path_of(tournament)}entries/{entry(tournament, team).number}/" for team in ("Blue", "Red"))
    olive, ben = caller("olive"), account("ben")
    good(olive.post(f"{blue}members/", {"name": "ben"}), 201)
    assert (member_of(ben, tournament), withdrawn_entry_of(ben, tournament).name) == (None, "Red")
    link = good(olive.post(f"{blue}personal-link/", {"member": 2}), 201)["path"]
    phone = browser(ben)
    assert phone.get(link).headers["Location"] == "/accounts/link-person/"
    assert phone.post("/accounts/link-person/").status_code == 302
    tournament = type(tournament).objects.get(pk=tournament.pk)
    assert member_of(ben, tournament).entry.name == "Blue"
    assert withdrawn_entry_of(ben, tournament) is None
    assert caller("ben").post(f"{path_of(tournament)}entries/sign-up/", {}).json()["code"] == "entered_already"
    assert olive.post(f"{red}return/").json()["code"] == "plays_elsewhere"
    assert playing(tournament) == {"Blue": ["cem", "ben"]}
