"""One site with a world to look at for all tests of pages in this folder."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pictures.site import Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The running site; `DOOMDESK_PICTURED` names a folder whose world.json and server on a port are used instead."""
    if "DOOMDESK_PICTURED" in os.environ:
        folder, address = os.environ["DOOMDESK_PICTURED"].split("@")
        found = Site(Path(folder))
        found.read_world()
        found.address = address
        yield found
        return
    with Site(tmp_path_factory.mktemp("pictured")) as started:
        yield started
