"""Limits on guessing passwords, which no stranger can use to keep an account's owner out.

A try counts for the account it is about, wherever it came from, and for the account at that address. A device on which
the account was signed in before counts by itself alone: its owner gets in while strangers guess. Unknown names are
counted like known ones. Counters are made of one atomic step each (INCR) and belong to a span of time that ends by
itself; nothing that a visitor sends is part of a key but the name, the address the request came from, and the signed
cookie of a known device.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from time import time

from allauth.account.adapter import get_adapter
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from accounts.identity.selectors import account_named
from accounts.models import User, single_spaced
from rules_engine.errors import TooMany

SPAN = 15 * 60
PER_ACCOUNT = 10
"""Tries in a span of 15 minutes from all unknown devices together: at most 20 in any 15 minutes, across two spans."""
PER_ADDRESS_AND_ACCOUNT = 5
"""Fewer than the account has, so that one phone does not use up what is there for all."""
PER_DEVICE = 10
MINUTE = 60
PER_ADDRESS = 100
"""Wrong tries in a minute from one address, about any accounts: a hall full of people, not a program."""

COOKIE = "known_device"
SALT = "known device"
COOKIE_DAYS = 365
MAX_ACCOUNTS = 5
"""How many accounts one device is known for; the eldest makes room."""


@dataclass(frozen=True, slots=True)
class Counter:
    """So many tries in a span of seconds, for whatever the name says."""

    name: str
    most: int
    span: int = SPAN

    @property
    def key(self) -> str:
        """The key of the span that runs now: the next one has another, so nothing needs to be taken back."""
        return f"guesses:{sha256(self.name.encode()).hexdigest()}:{int(time() // self.span)}"

    def take(self) -> bool:
        """Count one try; False where it is one too many."""
        cache.add(self.key, 0, timeout=2 * self.span)
        try:
            return cache.incr(self.key) <= self.most
        except ValueError:  # Redis was wiped in between: the count begins anew
            return True

    def give_back(self) -> None:
        """Let a try that was no guess count no longer."""
        with suppress(ValueError):  # the span has ended, and the counter with it
            cache.incr(self.key, -1)

    def seconds_left(self) -> int:
        """Until the span ends, rounded up."""
        return int(self.span - time() % self.span) + 1


def take_try(request: HttpRequest, login: str) -> list[Counter]:
    """Count a try to sign in; answers what to give back if it was right. TooMany "too_many" with `retry_after`."""
    taken: list[Counter] = []
    for counter in _counters(request, login):
        taken.append(counter)
        if not counter.take():
            give_back(taken)
            wait = counter.seconds_left()
            raise TooMany("too_many", _("Too many tries. Try again in a few minutes."), retry_after=wait)
    return taken


def give_back(taken: list[Counter]) -> None:
    """Let a try that was right, or never made, count no longer."""
    for counter in taken:
        counter.give_back()


def _counters(request: HttpRequest, login: str) -> Iterator[Counter]:
    account = account_named(login)
    device = _known_accounts(request).get(account.pk) if account else None
    if account and device:
        yield Counter(f"device {device} {account.pk}", PER_DEVICE)
        return
    address = get_adapter().get_client_ip(request)
    name = f"account {account.pk}" if account else f"unknown {single_spaced(login).casefold()}"
    yield Counter(f"address {address}", PER_ADDRESS, MINUTE)
    yield Counter(f"{name} at {address}", PER_ADDRESS_AND_ACCOUNT)
    yield Counter(name, PER_ACCOUNT)


def _known_accounts(request: HttpRequest) -> dict[int, str]:
    """The accounts a device is known for, each with the device's mark; an open session is as good as a cookie."""
    known = _read(request)
    if request.user.is_authenticated and request.session.session_key:
        known.setdefault(request.user.pk, request.session.session_key)
    return known


def _read(request: HttpRequest) -> dict[int, str]:
    try:
        stored = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_DAYS * 24 * 3600)
        return {int(account): str(mark) for account, mark in stored}
    except (signing.BadSignature, TypeError, ValueError):
        return {}


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Know this device from now on as one on which the account was signed in."""
    known = _read(request)
    mark = known.pop(user.pk, None) or get_random_string(22)
    stored = [*known.items(), (user.pk, mark)][-MAX_ACCOUNTS:]
    value = signing.dumps(stored, salt=SALT, compress=True)
    seconds = COOKIE_DAYS * 24 * 3600
    response.set_cookie(COOKIE, value, seconds, httponly=True, secure=request.is_secure(), samesite="Lax")
