"""O6: web, worker, Redis and PostgreSQL start in any order, and readiness says which of them are there.

See docs/how-it-works/trust.md#o6. Real processes on a PostgreSQL of their own, in every order twice: "at once", each
part 0.3 s after the one before; and "slowly", each once the ones before are at work, or are without what they need.
The controls leave a part out.
"""

import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import permutations

import pytest

from tests.invariants.fault_databases import PATIENCE, Server
from tests.invariants.fault_site import Stage, good, is_ready, site_with_event
from tests.invariants.processes import wait_until

pytestmark = [pytest.mark.full, pytest.mark.timeout(1800)]
PARTS = ("web", "worker", "broker", "postgres")
PROCESSES = {"web": ["web"], "worker": ["relay", "worker1"], "broker": ["broker"]}
ORDERS = list(permutations(PARTS))
PAUSE = 0.3
READY_WITHIN = 30.0
"""Seconds in which a site whose parts run says that it is ready."""
ANSWERED_WITHIN = 6.0
"""Seconds that whatever watches the site waits for an answer."""
LONG_ABSENCE = 36.0
FOUND_WITHIN = 15.0
"""Seconds without PostgreSQL after which a pool that only doubles its pauses waits 20 s longer, and those it may."""
LONG_ENOUGH = 12.0
"""Seconds after which a control takes it that nothing more comes."""


@pytest.fixture(scope="module")
def whole(seed) -> Iterator[Stage]:
    """A site with an event, its address asked at one web process."""
    with site_with_event(random.Random(seed)) as stage:
        stage.api.ports = [stage.site.port]
        yield stage


@pytest.fixture
def stage(whole) -> Stage:
    """The same site with no part running."""
    end_parts(whole)
    return whole


def database_of(stage: Stage) -> Server:
    """The PostgreSQL of the site."""
    assert isinstance(stage.database, Server)
    return stage.database


def end_parts(stage: Stage) -> None:
    """End all that runs."""
    stage.site.stop()
    database_of(stage).end()


def start_parts(stage: Stage, order: Sequence[str], *, slowly: bool = False) -> None:
    """Start parts in this order; what the web process says between two of them is true."""
    for number, part in enumerate(order):
        if slowly:
            wait_for(stage, order[:number])
        if part == "postgres":
            database_of(stage).begin()
        for name in PROCESSES.get(part, ()):
            stage.site.start(name)
        time.sleep(PAUSE)


def wait_for(stage: Stage, begun: Sequence[str]) -> None:
    """Wait until the worker has its pool, and the web process says what is there and what is missing."""
    if "worker" in begun:
        assert wait_until(lambda: stage.site.children("worker1"), PATIENCE), stage.site.said("worker1")
    if "web" in begun:
        assert wait_until(lambda: says_what_is_there(stage, begun), PATIENCE), stage.site.said("web")


def says_what_is_there(stage: Stage, begun: Collection[str]) -> bool:
    """Whether readiness names exactly the servers that were begun, 200 only for both; false words fail at once."""
    status, told = readiness(stage.site.port)
    there = {"database": "postgres" in begun, "queue": "broker" in begun}
    assert not [name for name, answers in there.items() if told.get(name) and not answers], (told, begun)
    assert (status == 200) == (told.get("status") == "ok") == (told.get("database", 0) and told.get("queue", 0))
    return {name: told.get(name) for name in there} == there


def readiness(port: int) -> tuple[int, dict[str, object]]:
    """Status and answer of /health/ready/; 0 and nothing while no web process answers."""
    address = f"http://localhost:{port}/health/ready/"
    with suppress(OSError):
        try:
            with urllib.request.urlopen(address, timeout=ANSWERED_WITHIN) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)
    return 0, {}


def becomes_ready(stage: Stage, order: Sequence[str], seconds: float) -> bool:
    """Whether the site is ready so many seconds after its web process answers at all."""
    assert wait_until(lambda: is_ready(stage.site.port), PATIENCE), stage.site.said("web")
    return wait_until(lambda: says_what_is_there(stage, order) and readiness(stage.site.port)[0] == 200, seconds)


def worker_works(stage: Stage, seconds: float) -> bool:
    """Whether a simulation of the event, which only workers do, is done within so many seconds."""
    run = good(stage.press("plan/runs/", {"players": 4, "rounds": 1, "cut": 0, "seed": 1}, ""))
    return wait_until(lambda: stage.get(f"plan/runs/{run['id']}/")["state"] == "done", seconds)


def test_the_parts_start_in_any_order(stage, seed, many):
    chance = random.Random(seed)
    for order in chance.sample(ORDERS, many(len(ORDERS), 2)):
        for slowly in (False, True):
            end_parts(stage)
            began = time.monotonic()
            start_parts(stage, order, slowly=slowly)
            assert becomes_ready(stage, order, READY_WITHIN), (order, slowly, stage.site.said("web")[-2000:])
            ready = time.monotonic()
            assert worker_works(stage, PATIENCE), (order, slowly, stage.site.said("worker1")[-2000:])
            dead = [name for name, process in stage.site.running.items() if process.poll() is not None]
            assert not dead, (order, slowly, dead)
            done = time.monotonic()
            print(f"{' '.join(order)}, slowly: {slowly}, ready {ready - began:.1f} s, done {done - ready:.1f} s later")


def test_a_database_that_comes_late_is_found(stage, many):
    start_parts(stage, PARTS[:-1])
    assert not becomes_ready(stage, PARTS[:-1], many(2 * LONG_ABSENCE, LONG_ABSENCE))
    database_of(stage).begin()
    assert wait_until(database_of(stage).answers, PATIENCE)
    assert becomes_ready(stage, PARTS, FOUND_WITHIN), stage.site.said("web")[-2000:]
    assert worker_works(stage, PATIENCE)


@pytest.mark.parametrize("absent", ["worker", "broker", "postgres"])
def test_control_a_part_that_never_starts_is_seen(stage, absent):
    order = [part for part in PARTS if part != absent]
    start_parts(stage, order)
    if absent == "worker":
        assert becomes_ready(stage, order, READY_WITHIN)
        assert not worker_works(stage, LONG_ENOUGH)
    else:
        assert not becomes_ready(stage, order, LONG_ENOUGH)
        assert wait_until(lambda: says_what_is_there(stage, order), PATIENCE)
