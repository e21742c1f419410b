"""What is asked of a site from its command line."""

import subprocess
from pathlib import Path

from tests.launch.conftest import Desk

FILES = (
    "from pathlib import Path; from tournaments.models import Tournament; "
    "from tournaments.bundles.services import event_file; from tournaments.bundles.scopes import Scope; "
    "[Path('{}', each.slug).write_bytes(event_file(each, Scope.WHOLE).read()) for each in Tournament.objects.all()]"
)


def done(process: subprocess.CompletedProcess[str]) -> str:
    """What a command printed, which must have succeeded."""
    assert process.returncode == 0, process.stderr
    return process.stdout


def event_files(desk: Desk, folder: Path) -> dict[str, bytes]:
    """The whole file of every event of a site, by its address; written to a folder that is made."""
    folder.mkdir()
    done(desk.command("manage", "shell", "-v", "0", "-c", FILES.format(folder)))
    return {path.name: path.read_bytes() for path in folder.iterdir()}
