"""The web server as it is started: half-sent requests are closed in time, floods refused, others served meanwhile."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from launch import roles
from launch.network import is_open

HEAD = 2.0
HALVES = [
    b"",
    b"GET / HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    b"POST /i18n/setlang/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nnext=",
]


async def hello(scope: Any, receive: Any, send: Any) -> None:
    """The least that an application can be."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    yield from serve(guarded=True)


def serve(*, guarded: bool) -> Iterator[int]:
    """A web server of ./run on a free port, its deadlines cut to two seconds.

    Unguarded: with uvicorn's own protocol, before an application that only answers.
    """
    number = free_port()
    own = {"DOOMDESK_HEAD_SECONDS": str(HEAD), "DOOMDESK_BODY_SECONDS": str(HEAD), "DOOMDESK_STAND_IN_AFTER": "0"}
    environment = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    command = roles.web(environment, roles.Door(number, [])).command
    if not guarded:
        other = {"config.prompt:PromptProtocol": "h11", "config.asgi:application": f"{__name__}:hello"}
        command = [other.get(part, part) for part in command]
    process = subprocess.Popen(command, env=environment)
    try:
        deadline = time.monotonic() + 240
        while not is_open(number) and time.monotonic() < deadline:
            time.sleep(0.1)
        yield number
    finally:
        process.kill()
        process.wait()


def closed_after(port: int, halves: list[bytes], patience: float) -> list[bool]:
    """Whether each half-sent request was closed by the server within `patience` seconds."""
    callers = []
    for half in halves:
        caller = socket.create_connection(("127.0.0.1", port))
        caller.sendall(half)
        callers.append(caller)
    end = time.monotonic() + patience
    try:
        return [is_closed(caller, end) for caller in callers]
    finally:
        for caller in callers:
            caller.close()


def is_closed(caller: socket.socket, end: float) -> bool:
    caller.settimeout(max(0.05, end - time.monotonic()))
    try:
        while caller.recv(4096):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


def drips_until_closed(caller: socket.socket, patience: float) -> bool:
    end = time.monotonic() + patience
    try:
        while time.monotonic() < end:
            caller.sendall(b"a")
            time.sleep(0.1)
    except ConnectionError:
        return True
    return False


def ask(port: int, request: bytes) -> bytes:
    with closing(socket.create_connection(("127.0.0.1", port))) as caller:
        caller.settimeout(30)
        caller.sendall(request)
        answer = b""
        while chunk := caller.recv(65536):
            answer += chunk
        return answer


def test_eight_half_sent_requests_are_closed_in_time(port):
    assert closed_after(port, HALVES * 2, patience=HEAD * 5) == [True] * 8


def test_who_drips_byte_by_byte_is_closed_too(port):
    with closing(socket.create_connection(("127.0.0.1", port))) as caller:
        caller.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        assert drips_until_closed(caller, HEAD * 5)


def test_whole_requests_are_answered_also_one_after_the_other_on_one_line(port):
    with closing(socket.create_connection(("127.0.0.1", port))) as caller:
        caller.settimeout(30)
        for _again in range(4):
            caller.sendall(b"GET /health/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while b'"ok"' not in answer:  # head and body may come in two pieces
                chunk = caller.recv(65536)
                assert chunk, answer
                answer += chunk
            time.sleep(HEAD * 0.7)


def test_a_flood_of_sixty_megabytes_is_refused_at_its_head(port):
    head = b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\n"
    assert ask(port, head).startswith(b"HTTP/1.1 413 ")


def test_with_uvicorns_own_protocol_they_stay_open():
    for port in serve(guarded=False):
        assert closed_after(port, HALVES[:3], patience=HEAD * 3) == [False] * 3
