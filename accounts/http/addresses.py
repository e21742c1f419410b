"""Addresses that are handed to other people's devices."""

from argparse import ArgumentTypeError
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest


def shared_address(request: HttpRequest, path: str) -> str:
    """The full address of a page for another device: as this one reached the site, but never "localhost".

    A laptop's own name for itself is replaced by its address in the network, where it has one.
    """
    host = request.get_host().rsplit(":", 1)[0].strip("[]")
    if settings.PUBLIC_ADDRESS and is_loopback(host):
        return f"{settings.PUBLIC_ADDRESS}{path}"
    return request.build_absolute_uri(path)


def site_address(text: str) -> str:
    """The address of a site as a command gets it, without a slash at its end, or ""; raises ArgumentTypeError."""
    parts = urlsplit(text)
    if text and not (parts.scheme in ("http", "https") and parts.netloc):
        raise ArgumentTypeError("write it with https:// or http:// in front")
    return text.rstrip("/")


def is_loopback(host: str) -> bool:
    """Whether a host name means the machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
