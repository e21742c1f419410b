"""Refuses a body that is too large while it comes in: before Django writes it to a disk or asks who sends it."""

from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from io import BytesIO
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _

from config.errors import plain_error

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[..., Awaitable[None]]

MAX_BYTES = 4 * 1024 * 1024
"""Of any request. The largest that is wanted is a card file of `decks.forms.cards.MAX_BYTES` in its form."""


class BodyLimit:
    """An ASGI application before which larger bodies end: 413 by their announced length, or once more has come.

    An application that reads on learns that the caller is gone, so that it drops what it has.
    """

    def __init__(self, application: Application, most: int = MAX_BYTES) -> None:
        """`most` is in bytes."""
        self.application, self.most = application, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        if _announced(scope) > self.most:
            await _refuse(scope, send)
            return
        counted = _Counted(receive, self.most)
        await self.application(scope, counted, send)
        if counted.is_over:
            await _refuse(scope, send)


class _Counted:
    """Hands a body on until it is too large; then the caller counts as gone."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.receive, self.left, self.is_over = receive, most, False

    async def __call__(self) -> Message:
        message = await self.receive()
        self.left -= len(message.get("body", b""))
        if self.left >= 0:
            return message
        self.is_over = True
        return {"type": "http.disconnect"}


def _announced(scope: Scope) -> int:
    """The length that the headers tell, in bytes; 0 where they tell none, or none that can be read."""
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(length[:19]) if length.isdigit() else 0


async def _refuse(scope: Scope, send: Send) -> None:
    """Answer 413 in the caller's language, and close: the rest of the body is not read."""
    request = ASGIRequest(scope, BytesIO())
    with translation.override(translation.get_language_from_request(request)):
        text = _("Too large: the limit is %(most)d MiB. Nothing was saved.")
        text = text % {"most": MAX_BYTES >> 20}
        answer: HttpResponse = plain_error(request.path, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", text)
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.items()]
    headers += [(b"connection", b"close"), (b"content-length", str(len(answer.content)).encode())]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
