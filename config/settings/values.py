"""Environment variables as values; what cannot be used is refused by its name, with what it may be."""

import math
import os
from typing import TypeVar

from django.core.exceptions import ImproperlyConfigured

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
