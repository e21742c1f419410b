"""Writes tests/data/first_edition/, by 0.1.0 out of git's history: `python -m tests.invariants.keep_first_edition`."""

import os

import django


def main() -> None:
    """Write the test data once more; people, links and numbers in it are other ones each time."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from tests.invariants.first_edition_data import KEPT, keep  # noqa: PLC0415 (needs Django set up)

    keep(KEPT)


if __name__ == "__main__":
    main()
