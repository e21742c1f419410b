"""The second folder: every event as a file, the newest and the one before, whole or not there; no act waits for it."""

import errno
import io
import json
import runpy
import shutil

import pytest
from django.core.cache import cache
from django.db import connection

from accounts.models import User
from journal.clock import database_now
from journal.ledger.selectors import head_of
from journal.models import OutboxMessage
from launch.backup import check_seal
from tests.tournaments.factories import NOW, account, entry, event, next_round, report_all, running
from tests.tournaments.web.visitors import browser, page, url
from tournaments.bundles import copies, storing
from tournaments.bundles.bringing import PROGRAM
from tournaments.bundles.copies import BACKING_UP, backup_path, busy_key, path_of, write_copies, write_copy
from tournaments.bundles.keys import public_key
from tournaments.bundles.scopes import Scope
from tournaments.bundles.storing import before_of, store
from tournaments.core.ledger import WRITE_COPY
from tournaments.entries.services.attendance import drop_entry
from tournaments.models import EventCopy, Tournament
from tournaments.rehearsals.services import rehearse
from tournaments.tasks import write_copies as task

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path, settings):
    """The second folder, plugged in."""
    path = tmp_path / "stick"
    path.mkdir()
    settings.COPIES = str(path)
    return path


def names(folder):
    return sorted(each.name for each in folder.iterdir())


def acts_in(path):
    """How many acts the log has in a copy, once the program for strangers found all of it right."""
    verifier = runpy.run_path(str(PROGRAM))
    found = verifier["verify"](path.read_bytes(), public_key())
    assert {line["result"] for line in found.lines} <= {"right", "open"}
    _manifest, parts = verifier["read_file"](path.read_bytes(), verifier["Report"](), public_key())
    return parts["ledger.json"]["sequence"]


@pytest.mark.sqlite
def test_newest_copy_and_the_one_before_are_there(folder):
    tournament = running(4)
    assert write_copies(NOW) == 1
    first = head_of(tournament.stream).sequence
    report_all(next_round(tournament))
    assert write_copies(NOW) == 1
    drop_entry(account("olive"), entry(tournament, "Ada"), NOW)
    assert write_copies(NOW) == 1
    newest = path_of(tournament)
    backups = (backup_path(), before_of(backup_path())) if connection.vendor == "sqlite" else ()
    assert names(folder) == sorted(each.name for each in (newest, before_of(newest), *backups))
    assert first < acts_in(before_of(newest)) < acts_in(newest) == head_of(tournament.stream).sequence
    assert EventCopy.objects.get().acts == head_of(tournament.stream).sequence


@pytest.mark.sqlite(only=True)
def test_a_laptop_is_backed_up_when_something_happened_and_when_its_backup_is_gone(folder):
    tournament = running(4)
    write_copy(tournament, NOW)
    check_seal(backup_path())
    first = backup_path().stat().st_ino
    write_copy(tournament, NOW)
    assert backup_path().stat().st_ino == first
    report_all(next_round(tournament))
    write_copy(tournament, NOW)
    assert before_of(backup_path()).stat().st_ino == first
    backup_path().unlink()
    cache.add(BACKING_UP, 1, 60)
    write_copy(tournament, NOW)
    assert not backup_path().exists()  # somebody is at it: one at a time
    cache.delete(BACKING_UP)
    assert (write_copies(NOW), backup_path().exists()) == (0, True)  # the regular run sees to it


@pytest.mark.sqlite(only=True)
def test_a_backup_that_cannot_be_made_is_said_and_the_events_file_is_there(folder, settings, tmp_path):
    tournament = running(4)
    settings.VAR_DIR = tmp_path / "full"
    assert not write_copy(tournament, NOW)
    assert (names(folder), EventCopy.objects.get().fault) == ([path_of(tournament).name], EventCopy.Fault.MISSING)


def test_only_what_changed_or_is_gone_is_written_again(folder):
    tournament, other = running(4), running(4)
    assert (write_copies(NOW), write_copies(NOW)) == (2, 0)
    drop_entry(account("olive"), entry(other, "Ada"), NOW)
    assert write_copies(NOW) == 1
    path_of(tournament).unlink()
    assert write_copies(NOW) == 1
    assert path_of(tournament).exists()


def test_rehearsals_and_events_from_files_need_no_copy(folder):
    made = rehearse(account("olive"), event(swiss_rounds=2), 4, 1, NOW)
    brought = running(4)
    Tournament.objects.filter(pk=brought.pk).update(is_brought=True)
    brought.refresh_from_db()
    assert (write_copy(made, NOW), write_copy(brought, NOW)) == (False, False)
    assert write_copies(NOW) == 1


