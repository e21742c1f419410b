"""The settings: what keeps an acknowledged act safe is asserted, what is unsafe does not start."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from config.celery import app
from config.checks import SQLITE_PRAGMAS, check_postgres, check_queue, refuse_unsafe_sqlite, unsafe_pragmas
from config.logs import scrub
from config.settings.servers import broker_url, cache_url, database, database_number
from journal.live.breaker import PATIENCE
from journal.outbox.leases import LEASE
from journal.outbox.relay import RECOVER_EVERY
from launch.places import ROOT
from tests.launch.conftest import clean_environment

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": "a-throw-away-key-of-the-tests-0123456789-abcdefghijklmnopqrstuvwxyz",
    "ALLOWED_HOSTS": "desk.example",
    "CSRF_TRUSTED_ORIGINS": "https://desk.example",
    "DATABASE_URL": "sqlite:////nowhere/desk.sqlite3",
    "REDIS_URL": "redis://localhost",
}


def deploy_check(**changes: str | None) -> subprocess.CompletedProcess[str]:
    """`check --deploy` under the production settings with these changes to their environment."""
    wanted = {name: value for name, value in {**PRODUCTION, **changes}.items() if value is not None}
    command = [sys.executable, str(ROOT / "manage.py"), "check", "--deploy", "--fail-level", "WARNING"]
    return subprocess.run(command, env=clean_environment(**wanted), capture_output=True, text=True, timeout=120)


def test_live_celery_configuration_keeps_tasks_safe() -> None:
    live = app.conf
    assert live.task_acks_late
    assert live.task_reject_on_worker_lost
    assert live.worker_prefetch_multiplier == 1
    assert live.task_ignore_result
    assert live.broker_connection_retry_on_startup
    assert (live.task_serializer, live.accept_content) == ("json", ["json"])
    assert live.broker_transport_options == {
        "visibility_timeout": 300,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 2,
        "socket_connect_timeout": 2,
        "health_check_interval": 25,
    }
    assert live.result_serializer == "json"
    assert live.result_expires == 3600
    assert live.task_time_limit == 120
    assert settings.LOST_AFTER / 2 < LEASE < settings.LOST_AFTER - RECOVER_EVERY
    assert (settings.LOST_AFTER, settings.STAND_IN_AFTER) == (15, 15)
    assert database_number(settings.CACHES["default"]["LOCATION"]) == database_number(settings.REDIS_URL) + 1
    assert settings.CACHES["default"]["OPTIONS"] == {"SOCKET_CONNECT_TIMEOUT": PATIENCE, "SOCKET_TIMEOUT": PATIENCE}
    assert live.task_time_limit < live.broker_transport_options["visibility_timeout"] / 2


def test_unsafe_queue_setting_is_an_error(settings: object) -> None:
    assert check_queue(None) == []
    for name, value in (("CELERY_TASK_ACKS_LATE", False), ("CELERY_TASK_TIME_LIMIT", 150)):
        with contextlib.ExitStack() as stack:
            before = getattr(settings, name)
            stack.callback(setattr, settings, name, before)
            setattr(settings, name, value)
            assert [error.msg.split()[0] for error in check_queue(None)] == [name]


@pytest.mark.parametrize(
    ("redis", "broker", "cache"),
    [
        ("redis://h:6379/3", "redis://h:6379/3", "redis://h:6379/4"),
        ("rediss://u:p@h", "rediss://u:p@h", "rediss://u:p@h/1"),
        ("unix:///a/v.sock?db=0", "redis+socket:///a/v.sock?virtual_host=0", "unix:///a/v.sock?db=1"),
        ("unix:///a%20b/v.sock", "redis+socket:///a%20b/v.sock?virtual_host=0", "unix:///a%20b/v.sock?db=1"),
    ],
)
def test_redis_address_serves_queue_and_cache(redis: str, broker: str, cache: str) -> None:
    assert (broker_url(redis), cache_url(redis)) == (broker, cache)


def test_postgres_address_keeps_its_own_options(tmp_path: Path) -> None:
    options = database("postgresql://u@%2Ftmp%2FPg/desk?sslmode=require", tmp_path)["OPTIONS"]
    assert options["sslmode"] == "require"
    assert options["pool"]["timeout"] == 10
    assert "lock_timeout=3000" in options["options"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["lock_timeout", "synchronous_commit"])
def test_weakened_postgres_connection_is_refused(name: str, settings: object) -> None:
    def complaints() -> set[str]:
        return {error.msg.split()[0] for error in check_postgres(None, databases=["default"])}

    before = complaints()
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {name} = {0 if name == 'lock_timeout' else 'off'}")
    assert name not in before
    assert complaints() == before | ({name} if name == "lock_timeout" else set())
    settings.DURABLE_COMMITS = True
    assert name in complaints()


@pytest.mark.sqlite(only=True)
@pytest.mark.django_db
def test_sqlite_connection_is_durable() -> None:
    assert unsafe_pragmas(connection) == {}
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.sqlite(only=True)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("weakened", ["synchronous=NORMAL", "foreign_keys=OFF", "busy_timeout=0"])
def test_weakened_sqlite_connection_is_refused(weakened: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {weakened}")
    assert weakened.split("=")[0] in SQLITE_PRAGMAS
    with pytest.raises(ImproperlyConfigured, match=weakened.split("=")[0]):
        refuse_unsafe_sqlite(connection)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"SECRET_KEY": None}, "Set SECRET_KEY"),
        ({"SECRET_KEY": "tests-only"}, "SECRET_KEY is too weak"),
        ({"ALLOWED_HOSTS": ""}, "Set ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "desk.example,*"}, "wide-open"),
        ({"FORWARDED_ALLOW_IPS": "10.0.0.1,*"}, "wide-open"),
        ({"CSRF_TRUSTED_ORIGINS": None}, "Set CSRF_TRUSTED_ORIGINS"),
        ({"CSRF_TRUSTED_ORIGINS": "http://desk.example"}, "https://"),
        ({"DATABASE_URL": None}, "Set DATABASE_URL"),
        ({"REDIS_URL": None}, "Set REDIS_URL"),
    ],
)
def test_unsafe_production_set_up_does_not_start(changes: Mapping[str, str | None], complaint: str) -> None:
    done = deploy_check(**changes)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"DOOMDESK_LOST_AFTER": "15s"}, "DOOMDESK_LOST_AFTER is “15s”: set it to a number, 0 or more."),
        ({"DOOMDESK_LIVE_BEAT": "inf"}, "DOOMDESK_LIVE_BEAT is “inf”"),
        ({"DOOMDESK_SHEETS_KEPT": "1.5"}, "DOOMDESK_SHEETS_KEPT is “1.5”: set it to a whole number, 0 or more."),
        ({"DOOMDESK_EVENTS_A_DAY": "-1"}, "DOOMDESK_EVENTS_A_DAY is “-1”"),
        ({"DOOMDESK_LISTS_CONFIRMED_ONLY": "yes"}, "DOOMDESK_LISTS_CONFIRMED_ONLY is “yes”: set it to 1 or 0."),
        ({"DOOMDESK_LOG": "verbose"}, "DOOMDESK_LOG is “verbose”: set it to DEBUG, INFO, WARNING, ERROR."),
        ({"DOOMDESK_EVENT_A_DAY": "5"}, "DOOMDESK_EVENT_A_DAY is no setting. Did you mean DOOMDESK_EVENTS_A_DAY?"),
        ({"DATABASE_URL": "postgresql://u@h/d", "DATABASE_POOL": "0"}, "DATABASE_POOL is “0”"),
        ({"DATABASE_URL": "sqlite://var/desk.sqlite3"}, "(DATABASE_URL) cannot be read"),
        ({"DATABASE_URL": "mysql://u:hidden@h/d"}, "(DATABASE_URL) cannot be read"),
        ({"DATABASE_URL": "postgresql://u:hidden@h:port/d"}, "(DATABASE_URL) cannot be read"),
        ({"REDIS_URL": "localhost:6379"}, "REDIS_URL cannot be read"),
        ({"REDIS_CACHE_URL": "redis://h/cache"}, "REDIS_CACHE_URL cannot be read"),
        ({"DJANGO_SETTINGS_MODULE": "config.settings.prod"}, "set DJANGO_SETTINGS_MODULE to"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(changes: Mapping[str, str | None], complaint: str) -> None:
    done = deploy_check(**changes)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert complaint in done.stderr
    assert "hidden" not in done.stderr


def test_content_security_policy_allows_no_inline() -> None:
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert directives["default-src"] == ["'self'"]
    assert directives["frame-ancestors"] == directives["base-uri"] == ["'none'"]
    assert not any("unsafe" in source for sources in directives.values() for source in sources)


@pytest.mark.parametrize(
    "path", ["/p/AbC-12_x/", "/join/AbC-12_x/?next=/", "/accounts/password/reset/key/AbC-12_x/", "/t/AbC-12_x"]
)
def test_log_lines_carry_no_token(path: str) -> None:
    assert "AbC-12_x" not in scrub(f"Not Found: {path}")


def test_log_lines_keep_other_paths() -> None:
    assert scrub("Not Found: /e/open-2026/pairings/") == "Not Found: /e/open-2026/pairings/"


def test_laptop_settings_name_their_hosts() -> None:
    script = "from django.conf import settings; print(settings.DEBUG, settings.ALLOWED_HOSTS)"
    environment = clean_environment(DJANGO_SETTINGS_MODULE="config.settings.laptop", SECRET_KEY=os.urandom(9).hex())
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "False ['localhost', '127.0.0.1', '[::1]']"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "True"),
        ({"DOOMDESK_LISTS_CONFIRMED_ONLY": "0"}, "False"),
        ({"DJANGO_SETTINGS_MODULE": "config.settings.base"}, "False"),
    ],
)
def test_a_site_on_the_internet_lists_events_of_confirmed_accounts_alone(changes, said) -> None:
    script = "from django.conf import settings; print(settings.LISTS_CONFIRMED_ONLY)"
    env = clean_environment(**{**PRODUCTION, **changes})
    ran = subprocess.run([sys.executable, "-c", script], env=env, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (ran.stdout.strip(), ran.returncode) == (said, 0), ran.stderr
