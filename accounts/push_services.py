"""Delivery to push services: addresses come from browsers, so each is looked at before anything is sent there."""

import ipaddress
import socket
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

SECONDS = 10
HTTPS_PORT = 443
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that stand for IPv4 ones (RFC 6052)."""


class Unreachable(Exception):
    """A push service did not answer, or asks us to come again; says nothing of its address, which is a secret."""


class Refused(Exception):
    """An address that nothing is ever sent to: not HTTPS, or inside a private network."""


class _Pinned(HTTPSConnection):
    """A connection to the very address that was looked at, under the name it was asked for by."""

    def __init__(self, host: str, address: str) -> None:
        super().__init__(host, HTTPS_PORT, timeout=SECONDS)
        self.address = address

    def connect(self) -> None:
        """Connect to the address, with TLS for the name."""
        plain = socket.create_connection((self.address, HTTPS_PORT), SECONDS)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)  # type: ignore[attr-defined]


def check_endpoint(endpoint: str) -> SplitResult:
    """The parts of an endpoint that may be asked: HTTPS by name on its usual port. Raises Refused."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise Refused from error
    if settings.PUSH_TO_LOOPBACK and parts.hostname == "127.0.0.1":
        return parts
    if parts.scheme != "https" or not parts.hostname or port not in (None, HTTPS_PORT) or "@" in parts.netloc:
        raise Refused
    if not endpoint.isascii() or any(sign.isspace() or not sign.isprintable() for sign in endpoint):
        raise Refused
    return parts


def deliver(endpoint: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post to an endpoint and answer its status; no redirect is followed. Raises Refused, Unreachable."""
    parts = check_endpoint(endpoint)
    connection = _connection(parts)
    try:
        connection.request("POST", parts._replace(scheme="", netloc="").geturl() or "/", body, dict(headers))
        return connection.getresponse().status
    except (OSError, HTTPException) as error:
        raise Unreachable(type(error).__name__) from None
    finally:
        connection.close()


def _connection(parts: SplitResult) -> HTTPConnection:
    host = parts.hostname or ""
    if settings.PUSH_TO_LOOPBACK and host == "127.0.0.1":
        return HTTPConnection(host, parts.port, timeout=SECONDS)
    try:
        found = socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unreachable("unknown host") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(is_public(address) for address in addresses):
        raise Refused
    return _Pinned(host, addresses[0])


def is_public(address: str) -> bool:
    """Whether an address lies on the internet: not this machine, no private, link-local or reserved network."""
    number = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(number, "ipv4_mapped", None) or getattr(number, "sixtofour", None)
    if number in TRANSLATED:
        mapped = ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
    return number.is_global and not number.is_multicast and (mapped is None or is_public(str(mapped)))
