"""What an act asks of the database."""

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def count_queries(act: Callable[..., object], *args: object, **named: object) -> int:
    """How many queries an act takes."""
    with CaptureQueriesContext(connection) as caught:
        act(*args, **named)
    return len(caught)
