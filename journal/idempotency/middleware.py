"""Makes an unsafe request whole, and a repeated one harmless: its effect happens once, every repeat gets the answer."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib.sessions.backends.base import SessionBase
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from journal.idempotency.requests import (
    KEY,
    Writes,
    fingerprint_of,
    is_api_write,
    is_form,
    is_visitor,
    key_of,
    rewind_files,
    scope_of,
    stores_nothing,
)
from journal.idempotency.responses import is_shown_once, keeps_effect
from journal.models import IdempotencyKey
from journal.transactions import in_transaction, is_transient
from rules_engine.errors import BadInput, DomainError

REPLAYED = "Idempotency-Replayed"


class IdempotencyMiddleware:
    """Key, effect, ledger entry, outbox message and answer commit in one transaction, or none of them does.

    A repeat with the same key waits for the first and gets its stored answer, marked `Idempotency-Replayed: true`;
    with another content it is refused (422 `key_reused`). An answer from 400 up, and a 200 to a form (its errors),
    takes everything back and keeps nothing, unless the view says `with_effect(response)`. With
    `shown_once(response)` the effect stays, but the answer is not kept: a repeat runs again. A visitor's key is
    kept only beside something that the act wrote: else anybody could fill the disk with keys.

    A write of the API is whole without a key, too: a serializer or renderer that fails after the act takes it back.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = key_of(request)
        if key is not None and not KEY.match(key):
            return _refusal(BadInput("bad_key", _("Use 1 to 200 plain characters as idempotency key.")))
        if stores_nothing(request) or (key is None and not is_api_write(request)):
            return self.get_response(request)
        try:
            if key is None:
                return self._answer_whole(request)
            return self._answer_once(request, key, fingerprint_of(request))
        except DomainError as error:
            return _refusal(error)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Answer a repeat, after CSRF and access were checked like for any request."""
        answered: IdempotencyKey | None = getattr(request, "answered", None)
        return _replay(request, answered) if answered else None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Note an error that a new try may cure; `_answer_once` raises it again where it can be tried."""
        if not (hasattr(request, "transient_error") and is_transient(exception)):
            return None
        request.transient_error = exception
        return HttpResponse(status=503)

    @in_transaction
    def _answer_whole(self, request: HttpRequest) -> HttpResponse:
        """Run the view and its renderer; raises Conflict "busy"."""
        if not is_form(request):
            _body = request.body  # read here, it can be read again by another try
        response = self._run(request)
        if _is_taken_back(request, response):
            transaction.set_rollback(True)
        return response

    @in_transaction
    def _answer_once(self, request: HttpRequest, key: str, fingerprint: str) -> HttpResponse:
        """Run the view, or not; raises DomainError "key_reused", Conflict "busy"."""
        claim, is_first = _claim(scope_of(request), key, fingerprint)
        if claim.fingerprint != fingerprint:
            raise DomainError("key_reused", _("This key belongs to another request. Reload the page."))
        request.answered = None if is_first else claim  # type: ignore[attr-defined]
        before, writes = request.session.session_key, Writes()
        with connection.execute_wrapper(writes):
            response = self._run(request)
        if is_first:
            _settle(request, response, claim, before, wrote=writes.seen)
        return response

    def _run(self, request: HttpRequest) -> HttpResponse:
        """One try of the view, from the beginning of its uploaded files; raises a transient DatabaseError again."""
        request.transient_error = None  # type: ignore[attr-defined]
        rewind_files(request)
        response = self.get_response(request)
        if request.transient_error is not None:  # type: ignore[attr-defined]
            raise cast(DatabaseError, request.transient_error)  # type: ignore[attr-defined]
        return response


def _claim(scope: str, key: str, fingerprint: str) -> tuple[IdempotencyKey, bool]:
    """The row of the key and whether we made it; waits at the unique key while another request holds it."""
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(scope=scope, key=key, fingerprint=fingerprint), True
    except IntegrityError:
        return IdempotencyKey.objects.get(scope=scope, key=key), False


def _is_taken_back(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether nothing of what the act wrote stays."""
    refused = response.status_code >= 400 or (response.status_code == 200 and is_form(request))
    return refused and not is_shown_once(response) and not keeps_effect(response)


def _settle(
    request: HttpRequest, response: HttpResponse, claim: IdempotencyKey, session_before: str | None, *, wrote: bool
) -> None:
    """Take everything back, or keep the effect and (unless it is secret, or a visitor's without effect) the answer."""
    if _is_taken_back(request, response):
        transaction.set_rollback(True)
        return
    session = "" if is_shown_once(response) else _new_session(request.session, session_before)
    if is_shown_once(response) or (is_visitor(request) and not wrote and not session):
        claim.delete()
        return
    claim.session_key = session
    claim.status, claim.headers, claim.body = response.status_code, dict(response.headers), response.content
    claim.save()


def _new_session(session: SessionBase, before: str | None) -> str:
    """The key of the session that this answer hands out, saved with the effect; "" if the caller had it already."""
    if session.modified and not session.is_empty():
        session.save()
    return session.session_key if session.session_key and session.session_key != before else ""


def _replay(request: HttpRequest, answered: IdempotencyKey) -> HttpResponse:
    response = HttpResponse(bytes(answered.body), status=answered.status, headers=answered.headers)
    response[REPLAYED] = "true"
    if answered.session_key and request.session.exists(answered.session_key):
        request.session = type(request.session)(answered.session_key)
        request.session.modified = True
    return response


def _refusal(error: DomainError) -> HttpResponse:
    """A bare answer that the error middleware around us dresses."""
    response = HttpResponse(status=error.status)
    response.domain_error = error  # type: ignore[attr-defined]
    return response
