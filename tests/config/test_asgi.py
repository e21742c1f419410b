"""How the process that uvicorn serves starts."""

import subprocess
import sys

from launch.places import ROOT

WATCHED = """
import logging.config, threading
first, others = logging.config.dictConfig, []
logging.config.dictConfig = lambda how: (others.append(threading.active_count() - 1), first(how))
import config.asgi
print({*others}, sorted(thread.name for thread in threading.enumerate()))
"""


def test_logging_is_set_up_before_the_first_thread_runs() -> None:
    """Setting it up closes every handler; one that another thread is just making ends the process."""
    done = subprocess.run([sys.executable, "-c", WATCHED], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "{0} ['MainThread', 'redis-listener', 'stand-in', 'stand-in']"
