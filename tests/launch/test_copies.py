"""`./run --copies FOLDER`: each event is a file in it, and the site a backup, written by the running site's workers."""

import io
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from launch.places import database_file
from tests.invariants.processes import wait_until
from tests.launch.conftest import Desk
from tests.launch.sites import done, event_files

PLAYERS = 8
PLAY = (
    "from tests.tournaments.factories import *; from tournaments.models import Tournament; "
    "t = Tournament.objects.filter(name='Autumn Doom Cup').first() or running({players}, swiss_rounds=5); "
    "last = t.stages.get().rounds.last(); last and report_all(last); "
    "[report_all(next_round(t)) for _ in range({whole})]; next_round(t)"
)
LAST_ACT = "SELECT max(id) FROM journal_ledgerentry"


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


@pytest.fixture
def new_laptop(prepared: Path, tmp_path: Path) -> Callable[[str], Desk]:
    """Makes laptops that have nothing yet."""

    def make(name: str) -> Desk:
        shutil.copytree(prepared, tmp_path / name)
        return Desk(tmp_path / name)

    return make


@pytest.mark.full
@pytest.mark.timeout(7200)
def test_the_laptop_dies_in_round_4_and_another_one_goes_on(
    new_laptop: Callable[[str], Desk], tmp_path: Path, many: Callable[[int, int], int]
) -> None:
    """Twenty times with `--long`: `./run` killed and all it started with it, the disk gone, the folder left."""
    for number in range(many(20, 1)):
        dies_and_goes_on(new_laptop, tmp_path / f"drill{number}")


def dies_and_goes_on(new_laptop: Callable[[str], Desk], folder: Path) -> None:
    folder.mkdir()
    first, second = new_laptop(f"{folder.name}-first"), new_laptop(f"{folder.name}-second")
    try:
        first.start("--copies", str(folder))
        done(first.command("manage", "shell", "-v", "0", "-c", PLAY.format(players=PLAYERS, whole=3)))
        last = last_act(database_file(first.var))
        assert wait_until(lambda: last in {last_act(each) for each in folder.glob("*.backup")}, 200)
    finally:
        kill(first)
    before = parts(event_files(first, folder / "before"))
    shutil.rmtree(first.var)
    (backup,) = (each for each in folder.glob("*.backup") if last_act(each) == last and ".before" not in each.name)
    done(second.command("restore", str(backup)))
    assert parts(event_files(second, folder / "after")) == before
    (slug,) = {slug for slug, _part in before if slug.startswith("autumn-doom-cup")}
    try:
        second.start("--copies", str(folder))
        done(second.command("manage", "shell", "-v", "0", "-c", PLAY.format(players=PLAYERS, whole=0)))
        assert second.page(f"/e/{slug}/pairings/") == 200
    finally:
        kill(second)
    played = [name for name in parts(event_files(second, folder / "played")) if name[1].startswith("rounds/05")]
    assert played
    assert backup.exists()  # the second laptop writes its own beside it


def last_act(file: Path) -> int:
    """The last act of the log in a database or backup."""
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        return int(connection.execute(LAST_ACT).fetchone()[0] or 0)


def kill(desk: Desk) -> None:
    """kill -9; nothing of the laptop runs any more."""
    if desk.process is not None:
        desk.process.kill()
        desk.process.communicate()
    assert desk.left(30) == []


def parts(files: dict[str, bytes]) -> dict[tuple[str, str], bytes]:
    """What is in event files, but for the key that signs them: that is the laptop's own."""
    found = {}
    for name, data in files.items():
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            kept = [each for each in archive.namelist() if not each.startswith("manifest")]
            found |= {(name, each): archive.read(each) for each in kept}
    return found
