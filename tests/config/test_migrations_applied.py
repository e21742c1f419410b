"""A database and code that do not belong together: readiness says so, and older code changes nothing."""

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def recorder() -> MigrationRecorder:
    """What the database says was applied."""
    return MigrationRecorder(connection)


def readiness(client) -> tuple[int, bool, bool]:
    """Status of the answer, and what it says of database and migrations."""
    answer = client.get("/health/ready/")
    return answer.status_code, answer.json()["database"], answer.json()["migrations"]


def test_a_database_that_is_behind_the_code_makes_it_unready(client, recorder):
    assert readiness(client) == (200, True, True)
    recorder.record_unapplied("tournaments", "0040_seated_by_hand")
    assert readiness(client) == (503, True, False)
    call_command("migrate", "--fake", verbosity=0)
    assert readiness(client) == (200, True, True)


def test_a_database_of_a_newer_version_makes_it_unready(client, recorder):
    recorder.record_applied("tournaments", "9999_from_the_future")
    assert readiness(client) == (503, True, False)


def test_older_code_does_not_prepare_a_database_of_a_newer_version(recorder):
    recorder.record_applied("accounts", "9999_from_the_future")
    recorder.record_unapplied("tournaments", "0040_seated_by_hand")
    with pytest.raises(CommandError, match="newer version"):
        call_command("prepare_site")
    assert ("tournaments", "0040_seated_by_hand") not in recorder.applied_migrations()


def test_what_an_app_left_that_is_gone_counts_for_nothing(client, recorder):
    recorder.record_applied("of_another_time", "0001_initial")
    assert readiness(client) == (200, True, True)


def test_a_database_that_is_lost_between_two_questions_makes_it_unready(client):
    def away(execute, sql, *rest):
        if "django_migrations" in sql:
            raise DatabaseError("the connection is closed")
        return execute(sql, *rest)

    with connection.execute_wrapper(away):
        assert readiness(client) == (503, True, False)
