"""Slows down whoever tries many secret addresses, while those that work open for everybody."""

from contextlib import suppress

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from rules_engine.errors import TooMany

MISSES_PER_MINUTE = 30


def count_miss(request: HttpRequest) -> None:
    """Note that an address did not work for this visitor; TooMany "too_many" above `MISSES_PER_MINUTE`."""
    key = f"link-misses:{get_adapter().get_client_ip(request)}"
    if (cache.get(key) or 0) >= MISSES_PER_MINUTE:
        raise TooMany("too_many", _("Too many invalid links. Try again in a minute."))
    if not cache.add(key, 1, timeout=60):
        with suppress(ValueError):  # the minute ended in between
            cache.incr(key)
