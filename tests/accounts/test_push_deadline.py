"""A push service that answers a byte at a time is left alone after a while: one deadline for the whole exchange."""

import socket
import threading
from collections.abc import Callable, Iterator
from time import monotonic, sleep

import pytest

from accounts.notifications import push_services
from accounts.notifications.push_services import Deadline, Unreachable, deliver

SECONDS = 0.6
BETWEEN = 0.15
"""Seconds between two bytes: far below what one call may take."""
HEAD = b"HTTP/1.1 201 Created\r\nX-Slow: " + b"y" * 60
TLS_RECORD = b"\x16\x03\x03\x40\x00" + b"\0" * 60


@pytest.fixture
def slow_service() -> Iterator[Callable[[bytes], int]]:
    """Starts a service that sends these bytes one by one; answers its port."""
    stop, listening = threading.Event(), []

    def serve(server: socket.socket, answer: bytes) -> None:
        with server.accept()[0] as visitor:
            for byte in answer:
                if stop.wait(BETWEEN):
                    return
                try:
                    visitor.sendall(bytes([byte]))
                except OSError:
                    return

    def start(answer: bytes) -> int:
        server = socket.create_server(("127.0.0.1", 0))
        listening.append(server)
        threading.Thread(target=serve, args=(server, answer), daemon=True).start()
        return int(server.getsockname()[1])

    yield start
    stop.set()
    for server in listening:
        server.close()


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch, settings) -> None:
    settings.PUSH_TO_LOOPBACK = True
    monkeypatch.setattr(push_services, "SECONDS", SECONDS)


def seconds_of(exchange: Callable[[], object]) -> float:
    begun = monotonic()
    with pytest.raises((Unreachable, TimeoutError)):
        exchange()
    return monotonic() - begun


def without_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each call have the whole time, as a socket's own time-out does."""
    monkeypatch.setattr(Deadline, "left", lambda _deadline: SECONDS)


def test_an_answer_that_drips_is_given_up(slow_service):
    port = slow_service(HEAD)
    assert seconds_of(lambda: deliver(f"http://127.0.0.1:{port}/a", b"x", {})) < SECONDS + 0.5


def test_without_the_deadline_it_is_waited_for(slow_service, monkeypatch):
    without_the_deadline(monkeypatch)
    port = slow_service(HEAD[:20])
    assert seconds_of(lambda: deliver(f"http://127.0.0.1:{port}/a", b"x", {})) > 4 * SECONDS


def test_a_handshake_that_drips_is_given_up(slow_service, monkeypatch):
    connection = push_services._Pinned("push.example.org", slow_service(TLS_RECORD), "127.0.0.1", Deadline(SECONDS))
    assert seconds_of(connection.connect) < SECONDS + 0.5


def test_a_name_that_nobody_resolves_is_given_up(monkeypatch, settings):
    settings.PUSH_TO_LOOPBACK = False
    monkeypatch.setattr(push_services.socket, "getaddrinfo", lambda *_args, **_kwargs: sleep(3))
    assert seconds_of(lambda: deliver("https://push.example.org/a", b"x", {})) < SECONDS + 0.5
