"""Moves a whole site from one database into another, empty one: from a laptop's SQLite to PostgreSQL, or back.

Every row keeps its id, so addresses, links and the log's chains stay as they are.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from config.settings.servers import database
from rules_engine.errors import Conflict, DomainError

SOURCE = "source"
"""The alias of the database that is read."""
AT_ONCE = 1000
"""Rows in memory at a time."""
OF_PEOPLE = ("accounts.Person", "accounts.User", "tournaments.Tournament", "journal.LedgerEntry")
"""Where an empty site has no row; what else it has, such as cards, every database gets from the code."""


def copy_site(source: str) -> int:
    """Fill the site's own database from another one; answers how many rows it has then.

    `source` is a backup or another SQLite file, or the address of a database. It is read as it is at one moment and
    not written to; the target is filled in one transaction, and each row read back and compared. Conflict "not_empty"
    where the target has people or events, "other_version" where another version of the code made either of the two;
    DomainError "unreadable_source" and "rows_differ". Whatever is refused changes nothing.
    """
    try:
        with _opened(source), transaction.atomic(using=SOURCE), transaction.atomic():
            _read_one_moment()
            _expect_same_version()
            _expect_empty()
            models = apps.get_models(include_auto_created=True)
            _clear(models)
            count = sum(_copy(model) for model in models)
            _number_on(models)
    except DatabaseError as error:
        raise DomainError(
            "unreadable_source", f"This is no database of Doomdesk that can be copied: {error}"
        ) from error
    return count


@contextmanager
def _opened(source: str) -> Iterator[None]:
    connections.settings[SOURCE] = connections.configure_settings({DEFAULT_DB_ALIAS: _settings_of(source)})[
        DEFAULT_DB_ALIAS
    ]
    try:
        yield
    finally:
        connections[SOURCE].close()
        del connections[SOURCE], connections.settings[SOURCE]


def _settings_of(source: str) -> dict[str, Any]:
    if source.startswith(("postgres:", "postgresql:")):
        return database(source, settings.VAR_DIR)
    path = Path(source.removeprefix("sqlite:///"))
    if not path.is_file():
        raise DomainError("unreadable_source", f"There is no file {path}.")
    name = f"file:{quote(str(path.resolve()))}?mode=ro"
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": name, "OPTIONS": {"uri": True}}


def _read_one_moment() -> None:
    if connections[SOURCE].vendor == "postgresql":  # a transaction of SQLite reads one moment by itself
        with connections[SOURCE].cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _expect_same_version() -> None:
    theirs, ours = (
        set(MigrationRecorder(connections[each]).applied_migrations()) for each in (SOURCE, DEFAULT_DB_ALIAS)
    )
    if theirs != ours:
        text = "Another version made that database. Start it once with this version, as in `./run migrate`."
        raise Conflict("other_version", text)


def _expect_empty() -> None:
    if any(apps.get_model(label)._base_manager.exists() for label in OF_PEOPLE):
        raise Conflict("not_empty", "This database has people or events already. A site goes into an empty one.")


def _clear(models: Sequence[type[Model]]) -> None:
    """Take out what every new database gets; the source has its own, under the ids that its rows name."""
    connection = connections[DEFAULT_DB_ALIAS]
    with connection.cursor() as cursor:
        for model in models:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608 (our own name)


def _copy(model: type[Model]) -> int:
    """Copy a table's rows in the order of their ids, and compare what was stored; foreign keys are checked last."""
    rows = model._base_manager.using(SOURCE).order_by("pk").iterator(AT_ONCE)
    count = 0
    while some := list(islice(rows, AT_ONCE)):
        for row in some:
            row.save_base(raw=True, force_insert=True, using=DEFAULT_DB_ALIAS)
        stored = model._base_manager.filter(pk__in=[row.pk for row in some]).order_by("pk")
        if [_values(row) for row in some] != [_values(row) for row in stored]:
            raise DomainError("rows_differ", f"{model._meta.db_table} would not be the same. Nothing was changed.")
        count += len(some)
    return count


def _values(row: Model) -> list[object]:
    values = (getattr(row, field.attname) for field in row._meta.concrete_fields)
    return [bytes(value) if isinstance(value, memoryview) else value for value in values]


def _number_on(models: Sequence[type[Model]]) -> None:
    """Let new rows be numbered after those that were copied."""
    connection = connections[DEFAULT_DB_ALIAS]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
