"""Writes what docs/reference/ and the list of error codes take from the code: `python -m tests.docs.reference`.

A page keeps its own words; only what stands between the two marks is written.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import django
from django.utils import translation

COMMAND = "python -m tests.docs.reference"
START, END = f"<!-- written by `{COMMAND}` -->", "<!-- end of what is written -->"
ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "reference"


def written(pages: Mapping[str, Callable[[], str]]) -> Iterator[tuple[Path, str]]:
    """Each page and what it should hold; a page without the two marks gets them at its end."""
    for name, build in pages.items():
        path = FOLDER / name
        with translation.override("en"):
            block = f"{START}\n\n{build()}\n\n{END}"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        before, mark, rest = text.partition(START)
        after = rest.partition(END)[2] if mark else "\n"
        yield path, f"{before}{block}{after}"


def main() -> None:
    """Write every page that is not current."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from tests.docs.reference_tables import MODULES, PAGES  # noqa: PLC0415 (needs Django set up)

    for path, text in [*((ROOT / name, build()) for name, build in MODULES.items()), *written(PAGES)]:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
