"""Databases that die with a site: a durable PostgreSQL of its own, or the SQLite file of a laptop."""

import os
import random
import signal
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import psycopg

from launch.children import Crew
from launch.postgres import Postgres
from tests.invariants.processes import wait_until

PATIENCE = 180.0
"""Seconds in which a killed process is back, on a busy machine too."""


class Server:
    """The site's own PostgreSQL, which can be killed and comes back with what it wrote down."""

    def __init__(self) -> None:
        self.crew = Crew()
        self.postgres = Postgres(self.crew, durable=True)
        self.url = self.postgres.start()

    def answers(self) -> bool:
        try:
            with psycopg.connect(self.url, connect_timeout=2):
                return True
        except psycopg.OperationalError:
            return False

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What a query gives."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(query.encode()).fetchall()

    def end(self) -> None:
        """Shut the server down; it is not there until `begin`."""
        (child,) = self.crew.children
        assert child.process is not None
        child.process.send_signal(child.stop_signal)
        child.process.wait(PATIENCE)

    def begin(self) -> None:
        """Start the server again; it may not answer yet."""
        (child,) = self.crew.children
        self.crew.restart(child, os.environ)

    def kill(self) -> None:
        """kill -9 of the server; another is started until it has what the first one left."""
        (child,) = self.crew.children
        assert child.process is not None
        child.process.kill()
        child.process.wait(10)

        def is_back() -> bool:
            if not child.is_alive():
                self.crew.restart(child, os.environ)
                time.sleep(0.3)
            return self.answers()

        assert wait_until(is_back, PATIENCE), (self.postgres.folder / "log").read_text()[-2000:]

    def kill_session(self, chance: random.Random) -> None:
        """kill -9 of the process that serves one connection: PostgreSQL then ends all of them and recovers."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.url) as connection:
            found = connection.execute("SELECT pid FROM pg_stat_activity WHERE application_name <> '' OR query <> ''")
            pids = [pid for (pid,) in found if pid != connection.info.backend_pid]
        with suppress(ProcessLookupError, IndexError, UnboundLocalError):
            os.kill(chance.choice(pids), signal.SIGKILL)
        assert wait_until(self.answers, PATIENCE)

    def remove(self) -> None:
        """End it and delete what it left."""
        self.crew.stop()
        self.postgres.remove()


class Laptop:
    """The database of a laptop: a file, which dies with every process of the site."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "desk.sqlite3"
        self.url = f"sqlite:///{self.file}"

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What a query gives."""
        with closing(sqlite3.connect(self.file, timeout=30)) as connection:
            return connection.execute(query).fetchall()

    def remove(self) -> None:
        """The file goes with its folder."""
