"""Short marks of what a page or program was shown: another mark means that a person changed it."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

MARK_LENGTH = 16


def mark_of(values: object, plain: Callable[[Any], object] | None = None) -> str:
    """The mark of values that JSON knows, or that `plain` makes such."""
    text = json.dumps(values, sort_keys=True, default=plain)
    return hashlib.sha256(text.encode()).hexdigest()[:MARK_LENGTH]
