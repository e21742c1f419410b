"""The base of every anticipated error: a rule was broken, and the message says which."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class DomainError(Exception):
    """An act that the rules refuse.

    `code` is stable, `message` is for people (str, lazy translation or `Message`), `details` holds facts that JSON can
    hold. `status` is the HTTP status the edge answers with.
    """

    status: int = 422

    def __init__(self, code: str, message: object, **details: object) -> None:
        super().__init__(code, message, details)
        self.code = code
        self.details: dict[str, object] = details
        self._message = message

    @property
    def message(self) -> str:
        """The sentence for people, translated when it is read; a `Message` in English."""
        return str(self._message)

    @property
    def wording(self) -> object:
        """The sentence as it was given, for layers that translate a `Message`."""
        return self._message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class BadInput(DomainError):
    """Input that cannot be read at all."""

    status = 400


class NotAllowed(DomainError):
    """A person may not do this; the answer says nothing about the object."""

    status = 403


class NotFound(DomainError):
    """No such thing, or one whose existence is secret."""

    status = 404


class Conflict(DomainError):
    """The world has moved on: another person was first, or is busy."""

    status = 409


class TooMany(DomainError):
    """Too many tries in too short a time."""

    status = 429


def needed(value: T | None, refusal: DomainError) -> T:
    """The value; the refusal is raised where there is none."""
    if value is None:
        raise refusal
    return value


@contextmanager
def one_of_several(**which: object) -> Iterator[None]:
    """Say in the details of an error which of several things in one act it is about."""
    try:
        yield
    except DomainError as error:
        error.details.update(which)
        raise
