"""Django behind ASGI, with each request worked on in one thread from its first signal to its last."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import IO, Any

from asgiref.sync import sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

SWITCH_SECONDS = 0.0005
"""After how long a thread that computes lets another one go on, ten times as soon as usual.

An act asks the database some thirty times, under the lock of its event: after each answer it waits that long for each
page being computed.
"""


class OneThreadHandler(ASGIHandler):
    """Enters a thread once a request. Django's own does for signals, middleware and view apart, ten times here, which
    costs more than an empty view. See docs/operate/scaling.md.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """Middleware and views are called plainly: they wait for nothing but the database."""
        super().load_middleware(is_async=False)

    async def handle(
        self,
        scope: Mapping[str, Any],
        receive: Callable[[], Awaitable[Mapping[str, Any]]],
        send: Callable[[Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        """Answer one request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            response = await sync_to_async(self._answer)(scope, body)
        if not response.streaming:
            await self.send_response(response, send)
            return
        sending = asyncio.ensure_future(self.send_response(response, send))
        leaving = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await sync_to_async(response.close)()

    def _answer(self, scope: Mapping[str, Any], body: IO[bytes]) -> HttpResponseBase:
        """The answer; what a whole one needed, the database's connection above all, is given back before it is sent."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response = self.get_response(request) if request is not None else refusal
        assert response is not None, "what is no request is refused"
        response._handler_class = self.__class__  # type: ignore[attr-defined]
        if not response.streaming:
            response.close()
        return response
