"""A laptop of 0.1.0 in a running round, kept as test data: its backup, its key, and what people hold of it.

`python -m tests.invariants.keep_first_edition` writes them, with 0.1.0 out of git's history.
"""

import json
import lzma
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from launch.places import ROOT
from tests.invariants.editions import Machine, first_edition, laptop
from tests.invariants.played_on import Held, Remembering, begin
from tests.invariants.result_clients import Reporters

KEPT = ROOT / "tests" / "data" / "first_edition"
ACTS = 2
AS_TODAY = (
    "UPDATE knox_authtoken SET expiry = datetime('now', '+1 day')",
    "UPDATE django_session SET expire_date = datetime('now', '+14 days')",
    "UPDATE journal_idempotencykey SET created_at = datetime('now')",
    "UPDATE journal_outboxmessage SET delivered_at = NULL, begun_at = NULL, starts = 0, done_at = NULL",
)
"""What ends by itself is put off as if the event had begun today, and background work waits once more; nothing else is
changed in what was kept."""


def keep(folder: Path) -> None:
    """Play the event with 0.1.0, back it up with its own command, and write all of it down."""
    with first_edition() as root, laptop(root) as site:
        password = site.any.command("manage", "create_organiser", "olive").strip()
        site.start()
        api = Remembering(site.ports)
        held = begin(api, password, random.Random(1))
        reporters = Reporters(api, held.path, 1)
        reporters.report(held.others, ACTS)
        backup = site.any.var / "kept.backup"
        site.any.command("backup", str(backup))
        site.stop()
        held.acts, held.told = api.acts, reporters.told
        told = held.written() | {"key": (site.any.var / "secret-key").read_text()}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "backup.xz").write_bytes(lzma.compress(backup.read_bytes(), preset=9))
        (folder / "held.json.xz").write_bytes(lzma.compress(json.dumps(told).encode(), preset=9))


def put_on(machine: Machine, *changes: str) -> Held:
    """Put the laptop's data on a machine that did not run yet, with some further changes to the database."""
    told: dict[str, Any] = json.loads(lzma.decompress((KEPT / "held.json.xz").read_bytes()))
    machine.var.mkdir(mode=0o700)
    key, file = machine.var / "secret-key", machine.var / "doomdesk.sqlite3"
    key.touch(0o600)
    key.write_text(told.pop("key"))
    file.write_bytes(lzma.decompress((KEPT / "backup.xz").read_bytes()))
    with closing(sqlite3.connect(file)) as database:
        for change in (*AS_TODAY, *changes):
            assert database.execute(change).rowcount > 0, change
        database.commit()
    return Held.read(told, machine.port)
