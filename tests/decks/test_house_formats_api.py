"""House formats by API: made, read, given another version, by their owner alone; as the pages have them."""

import pytest

from decks.models import HouseFormat, HouseFormatVersion
from tests.tournaments.api.callers import caller, good

pytestmark = pytest.mark.sqlite

PATH = "/api/v1/house-formats/"


def new(**changes):
    return {"game": "doom_pile", "base": "standard", "name": "Singletons", "changes": {"copies": 1}, **changes}


def test_house_format_is_made_read_and_given_another_version(catalogue):
    ada = caller("ada")
    made = good(ada.post(PATH, new(changes={"copies": 2, "limits": {"Ash Ledger": 0}})), 201)
    assert made["slug"].startswith("house-")
    (version,) = made["versions"]
    assert (version["changes"]["copies"], version["changes"]["limits"]) == (2, {"ash ledger": 0})
    assert version["sentences"] == ["At most 2 copies of a card.", "A list of 1 card."]
    changed = good(ada.put(f"{PATH}{made['slug']}/", {"name": "One of each", "changes": {"copies": 1}}))
    assert (changed["name"], [each["number"] for each in changed["versions"]]) == ("One of each", [1, 2])
    assert good(ada.get(f"{PATH}{made['slug']}/")) == changed
    assert good(ada.get(PATH))["results"] == [changed]
    rules = good(ada.get(f"/api/v1/rules/doom_pile/formats/{made['slug']}/"))
    assert rules["name"] == "One of each"


@pytest.mark.parametrize(
    ("values", "status", "code"),
    [
        (new(game="chess"), 404, "unknown_game"),
        (new(base="blitz"), 404, "unknown_format"),
        (new(changes={"limits": {"No such card": 0}}), 422, "bad_house_format"),
        (new(changes={"sizes": {"main": ["many"]}}), 422, "bad_house_format"),
        (new(valid_from="2020-01-01"), 422, "too_early"),
        (new(name=" "), 400, "invalid"),
        (new(changes={"copies": 0}), 400, "invalid"),
    ],
)
def test_refused_house_format_stores_nothing(catalogue, values, status, code):
    assert good(caller("ada").post(PATH, values), status)["code"] == code
    assert not HouseFormat.objects.exists()


def test_another_account_neither_reads_nor_changes_it(catalogue):
    slug = good(caller("ada").post(PATH, new()), 201)["slug"]
    ben = caller("ben")
    assert ben.get(f"{PATH}{slug}/").status_code == 403
    assert ben.put(f"{PATH}{slug}/", {"name": "Mine", "changes": {}}).status_code == 403
    assert good(ben.get(PATH))["count"] == 0
    assert HouseFormatVersion.objects.count() == 1
