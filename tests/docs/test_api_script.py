"""The program of docs/reference/api.md that runs a whole event does so, over HTTP, and its file is right."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from accounts.identity.keys import issue_api_token
from accounts.models import TokenScope
from decks.services.catalogues import load_catalogues
from journal.clock import database_now
from rules_engine.systems import get_system
from tests.tournaments.factories import account
from tournaments.bundles.keys import public_key
from tournaments.management.demo import sample_decklist

DOCUMENT = Path(settings.BASE_DIR) / "docs/reference/api.md"
BEGINNING = "```python\nimport json, os"


@pytest.mark.django_db(transaction=True)
def test_the_program_runs_a_whole_event_whose_file_is_right(live_server, tmp_path):
    now, olive = database_now(), account("olive")
    load_catalogues(now, [get_system("doom_pile")])
    _row, token = issue_api_token(olive.user, olive, now, scope=TokenScope.ORGANISE)
    program = tmp_path / "event.py"
    program.write_text(BEGINNING.removeprefix("```python\n") + DOCUMENT.read_text().split(BEGINNING)[1].split("```")[0])
    given = {**os.environ, "SITE": live_server.url, "TOKEN": token, "DECK": sample_decklist(copies=3)}
    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path, env=given, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 8
    assert done.stdout.startswith("1 Player ")
    (file,) = tmp_path.glob("*.zip")
    verify = runpy.run_path(str(Path(settings.BASE_DIR) / "docs/verify/verify_event.py"))["verify"]
    found = verify(file.read_bytes(), public_key())
    assert [line for line in found.lines if line["result"] not in ("right", "open")] == []
