"""A network that is cut: a proxy before a web server that breaks a post off before, during or after it."""

import socket
import threading
from contextlib import suppress
from typing import Literal

Cut = Literal["", "before", "during", "after"]


class CutProxy:
    """Passes bytes on to `port` of this machine; while `cut` is set every POST is broken off there.

    "before": nothing of it arrives; "during": its head and half its body do; "after": all of it does, and the answer
    is lost on the way back. `posts` counts what browsers tried.
    """

    def __init__(self, port: int) -> None:
        self.target, self.cut, self.posts = port, "", 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Where browsers open the site."""
        return f"http://localhost:{self.port}"

    def close(self) -> None:
        self.listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self.listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(("127.0.0.1", self.target)) as server:
            back = threading.Thread(target=_copy, args=(server, client), daemon=True)
            back.start()
            while data := client.recv(65536):
                if data.startswith(b"POST "):
                    self.posts += 1
                    if self.cut:
                        self._break_off(_whole(client, data), client, server)
                        return
                server.sendall(data)

    def _break_off(self, request: bytes, client: socket.socket, server: socket.socket) -> None:
        if self.cut == "during":
            head = request.index(b"\r\n\r\n") + 4
            server.sendall(request[: head + (len(request) - head) // 2])
        if self.cut == "after":  # a connection of its own: what comes back never reaches the browser
            with socket.create_connection(("127.0.0.1", self.target)) as aside:
                aside.sendall(request)
                aside.recv(1)
        for end in (client, server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def _whole(client: socket.socket, data: bytes) -> bytes:
    """A request with its body, as long as its head says it is."""
    while b"\r\n\r\n" not in data:
        data += client.recv(65536)
    head, _end, body = data.partition(b"\r\n\r\n")
    length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    while len(body) < length:
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
