"""A real backup and restore: who was erased in between is erased again before anybody can look."""

from pathlib import Path

from tests.launch.conftest import Desk

MAKE = "from accounts.models import User; User.objects.create_user('canary')"
ERASE = (
    "from accounts.models import User; from accounts.actors import SYSTEM; from journal.clock import database_now; "
    "from tournaments.privacy.services import erase_account; "
    "erase_account(User.objects.get(username='canary'), SYSTEM, database_now())"
)
LOOK = "from accounts.models import User; print(sorted(User.objects.values_list('username', flat=True)))"


def test_an_account_erased_after_the_backup_does_not_come_back(kept: Desk, tmp_path: Path) -> None:
    def shell(code: str) -> str:
        done = kept.command("manage", "shell", "-v", "0", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout

    shell(MAKE)
    assert kept.command("backup", str(tmp_path / "copy")).returncode == 0
    shell(ERASE)
    assert kept.command("restore", str(tmp_path / "copy")).returncode == 0
    told = shell(LOOK)
    assert "canary" not in told
    assert "erased-" in told
    (kept.var / "erasures.jsonl").unlink()  # the control: without the note it does
    assert kept.command("restore", str(tmp_path / "copy")).returncode == 0
    assert "canary" in shell(LOOK)
