"""Databases of the first edition upgrade: they have applied many small migrations where a new one applies a few."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

pytestmark = pytest.mark.django_db
OF_FIRST_EDITION = {
    "accounts": "initial link_scope_and_takeover shows_profile push_and_mail language",
    "decks": "initial formats_and_rechecks hidden_decks card_set_hidden",
    "journal": "initial work",
    "scoring": "initial",
    "tournaments": "initial decks_at_events decks_published_at pairing pairing_hash fixed_table_set_at changes_by_hand "
    "structure round_levels deciding_game league_players bracket_follows score_sheets filed_sheets the_room",
}
SINCE = [
    ("accounts", "0006_token_notes"),
    ("accounts", "0007_link_issuers"),
    ("accounts", "0008_confirmed_accounts"),
    ("decks", "0005_missed_searches"),
    ("journal", "0003_contents"),
    ("scoring", "0002_signing_device"),
    ("scoring", "0003_sheets_alone_may_go"),
    ("tournaments", "0016_calls_over_with_their_round"),
    ("tournaments", "0017_deck_allowed"),
    ("tournaments", "0018_named_actors"),
    ("tournaments", "0019_tables_of_twenty"),
    ("tournaments", "0020_accepted_report"),
    ("tournaments", "0021_ways_to_play"),
    ("tournaments", "0022_decks_at_the_table"),
    ("tournaments", "0023_clock_warnings"),
]


@pytest.fixture
def recorder() -> MigrationRecorder:
    """What the database says was applied, as the first edition wrote it."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app__in=OF_FIRST_EDITION).delete()
    for app, names in OF_FIRST_EDITION.items():
        for number, name in enumerate(names.split(), start=1):
            recorder.record_applied(app, f"{number:04}_{name}")
    return recorder


def missing() -> list[tuple[str, str]]:
    """What `migrate` would apply."""
    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return sorted((migration.app_label, migration.name) for migration, _backwards in plan)


def test_database_of_the_first_edition_gets_what_came_since(recorder):
    assert [each for each in missing() if each in SINCE] == SINCE
    assert [name for _app, name in missing() if name.startswith("0001")] == []


def test_database_that_was_upgraded_all_along_gets_nothing(recorder):
    for app, name in SINCE:
        recorder.record_applied(app, name)
    assert [each for each in missing() if each in SINCE or each[1].startswith("0001")] == []
    MigrationExecutor(connection).check_replacements()
    applied = {name for app, name in recorder.applied_migrations() if app == "tournaments"}
    assert "0001_squashed_0015_the_room" in applied


def test_control_without_the_old_names_the_tables_would_be_created_again(recorder, monkeypatch):
    squashed = MigrationLoader(None).disk_migrations["journal", "0001_squashed_0002_work"]
    monkeypatch.setattr(type(squashed), "replaces", [])
    assert ("journal", "0001_squashed_0002_work") in missing()
