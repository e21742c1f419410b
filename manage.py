#!/usr/bin/env python
"""Django's command line; `./run manage …` calls it in the prepared environment."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.laptop")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        print(f"Doomdesk is not set up: {error}", file=sys.stderr)
        sys.exit(2)
