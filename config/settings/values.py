"""Environment variables as values; what cannot be used is refused by its name, with what it may be."""

import math
import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TypeVar

from django.core.exceptions import ImproperlyConfigured

PREFIX = "DOOMDESK_"
SETTINGS = (
    "ADDRESS BODY_SECONDS COPIES EVENTS_A_DAY HEAD_SECONDS HOSTS LISTS_CONFIRMED_ONLY LIVE_BEAT LOG LOST_AFTER MAIL "
    "SHEETS_KEPT SHEET_VERSIONS STAND_IN_AFTER STATIC_ROOT TLS UNSAFE_POSTGRES VAR WEBHOOKS_INSIDE"
)
OF_TESTS = (
    "FAULTS LONG MAIL_FOLDER MINUTES PAGE_HOLD PASS PICTURED PICTURES PUSH_TO_LOOPBACK QUICK RENDERED RUN SEED WORKER"
)
NAMES = frozenset(f"{SETTINGS} {OF_TESTS}".split())
"""What may stand behind the prefix: settings, then what is for tests alone."""
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
Number = TypeVar("Number", int, float)


def number(name: str, default: Number, least: int = 0) -> Number:
    """A number of the default's type, `least` or more; the default where it is not set."""
    text = os.environ.get(name, "").strip()
    try:
        value = type(default)(text) if text else default
    except ValueError:
        value = type(default)(-1)
    if not least <= value < math.inf:
        kind = "a whole number" if isinstance(default, int) else "a number"
        raise ImproperlyConfigured(f"{name} is “{text}”: set it to {kind}, {least} or more.")
    return value


def switch(name: str, default: bool = False) -> bool:
    """1 or 0; the default where it is not set."""
    text = os.environ.get(name, "").strip() or str(int(default))
    if text not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} is “{text}”: set it to 1 or 0.")
    return text == "1"


def log_level(name: str) -> str:
    """A level of the log; WARNING where it is not set."""
    text = os.environ.get(name, "").strip() or "WARNING"
    if text.upper() not in LEVELS:
        raise ImproperlyConfigured(f"{name} is “{text}”: set it to {', '.join(LEVELS[:-1])}.")
    return text.upper()


def refuse_unknown(environment: Iterable[str]) -> None:
    """Raise ImproperlyConfigured for a variable with our prefix that is no setting: a mistyped one would do nothing."""
    for name in sorted(name for name in environment if name.startswith(PREFIX)):
        if name.removeprefix(PREFIX) not in NAMES:
            near = get_close_matches(name, [PREFIX + each for each in NAMES], n=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise ImproperlyConfigured(f"{name} is no setting.{meant} All are in docs/operate/settings.md.")
