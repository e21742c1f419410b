"""Whether the database and this code belong together: by the migrations that were applied to it."""

from django.db import connection
from django.db.migrations.loader import MigrationLoader


def is_ahead() -> bool:
    """Whether a newer version of Doomdesk changed the database: it has migrations that this code does not know."""
    return bool(_unknown(MigrationLoader(connection)))


def fits() -> bool:
    """Whether the database has every migration of this code and no other."""
    loader = MigrationLoader(connection)
    return not _unknown(loader) and set(loader.graph.leaf_nodes()) <= set(loader.applied_migrations)


def _unknown(loader: MigrationLoader) -> set[tuple[str, str]]:
    """Applied migrations of apps that there are, but for those that were squashed since."""
    known = set(loader.disk_migrations)
    for migration in loader.disk_migrations.values():
        known.update(migration.replaces)
    return {each for each in loader.applied_migrations if each[0] in loader.migrated_apps and each not in known}
