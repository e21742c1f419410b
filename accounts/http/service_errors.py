"""The one way from a filled-in form to a service: what the service refuses comes back as errors of the form."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import escape

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


def render_refusals(request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """A page on which everything can be read that its forms refuse.

    Whoever sends a form from an old tab may be answered by a page that offers it no more, as the event has moved on:
    then what it refuses stands among the messages.
    """
    response = render(request, template, context, status=status)
    forms = [each for each in context.values() if isinstance(each, BaseForm)] if request.method == "POST" else []
    refused = dict.fromkeys(str(error) for form in forms for errors in form.errors.values() for error in errors)
    page = response.content.decode()
    if not (unseen := [error for error in refused if escape(error) not in page]):
        return response
    for error in unseen:
        messages.error(request, error)
    return render(request, template, context, status=status)
