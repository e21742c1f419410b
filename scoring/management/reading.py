"""How commands that compute from a file read it, and how they refuse what they cannot use."""

import sys
from pathlib import Path
from typing import NoReturn

from django.core.management.base import CommandError

from rules_engine.errors import DomainError

UNUSABLE = 2


def read_text(file: str, most_bytes: int | None = None) -> str:
    """The UTF-8 text of a file, or of standard input for "-"; DomainError "too_large" above `most_bytes`.

    Raises OSError and UnicodeDecodeError as they come.
    """
    if file == "-":
        data = sys.stdin.buffer.read(-1 if most_bytes is None else most_bytes + 1)
    else:
        with Path(file).open("rb") as opened:
            data = opened.read(-1 if most_bytes is None else most_bytes + 1)
    if most_bytes is not None and len(data) > most_bytes:
        raise DomainError("too_large", f"{file}: larger than {most_bytes // 1024} KiB.")
    return data.decode("utf-8-sig")


def refuse(error: Exception) -> NoReturn:
    """End a command with exit code 2 and the reason in one line on standard error."""
    reason = error.message if isinstance(error, DomainError) else str(error)
    if isinstance(error, OSError) and error.filename:
        reason = f"{error.filename2 or error.filename}: {error.strerror}."
    if isinstance(error, UnicodeDecodeError):
        reason = f"The input is not UTF-8 text (byte {error.start + 1})."
    raise CommandError(" ".join(reason.split()), returncode=UNUSABLE) from error
