"""The one way from a filled-in form to a service: what the service refuses comes back as errors of the form."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from django.forms import BaseForm

from rules_engine.errors import DomainError
from scoring.sheets.wording import worded

T = TypeVar("T")


def call_service(form: BaseForm, act: Callable[[], T], fields: Mapping[str, str] | None = None) -> T | None:
    """What `act` (a call of one service) answers, or None after its DomainError became an error of `form`.

    `fields` names the field that an error code belongs to, where the error does not say it itself; without one, or
    where the form lacks it, the error stands above the form. What was typed stays. Nothing of a refused service is
    kept: its own transaction is undone.
    """
    try:
        return act()
    except DomainError as error:
        field = (fields or {}).get(error.code, error.details.get("field"))
        form.add_error(field if field in form.fields else None, worded(error.wording))
        return None
