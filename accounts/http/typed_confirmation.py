"""An action that cannot be undone asks first: the page names what is lost, and a name is typed before it happens."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import single_spaced

TYPED = "confirmed_name"
OWN_FIELDS = ("csrfmiddlewaretoken", "idempotency_key", TYPED)


def require_typed_name(
    request: HttpRequest, *, title: str, lost: Sequence[str], name: str, label: str, back: str
) -> HttpResponse | None:
    """None once the `name` was typed, and the act may go on; before that the page that asks, with all fields kept.

    `lost` are sentences on what is gone afterwards, `label` the words of the button, `back` where to go instead.
    Capital letters and spaces do not matter; a wrong name is answered with 422 and the page again.
    """
    typed = request.POST.get(TYPED)
    if typed is not None and single_spaced(typed).casefold() == single_spaced(name).casefold():
        return None
    kept = [(key, value) for key, values in request.POST.lists() if key not in OWN_FIELDS for value in values]
    context = {
        "title": title, "lost": lost, "name": name, "label": label, "back": back, "kept": kept, "typed": typed or "",
        "wrong": typed is not None, "field": TYPED,
    }  # fmt: skip
    return render(request, "accounts/confirm.html", context, status=200 if typed is None else 422)
