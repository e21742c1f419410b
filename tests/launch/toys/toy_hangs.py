"""Toy tests for a pass of ./test: one passes, one fails, one is left out, one hangs beside a process it has started."""

import subprocess
import sys
import time

import pytest


def test_passes() -> None:
    assert True


def test_fails() -> None:
    assert sum([1, 1]) == 3


def test_is_left_out() -> None:
    pytest.skip("nothing to do here")


def test_hangs() -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    time.sleep(600)
