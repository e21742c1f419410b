"""What tests of tournaments share."""

import pytest

from decks.services.catalogues import load_catalogues
from rules_engine.systems import get_system
from tests.tournaments.factories import NOW


@pytest.fixture
def pile_cards() -> None:
    """The cards of Doom Pile."""
    load_catalogues(NOW, [get_system("doom_pile")])
