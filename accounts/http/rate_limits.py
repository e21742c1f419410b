"""Tells programs how many requests they have left, so that they need not find out by being refused."""

import math
from collections.abc import Sequence
from typing import Any

from django.http import HttpResponseBase


def tell_limits(response: HttpResponseBase, throttles: Sequence[Any]) -> None:
    """`RateLimit-Limit`, `-Remaining` and `-Reset` (seconds until one more is free) of the throttle with least left."""
    counted = [each for each in throttles if getattr(each, "history", None) is not None]
    if not counted:
        return
    nearest = min(counted, key=lambda each: each.num_requests - len(each.history))
    oldest = nearest.history[-1] if nearest.history else nearest.now
    response["RateLimit-Limit"] = str(nearest.num_requests)
    response["RateLimit-Remaining"] = str(max(0, nearest.num_requests - len(nearest.history)))
    response["RateLimit-Reset"] = str(max(0, math.ceil(oldest + nearest.duration - nearest.now)))
