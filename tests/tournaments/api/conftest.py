"""What tests of the API share."""

import pytest

from decks.services.catalogues import load_catalogues
from tests.tournaments.factories import NOW


@pytest.fixture
def catalogue(db):
    """Every shipped game's cards and lists."""
    return load_catalogues(NOW)
