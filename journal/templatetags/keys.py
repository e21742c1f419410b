"""Template tags that write the idempotency key of a form, and a whole form that is one button."""

import uuid

from django import template
from django.forms import BaseForm
from django.template import Context
from django.urls import reverse

register = template.Library()


@register.simple_tag(takes_context=True)
def idempotency_key(context: Context, form: BaseForm | str | None = None) -> str:
    """Answer the posted key while a refused form is shown again, otherwise a fresh one.

    On a page with several forms hand over each `form`, so that only the bound one keeps its key. A page that is kept
    has an `idempotency_mark` in its place.
    """
    request = context.get("request")
    bound = form.is_bound if isinstance(form, BaseForm) else True
    posted = request.POST.get("idempotency_key", "") if request and bound else ""
    return posted or context.get("idempotency_mark") or str(uuid.uuid4())


@register.inclusion_tag("shared/press.html", takes_context=True)
def press(
    context: Context,
    route: str,
    *args: object,
    label: str,
    of: object = "",
    is_data: bool = False,
    look: str = "",
    **values: object,
) -> dict[str, object]:
    """A form of one button that posts `values` to a route, "" for the page itself.

    `of` says to screen readers what it is about; `is_data` where nobody translates that. `look` is its class.
    """
    to, mark = reverse(route, args=args) if route else "", context.get("idempotency_mark")
    said = {"to": to, "label": label, "of": of, "is_data": is_data, "look": look, "values": values}
    return {**said, "idempotency_mark": mark}
