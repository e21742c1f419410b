"""Ada and the cards that ship."""

from datetime import UTC, datetime

import pytest

from accounts.models import Person
from decks.services.catalogues import load_catalogues

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def now():
    return NOW


@pytest.fixture(scope="module")
def shipped(shared_db):
    """Every shipped game's cards and lists, stored once for a module."""
    return load_catalogues(NOW)


@pytest.fixture
def catalogue(shipped, db):
    """What is shipped; a test's own changes of it are taken back."""
    return shipped


@pytest.fixture
def ada(db):
    return Person.objects.create(name="Ada", created_at=NOW)


@pytest.fixture
def ben(db):
    return Person.objects.create(name="Ben", created_at=NOW)


@pytest.fixture
def legal_text():
    """A legal Doom Pile deck as a player would paste it."""
    names = ["Ash Ledger", "Cold Handshake", "Glass Widow", "Brass Hound", "Ink for the Devil", "Devil’s Abacus"]
    names += ["Marrow Giant", "Paper Dragon", "night freight", "Überkobold"]
    return "Master Plan: Winter Without End\n\n" + "\n".join(f"3x {name}" for name in names)
