"""Pages of an event with more entries than SQLite takes in one expression."""

import pytest

from tests.tournaments.factories import account, event, next_round, running
from tests.tournaments.web.visitors import browser, page, url

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
MANY = 1100


def test_pages_of_entries_open_with_more_than_a_thousand():
    tournament, olive = event(MANY), browser(account("olive"))
    for path in ("", "manage/", "manage/entries/", "manage/decks/"):
        assert page(olive, url(tournament, path))


def test_pages_of_a_round_open_with_hundreds_of_tables():
    tournament, olive = running(300), browser(account("olive"))
    next_round(tournament)
    for path in ("pairings/", "standings/", "standings.csv", "desk/", "manage/rounds/"):
        assert page(olive, url(tournament, path))
