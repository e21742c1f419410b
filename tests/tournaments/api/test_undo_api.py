"""Undoing by API: what one did oneself, as the pages offer it."""

import pytest

from tests.tournaments.api.callers import caller, good, path_of
from tests.tournaments.factories import account, entry, event, running, staff
from tests.tournaments.web.visitors import browser
from tournaments.models import Announcement, Entry, Role

pytestmark = pytest.mark.django_db


def test_an_act_is_offered_to_who_did_it_and_undone_once():
    tournament = running(4)
    olive, path = caller("olive"), path_of(tournament)
    good(olive.post(f"{path}entries/2/drop/"))
    offered = good(olive.get(f"{path}undo/"))["results"]
    assert (offered[0]["what"], offered[0]["text"]) == ("entry.dropped", "dropped no. 2 Ben")
    page = browser(account("olive")).get(f"/e/{tournament.slug}/manage/").content.decode()
    assert f'name="act" value="{offered[0]["act"]}"' in page
    act = {"act": offered[0]["act"]}
    assert good(olive.post(f"{path}undo/", act)) == {**act, "what": "entry.dropped"}
    assert entry(tournament, "Ben").state == Entry.State.REGISTERED
    assert olive.post(f"{path}undo/", act).json()["code"] == "undone_already"
    assert act["act"] not in [each["act"] for each in good(olive.get(f"{path}undo/"))["results"]]


def test_nobody_undoes_what_they_may_not_do():
    tournament = event(2)
    staff(tournament, "kit", Role.Name.SCOREKEEPER)
    olive, path = caller("olive"), path_of(tournament)
    posted = good(olive.post(f"{path}announcements/", {"text": "Lunch"}), 201)["id"]
    good(olive.post(f"{path}announcements/{posted}/withdraw/"))
    act = {"act": good(olive.get(f"{path}undo/"))["results"][0]["act"]}
    for name, status in (("", 403), ("mallory", 403), ("kit", 403)):
        assert good(caller(name).get(f"{path}undo/"))["results"] == []
        assert caller(name).post(f"{path}undo/", act).status_code in (401, status)
    for body in ({}, {"act": 0}, {"act": "x"}, {"act": 2**70}):
        assert olive.post(f"{path}undo/", body).status_code == 400
    assert olive.post(f"{path}undo/", {"act": 2**40}).json()["code"] == "unknown_act"
    assert Announcement.objects.get().withdrawn_at is not None


def test_what_was_withdrawn_is_listed_and_posted_again():
    tournament = event()
    olive, path = caller("olive"), f"{path_of(tournament)}announcements/"
    first = good(olive.post(path, {"text": "Lunch", "is_urgent": True}), 201)["id"]
    good(olive.post(f"{path}{first}/withdraw/"))
    assert [each["id"] for each in good(olive.get(f"{path}withdrawn/"))["results"]] == [first]
    again = good(olive.post(f"{path}{first}/again/"), 201)
    assert (again["text"], again["is_urgent"], again["id"] != first) == ("Lunch", True, True)
    assert olive.post(f"{path}99999/again/").status_code == 404
