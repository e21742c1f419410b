"""What watches a site asks: is the process alive, can it reach database and queue, does the database fit the code?"""

import logging

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from accounts.http.access import is_allowed, page_view
from accounts.http.requests import acting
from config.migrations_applied import fits
from journal.models import OutboxMessage
from tournaments.bundles.copies import failing_copies

logger = logging.getLogger(__name__)
PATIENCE = 1.0
"""Seconds for the queue to answer."""
DATABASE_PATIENCE = 3.0
"""Seconds for a connection to the database, which acts wait longer for: what watches a site waits a few seconds."""


@page_view("public", fresh=True)
def alive(request: HttpRequest) -> JsonResponse:
    """GET /health/: 200 while this process answers; asks nobody else, so a lost queue takes no web server away."""
    return JsonResponse({"status": "ok"})


@page_view("public", fresh=True)
def ready(request: HttpRequest) -> JsonResponse:
    """GET /health/ready/: whether database and queue answer and the migrations are this code's; 503 if one is not so.

    A web server of another version than the database gets no visitors from a proxy that asks. Counts for site admins.
    """
    reached = {"database": database_answers(), "queue": queue_answers()}
    reached["migrations"] = reached["database"] and migrations_fit()
    report: dict[str, object] = {"status": "ok" if all(reached.values()) else "not ready", **reached}
    if reached["database"] and is_allowed("site_admin", acting(request).actor):
        waiting = OutboxMessage.objects.filter(done_at=None)
        report["work_waiting"] = waiting.filter(parked_at=None).count()
        report["work_parked"] = waiting.exclude(parked_at=None).count()
        report["copies_failing"] = failing_copies()
    return JsonResponse(report, status=200 if all(reached.values()) else 503)


def database_answers() -> bool:
    try:
        expect_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        logger.warning("The database does not answer: %s", error)
        return False
    return True


def migrations_fit() -> bool:
    """Whether the database has the migrations of this code and no other."""
    try:
        return fits()
    except DatabaseError as error:
        logger.warning("The database does not say what was applied to it: %s", error)
        return False


def expect_connection() -> None:
    """Raise DatabaseError where the pool has no connection to give in time."""
    pool = getattr(connection, "pool", None)
    if pool is not None and connection.connection is None:
        pool.open()
        with connection.wrap_database_errors, pool.connection(DATABASE_PATIENCE):
            pass


def queue_answers() -> bool:
    """Whether Redis answers in time."""
    try:
        with redis.from_url(settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE) as queue:
            return bool(queue.ping())
    except redis.RedisError as error:
        logger.warning("The queue does not answer: %s", error)
        return False
