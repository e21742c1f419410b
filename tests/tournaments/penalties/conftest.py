"""What the tests of penalties begin with."""

import pytest

from tests.tournaments.factories import afresh, next_round, running, table


@pytest.fixture(scope="module")
def stored_match(shared_db):
    """Table 1 of round 1, open."""
    return table(next_round(running(4)))


@pytest.fixture
def match(stored_match, db):
    return afresh(stored_match)
