"""Answers to forms that a page's script sends (static/pending.js): it must know whether its entry was stored."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.translation import gettext_lazy as _

from config.errors import error_response
from rules_engine.errors import NotAllowed

SENT_BY_SCRIPT = "X-Unsent"

SIGNED_OUT = _("You're signed out. Open your personal link or sign in, then send this again.")


class FetchedFormMiddleware:
    """Tells a script what became of its form, which a browser hides from it.

    A view's redirect is answered 200 with the address as `X-Location`; a form shown again is marked `X-Shown`; who
    would be led to sign in gets 403. It stands outside the idempotency middleware, so that a repeat gets the same
    answer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "POST" or SENT_BY_SCRIPT not in request.headers:
            return response
        if 300 <= response.status_code < 400:
            if response["Location"].startswith(resolve_url("account_login")):
                return error_response(request, NotAllowed("signed_out", SIGNED_OUT))
            response.status_code, response["X-Location"] = 200, response["Location"]
            del response["Location"]
            response["Cache-Control"] = "no-store"
            return response
        if response.status_code == 200:
            response["X-Shown"] = "1"
        return response
