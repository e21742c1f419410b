#!/usr/bin/env python
"""Django's command line; `./run manage …` calls it in the prepared environment."""

import importlib
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

SETTINGS = "DJANGO_SETTINGS_MODULE"


def load_settings() -> None:
    """Read the settings, whatever the command; raises ImproperlyConfigured where they cannot be used."""
    name = os.environ.setdefault(SETTINGS, "config.settings.laptop")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not error.name or not f"{name}.".startswith(f"{error.name}."):
            raise
        known = "config.settings.laptop or config.settings.production"
        raise ImproperlyConfigured(f"There are no settings {name}: set {SETTINGS} to {known}.") from None


def words_for(error: DatabaseError) -> str | None:
    """What is said of a database that cannot be used, None for any other fault."""
    from config.outages import in_words  # noqa: PLC0415 (needs Django to be set up)

    return in_words(error)


if __name__ == "__main__":
    try:
        load_settings()
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        print(f"Doomdesk is not set up: {error}", file=sys.stderr)
        sys.exit(2)
    except DatabaseError as error:
        if (words := words_for(error)) is None:
            raise
        print(words, file=sys.stderr)
        sys.exit(2)
