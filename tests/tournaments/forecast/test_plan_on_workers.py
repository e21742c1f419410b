"""A longer simulation of a plan on real processes: asked for over the API, played by a worker, read as it goes."""

import json
from typing import Any
from urllib.request import Request, urlopen

import pytest

from accounts.identity.keys import issue_api_token
from journal.clock import database_now
from tests.invariants.processes import wait_until
from tests.journeys.shop import Shop, open_shop
from tests.tournaments.factories import account, event
from tournaments.forecast.plan_runs import CHUNKS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql, pytest.mark.full]
PATIENCE = 90.0


def call(shop: Shop, token: str, method: str, path: str, body: dict[str, int] | None = None) -> dict[str, Any]:
    """The answer of the site's API."""
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(shop.root + path, data, headers, method=method), timeout=30) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def test_a_worker_plays_all_chunks_and_the_error_shrinks() -> None:
    olive, held = account("olive"), event(24, round_minutes=50)
    token = issue_api_token(olive.user, olive, database_now())[1]
    path = f"/api/v1/events/{held.slug}/plan/"
    with open_shop("broker", "relay", "worker1", "web") as shop:
        first = call(shop, token, "GET", f"{path}?players=24&rounds=5&cut=4&seed=3")
        asked = call(shop, token, "POST", f"{path}runs/", {"players": 24, "rounds": 5, "cut": 4, "seed": 3})
        assert (asked["state"], asked["chunks"]) == ("waiting", CHUNKS)
        run = f"{path}runs/{asked['id']}/"
        assert wait_until(lambda: call(shop, token, "GET", run)["state"] == "done", PATIENCE), shop.said("worker1")
        plan = next(each for each in call(shop, token, "GET", run)["plans"] if each["rounds"] == 5)
    assert plan["runs"] == CHUNKS * 500
    assert plan["makes_cut"][0]["error"] < first["makes_cut"][0]["error"]
    assert plan["makes_cut"][0]["share"] == pytest.approx(first["makes_cut"][0]["share"], abs=0.05)
