"""How the commands of decks read a text file, and how they refuse what they cannot use."""

import sys
from pathlib import Path
from typing import NoReturn

from django.core.management.base import BaseCommand, OutputWrapper

UNUSABLE = 2


class FileCommand(BaseCommand):
    """A command that reads text; `refuse` ends it with one line on standard error and exit code 2.

    It prints by `say` and `warn`, for which the encoding of the terminal does not matter.
    """

    def read_text(self, file: str, most_bytes: int) -> str:
        """The UTF-8 text of a file, or of standard input for "-"; refused above `most_bytes`."""
        try:
            data = sys.stdin.buffer.read(most_bytes + 1) if file == "-" else self._bytes(Path(file), most_bytes)
            if len(data) > most_bytes:
                self.refuse(f"{file}: larger than {most_bytes // 1024} KiB.")
            return data.decode("utf-8")
        except OSError as error:
            self.refuse(f"{file}: {error.strerror}.")
        except UnicodeDecodeError as error:
            self.refuse(f"{file}: not UTF-8 text (byte {error.start + 1}).")

    def refuse(self, reason: str) -> NoReturn:
        """One line on standard error, exit 2."""
        self.warn(reason)
        sys.exit(UNUSABLE)

    def say(self, text: str) -> None:
        """Print on standard output; what it cannot encode comes out as a backslash sequence."""
        self.stdout.write(_encodable(text, self.stdout))

    def warn(self, text: str) -> None:
        """As `say`, on standard error."""
        self.stderr.write(_encodable(text, self.stderr))

    def _bytes(self, path: Path, most_bytes: int) -> bytes:
        with path.open("rb") as opened:
            return opened.read(most_bytes + 1)


def _encodable(text: str, stream: OutputWrapper) -> str:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
