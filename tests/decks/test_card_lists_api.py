"""Card lists by API: drafted, changed, announced, re-checked by site admins alone; as the pages do."""

from datetime import timedelta

import pytest

from accounts.models import User
from decks.models import CardList, Recheck
from journal.clock import database_now
from tests.tournaments.api.callers import caller, good

pytestmark = pytest.mark.sqlite

PATH = "/api/v1/card-lists/"


@pytest.fixture
def root(catalogue):
    client = caller("root")
    User.objects.filter(username="root").update(is_staff=True)
    return client


def tomorrow():
    return (database_now() + timedelta(days=1)).date().isoformat()


def draft(**changes):
    body = {"game": "doom_pile", "game_format": "standard", "name": "Bans", "valid_from": tomorrow()}
    return {**body, "text": "Ash Ledger: 0\n", **changes}


def test_list_is_drafted_changed_announced_and_rechecked(root):
    row = good(root.post(PATH, draft()), 201)
    assert (row["state"], row["text"].strip(), row["rechecks"]) == ("draft", "Ash Ledger: 0", [])
    address = f"{PATH}{row['id']}/"
    changed = good(root.put(address, {"name": "Limits", "valid_from": tomorrow(), "text": "Ash Ledger: 1"}))
    assert (changed["name"], changed["text"].strip()) == ("Limits", "Ash Ledger: 1")
    assert root.post(f"{address}announce/", {"seen": row["digest"]}).json()["code"] == "list_changed"
    announced = good(root.post(f"{address}announce/", {"seen": changed["digest"]}))
    assert (announced["state"], len(announced["rechecks"])) == ("announced", 1)
    assert root.delete(address).json()["code"] == "list_announced"
    again = good(root.post(f"{address}recheck/"), 202)
    assert good(root.get(f"/api/v1/rechecks/{again['id']}/"))["total"] == again["total"]
    assert row["id"] in [each["id"] for each in good(root.get(PATH))["results"]]


def test_draft_is_deleted(root):
    row = good(root.post(PATH, draft()), 201)
    assert root.delete(f"{PATH}{row['id']}/").status_code == 204
    assert not CardList.objects.filter(pk=row["id"]).exists()


def test_running_recheck_is_stopped_once(root):
    row = good(root.post(PATH, draft()), 201)
    recheck = good(root.post(f"{PATH}{row['id']}/recheck/"), 202)["id"]
    Recheck.objects.update(finished_at=None)
    address = f"/api/v1/rechecks/{recheck}/"
    assert good(root.post(f"{address}cancel/"))["cancelled_at"]
    assert root.post(f"{address}resume/").json()["code"] == "recheck_over"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"text": "No such card: 0"}, "unread_lines"),
        ({"valid_from": "2020-01-01"}, "list_too_early"),
        ({"game": "chess"}, "unknown_game"),
        ({"game_format": "blitz"}, "unknown_format"),
    ],
)
def test_refused_draft_stores_nothing(root, changes, code):
    before = CardList.objects.count()
    assert root.post(PATH, draft(**changes)).json()["code"] == code
    assert CardList.objects.count() == before


def test_nobody_else_reads_or_writes(root):
    row = good(root.post(PATH, draft()), 201)
    for name, status in (("", 401), ("ada", 403)):
        client = caller(name)
        assert client.get(PATH).status_code == status
        assert client.post(PATH, draft()).status_code == status
        assert client.delete(f"{PATH}{row['id']}/").status_code == status
