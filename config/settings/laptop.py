"""One laptop in a shop: SQLite and an embedded Valkey under var/, plain HTTP on the shop's own network."""

from config.settings.base import *  # noqa: F403
