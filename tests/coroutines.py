"""Coroutines in a test: on a thread of their own, for a browser of the session keeps its loop in the test's."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def run_coroutine(coroutine: Coroutine[object, object, T]) -> T:
    """What a coroutine returns or raises; as `asyncio.run`, also after a test in a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()