def test_a_publish_asks_for_a_copy_where_there_is_a_second_folder(folder, settings):
    asked = OutboxMessage.objects.filter(task=WRITE_COPY)
    tournament = running(4)
    begun = asked.count()
    report_all(next_round(tournament))
    assert asked.count() == begun + 2  # paired, published; no report asks for one
    settings.COPIES = ""
    next_round(tournament)
    assert asked.count() == begun + 2  # the control
    assert not write_copy(tournament, NOW)


def test_a_folder_that_is_gone_stops_no_act_and_is_said(folder):
    tournament = running(4)
    write_copies(NOW)
    away = folder.with_name("away")
    folder.rename(away)
    round_ = next_round(tournament)
    assert round_.state == "published"
    assert (write_copies(database_now()), folder.exists()) == (0, False)  # a medium that was pulled out is not made up
    copy = EventCopy.objects.get()
    since = copy.failed_at
    assert (copy.fault, copy.written_at) == (EventCopy.Fault.MISSING, NOW)
    write_copies(database_now())
    assert EventCopy.objects.get().failed_at == since  # since when, not when it was last tried
    olive = browser(account("olive"))
    assert "The second folder cannot be written" in page(olive, url(tournament, "manage/"))
    work = page(olive, url(tournament, "manage/work/"))
    assert "the folder is not there" in work
    User.objects.filter(username="olive").update(is_staff=True)
    assert browser(account("olive")).get("/health/ready/").json()["copies_failing"] == 1
    away.rename(folder)
    assert write_copies(NOW) == 1
    assert "The second folder cannot be written" not in page(olive, url(tournament, "manage/"))
    assert browser(account("olive")).get("/health/ready/").json()["copies_failing"] == 0
    assert acts_in(path_of(tournament)) == head_of(tournament.stream).sequence


def test_page_says_nothing_without_a_second_folder():
    tournament = running(4)
    assert "second folder" not in page(browser(account("olive")), url(tournament, "manage/work/"))


@pytest.fixture
def full_medium(monkeypatch):
    """A medium that takes some bytes and no more."""

    def runs_full(source, target):
        target.write(source.read(100))
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", runs_full)


def test_a_full_medium_leaves_the_copy_that_was_there(folder, full_medium, monkeypatch):
    tournament = running(4)
    newest = path_of(tournament)
    newest.write_bytes(b"the copy until now")
    assert not write_copy(tournament, NOW)
    assert (names(folder), newest.read_bytes()) == ([newest.name], b"the copy until now")
    assert EventCopy.objects.get().fault == EventCopy.Fault.FULL

    class Straight:
        """The control: written under its name at once."""

        def __init__(self, target):
            self.target = target

        def __enter__(self):
            return self.target

        def __exit__(self, *fault):
            return False

    monkeypatch.setattr(storing, "_draft", Straight)
    assert not write_copy(tournament, NOW)
    assert newest.read_bytes() != b"the copy until now"


def test_what_a_killed_writer_left_is_removed(folder):
    target = folder / "cup-whole.zip"
    (folder / ".cup-whole.zip.a1b2.part").write_bytes(b"half")
    (folder / "mine.txt").write_bytes(b"of the organiser")
    store(io.BytesIO(b"whole"), target)
    assert (names(folder), target.read_bytes()) == (["cup-whole.zip", "mine.txt"], b"whole")


def test_one_writes_at_a_time(folder):
    tournament = running(4)
    cache.add(busy_key(tournament), 1, 60)
    assert (write_copy(tournament, NOW), names(folder)) == (False, [])
    cache.delete(busy_key(tournament))
    assert write_copy(tournament, NOW)  # the control


def test_a_run_writes_so_many_and_the_next_one_the_rest(folder, monkeypatch):
    for _ in range(3):
        event(2)
    monkeypatch.setattr(copies, "AT_ONCE", 2)
    assert [write_copies(NOW) for _ in range(3)] == [2, 1, 0]


def test_task_writes_what_the_organisers_file_is(folder):
    tournament = running(4)
    task.run()
    verifier = runpy.run_path(str(PROGRAM))
    manifest, parts = verifier["read_file"](path_of(tournament).read_bytes(), verifier["Report"](), public_key())
    assert (manifest["scope"], parts["event.json"]["name"]) == (Scope.WHOLE, tournament.name)
    assert "ada@" not in json.dumps(parts)
