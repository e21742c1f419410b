"""A migration operation after which the database itself refuses to change or delete the rows of a table."""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

_SQLITE = (
    "CREATE TRIGGER append_only_{table}_{verb} BEFORE {verb} ON {table} "
    "BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
)
_REFUSAL = "RAISE EXCEPTION '{table} is append-only' USING ERRCODE = 'integrity_constraint_violation';"
_FUNCTION = "FUNCTION append_only_{table}() RETURNS trigger LANGUAGE plpgsql AS "
_POSTGRESQL = (
    f"CREATE {_FUNCTION}$$ BEGIN {_REFUSAL} END $$",
    "CREATE TRIGGER append_only_{table} BEFORE UPDATE OR DELETE ON {table} "
    "FOR EACH ROW EXECUTE FUNCTION append_only_{table}()",
)
_SQLITE_BUT = (
    "CREATE TRIGGER append_only_{table}_{verb} BEFORE {verb} ON {table} WHEN NOT ({condition}) "
    "BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
)
_POSTGRESQL_BUT = (
    f"CREATE OR REPLACE {_FUNCTION}"
    "$$ BEGIN IF TG_OP = 'DELETE' AND ({may_go}) THEN RETURN OLD; END IF; "
    "IF TG_OP = 'UPDATE' AND ({may_change}) THEN RETURN NEW; END IF; "
    f"{_REFUSAL} END $$"
)
_ERASES = "EXISTS (SELECT 1 FROM journal_erasure)"


class _Guard(Operation):
    """What the operations on an append-only table have in common."""

    reduces_to_sql = True
    reversible = True
    table: str

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Models do not change."""

    def _replace(
        self, schema_editor: BaseDatabaseSchemaEditor, verb: str, *, may_go: str, may_change: str = "FALSE"
    ) -> None:
        """Let rows be deleted and changed where these conditions hold; on SQLite that of `verb` is replaced alone."""
        if schema_editor.connection.vendor == "postgresql":
            statement = _POSTGRESQL_BUT.format(table=self.table, may_go=may_go, may_change=may_change)
        else:
            schema_editor.execute(f"DROP TRIGGER append_only_{self.table}_{verb}", params=None)
            condition = may_go if verb == "DELETE" else may_change
            statement = _SQLITE_BUT.format(table=self.table, verb=verb, condition=condition)
        schema_editor.execute(statement, params=None)


class AppendOnly(_Guard):
    """Refuse UPDATE and DELETE on a table by trigger, on PostgreSQL and SQLite; an attempt raises IntegrityError.

    Put it into a migration after the table exists: `AppendOnly("journal_ledgerentry")`.
    Altering the table later on SQLite rebuilds it without its triggers: put the operation into that migration again.
    """

    def __init__(self, table: str) -> None:
        self.table = table

    def deconstruct(self) -> tuple[str, list[str], dict[str, object]]:
        """Name, arguments and keywords, as migrations want them."""
        return self.__class__.__name__, [self.table], {}

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor == "postgresql":
            statements = [template.format(table=self.table) for template in _POSTGRESQL]
        else:
            statements = [_SQLITE.format(table=self.table, verb=verb) for verb in ("UPDATE", "DELETE")]
        for statement in statements:
            schema_editor.execute(statement, params=None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP FUNCTION append_only_{self.table}() CASCADE", params=None)
            return
        for verb in ("UPDATE", "DELETE"):
            schema_editor.execute(f"DROP TRIGGER append_only_{self.table}_{verb}", params=None)

    def describe(self) -> str:
        """One line for `migrate`."""
        return f"Make {self.table} append-only"


class MayGo(_Guard):
    """Let rows of an append-only table be deleted, never changed, where a condition in SQL holds of `OLD`.

    Put it after `AppendOnly` of the same table: `MayGo("toy_note", "OLD.is_draft")`.
    """

    def __init__(self, table: str, may_go: str) -> None:
        self.table = table
        self.may_go = may_go

    def deconstruct(self) -> tuple[str, list[str], dict[str, object]]:
        """Name, arguments and keywords, as migrations want them."""
        return self.__class__.__name__, [self.table, self.may_go], {}

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        self._replace(schema_editor, "DELETE", may_go=self.may_go)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Keep every row again."""
        self._replace(schema_editor, "DELETE", may_go="FALSE")

    def describe(self) -> str:
        """One line for `migrate`."""
        return f"Let some rows of {self.table} be deleted"


class MayErase(_Guard):
    """Let columns that hold personal values be changed while a transaction erases (`journal.ledger.erasing`).

    Put it after `AppendOnly` of the same table, and repeat what `MayGo` says of it: `MayErase("toy_note", ["author"])`.
    """

    def __init__(self, table: str, columns: Sequence[str], may_go: str = "FALSE") -> None:
        self.table = table
        self.columns = tuple(columns)
        self.may_go = may_go

    def deconstruct(self) -> tuple[str, list[object], dict[str, object]]:
        """Name, arguments and keywords, as migrations want them."""
        return self.__class__.__name__, [self.table, self.columns, self.may_go], {}

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor == "postgresql":
            names = ", ".join(f"'{name}'" for name in self.columns)
            same = f"to_jsonb(NEW) - ARRAY[{names}] = to_jsonb(OLD) - ARRAY[{names}]"
        else:
            with schema_editor.connection.cursor() as cursor:
                found = schema_editor.connection.introspection.get_table_description(cursor, self.table)
            kept = [each.name for each in found if each.name not in self.columns]
            same = " AND ".join(f'NEW."{name}" IS OLD."{name}"' for name in kept)
        self._replace(schema_editor, "UPDATE", may_go=self.may_go, may_change=f"{_ERASES} AND {same}")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Refuse every change again."""
        self._replace(schema_editor, "UPDATE", may_go=self.may_go)

    def describe(self) -> str:
        """One line for `migrate`."""
        return f"Let personal values of {self.table} be erased"
