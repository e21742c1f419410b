"""Template tag that writes the idempotency key of a form."""

import uuid

from django import template
from django.forms import BaseForm
from django.template import Context

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
