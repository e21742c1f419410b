"""Whole numbers that people and programs send as text: the one place that reads them, whatever was typed."""

import re
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext as _

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


class NumbersField(forms.CharField):
    """Several whole numbers from 1 to `most`, with anything between them: the greatest first, None for none.

    At most `many` different ones.
    """

    def __init__(self, *, most: int, many: int, **kwargs: Any) -> None:
        self.most, self.many = most, many
        super().__init__(max_length=12 * many, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """A stored list as people type it."""
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value

    def to_python(self, value: Any) -> Any:
        """The numbers; ValidationError for anything else."""
        words = [each for each in re.split(r"[\s,;/·]+", super().to_python(value) or "") if each]
        numbers = {read_number(each, self.most) for each in words}
        if not numbers <= set(range(1, self.most + 1)) or len(numbers) > self.many:
            text = _("Type up to %(many)d numbers from 1 to %(most)d, such as “10, 5”.")
            raise forms.ValidationError(text % {"many": self.many, "most": self.most})
        return sorted((each for each in numbers if each), reverse=True) or None
