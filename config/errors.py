"""Turns every error into an answer: a page for people, problem JSON for programs, and nothing of our insides."""

import logging
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, DisallowedHost, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import resolve_url
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.identity.selectors import has_factor
from journal.idempotency.requests import API_PREFIX
from journal.transactions import is_full, is_outage, is_transient
from rules_engine.errors import BadInput, DomainError, NotAllowed, NotFound, TooMany

logger = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
NOTHING_HERE = _("There is nothing here.")
DENIED = _("You don't have permission to do this.")
NOTED = _("The error was logged. Try again; if it returns, tell the organiser.")
FULL = _("Nothing saved: the site's disk is full. Tell the organiser.")
BUSY = _("The site is too busy. Nothing was saved. Try again in a moment.")
RETRY_AFTER = "5"


class DomainErrorMiddleware:
    """Answers anticipated errors, raised by a view or noted by an inner middleware as `response.domain_error`.

    Refuses texts with NUL characters, which one database stores and the other does not.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or _holds_nul(request.GET) or _holds_nul(request.POST):
            return error_response(request, BadInput("nul", _("The text holds a NUL character.")))
        response = self.get_response(request)
        error = getattr(response, "domain_error", None)
        return response if error is None else error_response(request, error)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer to a DomainError; None leaves any other exception to Django."""
        return error_response(request, exception) if isinstance(exception, DomainError) else None


def _holds_nul(fields: QueryDict) -> bool:
    return any("\0" in text for key, values in fields.lists() for text in (key, *values))


def error_response(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Problem JSON under /api/, otherwise a page; a visitor who needs to sign in is led there."""
    if request.path.startswith(API_PREFIX):
        status = HTTPStatus.UNAUTHORIZED if error.code == "sign_in" else error.status
        body = _problem(status, error.code, error.message, error.details)
        return JsonResponse(body, status=status, content_type=PROBLEM, headers=_headers_of(error))
    if error.code == "sign_in":
        return _to_sign_in(request)
    if error.code == "second_factor":
        return _to_second_factor(request, error)
    return _page(request, error.status, error.message, error.code, _headers_of(error))


def _headers_of(error: DomainError) -> dict[str, str]:
    """When to come again, in seconds, where the error knows it."""
    wait = error.details.get("retry_after")
    return {} if wait is None else {"Retry-After": str(wait)}


def _to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    return HttpResponseRedirect(resolve_url("account_login"))


def _to_second_factor(request: HttpRequest, error: DomainError) -> HttpResponseRedirect:
    """To the page that asks for a code, which leads back, or to the one where a factor is set up."""
    messages.info(request, error.message)
    if not has_factor(request.user):  # type: ignore[arg-type]
        return HttpResponseRedirect(resolve_url("mfa_activate_totp"))
    back = request.get_full_path() if request.method in ("GET", "HEAD") else request.path
    return redirect_to_login(back, resolve_url("mfa_reauthenticate"))


def _page(
    request: HttpRequest | None, status: int, detail: str, code: str, headers: dict[str, str] | None = None
) -> HttpResponse:
    """The page of an error; `back` is our page that led here, "" for none."""
    came = request.headers.get("Referer", "") if request else ""
    ours = request is not None and url_has_allowed_host_and_scheme(came, {request.get_host()}, request.is_secure())
    context = {"message": detail, "code": code, "back": came if ours else ""}
    text = render_to_string([f"errors/{status}.html", "errors/422.html"], context, request)
    return HttpResponse(text, status=status, headers=headers)


def _problem(status: int, code: str, detail: str, details: dict[str, object] | None = None) -> dict[str, object]:
    title = HTTPStatus(status).phrase
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "code": code,
        "detail": detail,
        "details": details or {},
    }


def problem_json(exception: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: each error as {type, title, status, code, detail, details}, bad fields also as `errors`.

    A database that is busy, away or out of space is left to the retry around the request and to `server_error` (None);
    the unexpected is logged, a bare 500.
    """
    if isinstance(exception, SuspiciousOperation):
        exception = BadInput("bad_request", _("The request is too large or can't be read."))
    if isinstance(exception, DomainError):
        body = _problem(exception.status, exception.code, exception.message, exception.details)
        return Response(body, exception.status, content_type=PROBLEM, headers=_headers_of(exception))
    if is_transient(exception) or is_outage(exception):
        return None
    response = exception_handler(exception, context)
    if response is None:
        logger.error("Unexpected error in the API", exc_info=exception)
        got_request_exception.send(sender=None, request=context["request"]._request)
        response = Response(status=HTTPStatus.INTERNAL_SERVER_ERROR)
    response.data = _body_of(exception, response.status_code)
    response.content_type = PROBLEM
    return response


def _body_of(exception: Exception, status: int) -> dict[str, object]:
    if isinstance(exception, ValidationError):
        return _problem(status, "invalid", str(_("Some fields are wrong."))) | {"errors": exception.detail}
    if isinstance(exception, APIException):
        return _problem(status, str(exception.get_codes()), str(exception.detail))
    code, text = {403: ("not_allowed", DENIED), 404: ("not_found", NOTHING_HERE)}.get(status, ("error", NOTED))
    return _problem(status, code, str(text))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The answer to a form without its CSRF token."""
    text = _("This form is too old or from another site. Reload the page and send it again.")
    return error_response(request, NotAllowed("csrf", text))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400; a page to a host that is not ours reads nothing of the request."""
    detail = str(exception) if isinstance(exception, BadRequest) else _("The request could not be read.")
    if isinstance(exception, DisallowedHost):
        return plain_error(request.path, HTTPStatus.BAD_REQUEST, "bad_request", str(detail))
    return error_response(request, BadInput("bad_request", detail))


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler403."""
    return error_response(request, NotAllowed("not_allowed", DENIED))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler404."""
    return error_response(request, NotFound("not_found", NOTHING_HERE))


def too_many(request: HttpRequest) -> HttpResponse:
    """allauth's handler429."""
    return error_response(request, TooMany("too_many", _("Too many tries. Try again in a few minutes.")))


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500: needs neither database nor session, for those may be what failed; then it is a 503."""
    error = sys.exception()
    away = error is not None and (is_outage(error) or is_transient(error))
    status, code, text = _of_outage(error) if error is not None and away else (500, "error", str(NOTED))
    answer = plain_error(request.path, status, code, text)
    if away:
        answer["Retry-After"] = RETRY_AFTER
    return answer


def busy(path: str) -> HttpResponse:
    """Too much to do: nothing was begun, and when to come again."""
    answer = plain_error(path, HTTPStatus.SERVICE_UNAVAILABLE, "busy", str(BUSY))
    answer["Retry-After"] = RETRY_AFTER
    return answer


def _of_outage(error: BaseException) -> tuple[int, str, str]:
    """Status, code and words where the database cannot work now."""
    return (503, "disk_full", str(FULL)) if is_full(error) else (503, "busy", str(BUSY))


def plain_error(path: str, status: int, code: str, text: str) -> HttpResponse:
    """Problem JSON under /api/, otherwise a page that asks neither who calls nor the database."""
    if path.startswith(API_PREFIX):
        return JsonResponse(_problem(status, code, text), status=status, content_type=PROBLEM)
    return _page(None, status, text, code)
