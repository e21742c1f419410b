"""What every test can ask for: the seed of this run, the server addresses of ./test, a real browser."""

import gc
import os
import secrets
from collections.abc import Callable, Iterator
from functools import cache as cache_for_ever
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite
from django.template import Context, Template
from django.test.utils import instrumented_test_render
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as examples
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker

from launch.browser import NO_BROWSER, find_browser
from tests.browsers import LastingBrowser
from tests.flush import flush_beside_readers, flush_without_guards
from tests.progress import TRIED, Progress
from tests.tiers import has_full_figures, quick_tier

LEFT_OUT = pytest.StashKey[int]()
"""How many tests of a pass belong to a longer tier."""
PATIENCE = 30_000
"""Milliseconds that a page may take to show what a test expects, on a machine that does other work, too."""
LONG_TEST = 4 * 60 * 60
"""Seconds that a test may take where full figures are run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options that ./test passes on."""
    parser.addoption("--quick", action="store_true", help="no test marked full, a share of those marked sampled")
    parser.addoption("--long", action="store_true", help="full figures: what is marked long, and what takes `many`")
    parser.addoption("--sqlite-pass", action="store_true", help="run only the tests marked sqlite")
    parser.addoption("--forks", choices=["only", "none"], help="of the tests that fork: run only them, or none")
    parser.addoption("--report", type=Path, help="the file that says, as it goes, what ran, failed and runs now")
    parser.addoption("--seed", type=int, help="seed of every random run (DOOMDESK_SEED, else a fresh one)")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Fix the seed before workers start: they inherit it through the environment, as decorators read it."""
    if config.getoption("--long") and config.getoption("--timeout") is None:
        config.option.timeout = LONG_TEST  # before pytest-timeout reads it
    given = config.getoption("--seed")
    os.environ["DOOMDESK_SEED"] = str(given or os.environ.get("DOOMDESK_SEED") or secrets.randbelow(2**32))
    report = config.getoption("--report")
    if report and not hasattr(config, "workerinput"):  # workers hand all they see to the process that started them
        config.pluginmanager.register(Progress(report, os.environ["DOOMDESK_SEED"]), Progress.__name__)
    os.environ["DOOMDESK_LONG"] = "1" if config.getoption("--long") else ""
    os.environ["DOOMDESK_QUICK"] = "1" if config.getoption("--quick") else ""
    examples.register_profile("busy", examples(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    examples.load_profile("busy")  # how fast examples come says how busy the machine is, not whether the code is right


def pytest_report_header(config: pytest.Config) -> str:
    """Say how to repeat this run."""
    return f"doomdesk: seed {os.environ['DOOMDESK_SEED']}, database {settings.DATABASES['default']['ENGINE']}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare a pass the files that cannot hold a test for it: those that never say its mark or that never fork."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    of_others = config.getoption("--sqlite-pass") and "mark.sqlite" not in collection_path.read_text()
    return True if of_others or not is_in_pass(collection_path, config) else None


def is_in_pass(path: Path, config: pytest.Config) -> bool:
    """Whether a module belongs into this pass by what `--forks` says."""
    return config.getoption("--forks") in (None, "only" if forks(path) else "none")


@cache_for_ever
def forks(path: Path) -> bool:
    """Whether a module of tests forks, by what it takes from tests.races."""
    lines = (line for line in path.read_text().splitlines() if line.startswith("from tests.races import "))
    return any({"race", "forked", "FORK"} & set(line.replace(",", " ").split()) for line in lines)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, visibly as deselected, the long tests and those that the other database's pass runs."""
    of_pass = [item for item in items if is_wanted(item, config)]
    wanted = of_pass
    if config.getoption("--quick"):
        second = bool(config.getoption("--sqlite-pass"))
        wanted = quick_tier(of_pass, os.environ["DOOMDESK_SEED"], second_database=second)
    config.stash[LEFT_OUT] = len(of_pass) - len(wanted)
    config.hook.pytest_deselected(items=list(set(items).difference(wanted)))
    if config.getoption("--long"):
        for item in wanted:
            item.user_properties.append((TRIED, ""))
    wanted.sort(key=lambda item: not forks(item.path))  # before any test opens what starts a thread
    items[:] = wanted


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Spare the collector the loading of all tests, of which nothing goes: a third of its time in each process."""
    if not session.config.getoption("numprocesses", None):  # else the workers load them, and this one stays as it is
        gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Hand the count of what was left out to the process that writes the report; spare the collector the tests.

    Walking through 650,000 objects that live as long as the process took 9 % of its time, and looking for what tests
    left over as often as Python is used to another 3 %.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    gc.enable()
    left, config = session.config.stash.get(LEFT_OUT, 0), session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = left
    elif progress := config.pluginmanager.get_plugin(Progress.__name__):
        progress.leave_out(left)


def is_wanted(item: pytest.Item, config: pytest.Config) -> bool:
    """Whether a test belongs into this pass."""
    if not is_in_pass(item.path, config):  # a file that was named is collected whatever it holds
        return False
    if not (has_full_figures(item) if config.getoption("--long") else item.get_closest_marker("long") is None):
        return False
    sqlite = item.get_closest_marker("sqlite")
    on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if on_sqlite and item.get_closest_marker("postgresql"):
        return False
    if config.getoption("--sqlite-pass"):
        return sqlite is not None
    return on_sqlite or sqlite is None or not sqlite.kwargs.get("only")


@pytest.fixture(scope="session", autouse=True)
def flush_that_ends() -> Iterator[None]:
    """Let the flush after a transactional test empty append-only tables, and servers of the test's module read on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SQLite.ops_class, "execute_sql_flush", flush_without_guards)
        patch.setattr(PostgreSQL.ops_class, "execute_sql_flush", flush_beside_readers)
        yield


