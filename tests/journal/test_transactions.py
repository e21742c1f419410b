"""in_transaction: what it tries again, what it gives up on, and what it leaves alone."""

import sqlite3

import pytest
from django.db import OperationalError, connection, transaction

from journal.models import LedgerHead
from journal.transactions import TRIES, in_transaction, is_retryable
from rules_engine.errors import Conflict, DomainError
from tests.races import race

pytestmark = pytest.mark.sqlite


class DatabaseSays(Exception):
    """Stands for a driver's error with an SQLSTATE."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


def fail_with(cause: BaseException) -> None:
    raise OperationalError(str(cause)) from cause


def busy() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY_SNAPSHOT
    return error


def failing_service(cause: BaseException, times: int, tries: list[int]):
    @in_transaction
    def service() -> str:
        tries.append(1)
        LedgerHead.objects.create(stream=f"s{len(tries)}")
        if len(tries) <= times:
            fail_with(cause)
        return "done"

    return service


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cause", [DatabaseSays("40001"), DatabaseSays("40P01"), busy()])
def test_a_transient_failure_is_tried_again_as_a_whole(cause):
    tries: list[int] = []
    assert failing_service(cause, 2, tries)() == "done"
    assert [head.stream for head in LedgerHead.objects.all()] == ["s3"]


@pytest.mark.django_db(transaction=True)
def test_after_three_tries_the_caller_is_told_busy():
    tries: list[int] = []
    with pytest.raises(Conflict) as caught:
        failing_service(DatabaseSays("40001"), 9, tries)()
    assert (caught.value.code, len(tries)) == ("busy", TRIES)
    assert not LedgerHead.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_lock_timeout_is_told_at_once():
    tries: list[int] = []
    with pytest.raises(Conflict) as caught:
        failing_service(DatabaseSays("55P03"), 9, tries)()
    assert (caught.value.code, len(tries)) == ("busy", 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cause", [DatabaseSays("22001"), ValueError("x")])
def test_any_other_failure_propagates(cause):
    tries: list[int] = []
    with pytest.raises(OperationalError):
        failing_service(cause, 9, tries)()
    assert len(tries) == 1


@pytest.mark.django_db(transaction=True)
def test_a_nested_service_leaves_the_retry_to_the_outermost():
    tries: list[int] = []
    inner = failing_service(DatabaseSays("40001"), 1, tries)
    outer_tries: list[int] = []

    @in_transaction
    def outer() -> str:
        outer_tries.append(1)
        return inner()

    assert outer() == "done"
    assert (len(tries), len(outer_tries)) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_a_refused_nested_service_is_taken_back_alone():
    @in_transaction
    def refused() -> None:
        LedgerHead.objects.create(stream="lost")
        raise DomainError("no", "No.")

    @in_transaction
    def outer() -> None:
        LedgerHead.objects.create(stream="kept")
        with pytest.raises(DomainError):
            refused()

    outer()
    assert [head.stream for head in LedgerHead.objects.all()] == ["kept"]


def test_errors_without_a_database_cause_are_not_retryable():
    assert not is_retryable(OperationalError("plain"))


@pytest.mark.django_db(transaction=True)
def test_crosswise_locks_both_succeed():
    """A real deadlock on PostgreSQL (40P01), a real wait on SQLite."""
    LedgerHead.objects.bulk_create([LedgerHead(stream="a"), LedgerHead(stream="b")])

    @in_transaction
    def add(first: str, second: str) -> str:
        for stream in (first, second):
            head = LedgerHead.objects.select_for_update().get(pk=stream)
            head.sequence += 1
            head.save()
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(0.3)" if connection.vendor == "postgresql" else "SELECT 1")
        return "done"

    assert race(lambda number: add(*(("a", "b") if number else ("b", "a"))), 2) == ["done", "done"]
    assert [head.sequence for head in LedgerHead.objects.order_by("stream")] == [2, 2]


@pytest.mark.postgresql  # SQLite has no lock_timeout, it waits inside BEGIN
@pytest.mark.django_db(transaction=True)
def test_a_held_lock_is_told_as_busy_within_the_lock_timeout():
    LedgerHead.objects.create(stream="a")

    def lock(number: int) -> str:
        with transaction.atomic():
            LedgerHead.objects.select_for_update().get(pk="a")
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(4)")
        return "held"

    @in_transaction
    def want() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = 200")
        LedgerHead.objects.select_for_update().get(pk="a")
        return "had"

    def try_it(number: int) -> str:
        if number == 0:
            return lock(number)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.5)")
        try:
            return want()
        except Conflict as conflict:
            return conflict.code

    assert race(try_it, 2) == ["held", "busy"]
