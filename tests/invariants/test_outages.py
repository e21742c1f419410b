"""R10, O11: a lost connection or a full disk is told as such, 503 with Retry-After, and nothing was stored.

The control takes the recognition of outages away: then the same faults are answered 500.
"""

import os
import sqlite3
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client

from accounts.identity.keys import issue_api_token
from journal.models import LedgerEntry
from journal.transactions import is_full, is_outage
from tests.races import close_connections
from tests.tournaments.factories import NOW, account, next_round, running, table
from tests.tournaments.web.visitors import browser, url
from tournaments.models import Match, ResultReport

pytestmark = pytest.mark.django_db(transaction=True)
BODY = {"games_won": [2, 0], "games_drawn": 0}


class Killer:
    """Ends this process's own session at the server just before a statement of its number is sent."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, execute, sql, params, many, context):
        self.number -= 1
        if self.number == 0:
            values = connection.settings_dict
            own = {"host": values["HOST"], "port": values["PORT"] or None, "user": values["USER"], "dbname": "postgres"}
            pid = connection.connection.info.backend_pid
            with psycopg.connect(**own, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        return execute(sql, params, many, context)


def poster(match: Match, key: str = "") -> tuple[Client, str, dict[str, str]]:
    """A client that reports a match by API, with or without a key."""
    olive = account("olive")
    token = issue_api_token(olive.user, olive, NOW.replace(year=2126))[1]
    headers = {"Authorization": f"Token {token}", **({"Idempotency-Key": key} if key else {})}
    path = f"/api/v1/events/{match.round.stage.tournament.slug}/matches/{match.pk}/report/"
    return Client(raise_request_exception=False), path, headers


def report(client: Client, path: str, headers: dict[str, str]):
    return client.post(path, BODY, content_type="application/json", headers=headers)


def stored() -> tuple[int, int]:
    return ResultReport.objects.count(), LedgerEntry.objects.count()


def statuses(key: str) -> list[tuple[int, str]]:
    """What is answered when the session ends before each statement of a report in turn."""
    match = table(next_round(running(2)))
    given, answers = poster(match, key), []
    for number in range(1, 40, 3):
        before = stored()
        with connection.execute_wrapper(Killer(number)):
            answer = report(*given)
        close_connections()
        answers.append((answer.status_code, answer.get("Retry-After", "")))
        if answer.status_code < 400:
            break
        assert stored() == before
    return answers


@pytest.mark.postgresql
@pytest.mark.parametrize("key", ["", "one-key"])
def test_a_lost_connection_is_503_with_retry_after(key):
    answers = statuses(key)
    assert len(answers) > 5
    assert {each for each in answers if each[0] >= 400} == {(503, "5")}


@pytest.mark.postgresql
def test_without_the_recognition_of_outages_it_is_500(monkeypatch):
    monkeypatch.setattr("config.errors.is_outage", lambda error: False)
    assert 500 in {status for status, _after in statuses("")}


def page_statuses(ask: Callable[[Client], HttpResponse], who: str = "") -> list[tuple[int, str, bool]]:
    """What a page answers when the session ends before each statement in turn, and whether it says what to do."""
    answers = []
    for number in range(1, 60, 2):
        client = browser(account(who)) if who else browser()
        client.raise_request_exception = False
        before = stored()
        with connection.execute_wrapper(Killer(number)):
            answer = ask(client)
        close_connections()
        answers.append((answer.status_code, answer.get("Retry-After", ""), "Try again in a moment" in text_of(answer)))
        if answer.status_code < 400:
            break
        assert stored() == before
    return answers


def text_of(answer: HttpResponse) -> str:
    return answer.content.decode()


def form(match: Match) -> dict[str, object]:
    """The result of a table as it is typed in at the desk."""
    held = {"round": match.round_id, "table": match.table_number, "result": "20"}
    return {**held, "act": "report", "idempotency_key": str(uuid.uuid4())}


def page_asked(name: str) -> list[tuple[int, str, bool]]:
    """The statuses of a page that is read, or of a form that is sent."""
    held = running(2)
    match = table(next_round(held))
    if name == "form":
        return page_statuses(lambda client: client.post(url(held, "desk/"), form(match)), "olive")
    return page_statuses(lambda client: client.get(url(held, name)))


@pytest.mark.postgresql
@pytest.mark.parametrize("name", ["", "statistics/", "form"])
def test_a_page_under_a_lost_connection_is_503_with_retry_after(name):
    answers = page_asked(name)
    assert len(answers) > 2
    assert {each for each in answers if each[0] >= 400} == {(503, "5", True)}


@pytest.mark.postgresql
def test_without_the_recognition_of_outages_a_page_is_500(monkeypatch):
    monkeypatch.setattr("config.errors.is_outage", lambda error: False)
    assert 500 in {status for status, _after, _said in page_asked("form")}


TRIGGERS = (
    "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
    "CREATE TRIGGER no_room BEFORE INSERT ON tournaments_resultreport FOR EACH ROW EXECUTE FUNCTION no_room()",
    "DROP FUNCTION no_room CASCADE",
)


@pytest.fixture
def full_disk():
    """The server says of every new report that its disk is full."""
    make, arm, drop = TRIGGERS
    connection.cursor().execute(make)
    connection.cursor().execute(arm)
    yield
    connection.cursor().execute(drop)


@pytest.mark.postgresql
@pytest.mark.parametrize("key", ["", "one-key"])
def test_a_full_disk_is_told_as_such(key, full_disk):
    match = table(next_round(running(2)))
    given = poster(match, key)
    before = stored()
    answer = report(*given)
    assert (answer.status_code, answer["Retry-After"], answer.json()["code"]) == (503, "5", "disk_full")
    assert "disk is full" in answer.json()["detail"]
    assert stored() == before


def insert_until_refused(size: int) -> None:
    """Rows of so many bytes, until the database refuses one."""
    with connection.cursor() as cursor:
        while True:
            cursor.execute("INSERT INTO filler VALUES (zeroblob(%s))", [size])


@pytest.fixture
def no_pages_left() -> Iterator[Callable[[], None]]:
    """Fill the database's file to the last page that SQLite may take; what is in the way is taken out at the end."""

    def fill() -> None:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE filler (rest BLOB)")
            cursor.execute("PRAGMA page_count")
            cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0] + 4}")
            for size in (4000, 500):
                with pytest.raises(OperationalError, match="full"):
                    insert_until_refused(size)

    yield fill
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1073741823")
        cursor.execute("DROP TABLE filler")


