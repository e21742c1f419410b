"""Log lines without secrets: whoever reads the log must not be able to open a person's link."""

import logging
import re

SECRET_PATH = re.compile(
    r"(/(?:p|join|t|d|claim|my/told/mail|confirm-email|password/reset/key)/|/scores/[-\w]+/(?=[0-9a-z]{26}\b))[^/\s'\"?]+"
)
"""What opens something for whoever knows it, in every address that carries such a thing."""


def scrub(text: str) -> str:
    """The text with the token of every link that opens something replaced."""
    return SECRET_PATH.sub(r"\1…", text)


class ScrubbingFormatter(logging.Formatter):
    """Formats a record and takes the tokens out of the finished line, tracebacks included."""

    def format(self, record: logging.LogRecord) -> str:
        """The finished line, without tokens."""
        return scrub(super().format(record))
