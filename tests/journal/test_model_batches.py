"""The migration operation that creates many models at once: models in a circle, and back."""

import pytest
from django.db import connection, models
from django.db.migrations.operations import CreateModel
from django.db.migrations.state import ProjectState

from journal.model_batches import CreateModels

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def toy(name: str, other: str) -> CreateModel:
    field = models.ForeignKey(f"toy.{other}", models.CASCADE, null=True, related_name="+")
    return CreateModel(name, [("id", models.AutoField(primary_key=True)), ("other", field)])


def test_models_in_a_circle_are_created_and_dropped():
    batch = CreateModels([toy("Hen", "Egg"), toy("Egg", "Hen")])
    before = ProjectState()
    assert not before.apps.get_models()  # built before: it has to be built again
    after = before.clone()
    batch.state_forwards("toy", after)
    with connection.schema_editor() as editor:
        batch.database_forwards("toy", editor, before, after)
    try:
        hen, egg = after.apps.get_model("toy", "Hen"), after.apps.get_model("toy", "Egg")
        assert egg.objects.create(other=hen.objects.create()).other == hen.objects.get()
    finally:
        with connection.schema_editor() as editor:
            batch.database_backwards("toy", editor, after, before)
    assert not {"toy_hen", "toy_egg"} & set(connection.introspection.table_names())
