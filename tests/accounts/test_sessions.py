"""A session ends by the database's clock, and what is sent as a key never opens another one."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command

from accounts.identity.sessions import SessionStore
from journal.clock import database_now

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def stored() -> SessionStore:
    """A session with something in it."""
    session = SessionStore()
    session["deck"] = "Doom"
    session.save()
    return session


def test_a_session_is_found_by_its_key_alone(stored):
    assert SessionStore(stored.session_key)["deck"] == "Doom"
    for key in ("x" * 32, stored.session_key.upper(), f"{stored.session_key}'", "%s" * 8, "-1" * 8):
        other = SessionStore(key)
        assert other.get("deck") is None
        assert other.session_key is None, "it is not taken for its own"


@pytest.mark.parametrize(("seconds", "is_there"), [(5, True), (-5, False)])
def test_a_session_ends_when_its_time_is_over(seconds, is_there, stored):
    Session.objects.update(expire_date=database_now() + timedelta(seconds=seconds))
    assert (SessionStore(stored.session_key).get("deck") == "Doom") is is_there


def test_one_that_was_ended_opens_nothing_and_old_ones_go(stored):
    ended = SessionStore()
    ended["deck"] = "Pile"
    ended.save()
    key = ended.session_key
    ended.flush()
    assert SessionStore(key).get("deck") is None
    Session.objects.update(expire_date=database_now() - timedelta(seconds=5))
    call_command("clearsessions")
    assert not Session.objects.exists()
