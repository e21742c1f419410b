"""What the quick tier runs: all that is cheap, and of what is dear a share that the seed chooses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256

import pytest

SECOND_DATABASE = 6
"""On the second database one in so many tests of each file is run, and all that are for it alone."""
FOLDERS = {
    "tests/tournaments/pairing/": 4,
    "tests/tournaments/forecast/": 4,
    "tests/tournaments/web/": 16,
    "tests/tournaments/api/": 16,
    "tests/tournaments/": 12,
    "tests/scoring/web/": 12,
    "tests/scoring/": 2,
    "tests/rules_engine/": 2,
    "tests/decks/": 8,
    "tests/accounts/": 4,
    "tests/config/": 2,
    "tests/launch/": 6,
    "tests/journeys/": 5,
    "tests/page_audits/": 3,
}
"""One in so many tests of each folder is run, guards and controls among them, the fewer the more a test makes for
itself: an event, a catalogue, a site, a page. The first folder that fits counts. Elsewhere, in tests/invariants above
all, each test is run but for what is marked."""


def has_full_figures(item: pytest.Function) -> bool:
    """Whether `--long` runs it: it is for that tier alone, or says through `many` how often it is tried there."""
    return item.get_closest_marker("long") is not None or "many" in item.fixturenames


def quick_tier(items: Iterable[pytest.Item], seed: str, *, second_database: bool = False) -> list[pytest.Item]:
    """The tests of a run that is not `--full`, in their order.

    `full` leaves a test out; `sampled(n)` keeps one in n cases of a parametrised test, rounded up.
    """
    items = [item for item in items if not item.get_closest_marker("full")]
    families: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        families[family_of(item, second_database=second_database)].append(item)
    left_out = {item for (_name, share), family in families.items() for item in rest_of(family, share, seed)}
    return [item for item in items if item not in left_out]


def family_of(item: pytest.Item, *, second_database: bool) -> tuple[str, int]:
    """What a test is sampled with, and one in how many of it is run."""
    file, of_second = item.nodeid.partition("::")[0], item.get_closest_marker("sqlite")
    if second_database and of_second and not of_second.kwargs.get("only"):
        return file, SECOND_DATABASE
    if mark := item.get_closest_marker("sampled"):
        return item.nodeid.partition("[")[0], int(mark.args[0])
    found = next((folder for folder in FOLDERS if file.startswith(folder)), None)
    return (item.nodeid, 1) if found is None else (found, FOLDERS[found])


def rest_of(family: Sequence[pytest.Item], share: int, seed: str) -> list[pytest.Item]:
    """The tests of a family that this seed leaves out."""
    kept = -(-len(family) // share)
    return sorted(family, key=lambda item: sha256(f"{seed} {item.nodeid}".encode()).digest())[kept:]