@pytest.fixture(scope="session", autouse=True)
def contexts_of_pages_alone(django_test_environment: None) -> Iterator[None]:
    """Let `answer.context` hold what a page was given, not also what each part and field of it was.

    Django's test client copies the context of every template that is rendered, hundreds a page: a fifth of the time.
    """

    def render(template: Template, context: Context) -> str:
        is_page = context.template is template and not (template.name or "").startswith("django/forms/")
        return str(instrumented_test_render(template, context) if is_page else template.nodelist.render(context))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(autouse=True)
def _fresh_start(request: pytest.FixtureRequest) -> None:
    """Start every test with an empty cache and no chosen language: nothing that another test did counts.

    What a module's fixtures wrote has its constraints checked here, once. Left to the end of each test, the checks
    would be taken back with what the test did and be made anew after the next.
    """
    cache.clear()
    translation.deactivate()
    if "shared_db" in request.fixturenames and connection.vendor == "postgresql":
        connection.check_constraints()


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
def lasting_browser() -> Iterator[LastingBrowser]:
    """A browser of the Chromium family, driven by playwright; on CI its absence is a failure."""
    path = find_browser()
    if path is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_BROWSER)
    lasting = LastingBrowser(path)
    expect.set_options(timeout=PATIENCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # playwright's own loop runs in the test's thread
        yield lasting
        lasting.close()


@pytest.fixture
def many(request: pytest.FixtureRequest) -> Callable[[Any, Any], Any]:
    """`many(full, slice_)`: how often something is tried, the full figure with `--long`, else a slice.

    On SQLite the full figure is a tenth: it is the second database, and one writer at a time is all there is to race.
    """
    if not request.config.getoption("--long"):
        return lambda _full, slice_: slice_
    on_second = request.config.getoption("--sqlite-pass")

    def full_figure(full: Any, slice_: Any) -> Any:
        figure = max(full // 10, slice_) if on_second and type(full) is int else full  # True is a number, too
        if type(figure) is int:
            request.node.user_properties.append((TRIED, figure))
        return figure

    return full_figure


@pytest.fixture
def browser(lasting_browser: LastingBrowser) -> Iterator[LastingBrowser]:
    """The browser, without a window at first; none stays open, else it would ask the server beside the next test."""
    yield lasting_browser
    lasting_browser.close_windows()
