"""`./run --copies FOLDER`: each event is a file in it, written by the workers of the running site."""

from pathlib import Path

from tests.invariants.processes import wait_until
from tests.launch.conftest import Desk


def test_folder_that_is_not_there_is_refused_at_the_start(kept: Desk, tmp_path: Path) -> None:
    refused = kept.command("--copies", str(tmp_path / "stick"))
    assert (refused.returncode, "There is no folder" in refused.stderr) == (2, True)
    assert not (tmp_path / "stick").exists()


def test_a_running_site_copies_its_events(kept: Desk, tmp_path: Path) -> None:
    """The demo event, which the first start makes; asked for by the relay's clock alone, since nobody acts."""
    folder = tmp_path / "stick"
    folder.mkdir()
    kept.start("--copies", str(folder))
    assert wait_until(lambda: any(folder.glob("*-whole.zip")), 60)
    kept.end()
    assert not list(folder.glob(".*"))
