"""Addresses that are handed to other people's devices."""

from ipaddress import ip_address

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


def is_loopback(host: str) -> bool:
    """Whether a host name means the machine itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
