"""Leagues for programs: events have one name everywhere."""

import pytest

from tests.tournaments.api.callers import caller, good
from tests.tournaments.factories import NOW, account
from tests.tournaments.leagues.test_leagues import league_of, played
from tournaments.leagues.services import add_league_event
from tournaments.models import Tournament

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