Send = Callable[[Match], HttpResponse]


def by_api() -> Send:
    """Results by API; who asks is known before anything is sent."""
    olive = account("olive")
    headers = {"Authorization": f"Token {issue_api_token(olive.user, olive, NOW.replace(year=2126))[1]}"}
    client, path = Client(raise_request_exception=False), "/api/v1/events/{}/matches/{}/report/"
    return lambda match: report(client, path.format(match.round.stage.tournament.slug, match.pk), headers)


def by_page() -> Send:
    """Results typed in at the desk."""
    client = browser(account("olive"))
    client.raise_request_exception = False
    return lambda match: client.post(url(match.round.stage.tournament, "desk/"), form(match))


def until_full(send: Send, fill: Callable[[], None]) -> HttpResponse:
    """The first answer that is no success, of results sent until the last half-empty page is full."""
    matches = list(next_round(running(64)).matches.select_related("round__stage__tournament"))
    fill()
    for match in matches:
        before = stored()
        answer = send(match)
        if answer.status_code >= 400:
            assert stored() == before
            return answer
    raise AssertionError("there was room for every result")


@pytest.mark.sqlite(only=True)
@pytest.mark.parametrize("way", [by_api, by_page])
def test_a_full_file_is_told_as_such_and_writing_goes_on_once_there_is_room(way, no_pages_left):
    send = way()
    answer = until_full(send, no_pages_left)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "disk is full" in text_of(answer)
    connection.cursor().execute("PRAGMA max_page_count = 1073741823")
    match = Match.objects.filter(accepted_report=None).select_related("round__stage__tournament").first()
    assert send(match).status_code < 400
    match.refresh_from_db()
    assert match.state == Match.State.DONE


