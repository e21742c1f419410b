"""The one way from a filled-in form to a service: what the service refuses comes back as errors of the form."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from django.forms import BaseForm

from accounts.http.wording import worded
from rules_engine.errors import DomainError

T = TypeVar("T")


def call_service(form: BaseForm, act: Callable[[], T], fields: Mapping[str, str] | None = None) -> T | None:
    """What `act` (a call of one service) answers, or None after its DomainError became an error of `form`.

    `fields` names the form's field for an error code, or for what the error itself calls its field; without one, or
    where the form lacks it, the error stands above the form. What was typed stays. Nothing of a refused service is
    kept: its own transaction is undone.
    """
    try:
        return act()
    except DomainError as error:
        fields, named = fields or {}, str(error.details.get("field"))
        field = fields.get(error.code) or fields.get(named, named)
        form.add_error(field if field in form.fields else None, worded(error.wording))
        return None
