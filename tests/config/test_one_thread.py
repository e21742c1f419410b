"""A request is worked on in one thread, entered once."""

import asyncio
import threading

import pytest
from asgiref.sync import SyncToAsync
from django.core import signals
from django.core.handlers.asgi import ASGIHandler

from config.one_thread import OneThreadHandler
from tests.coroutines import run_coroutine

pytestmark = pytest.mark.django_db


def ask(handler: ASGIHandler, path: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int, set[int]]:
    """The answer's status, how often a thread was entered for it, and the threads of its first and last signal."""
    entered, threads, asked, answered = [], set(), [], []
    call = SyncToAsync.__call__

    async def counted(self: SyncToAsync, *args: object, **kwargs: object) -> object:
        entered.append(self)
        return await call(self, *args, **kwargs)

    def note(**_facts: object) -> None:
        threads.add(threading.get_ident())

    async def receive() -> dict:
        if not asked:
            asked.append(path)
            return {"type": "http.request", "body": b"", "more_body": False}
        await asyncio.sleep(3600)
        raise AssertionError

    async def send(message: dict) -> None:
        answered.append(message)

    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "http",
        "headers": [(b"host", b"localhost")], "client": ("192.0.2.1", 1), "server": ("localhost", 80),
    }  # fmt: skip
    with monkeypatch.context() as patched:
        patched.setattr(SyncToAsync, "__call__", counted)
        for signal in (signals.request_started, signals.request_finished):
            signal.connect(note)
        try:
            run_coroutine(handler(scope, receive, send))
        finally:
            for signal in (signals.request_started, signals.request_finished):
                signal.disconnect(note)
    return answered[0]["status"], len(entered), threads


def test_a_thread_is_entered_once_a_request(monkeypatch):
    """With its control: Django's own handler enters one for each signal, and each middleware that looks at a view."""
    status, entered, threads = ask(OneThreadHandler(), "/manifest.webmanifest", monkeypatch)
    assert (status, entered, len(threads)) == (200, 1, 1)
    assert threads != {threading.get_ident()}, "the loop works on no request itself"
    status, entered, _threads = ask(ASGIHandler(), "/manifest.webmanifest", monkeypatch)
    assert status == 200
    assert entered > 5
