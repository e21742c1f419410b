"""Delivery to servers that browsers and organisers name: each address is looked at before anything is sent."""

import io
import ipaddress
import socket
from collections.abc import Mapping
from concurrent.futures import Future
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Thread
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

SECONDS = 8.0
"""For the whole of an exchange, from the look-up of the name to the last byte read: below the lease of a push."""
HTTP_PORT, HTTPS_PORT = 80, 443
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that stand for IPv4 ones (RFC 6052)."""


class Unreachable(Exception):
    """A push service did not answer, or asks us to come again; says nothing of its address, which is a secret."""


class Refused(Exception):
    """An address that nothing is ever sent to: not HTTPS, or inside a private network."""


class Deadline:
    """A moment until which everything must be over."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Seconds that are left, more than none; TimeoutError afterwards."""
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _Hurried:
    """A socket as http.client uses it, which gives each call only what is left of the whole exchange.

    A socket's own time-out is for one call: a service that sends a byte now and then would never be over.
    """

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def sendall(self, data: bytes) -> None:
        """Send all of it before the deadline."""
        self._sock.settimeout(self._deadline.left())
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        """What http.client reads the answer from."""
        return io.BufferedReader(_Reader(self._sock, self._deadline))

    def close(self) -> None:
        self._sock.close()


class _Reader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._sock.settimeout(self._deadline.left())
        return self._sock.recv_into(buffer)


class _Plain(HTTPConnection):
    """A connection to the very address that was looked at, without TLS: only where that is allowed."""

    def __init__(self, host: str, port: int, address: str, deadline: Deadline) -> None:
        super().__init__(host, port)
        self._address, self._deadline = address, deadline

    def connect(self) -> None:
        """Connect before the deadline."""
        plain = socket.create_connection((self._address, self.port), self._deadline.left())
        self.sock: Any = _Hurried(plain, self._deadline)


class _Pinned(_Plain, HTTPSConnection):
    """The same with TLS, under the name that was asked for."""

    def connect(self) -> None:
        """Connect to the address, with TLS for the name, before the deadline."""
        plain = socket.create_connection((self._address, self.port), self._deadline.left())
        plain.settimeout(self._deadline.left())  # the whole handshake gets this long, not each of its steps
        secure = self._context.wrap_socket(plain, server_hostname=self.host)  # type: ignore[attr-defined]
        self.sock = _Hurried(secure, self._deadline)


def check_endpoint(endpoint: str, *, any_port: bool = False, inside: bool = False) -> SplitResult:
    """The parts of an endpoint that may be asked: HTTPS by name on its usual port. Raises Refused.

    With `any_port` on any, and with `inside` also without TLS.
    """
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise Refused from error
    if not endpoint.isascii() or any(sign.isspace() or not sign.isprintable() for sign in endpoint):
        raise Refused
    if _is_test_service(parts):
        return parts
    schemes = ("https", "http") if inside else ("https",)
    if parts.scheme not in schemes or not parts.hostname or "@" in parts.netloc:
        raise Refused
    if not any_port and port not in (None, HTTPS_PORT):
        raise Refused
    return parts


def _is_test_service(parts: SplitResult) -> bool:
    return settings.PUSH_TO_LOOPBACK and parts.hostname == "127.0.0.1"


def deliver(
    endpoint: str, body: bytes, headers: Mapping[str, str], *, any_port: bool = False, inside: bool = False
) -> int:
    """Post to an endpoint, answer its status within `SECONDS`; no redirect is followed. Raises Refused, Unreachable.

    With `inside` addresses of private networks and of this machine are asked, too.
    """
    parts = check_endpoint(endpoint, any_port=any_port, inside=inside)
    try:
        connection = _connection(parts, Deadline(SECONDS), inside=inside or _is_test_service(parts))
        try:
            connection.request("POST", parts._replace(scheme="", netloc="").geturl() or "/", body, dict(headers))
            return connection.getresponse().status
        finally:
            connection.close()
    except (OSError, HTTPException) as error:
        raise Unreachable(type(error).__name__) from None


def _connection(parts: SplitResult, deadline: Deadline, *, inside: bool) -> HTTPConnection:
    """A connection to the address that was looked at: a second look-up could find another one."""
    host, is_plain = parts.hostname or "", parts.scheme == "http"
    addresses = _addresses(host, deadline)
    if not addresses or not (inside or all(is_public(address) for address in addresses)):
        raise Refused
    usual = HTTP_PORT if is_plain else HTTPS_PORT
    return (_Plain if is_plain else _Pinned)(host, parts.port or usual, addresses[0], deadline)


def _addresses(host: str, deadline: Deadline) -> list[str]:
    """The addresses of a name; the system's own look-up knows no deadline, so it is left behind in its thread."""
    found: Future[list[Any]] = Future()

    def look_up() -> None:
        try:
            found.set_result(socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.set_exception(OSError(type(error).__name__))

    Thread(target=look_up, name="push-look-up", daemon=True).start()
    return [str(entry[4][0]) for entry in found.result(deadline.left())]


def is_public(address: str) -> bool:
    """Whether an address lies on the internet: not this machine, no private, link-local or reserved network."""
    number = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None)
    if number in TRANSLATED:
        mapped = ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
    return number.is_global and not number.is_multicast and (mapped is None or is_public(str(mapped)))
