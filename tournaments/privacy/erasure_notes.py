"""Who was erased, noted beside the database: a backup that is restored does not know of later erasures.

A line says the id of the account, or of the player without one, when it was made and when it was erased; nothing else,
and no name.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from django.conf import settings

logger = logging.getLogger(__name__)
Kind: TypeAlias = Literal["user", "person"]


def notes_file() -> Path:
    """Where they are: in the folder of the site's data, which a restore leaves alone."""
    return Path(settings.VAR_DIR) / "erasures.jsonl"


def note_erasure(row_id: int, joined: datetime, now: datetime, *, of: Kind = "user") -> None:
    """Add a line, forced to the disk; where that fails the data is erased all the same, and the log says so."""
    line = json.dumps({of: row_id, "joined": joined.isoformat(), "erased": now.isoformat()})
    try:
        with notes_file().open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        logger.error("an erasure could not be noted in %s: %s", notes_file(), error)


def noted_erasures(*, of: Kind = "user") -> Iterator[tuple[int, datetime]]:
    """Id and beginning of each account, or player without one, that was erased, once.

    Half a line, as a crash leaves it, is passed over.
    """
    if not notes_file().exists():
        return
    for line in dict.fromkeys(notes_file().read_text("utf-8").splitlines()):
        with suppress(ValueError, KeyError, TypeError):
            note = json.loads(line)
            yield int(note[of]), datetime.fromisoformat(note["joined"])
