"""The SQLite database before the site runs: which file it is, whether it is behind the code, how it is brought up."""

import contextlib
import fcntl
import hashlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from launch.failures import Unusable, disk_is_full, last_words
from launch.places import PYTHON, ROOT, database_file

SHAPERS = ("*/migrations/*.py", "rules_engine/games/**/*", "requirements/run.txt")
"""Files that decide what a prepared database looks like."""
WHOLE = ("Doomdesk is not set up: ", "The database cannot be used: ")
"""How `manage.py` begins what it says of settings and databases that cannot be used: whole sentences."""


def absolute_url(url: str) -> str:
    """A database address that means the same from every folder: a relative `sqlite:///PATH` made absolute."""
    path = sqlite_path(url)
    is_wrong = bool(urlsplit(url).netloc)  # sqlite://PATH: the settings say so
    return url if path is None or path.is_absolute() or is_wrong else f"sqlite:///{path.resolve()}"


def sqlite_path(url: str) -> Path | None:
    """The file of a `sqlite:///PATH` address, None for other databases."""
    parts = urlsplit(url)
    return Path(unquote(parts.path[1:])) if parts.scheme == "sqlite" else None


def database_path(var: Path) -> Path | None:
    """The file of this site's SQLite database, None on another database."""
    url = os.environ.get("DATABASE_URL")
    return sqlite_path(absolute_url(url)) if url else database_file(var)


def make_folder(var: Path) -> None:
    """Make the folder of the SQLite database, private to its owner."""
    if file := database_path(var):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)


def shape() -> str:
    """A hash over everything that decides what a prepared database looks like."""
    whole = hashlib.sha256()
    for pattern in SHAPERS:
        for path in sorted(path for path in ROOT.glob(pattern) if path.is_file()):
            whole.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def stamp(database: Path) -> Path:
    """The file beside a database that says for which code it was prepared."""
    return database.with_name(database.name + "-prepared")


def is_prepared(database: Path) -> bool:
    """Whether the SQLite file is there and was prepared by the code as it is now."""
    return database.exists() and stamp(database).exists() and stamp(database).read_text() == shape()


def prepare_sqlite(database: Path, environment: Mapping[str, str]) -> None:
    """Bring a missing or outdated SQLite database up to the code, saying nothing."""
    if is_prepared(database):
        return
    database.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(database.with_name(database.name + "-preparing")):
        if not is_prepared(database):
            done = subprocess.run(manage("prepare_site"), env=dict(environment), capture_output=True, text=True)
            require_success(done.returncode, done.stderr)
            remember(database)


def remember(database: Path) -> None:
    """Note that the SQLite database fits the code as it is now, and let only its owner read it.

    SQLite gives the files beside it the same rights. The folder may be open: ./test makes var/, or a person chose it.
    """
    with contextlib.suppress(PermissionError):  # another user's
        database.chmod(0o600)
    stamp(database).write_text(shape())


def manage(*arguments: str) -> list[str]:
    """The command line of a management command."""
    return [str(PYTHON), str(ROOT / "manage.py"), *arguments]


def require_success(status: int, output: str) -> None:
    """Raise Unusable with the last words of a preparing step that failed."""
    if status and disk_is_full(output):
        raise Unusable("The disk is full: free some space and start again.")
    if status and last_words(output).startswith(WHOLE):
        raise Unusable(last_words(output))
    if status:
        raise Unusable(f"The database could not be prepared: {last_words(output)}")


def require_settings(environment: Mapping[str, str]) -> None:
    """Raise Unusable in the settings' own words where they cannot be used, before a part is started again and again."""
    done = subprocess.run(manage("version"), env=dict(environment), capture_output=True, text=True)
    if done.returncode:
        raise Unusable(last_words(done.stderr))


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other launchers out of the block by a lock on `path`, waiting for our turn."""
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
