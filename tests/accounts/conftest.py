"""Counters of earlier tests must not slow down these."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def fresh_counters():
    cache.clear()
