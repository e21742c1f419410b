"""Says on every page when what is sent can be read on its way."""

from django.http import HttpRequest

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def is_unencrypted(request: HttpRequest) -> dict[str, bool]:
    """For templates: whether this page came by plain HTTP from another machine than the one that shows it."""
    host = request.get_host().rpartition(":")[0] or request.get_host()
    return {"is_unencrypted": not request.is_secure() and request.get_host() not in LOOPBACK and host not in LOOPBACK}