@pytest.mark.sqlite(only=True)
@pytest.mark.parametrize("way", [by_api, by_page])
def test_without_the_recognition_of_outages_a_full_file_is_500(way, no_pages_left, monkeypatch):
    monkeypatch.setattr("config.errors.is_outage", lambda error: False)
    assert until_full(way(), no_pages_left).status_code == 500


def mount_disk(at: Path, size: int) -> None:
    """Mount a disk of so many bytes; where that cannot be done the test is left out, and says why."""
    at.mkdir()
    try:
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", at], check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        pytest.skip(f"no small disk can be mounted here (that takes Linux and root): {said.strip()}")


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """The database moves to a disk with 16 MiB to spare, and back at the end."""
    values, disk = connection.settings_dict, tmp_path / "disk"
    place = values["NAME"]
    mount_disk(disk, os.path.getsize(place) + 16 * 1024 * 1024)
    try:
        connection.cursor().execute("VACUUM INTO %s", [str(disk / "db.sqlite3")])
        connection.close()
        values["NAME"] = str(disk / "db.sqlite3")
        yield disk
    finally:
        connection.close()
        values["NAME"] = place
        subprocess.run(["umount", "--lazy", disk], check=True)  # the traceback of an error may still hold the file


def fill_disk(disk: Path, *, unopened: bool = False) -> None:
    """Another file takes all the room that is left, to the last byte; `unopened`: while no connection is open."""
    connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if unopened:
        connection.close()
    with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
        for size in (64 * 1024, 1024, 1):
            with suppress(OSError):
                while filler.write(bytes(size)):
                    pass


@pytest.mark.sqlite(only=True)
@pytest.mark.parametrize("way", [by_api, by_page])
def test_a_disk_that_is_really_full_is_told_as_such_and_the_same_goes_through_once_there_is_room(way, small_disk):
    send = way()
    match = table(next_round(running(2)))
    before = stored()
    fill_disk(small_disk)
    for _time in range(3):
        answer = send(match)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert "disk is full" in text_of(answer)
        assert stored() == before
    (small_disk / "filler").unlink()
    assert send(match).status_code < 400
    assert stored() == (before[0] + 1, before[1] + 1)
    assert connection.cursor().execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.sqlite(only=True)
@pytest.mark.parametrize("way", [by_api, by_page])
def test_without_the_recognition_of_outages_a_full_disk_is_500(way, small_disk, monkeypatch):
    monkeypatch.setattr("config.errors.is_outage", lambda error: False)
    send, match = way(), table(next_round(running(2)))
    fill_disk(small_disk)
    assert send(match).status_code == 500


@pytest.mark.sqlite(only=True)
@pytest.mark.parametrize("way", [by_api, by_page])
def test_a_full_disk_on_which_the_database_cannot_even_be_opened_is_told_as_such(way, small_disk):
    """SQLite has no room for the files beside its own, and says that it cannot read or write, not why."""
    send = way()
    (match,) = next_round(running(2)).matches.select_related("round__stage__tournament")
    before = stored()
    fill_disk(small_disk, unopened=True)
    answer = send(match)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "disk is full" in text_of(answer)
    with pytest.raises(OperationalError) as caught:
        stored()
    assert caught.value.__cause__.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR
    assert is_full(caught.value)
    (small_disk / "filler").unlink()
    assert not is_full(caught.value), "with room on the disk the same error has another reason"
    assert is_outage(caught.value)
    assert stored() == before
    assert send(match).status_code < 400
