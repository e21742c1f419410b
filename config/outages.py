"""What a command says of a database that it cannot use: one line instead of a traceback."""

import psycopg
from django.db import DatabaseError, connection
from psycopg_pool import PoolTimeout

from config.migrations_applied import fits
from journal.transactions import is_full, is_outage

FULL = "The disk is full: free some space and try again."
BEHIND = "The database does not fit this code: bring it up with `./run migrate`."


def in_words(error: DatabaseError) -> str | None:
    """What happened and what to do; None where the fault is the command's own."""
    if is_full(error):
        return FULL
    if is_outage(error):
        reason = str(_behind_pool(error)).partition("\n")[0].rstrip(".")
        return f"The database cannot be used: {reason}. Start it, or correct DATABASE_URL."
    return None if fits() else BEHIND


def _behind_pool(error: DatabaseError) -> BaseException:
    """The error itself, or why the pool got no connection, which it does not say."""
    if isinstance(error.__cause__, PoolTimeout):
        getattr(connection, "pool").close()  # noqa: B009 (PostgreSQL's alone); it logs no more, so our line is the last
        try:
            psycopg.connect(**connection.get_connection_params()).close()
        except psycopg.Error as reason:
            return reason
    return error
