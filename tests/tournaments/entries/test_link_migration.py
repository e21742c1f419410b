"""Links that were made before links expired: the migration gives each the date that a new one would have."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from journal.clock import database_now
from tests.tournaments.factories import NOW

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
BEFORE, AFTER = ("tournaments", "0017_deck_allowed"), ("tournaments", "0018_named_actors")
START, END, SAID = NOW + timedelta(days=1), NOW + timedelta(days=2), NOW + timedelta(days=3)


def migrate_to(target: tuple[str, str]):
    """Migrate the database; the models as they are there."""
    executor = MigrationExecutor(connection)
    executor.migrate([target])
    return MigrationExecutor(connection).loader.project_state([target, ("accounts", "0007_link_issuers")]).apps


@pytest.fixture
def at_before():
    yield migrate_to(BEFORE)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_links_made_before_get_the_date_that_a_new_one_would_have(at_before):
    events = {
        "coming": {"state": "registration"},
        "over": {"state": "finished", "finished_at": END},
        "off": {"state": "cancelled"},
    }
    event, link = at_before.get_model("tournaments", "Tournament"), at_before.get_model("accounts", "PersonalLink")
    person = at_before.get_model("accounts", "Person").objects.create(name="Ada", public_id="ada", created_at=NOW)
    for name, given in events.items():
        values = {"game": "doom_pile", "game_format": "standard", "starts_at": START, "created_at": NOW, **given}
        event.objects.create(name=name, slug=name, stream=name, **values)
    scopes = {name: (name, None) for name in events} | {"everywhere": ("", None), "told": ("coming", SAID)}
    for name, (scope, until) in scopes.items():
        link.objects.create(person=person, token_hash=name, scope=scope, expires_at=until, created_at=NOW)
    migrate_to(AFTER)
    found = dict(link.objects.values_list("token_hash", "expires_at"))
    today = found.pop("everywhere") - timedelta(days=60)
    week, longest = timedelta(days=7), timedelta(days=60)
    assert found == {"coming": START + longest, "over": END + week, "off": START + week, "told": SAID}
    assert abs(today - database_now()) < timedelta(minutes=5)
