"""The games of the site over the API: what an integrator needs to make an event."""

import pytest
from django.test import Client

from rules_engine.systems import list_systems

pytestmark = pytest.mark.django_db


def test_games_are_listed_with_formats_and_ways(client: Client) -> None:
    games = {game["slug"]: game for game in client.get("/api/v1/games/").json()["results"]}
    assert set(games) == {system.slug for system in list_systems()}
    pair = games["dead_or_destroyed"]["ways"][0]
    assert (pair["slug"], pair["best_of"], pair["exact_games"], pair["tables"]) == ("pair", 2, True, None)
    (design,) = [way for way in games["doomlings"]["ways"] if way["slug"] == "intelligent-design"]
    assert design["sheet_options"] == {"intelligent_design": True}
    assert design["tables"] == {"preferred": 4, "least": 2, "most": 4, "primary_targets": False}
    tournament = next(each for each in games["doomtrooper"]["formats"] if each["slug"] == "tournament-1997")
    assert [each["slug"] for each in tournament["variants"]] == ["head-to-head", "multi-player", "two-team"]
    assert [each["checks_decks"] for each in games["doom_pile"]["formats"]] == [True]


def test_games_are_named_in_the_readers_language(client: Client) -> None:
    body = client.get("/api/v1/games/", headers={"Accept-Language": "de"}).json()
    names = {way["slug"]: way["name"] for game in body["results"] for way in game["ways"]}
    assert names["large-tables"] == "Tische zu 7 oder mehr"
