"""A bounded number of requests at work; the others wait in order of worth: a report goes before a page.

More at once make every one of them slower and the process larger, and take each other's database connections. See
docs/operate/scaling.md.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from http import HTTPStatus
from io import BytesIO
from weakref import WeakKeyDictionary

from django.core.handlers.asgi import ASGIRequest
from django.utils import translation

from config.bodies import Application, Message, Receive, Scope, Send
from config.errors import RETRY_AFTER, busy
from journal.idempotency.requests import API_PREFIX

MAX_HELD = 1024 * 1024
"""Bytes of an answer that are held until its request is done; a longer one is sent as it comes."""
UNQUEUED = ("/static/", "/health/")


class Worth(IntEnum):
    """What a request is worth while many wait; the lowest goes first."""

    ACT = 0
    """Reports a result, or changes anything else."""
    PAGE = 1
    REFRESH = 2
    """An open page asks again; it is there already, with its age."""


MAX_OF = {Worth.ACT: 2, Worth.PAGE: 3, Worth.REFRESH: 2}
"""How many of each are at work in one process: Python computes one at a time, the others wait for the database.

Acts have places of their own, whatever is read; refreshes take those of pages, but never all of them.
"""
PAGES_BESIDE_ACTS = 1
"""How many pages and refreshes at most begin while an act is at work: it holds a lock that all others wait for."""
ACTS_ON_SQLITE = 1
"""It knows one writer: the next one waits here, in order, and reads go on beside."""
PATIENCE = {Worth.ACT: 12.0, Worth.PAGE: 30.0, Worth.REFRESH: 5.0}
"""Seconds that a request waits before it is asked to come again."""


@dataclass
class Line:
    """The places at work and who waits for one; all in one event loop."""

    most: dict[Worth, int]
    at_work: Counter[Worth] = field(default_factory=Counter)
    waiting: dict[Worth, deque[asyncio.Future[None]]] = field(default_factory=lambda: {each: deque() for each in Worth})

    async def enter(self, worth: Worth, gone: asyncio.Future[Message]) -> bool:
        """Wait for a place; whether one was had before patience ended or the caller of a page was `gone`."""
        place = asyncio.get_running_loop().create_future()
        self.waiting[worth].append(place)
        self._call()
        leaving = set() if worth is Worth.ACT else {gone}
        try:
            await asyncio.wait({place, *leaving}, timeout=PATIENCE[worth], return_when=asyncio.FIRST_COMPLETED)
        finally:
            place.cancel()  # one that was given stays so
        return not place.cancelled()

    def leave(self, worth: Worth) -> None:
        """Give a place back, once."""
        self.at_work[worth] -= 1
        self._call()

    def _call(self) -> None:
        """Give places that are free to those who waited longest, the worthiest first."""
        for worth in Worth:
            line = self.waiting[worth]
            while line and self._has_place(worth):
                if not (place := line.popleft()).done():
                    self.at_work[worth] += 1
                    place.set_result(None)

    def _has_place(self, worth: Worth) -> bool:
        readers = self.at_work[Worth.PAGE] + self.at_work[Worth.REFRESH]
        if worth is Worth.ACT:
            return self.at_work[worth] < self.most[worth]
        most = PAGES_BESIDE_ACTS if self.at_work[Worth.ACT] else self.most[Worth.PAGE]
        return readers < most and self.at_work[worth] < self.most[worth]


class RequestQueue:
    """An ASGI application that lets requests through to another one, so many at once.

    A body is read whole before its request takes a place, and an answer is sent once it has left: slow callers hold
    neither a place nor a database connection. Streams of events leave when they begin.
    """

    def __init__(self, application: Application, acts: int = MAX_OF[Worth.ACT]) -> None:
        """`acts` is how many requests that change something are at work at most."""
        self.application, self.most = application, {**MAX_OF, Worth.ACT: acts}
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, Line] = WeakKeyDictionary()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"].startswith(UNQUEUED):
            await self.application(scope, receive, send)
        elif (body := await _whole_body(receive)) is not None:
            await self._serve(scope, body, receive, send)

    async def _serve(self, scope: Scope, body: list[Message], receive: Receive, send: Send) -> None:
        line, worth = self._line_here(), worth_of(scope)
        gone = asyncio.ensure_future(receive())
        try:
            if await line.enter(worth, gone):
                answer = _Answer(send, lambda: line.leave(worth))
                try:
                    await self.application(scope, _Replay(body, gone), answer)
                finally:
                    answer.leave()
                await answer.finish()
            elif not gone.done():
                await _refuse(scope, send)
        finally:
            gone.cancel()

    def _line_here(self) -> Line:
        """The line of the running event loop; a server process has one."""
        return self._lines.setdefault(asyncio.get_running_loop(), Line(self.most))


def worth_of(scope: Scope) -> Worth:
    if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
        return Worth.ACT
    return Worth.REFRESH if any(name == b"x-live" for name, _value in scope["headers"]) else Worth.PAGE


async def _whole_body(receive: Receive) -> list[Message] | None:
    """The messages of a body; None from a caller who hung up."""
    body: list[Message] = []
    while not body or body[-1].get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body.append(message)
    return body


class _Replay:
    """Hands out a body that was read before, then whatever else the caller does: a plain future.

    An open page waits for that for minutes, a thousand in a process, and a coroutine in a task of its own takes a KiB.
    """

    def __init__(self, body: list[Message], gone: asyncio.Future[Message]) -> None:
        self.body, self.gone = iter(body), gone

    def __call__(self) -> asyncio.Future[Message]:
        if (message := next(self.body, None)) is None:
            return asyncio.shield(self.gone)
        read = asyncio.get_running_loop().create_future()
        read.set_result(message)
        return read


class _Answer:
    """Holds an answer until its place is free again."""

    def __init__(self, send: Send, leave: Callable[[], None]) -> None:
        self.send, self._leave = send, leave
        self.held: list[Message] = []
        self.size, self.has_left, self.streams = 0, False, False

    async def __call__(self, message: Message) -> None:
        if self.streams:
            await self.send(message)
            return
        self.held.append(message)
        self.size += len(message.get("body", b""))
        if _is_event_stream(message):
            self.leave()
        if self.has_left or self.size > MAX_HELD:
            self.streams = True
            await self.finish()

    def leave(self) -> None:
        """Give the place back; a second time nothing happens."""
        if not self.has_left:
            self.has_left = True
            self._leave()

    async def finish(self) -> None:
        """Send what is held."""
        held, self.held = self.held, []
        for message in held:
            await self.send(message)


def _is_event_stream(message: Message) -> bool:
    headers = message.get("headers", ())
    return any(name.lower() == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers)


async def _refuse(scope: Scope, send: Send) -> None:
    """Answer 503 in the caller's language, or to an open page that it keeps what it shows; with the time to come again.

    An open page names what it shows. It counts as no younger for this answer: static/live.js takes the time to come
    again as a word that something newer may be there.
    """
    if worth_of(scope) is Worth.REFRESH and any(name == b"if-none-match" for name, _value in scope["headers"]):
        keep = [(b"retry-after", RETRY_AFTER.encode()), (b"cache-control", b"no-store"), (b"vary", b"Cookie")]
        await send({"type": "http.response.start", "status": HTTPStatus.NOT_MODIFIED, "headers": keep})
        await send({"type": "http.response.body", "body": b""})
        return
    request = ASGIRequest(scope, BytesIO())
    language = translation.get_language_from_request(request)
    status, headers, body = _refusal(language, API_PREFIX if request.path.startswith(API_PREFIX) else "/")
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=64)
def _refusal(language: str, path: str) -> tuple[int, tuple[tuple[bytes, bytes], ...], bytes]:
    """Status, headers and body, made once a language for all addresses alike: refusing many must cost little."""
    with translation.override(language):
        answer = busy(path)
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.items()]
    headers.append((b"content-length", str(len(answer.content)).encode()))
    return answer.status_code, tuple(headers), answer.content
