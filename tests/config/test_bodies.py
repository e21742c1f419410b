"""No body beyond 4 MiB reaches Django, hence none is stored before it is known who sends it."""

import asyncio
import json
import tempfile
from collections.abc import Iterator

import pytest
from django.core.asgi import get_asgi_application

from config.bodies import MAX_BYTES, BodyLimit
from decks.forms.cards import MAX_BYTES as LARGEST_FILE
from tests.coroutines import run_coroutine

pytestmark = pytest.mark.django_db(transaction=True)
CHUNK = 256 * 1024
application = BodyLimit(get_asgi_application())
ROUTES = ["/accounts/login/", "/api/v1/tokens/", "/nosuchpage/", "/i18n/setlang/"]


class Caller:
    """Somebody who sends a body in chunks and counts what was taken of it."""

    def __init__(self, path: str, size: int, *, announces: bool, accept: bytes = b"en") -> None:
        headers = [(b"host", b"localhost"), (b"content-type", b"text/plain"), (b"accept-language", accept)]
        headers += [(b"content-length", str(size).encode())] if announces else []
        self.scope = {
            "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": headers, "client": ("192.0.2.1", 1), "server": ("localhost", 80), "scheme": "http",
        }  # fmt: skip
        self.chunks, self.taken = self._chunks(size), 0
        self.status, self.headers, self.body = 0, {}, b""

    def _chunks(self, size: int) -> Iterator[dict]:
        for start in range(0, size, CHUNK):
            length = min(CHUNK, size - start)
            yield {"type": "http.request", "body": b"a" * length, "more_body": start + length < size}

    async def receive(self) -> dict:
        if (chunk := next(self.chunks, None)) is None:
            await asyncio.sleep(3600)  # a caller who waits for the answer
        self.taken += len(chunk["body"])
        return chunk

    async def send(self, message: dict) -> None:
        if message["type"] == "http.response.start":
            assert not self.status
            self.status, self.headers = message["status"], dict(message["headers"])
        self.body += message.get("body", b"")


def ask(app, path: str, size: int, *, announces: bool, accept: bytes = b"en") -> Caller:
    caller = Caller(path, size, announces=announces, accept=accept)

    async def run() -> None:
        await asyncio.wait_for(app(caller.scope, caller.receive, caller.send), 60)

    run_coroutine(run())
    return caller


@pytest.mark.parametrize("path", ROUTES)
def test_an_announced_flood_is_refused_before_a_byte_of_it_is_taken(path):
    answer = ask(application, path, MAX_BYTES + 1, announces=True)
    assert (answer.status, answer.taken, answer.headers[b"connection"]) == (413, 0, b"close")


@pytest.mark.parametrize("path", ROUTES)
def test_a_flood_in_chunks_is_cut_at_the_limit(path, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    answer = ask(application, path, 40 * MAX_BYTES, announces=False)
    assert answer.status == 413
    assert answer.taken <= MAX_BYTES + CHUNK
    assert not list(tmp_path.iterdir())


def test_without_the_guard_the_same_flood_is_taken_whole():
    answer = ask(get_asgi_application(), "/i18n/setlang/", 3 * MAX_BYTES, announces=False)
    assert (answer.status, answer.taken) == (302, 3 * MAX_BYTES)


@pytest.mark.parametrize("announces", [True, False])
def test_what_is_small_enough_passes(announces):
    assert ask(application, "/i18n/setlang/", MAX_BYTES, announces=announces).status == 302
    assert LARGEST_FILE < MAX_BYTES


def test_a_false_length_does_not_help():
    flood = Caller("/i18n/setlang/", 3 * MAX_BYTES, announces=False)
    flood.scope["headers"].append((b"content-length", b"1"))
    run_coroutine(BodyLimit(get_asgi_application())(flood.scope, flood.receive, flood.send))
    assert flood.status == 413


def test_programs_and_people_are_answered_in_their_own_words():
    problem = json.loads(ask(application, "/api/v1/tokens/", MAX_BYTES + 1, announces=True).body)
    assert (problem["status"], problem["code"]) == (413, "too_large")
    page = ask(application, "/new/", MAX_BYTES + 1, announces=True)
    assert b"the limit is 4 MiB" in page.body
    assert b"<h1" in page.body
