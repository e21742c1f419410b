"""Event files on the disk: whole under their name, or not there."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO


def before_of(target: Path) -> Path:
    """Where the version before the newest is kept."""
    return target.with_name(f"{target.stem}.before{target.suffix}")


def store(source: IO[bytes], target: Path, *, keeps_before: bool = False) -> None:
    """Write a file beside its place, force it to the disk, and only then give it its name; OSError leaves the old one.

    The folder must be there: one that is gone is not made, for it may be a medium that was pulled out. What a killed
    process left beside is removed. `keeps_before`: the version until now stays as `before_of`.
    """
    with _draft(target) as draft:
        with draft.open("wb") as file:
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        if keeps_before and target.exists():
            os.replace(target, before_of(target))
        os.replace(draft, target)
    _sync_folder(target.parent)


@contextlib.contextmanager
def _draft(target: Path) -> Iterator[Path]:
    for left in target.parent.glob(f".{target.name}.*.part"):
        left.unlink(missing_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Force the names to the disk, where the file system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
