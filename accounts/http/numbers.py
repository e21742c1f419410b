"""Whole numbers that people and programs send as text: the one place that reads them, whatever was typed."""

from django.http import HttpRequest

LARGEST = 10**18 - 1
"""What every database stores."""


def read_number(text: str, most: int = LARGEST) -> int | None:
    """A whole number from 0 to `most` in plain digits; None for anything else, however long it is."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST))):
        return None
    number = int(text)
    return number if number <= most else None


def posted_number(request: HttpRequest, name: str, most: int = LARGEST) -> int | None:
    """The same, of a field of a form."""
    return read_number(request.POST.get(name, ""), most)


def asked_number(request: HttpRequest, name: str, most: int = LARGEST) -> int | None:
    """The same, of the query."""
    return read_number(request.GET.get(name, ""), most)
