"""The flush between tests ends although a server still reads: with one attempt alone it does not."""

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
from django.core.management.color import no_style
from django.core.management.sql import sql_flush
from django.db import OperationalError, connection

from tests.flush import flush_beside_readers

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
WAITS = "SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND pid = %s"


@pytest.fixture
def reader() -> Iterator[psycopg.Connection]:
    """A server's connection, which waits for a lock longer than the flush does."""
    given = connection.get_connection_params()
    keys = ("dbname", "user", "password", "host", "port")
    with psycopg.connect(**{key: given[key] for key in keys if given.get(key)}) as other:
        other.execute("SET deadlock_timeout = '1min'")
        yield other
        other.rollback()


def read_on(reader: psycopg.Connection, table: str, flushing: int) -> None:
    """Once the flush waits for what the reader holds, read a table that the flush holds; then end."""
    deadline = time.monotonic() + 20
    while not reader.execute(WAITS, [flushing]).fetchone() and time.monotonic() < deadline:
        time.sleep(0.01)
    reader.execute(f'SELECT 1 FROM "{table}"')
    reader.commit()


@pytest.mark.parametrize("attempts", [1, 2])
def test_a_flush_that_loses_to_a_reader_is_done_again(reader: psycopg.Connection, attempts: int) -> None:
    """A request holds one table and asks for another: the flush is refused, and done once the request has ended."""
    (statement,) = [each for each in sql_flush(no_style(), connection) if each.startswith("TRUNCATE")]
    names = statement.split('"')[1::2]
    with connection.cursor() as cursor:
        flushing = cursor.execute("SELECT pg_backend_pid()").fetchone()[0]
    thread = threading.Thread(target=read_on, args=(reader, names[0], flushing))
    reader.execute(f'SELECT 1 FROM "{names[-1]}"')
    thread.start()
    try:
        if attempts == 1:
            with pytest.raises(OperationalError, match="deadlock"):
                flush_beside_readers(connection.ops, [statement], attempts)
        else:
            flush_beside_readers(connection.ops, [statement], attempts)
    finally:
        thread.join(timeout=30)
    assert not thread.is_alive()
