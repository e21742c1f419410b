"""What a button does: call one service, say how it went, go back to the page it came from."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts.http.wording import worded
from rules_engine.errors import DomainError, NotAllowed, NotFound

Tell = Callable[[HttpRequest, str], None]


def run_action(
    request: HttpRequest, act: Callable[[], object], done: str, back: str, *, tell: Tell = messages.success
) -> HttpResponse:
    """Call `act` and redirect to `back` with the message `done`, or with the refusal; denials keep their own page.

    `tell` says `done`: as a success, unless what was done is not good news.
    """
    try:
        act()
    except (NotAllowed, NotFound):
        raise
    except DomainError as error:
        messages.error(request, worded(error.wording))
    else:
        tell(request, done)
    return redirect(back)


def sent_back(request: HttpRequest, usual: str) -> str:
    """The page that a form says it was on, as `back`, if it is one of this site; else the usual one."""
    back = request.POST.get("back", "")
    is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/")
    return back if is_ours else usual


def tell_disagreement(request: HttpRequest, text: str) -> None:
    """Say that a table does not agree on its result: a warning that begins with the word of that state."""
    messages.warning(request, text, extra_tags=_("not agreed"))
