"""What a press of a button does: call one service, say how it went, go back to the page it came from."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from rules_engine.errors import DomainError, NotAllowed, NotFound


def press(request: HttpRequest, act: Callable[[], object], done: str, back: str) -> HttpResponse:
    """Call `act` and redirect to `back` with the message `done`, or with the refusal; denials keep their own page."""
    try:
        act()
    except (NotAllowed, NotFound):
        raise
    except DomainError as error:
        messages.error(request, error.message)
    else:
        messages.success(request, done)
    return redirect(back)
