"""Faults while a large round ends: every process of the site is killed once, and Valkey is emptied."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

import psycopg
import redis

from launch.children import Crew

UNDONE = "SELECT count(*) FROM journal_outboxmessage WHERE done_at IS NULL AND parked_at IS NULL"
LONGEST = 120.0
"""Seconds for which the site may take to do what was left undone, before it counts as lost."""


@dataclass
class Fire:
    """What was harmed, and when the last time was (`time.time()`)."""

    harmed: list[str]
    last: float = 0.0


@contextmanager
def under_fire(crew: Crew, valkey: Path, begin: float, seconds: float, seed: int) -> Iterator[Fire]:
    """While the block runs, kill -9 one process after another in these seconds; the crew tends them, as ./run does."""
    over, fire = Event(), Fire([])
    victims = [*crew.children, None]
    random.Random(seed).shuffle(victims)

    def tend(until: float) -> None:
        while time.time() < until and not over.wait(0.1):
            crew.tend()

    def harm() -> None:
        for number, victim in enumerate(victims):
            tend(begin + seconds * (number + 0.5) / len(victims))
            if victim is None:
                with redis.Redis(unix_socket_path=str(valkey), socket_timeout=5) as client:
                    client.flushall()
            elif victim.process is not None:
                victim.process.kill()
            fire.harmed.append("Valkey's data" if victim is None else victim.name)
            fire.last = time.time()
        tend(float("inf"))

    harmer = Thread(target=harm, daemon=True)
    harmer.start()
    try:
        yield fire
    finally:
        over.set()
        harmer.join()


def seconds_until_done(database: str, since: float) -> float:
    """How long after a moment no work is left undone; raises TimeoutError where it stays."""
    while time.time() < since + LONGEST:
        try:
            with psycopg.connect(database) as connection:
                row = connection.execute(UNDONE).fetchone()
        except psycopg.OperationalError:
            row = None
        if row == (0,):
            return time.time() - since
        time.sleep(0.2)
    raise TimeoutError
