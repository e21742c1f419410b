"""Django behind ASGI, with each request worked on in one thread from its first signal to its last."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from contextvars import copy_context
from typing import IO, Any, TypeVar, cast

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import connections
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.urls import set_script_prefix

SWITCH_SECONDS = 0.0005
"""After how long a thread that computes lets another one go on, ten times as soon as usual.

An act asks the database some thirty times, under the lock of its event: after each answer it waits that long for each
page being computed.
"""
THREADS = 16
"""More than config/request_queue.py lets in at once: questions of health and static files have no place there."""

T = TypeVar("T")


class OneThreadHandler(ASGIHandler):
    """Enters a thread once a request, of a few that stay. Django's own starts a new one for each request, which then
    makes its own database connection object, and enters it for signals, middleware and view apart, ten times here: both
    cost more than an empty view. See docs/operate/scaling.md.
    """

    def __init__(self) -> None:
        super().__init__()
        self.threads = ThreadPoolExecutor(THREADS, "request")

    async def __call__(
        self,
        scope: Mapping[str, Any],
        receive: Callable[[], Awaitable[Mapping[str, Any]]],
        send: Callable[[Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        """Answer one request."""
        await self.handle(scope, receive, send)

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        """What `work` returns or raises, in a thread with this task's context."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, copy_context().run, work, *arguments)

    def load_middleware(self, is_async: bool = False) -> None:
        """Middleware and views are called plainly: they wait for nothing but the database."""
        super().load_middleware(is_async=False)

    async def handle(
        self,
        scope: Mapping[str, Any],
        receive: Callable[[], Awaitable[Mapping[str, Any]]],
        send: Callable[[Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        """Read the request, have it worked on and send the answer."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            response = await self._in_thread(self._answer, scope, body)
        if not isinstance(response, StreamingHttpResponse):
            await self.send_response(response, send)
            return
        sending = asyncio.ensure_future(self._send_stream(response, send))
        leaving = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await self._in_thread(response.close)

    async def _send_stream(
        self, response: StreamingHttpResponse, send: Callable[[Mapping[str, Any]], Awaitable[None]]
    ) -> None:
        """Send a stream. Django's own keeps the headers twice until it ends: 5 KiB for each open page."""
        await send(_head_of(response))
        response.charset = response.charset  # else the headers are asked for it at each part
        del response.headers, response.cookies
        async with aclosing(self._parts_of(response)) as parts:
            async for part in parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def _parts_of(self, response: StreamingHttpResponse) -> AsyncGenerator[bytes]:
        """What is sent of a stream; one that computes makes each part in a thread, and no part before it is wanted."""
        if response.is_async:
            async with aclosing(cast("AsyncGenerator[bytes]", aiter(response))) as parts:
                async for part in parts:
                    yield part
            return
        waiting = iter(response)
        while (part := await self._in_thread(next, waiting, None)) is not None:
            yield part

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
        elif request is not None:  # a stream is open for minutes and asks nothing: what its request held goes now
            connections.close_all()
            request.close()
            response._resource_closers.remove(request.close)  # type: ignore[attr-defined]
        return response


def _head_of(response: StreamingHttpResponse) -> Mapping[str, Any]:
    """The first message of an answer."""
    headers = [(name.encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    headers += [(b"Set-Cookie", each.OutputString().encode("ascii")) for each in response.cookies.values()]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}
