"""One site with a world to look at for all tests of pages in this folder."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.page_audits.site import Site

Drawn = Callable[[Sequence[Any], int], list[Any]]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The running site, its world built once for all workers.

    `DOOMDESK_PICTURED=FOLDER@ADDRESS`: the world.json of a folder and the server at an address are used instead.
    """
    if "DOOMDESK_PICTURED" in os.environ:
        folder, address = os.environ["DOOMDESK_PICTURED"].split("@")
        found = Site(Path(folder))
        found.read_world()
        found.address = address
        yield found
        return
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pictured"
    folder.mkdir(exist_ok=True)
    with Site(folder) as started:
        yield started


@pytest.fixture
def drawn(seed: int, many: Callable[[bool, bool], bool], request: pytest.FixtureRequest) -> Drawn:
    """What a run looks at: one of so many things, others with each seed of the run; `--long`: all of them.

    `--quick`: one of four times as many, at least one.
    """
    thorough, scale = many(True, False), 4 if request.config.getoption("--quick") else 1

    def draw(things: Sequence[Any], parts: int) -> list[Any]:
        every = min(parts * scale, len(things)) or 1
        return list(things) if thorough else list(things[seed % every :: every])

    return draw
