"""Tables that an organiser names in one line, such as “1-4, 9”."""

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


def read_table_numbers(text: str) -> frozenset[int]:
    """The tables that a text such as "1-4, 9" names; ValidationError for anything else."""
    found: set[int] = set()
    for each in filter(None, re.split(r"[\s,;]+", re.sub(r"\s*[-–]\s*", "-", text))):
        span = re.fullmatch(r"([1-9]\d{0,3})(?:-([1-9]\d{0,3}))?", each, re.ASCII)
        first, last = (int(span[1]), int(span[2] or span[1])) if span else (1, 0)
        if first > last:
            raise ValidationError(_("Type table numbers from 1 to 9999, such as “1-4, 9”."))
        found.update(range(first, last + 1))
    return frozenset(found)


def validate_table_numbers(text: str) -> None:
    read_table_numbers(text)
