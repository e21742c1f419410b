"""Choices of a form's field that are known only when the form is made."""

from collections.abc import Iterable
from typing import Any, cast

from django.forms import BaseForm, ChoiceField


def set_choices(form: BaseForm, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Offer these (value, text) or (group, list of them) in the field of that name."""
    cast(ChoiceField, form.fields[name]).choices = list(choices)
