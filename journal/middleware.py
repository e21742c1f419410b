"""Makes a repeated unsafe request harmless: its effect happens once, and every repeat gets the first answer."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib.sessions.backends.base import SessionBase
from django.db import DatabaseError, IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from journal.idempotency import KEY, fingerprint_of, is_form, key_of, rewind_files, scope_of
from journal.models import IdempotencyKey
from journal.transactions import in_transaction, is_transient
from rules_engine.errors import BadInput, DomainError

REPLAYED = "Idempotency-Replayed"


class IdempotencyMiddleware:
    """Key, effect, ledger entry, outbox message and answer commit in one transaction, or none of them does.

    A repeat with the same key waits for the first and gets its stored answer, marked `Idempotency-Replayed: true`;
    with another content it is refused (422 `key_reused`). An answer from 400 up, and a 200 to a form (its errors),
    takes everything back and keeps nothing, unless the view sets `response.keeps_effect = True`. With
    `response.is_secret = True` the effect stays, but the answer is not kept: a repeat runs again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = key_of(request)
        if key is None:
            return self.get_response(request)
        if not KEY.match(key):
            return _refusal(BadInput("bad_key", _("The idempotency key must be 1 to 200 plain characters.")))
        fingerprint = fingerprint_of(request)
        try:
            return self._answer_once(request, key, fingerprint)
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
        if not (hasattr(request, "claimed") and is_transient(exception)):
            return None
        request.transient_error = exception  # type: ignore[attr-defined]
        return HttpResponse(status=503)

    @in_transaction
    def _answer_once(self, request: HttpRequest, key: str, fingerprint: str) -> HttpResponse:
        """Run the view, or not; raises DomainError "key_reused", Conflict "busy"."""
        claim, is_first = _claim(scope_of(request), key, fingerprint)
        if claim.fingerprint != fingerprint:
            raise DomainError("key_reused", _("This key was already used for another request. Reload the page."))
        request.answered = None if is_first else claim  # type: ignore[attr-defined]
        request.claimed = True  # type: ignore[attr-defined]
        request.transient_error = None  # type: ignore[attr-defined]
        rewind_files(request)
        before = request.session.session_key
        response = self.get_response(request)
        if request.transient_error is not None:  # type: ignore[attr-defined]
            raise cast(DatabaseError, request.transient_error)  # type: ignore[attr-defined]
        if is_first:
            _settle(request, response, claim, before)
        return response


def _claim(scope: str, key: str, fingerprint: str) -> tuple[IdempotencyKey, bool]:
    """The row of the key and whether we made it; waits at the unique key while another request holds it."""
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(scope=scope, key=key, fingerprint=fingerprint), True
    except IntegrityError:
        return IdempotencyKey.objects.get(scope=scope, key=key), False


def _settle(request: HttpRequest, response: HttpResponse, claim: IdempotencyKey, session_before: str | None) -> None:
    """Take everything back, or keep the effect and (unless it is secret) the answer."""
    refused = response.status_code >= 400 or (response.status_code == 200 and is_form(request))
    secret = getattr(response, "is_secret", False)
    if refused and not secret and not getattr(response, "keeps_effect", False):
        transaction.set_rollback(True)
    elif secret:
        claim.delete()
    else:
        claim.session_key = _new_session(request.session, session_before)
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
