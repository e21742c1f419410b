"""Times one call in a process of its own, so that a peer may crash, hang or leak without harm to the run."""

import gc
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

CAP = 60.0
"""Seconds that one call may take (docs/how-it-works/pairing.md)."""
NO_ANSWER = f"no answer in {CAP:.0f} s"


@dataclass(frozen=True, slots=True)
class Timed:
    """The quickest of the repeats, in seconds of processor time, and the answer.

    Or the fault: an exception's name, a crash, no answer in time.
    """

    seconds: float = float("nan")
    answer: Any = None
    fault: str = ""


def time_call(prepare: Callable[[], Callable[[], Any]], read: Callable[[Any], Any], repeats: int) -> Timed:
    """Prepare in a forked process, call so often, read the last answer there and bring both back."""
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    child = fork.Process(target=_measure, args=(there, prepare, read, repeats))
    child.start()
    there.close()
    try:
        return here.recv() if here.poll(2 * CAP) else Timed(fault=NO_ANSWER)
    except EOFError:
        return Timed(fault="crash")
    finally:
        child.kill()
        child.join()
        here.close()


def _measure(
    there: Connection, prepare: Callable[[], Callable[[], Any]], read: Callable[[Any], Any], repeats: int
) -> None:
    """The collector runs during the call, as it would in the site, but not over what was there before."""
    try:
        call = prepare()
        taken = []
        while len(taken) < repeats and sum(taken) < CAP:
            gc.collect()
            gc.freeze()
            started = time.process_time()
            given = call()
            taken.append(time.process_time() - started)
        there.send(Timed(min(taken), read(given), "" if min(taken) <= CAP else NO_ANSWER))
    except Exception as error:
        there.send(Timed(fault=type(error).__name__))
