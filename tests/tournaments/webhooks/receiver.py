"""A program that webhooks call: it answers as it is told to, and remembers what came."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from tournaments.webhooks.sending import sign

STALL = 5.0
"""Seconds that a "stall" takes, at the end of which the receiver hangs up."""


class Receiver:
    """Answers the next calls as `moods` says: a status, "stall", "die" before it is read, "lose" the answer.

    Of what it is told it stores what it has not had, as docs/reference/api.md asks of every receiver; `missed` says
    that a delivery began after what it knew, `bodies` are all that it read.
    """

    def __init__(self, secret: str = "") -> None:
        self.secret, self.moods, self.calls, self.over = secret, list[int | str](), 0, Event()
        self.bodies, self.seen = list[dict[str, Any]](), list[dict[str, Any]]()
        self.url, self.last, self.missed = "", 0, False

    def take(self, raw: bytes, headers: Mapping[str, str]) -> int | str:
        """Store a delivery, answer a status or what else to do."""
        self.calls += 1
        mood = self.moods.pop(0) if self.moods else 204
        if mood in ("stall", "die") or (isinstance(mood, int) and mood >= 300):
            return mood
        body = json.loads(raw)
        if self.secret:
            assert headers["Doomdesk-Signature"] == f"sha256={sign(self.secret, headers['Doomdesk-Timestamp'], raw)}"
        self.bodies.append(body)
        if "next" in body:
            self.missed |= body["after"] > self.last
            self.seen += [each for each in body["changes"] if each["sequence"] > self.last]
            self.last = max(self.last, body["next"])
        return mood


@contextmanager
def listening(receiver: Receiver) -> Iterator[Receiver]:
    """The receiver at an address of this machine, until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            mood = receiver.take(raw, self.headers)
            if mood == "stall":
                receiver.over.wait(STALL)
            elif isinstance(mood, int):
                self.send_response(mood)
                self.send_header("Location", receiver.url)
                self.end_headers()
            self.close_connection = True

        def log_message(self, *_of: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.url = f"http://127.0.0.1:{server.server_port}/doom"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield receiver
    finally:
        receiver.over.set()
        server.shutdown()
        server.server_close()
