"""Failures that a person can fix, as one sentence instead of a traceback."""

import errno
import re
import sys
from collections.abc import Callable

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}
NO_FOLDER = {errno.EEXIST, errno.ENOTDIR}
CLOSED_WORDS = ("permission denied", "read-only file system")
FULL_WORDS = ("no space left", "disk is full", "file too large", "quota exceeded", "os error 28", "os error 27")


class Unusable(Exception):
    """Something outside the program must change first; the message says what to do."""


def disk_is_full(output: str) -> bool:
    """Whether a program's output complains of a full disk."""
    return any(words in output.lower() for words in FULL_WORDS)


def folder_is_closed(output: str) -> bool:
    """Whether a program's output complains of a folder that it may not write to."""
    return any(words in output.lower() for words in CLOSED_WORDS)


def last_words(output: str) -> str:
    """The last line of a failed program's output, without the exception's class."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return re.sub(r"^[\w.]+: ", "", lines[-1]) if lines else "no reason given"


def explain(error: OSError) -> str:
    """One sentence for a failed write or read: what happened, what to do."""
    if error.errno in FULL:
        return "The disk is full: free some space (about 600 MB for a first start) and start again."
    if error.errno in CLOSED:
        where = error.filename or "the folder of Doomdesk"
        return f"{where} is closed to this user: start as the user who owns it, or copy Doomdesk elsewhere."
    if error.errno in NO_FOLDER:
        return f"{error.filename} is no folder: name another one, or move that file away."
    return f"The computer refused: {error}."


def guarded(command: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Run a command; anticipated failures become one sentence on standard error and exit status 2."""
    try:
        return command(arguments)
    except Unusable as failure:
        print(failure, file=sys.stderr)
    except OSError as error:
        print(explain(error), file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 2
