"""An event file is of one moment: what others store while it is written is not in it, and they need not wait."""

import contextlib
import threading

import pytest
from django.db import connection

from tests.tournaments.factories import running
from tournaments.bundles import services
from tournaments.bundles.scopes import Scope
from tournaments.bundles.services import event_file, snapshot
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def rename_meanwhile(name):
    """Another process' write, in a connection of its own; it is done when this returns."""

    def write():
        Tournament.objects.update(name=name)
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    writer.join(timeout=10)
    assert not writer.is_alive()


def names_seen(around):
    """The event's name before and after somebody else changed it."""
    running(2)
    with around():
        before = Tournament.objects.get().name
        rename_meanwhile("Another name")
        return before, Tournament.objects.get().name


def test_a_snapshot_sees_one_state_and_holds_nobody_up():
    before, after = names_seen(snapshot)
    assert before == after
    assert Tournament.objects.get().name == "Another name"


def test_without_a_snapshot_the_file_would_be_of_two_moments():
    assert names_seen(contextlib.nullcontext) == ("Autumn Doom Cup", "Another name")


def test_connection_is_usable_after_a_file_that_failed(monkeypatch):
    tournament = running(2)
    monkeypatch.setattr(services, "sign", lambda message: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        event_file(tournament, Scope.WHOLE)
    Tournament.objects.update(name="Goes on")
    assert not connection.in_atomic_block
    assert Tournament.objects.get().name == "Goes on"
