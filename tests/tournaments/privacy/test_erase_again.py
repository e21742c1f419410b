"""Erasures outlive a restored backup: the account that came back is erased again, and no other one."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import transaction

from accounts.models import User
from journal.ledger.selectors import verify_stream
from journal.models import LedgerEntry
from tests.tournaments.factories import NOW, account, event
from tests.tournaments.privacy.test_erase import ZOE, duel, entered, found_in, over
from tournaments.events.services.events import start_tournament
from tournaments.privacy.erasure_notes import note_erasure, noted_erasures, notes_file
from tournaments.privacy.restores import erase_again
from tournaments.privacy.services import erase_account

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    """The folder of a site's data, in which nothing is noted."""
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def restored(django_capture_on_commit_callbacks):
    """Erase an account, then have the data of before back, as a restore does."""

    def restore(actor):
        with transaction.atomic():
            with django_capture_on_commit_callbacks(execute=True):
                erase_account(actor.user, actor, NOW)
            transaction.set_rollback(True)

    return restore


def test_an_account_that_came_back_is_erased_again(restored, capsys):
    tournament = duel()
    restored(account(ZOE))
    assert "accounts.User" in found_in()
    call_command("erase_again")
    assert "Erased again after a restore: 1" in capsys.readouterr().out
    assert found_in() == set()
    assert (verify_stream(tournament.stream), verify_stream("accounts")) == ([], [])
    assert LedgerEntry.objects.filter(act="person_erased").get().role == "system"
    assert erase_again(NOW) == (0, 0)
    call_command("erase_again")
    assert capsys.readouterr().out == ""


def test_without_the_note_it_stays(restored):
    """The control."""
    duel()
    restored(account(ZOE))
    notes_file().unlink()
    assert (erase_again(NOW), "accounts.User" in found_in()) == ((0, 0), True)


def test_note_says_no_name(restored):
    event()
    restored(account(ZOE))
    (line,) = notes_file().read_text().splitlines()
    assert set(json.loads(line)) == {"user", "joined", "erased"}
    assert "Zoe" not in line


def test_an_erasure_that_was_taken_back_is_not_noted():
    with transaction.atomic():
        erase_account(account(ZOE).user, account(ZOE), NOW)
        transaction.set_rollback(True)
    assert not notes_file().exists()


def test_another_account_with_the_id_is_left_alone():
    zoe = account(ZOE)
    note_erasure(zoe.user.pk, zoe.user.date_joined - timedelta(days=1), NOW)
    note_erasure(zoe.user.pk + 1000, zoe.user.date_joined, NOW)
    assert (erase_again(NOW), User.objects.filter(username=ZOE).exists()) == ((0, 0), True)


def test_who_plays_in_the_restored_data_waits_until_that_is_over(restored, capsys):
    tournament = start_tournament(account("olive"), entered(), NOW)
    zoe = account(ZOE)
    note_erasure(zoe.user.pk, zoe.user.date_joined, NOW)
    call_command("erase_again")
    assert "once their events are over" in capsys.readouterr().out
    assert "accounts.User" in found_in()
    over(tournament)
    assert (erase_again(NOW), found_in()) == ((1, 0), set())


def test_half_a_line_is_passed_over_and_twice_is_once():
    zoe = account(ZOE)
    for _ in range(2):
        note_erasure(zoe.user.pk, zoe.user.date_joined, NOW)
    with notes_file().open("a") as file:
        file.write('[1]\n{"user": "x", "joined": 1}\n{"user": 5, "jo')
    assert list(noted_erasures()) == [(zoe.user.pk, zoe.user.date_joined)]


def test_a_note_that_cannot_be_written_keeps_nobody_from_erasing(var, caplog, restored):
    notes_file().mkdir()
    restored(account(ZOE))
    assert "could not be noted" in caplog.text
