"""The migration operation that makes a table append-only, on a table of its own."""

import pytest
from django.db import IntegrityError, connection, migrations, models, transaction
from django.db.migrations.state import ProjectState

from journal.ledger.append_only import AppendOnly

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


@pytest.fixture
def notes():
    create = migrations.CreateModel("Note", [("id", models.AutoField(primary_key=True)), ("text", models.TextField())])
    before, after = ProjectState(), ProjectState()
    create.state_forwards("toy", after)
    with connection.schema_editor() as editor:
        create.database_forwards("toy", editor, before, after)
    model = after.apps.get_model("toy", "Note")
    yield model
    with connection.schema_editor() as editor:
        editor.delete_model(model)


def switch(way: str) -> None:
    with connection.schema_editor() as editor:
        getattr(AppendOnly("toy_note"), way)("toy", editor, ProjectState(), ProjectState())


def test_rows_can_be_added_but_not_changed(notes):
    switch("database_forwards")
    notes.objects.create(text="first")
    for attempt in (lambda: notes.objects.update(text="other"), lambda: notes.objects.all().delete()):
        with pytest.raises(IntegrityError), transaction.atomic():
            attempt()
    assert list(notes.objects.values_list("text", flat=True)) == ["first"]
    switch("database_backwards")


def test_backwards_takes_the_guard_away(notes):
    notes.objects.create(text="first")
    switch("database_forwards")
    switch("database_backwards")
    notes.objects.update(text="other")
    assert notes.objects.get().text == "other"


def test_operation_survives_being_written_into_a_migration():
    name, args, kwargs = AppendOnly("toy_note").deconstruct()
    assert (name, AppendOnly(*args, **kwargs).table) == ("AppendOnly", "toy_note")


def test_a_flush_empties_guarded_tables_and_leaves_the_guard(notes):
    switch("database_forwards")
    notes.objects.create(text="first")
    connection.ops.execute_sql_flush([f"DELETE FROM {notes._meta.db_table}"] if connection.vendor == "sqlite" else [])
    notes.objects.create(text="second")
    with pytest.raises(IntegrityError), transaction.atomic():
        notes.objects.update(text="other")
    switch("database_backwards")
