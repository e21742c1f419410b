"""What is refused before any format looks at it: too large, or no text at all."""

from decks.formats.collecting import Collector
from decks.formats.limits import MAX_BYTES, MAX_LINES
from decks.formats.reading import LineKind, LineProblem, Reading
from rules_engine.decklist import Decklist
from rules_engine.messages import Message, gettext_noop

ARCHIVE = "PK\x03\x04"
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def decode(data: bytes) -> str:
    """The text of an uploaded file: UTF-8, or UTF-16 that says so.

    What is no text comes out with characters that `no_text` refuses or as names no card has; nothing is raised.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def too_large(text: str) -> Reading | None:
    """The refusal of a text of more than 256 KiB; None for any other."""
    if len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return None
    template = gettext_noop("Nothing read: the limit is %(limit)s KiB.")
    return _refusal(Message(template, {"limit": MAX_BYTES // 1024}), "")


def no_text(text: str) -> Reading | None:
    """The refusal of an archive or of what holds NUL, which no text does; None for any other."""
    if not text.startswith(ARCHIVE) and "\x00" not in text:
        return None
    return _refusal(Message(gettext_noop("This is not a text file; nothing was read.")), text)


def refuse_lines_beyond(collector: Collector, lines: list[str]) -> None:
    """Report that the lines after the 2,000th were not read."""
    if len(lines) > MAX_LINES:
        template = gettext_noop("Nothing read after line %(limit)s, the limit.")
        collector.refuse(MAX_LINES + 1, lines[MAX_LINES], Message(template, {"limit": MAX_LINES}))
        collector.give_up(MAX_LINES + 1)


def _refusal(message: Message, text: str) -> Reading:
    return Reading(Decklist(), (LineProblem(1, "", message),), lines=(LineKind.PROBLEM,) * len(text.splitlines()))
