"""What every test can ask for: the seed of this run, the server addresses of ./test, a real browser."""

import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as examples
from playwright.sync_api import Browser, sync_playwright
from pytest_django import DjangoDbBlocker

from tests.guards import flush_without_guards

QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
NO_CHROMIUM = "no chromium here: install Debian's (apt-get install chromium) or set CHROMIUM to its path"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options that ./test passes on."""
    parser.addoption("--long", action="store_true", help="also run the tests marked long: full figures")
    parser.addoption("--sqlite-pass", action="store_true", help="run only the tests marked sqlite")
    parser.addoption("--seed", type=int, help="seed of every random run (DOOMDESK_SEED, else a fresh one)")


def pytest_configure(config: pytest.Config) -> None:
    """Fix the seed before workers start: they inherit it through the environment, as decorators read it."""
    given = config.getoption("--seed")
    os.environ["DOOMDESK_SEED"] = str(given or os.environ.get("DOOMDESK_SEED") or secrets.randbelow(2**32))
    os.environ["DOOMDESK_LONG"] = "1" if config.getoption("--long") else ""
    examples.register_profile("busy", examples(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    examples.load_profile("busy")  # how fast examples come says how busy the machine is, not whether the code is right


def pytest_report_header(config: pytest.Config) -> str:
    """Say how to repeat this run."""
    return f"doomdesk: seed {os.environ['DOOMDESK_SEED']}, database {settings.DATABASES['default']['ENGINE']}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare the second pass the files that cannot hold a test for it: those that never say its mark."""
    if config.getoption("--sqlite-pass") and collection_path.suffix == ".py":
        return True if "mark.sqlite" not in collection_path.read_text() else None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, visibly as deselected, the long tests and those that the other database's pass runs."""
    wanted = [item for item in items if is_wanted(item, config)]
    config.hook.pytest_deselected(items=list(set(items).difference(wanted)))
    items[:] = wanted


def is_wanted(item: pytest.Item, config: pytest.Config) -> bool:
    """Whether a test belongs into this pass."""
    if item.get_closest_marker("long") and not config.getoption("--long"):
        return False
    sqlite = item.get_closest_marker("sqlite")
    on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if on_sqlite and item.get_closest_marker("postgresql"):
        return False
    if config.getoption("--sqlite-pass"):
        return sqlite is not None
    return on_sqlite or sqlite is None or not sqlite.kwargs.get("only")


@pytest.fixture(scope="session", autouse=True)
def flush_lifts_guards() -> Iterator[None]:
    """Let the flush after a transactional test empty append-only tables on SQLite, where it deletes row by row."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseWrapper.ops_class, "execute_sql_flush", flush_without_guards)
        yield


@pytest.fixture(autouse=True)
def _fresh_start() -> None:
    """Start every test with an empty cache and no chosen language: nothing that another test did counts."""
    cache.clear()
    translation.deactivate()


@pytest.fixture(scope="module")
def shared_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """One transaction around a module's tests: what its fixtures build stands for all, what a test does is taken back.

    For modules whose tests are all marked `django_db`, without `transaction=True`.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="session")
def seed() -> int:
    """The seed of this run; every random test derives its own chance from it."""
    return int(os.environ["DOOMDESK_SEED"])


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The address of the real server that ./test started, with this worker's own database numbers."""
    if "REDIS_URL" not in os.environ:
        pytest.fail("this test needs a Valkey or Redis: run it through ./test, or set REDIS_URL")
    return str(settings.REDIS_URL)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's chromium, driven by playwright; on CI its absence is a failure."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None or not Path(path).exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_CHROMIUM)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # playwright's own loop runs in the test's thread
        chromium = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield chromium
        chromium.close()
