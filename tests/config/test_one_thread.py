"""A request is worked on in one thread, entered once, which stays for the next one."""

import asyncio
import gc
import threading
import weakref
from collections.abc import AsyncIterator, Iterator
from unittest.mock import AsyncMock

import pytest
from django.core import signals
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, StreamingHttpResponse

from config.one_thread import OneThreadHandler
from tests.coroutines import run_coroutine

pytestmark = pytest.mark.django_db


def scope_of(path: str) -> dict:
    """What a server tells of a request."""
    return {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "http",
        "headers": [(b"host", b"localhost")], "client": ("192.0.2.1", 1), "server": ("localhost", 80),
    }  # fmt: skip


def ask(
    handler: ASGIHandler, path: str, monkeypatch: pytest.MonkeyPatch, times: int = 1
) -> tuple[int, int, list[set[threading.Thread]]]:
    """The last answer's status, how often a thread was entered, and of each request the threads of its signals."""
    entered, threads, answered = [], [], []
    run = asyncio.BaseEventLoop.run_in_executor

    def counted(self: asyncio.AbstractEventLoop, *args: object) -> object:
        entered.append(self)
        return run(self, *args)

    def note(**_facts: object) -> None:
        threads[-1].add(threading.current_thread())

    async def ask_once() -> None:
        asked = []

        async def receive() -> dict:
            if not asked:
                asked.append(path)
                return {"type": "http.request", "body": b"", "more_body": False}
            await asyncio.sleep(3600)
            raise AssertionError

        async def send(message: dict) -> None:
            answered.append(message)

        threads.append(set())
        await handler(scope, receive, send)

    async def ask_often() -> None:
        for _time in range(times):
            await ask_once()

    scope = scope_of(path)
    with monkeypatch.context() as patched:
        patched.setattr(asyncio.BaseEventLoop, "run_in_executor", counted)
        for signal in (signals.request_started, signals.request_finished):
            signal.connect(note)
        try:
            run_coroutine(ask_often())
        finally:
            for signal in (signals.request_started, signals.request_finished):
                signal.disconnect(note)
    return answered[-2]["status"], len(entered), threads


def test_a_thread_is_entered_once_a_request(monkeypatch):
    """With its control: Django's own handler enters one for each signal, and each middleware that looks at a view."""
    status, entered, [threads] = ask(OneThreadHandler(), "/manifest.webmanifest", monkeypatch)
    assert (status, entered, len(threads)) == (200, 1, 1)
    assert threads != {threading.current_thread()}, "the loop works on no request itself"
    status, entered, _threads = ask(ASGIHandler(), "/manifest.webmanifest", monkeypatch)
    assert status == 200
    assert entered > 5


def test_the_next_request_finds_the_thread_there(monkeypatch):
    """With its control: Django's own handler starts a thread for each request.

    A second one may be there: an answer can be on its way before its thread is free again.
    """
    _status, _entered, threads = ask(OneThreadHandler(), "/manifest.webmanifest", monkeypatch, times=8)
    assert len(set.union(*threads)) < 4
    _status, _entered, threads = ask(ASGIHandler(), "/manifest.webmanifest", monkeypatch, times=8)
    assert len(set.union(*threads)) == 8


class Lasting(list):
    """What is to be closed with a response, as Django alone would keep it."""

    def remove(self, _closer: object) -> None:
        pass


@pytest.mark.parametrize("closers", [list, Lasting])
def test_a_stream_holds_nothing_of_its_request(closers, monkeypatch):
    """It is open for minutes, by the thousand; with its control."""
    made: list[weakref.ref[HttpRequest]] = []

    def answer(request: HttpRequest) -> StreamingHttpResponse:
        made.append(weakref.ref(request))
        response = StreamingHttpResponse(words(), content_type="text/event-stream")
        response._resource_closers = closers([request.close])
        return response

    async def words() -> AsyncIterator[str]:
        yield "word"
        await asyncio.sleep(3600)

    async def is_held() -> bool:
        begun = asyncio.Event()

        async def receive() -> dict:
            if made:
                await asyncio.sleep(3600)
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict) -> None:
            if message.get("body"):
                begun.set()

        handler = OneThreadHandler()
        monkeypatch.setattr(handler, "get_response", answer)
        task = asyncio.create_task(handler(scope_of("/"), receive, send))
        await asyncio.wait_for(begun.wait(), 10)
        gc.collect()
        held = made[0]() is not None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return held

    assert run_coroutine(is_held()) == (closers is Lasting)


@pytest.mark.parametrize("kind", [OneThreadHandler, ASGIHandler])
def test_a_stream_holds_no_headers_once_they_are_sent(kind, monkeypatch):
    """With its control: Django's own handler keeps them as it got them, and as it sent them."""
    begun, asked, sent = asyncio.Event(), [], []

    async def words() -> AsyncIterator[str]:
        yield "wörd"
        await asyncio.sleep(3600)

    response = StreamingHttpResponse(words(), content_type="text/event-stream", headers={"X-One": "1"})
    response.set_cookie("two", "2")
    headers = weakref.ref(response.headers)

    def answer(request: HttpRequest) -> StreamingHttpResponse:
        response._resource_closers.append(request.close)
        return response

    async def receive() -> dict:
        if asked:
            await asyncio.sleep(3600)
        asked.append("body")
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict) -> None:
        if message["type"] == "http.response.start":
            sent.append(message["headers"])
        elif message["body"] == "wörd".encode():
            begun.set()

    async def is_held() -> tuple[bool, bool]:
        handler = kind()
        monkeypatch.setattr(handler, "get_response", answer)
        monkeypatch.setattr(handler, "get_response_async", AsyncMock(return_value=response))
        task = asyncio.create_task(handler(scope_of("/"), receive, send))
        await asyncio.wait_for(begun.wait(), 10)
        gc.collect()
        held = headers() is not None, gc.get_referrers(sent[0]) != [sent]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return held

    assert run_coroutine(is_held()) == (kind is ASGIHandler, kind is ASGIHandler)
    told = {(name.lower(), value) for name, value in sent[0]}
    assert told == {(b"content-type", b"text/event-stream"), (b"x-one", b"1"), (b"set-cookie", b"two=2; Path=/")}


def test_a_stream_that_computes_makes_a_part_in_a_thread_when_the_one_before_is_sent(monkeypatch):
    """So other requests get their turn between two, and a slow reader holds no more than one."""
    log: list[str] = []
    asked: list[str] = []

    def parts() -> Iterator[str]:
        for number in range(3):
            log.append(f"made {number} {threading.current_thread() is threading.main_thread()}")
            yield str(number)

    async def receive() -> dict:
        if asked:
            await asyncio.sleep(3600)
        asked.append("body")
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict) -> None:
        if message.get("body"):
            log.append(f"sent {message['body'].decode()}")

    async def answered() -> None:
        handler = OneThreadHandler()

        def answer(request: HttpRequest) -> StreamingHttpResponse:
            response = StreamingHttpResponse(parts())
            response._resource_closers.append(request.close)
            return response

        monkeypatch.setattr(handler, "get_response", answer)
        await asyncio.wait_for(handler(scope_of("/"), receive, send), 10)

    run_coroutine(answered())
    assert log == ["made 0 False", "sent 0", "made 1 False", "sent 1", "made 2 False", "sent 2"]
