"""The arithmetic of a round's clock: what is left at an instant, when it ends, what comes after, what it warns of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum


class ClockState(StrEnum):
    NOT_STARTED = "not started"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one phase: it runs for `length` seconds from `started_at`, pauses aside.

    `paused` are the seconds of pauses that are over, `paused_at` begins the one that is not; `stopped_at` ends the
    phase before its time. Not begun while `started_at` is None.
    """

    length: int
    started_at: datetime | None = None
    paused_at: datetime | None = None
    paused: int = 0
    stopped_at: datetime | None = None

    def ends_at(self, extra: int = 0) -> datetime | None:
        """When its time is over, `extra` seconds included; None while it stands or has not begun."""
        if self.started_at is None or (self.paused_at is not None and self.stopped_at is None):
            return None
        planned = self.started_at + timedelta(seconds=self.length + self.paused)
        end = planned if self.stopped_at is None else min(planned, self.stopped_at)
        return end + timedelta(seconds=extra)

    def left(self, now: datetime, extra: int = 0) -> float:
        """The seconds left at an instant, `extra` included; negative once the time is over."""
        if self.started_at is None:
            return self.length + extra
        end = self.ends_at(extra)
        if end is not None:
            return (end - max(now, self.started_at)).total_seconds()
        return self.length + extra + self.paused - ((self.paused_at or now) - self.started_at).total_seconds()

    def state(self, now: datetime, extra: int = 0) -> ClockState:
        if self.started_at is None or now < self.started_at:
            return ClockState.NOT_STARTED
        if self.ends_at(extra) is None:
            return ClockState.PAUSED
        return ClockState.RUNNING if self.left(now, extra) > 0 else ClockState.OVER


def followed(phases: Sequence[Timing]) -> tuple[Timing, ...]:
    """The phases of a round, each that nobody began itself begun where the one before ends."""
    found: list[Timing] = []
    for phase in phases:
        before = found[-1] if found else None
        if phase.started_at is None and before is not None:
            phase = replace(phase, started_at=before.ends_at())
        found.append(phase)
    return tuple(found)


def current_phase(phases: Sequence[Timing], now: datetime) -> int:
    """The place of the phase a round is in: the first that is not over, else the last; `phases` are `followed`."""
    running = (at for at, phase in enumerate(phases) if phase.state(now) is not ClockState.OVER)
    return next(running, len(phases) - 1)


MAX_MINUTES = 600
"""The longest round."""
MOST_WARNINGS = 5


def are_warnings(minutes: Sequence[int]) -> bool:
    """Whether a clock can warn at these minutes left."""
    return len(set(minutes)) == len(minutes) <= MOST_WARNINGS and all(1 <= each <= MAX_MINUTES for each in minutes)


def warnings_of(length: int, warnings: Iterable[int]) -> tuple[int, ...]:
    """The seconds left, of `warnings`, at which a phase of this length warns; a short one not at its very beginning."""
    return tuple(each for each in warnings if each < length)


def warning_at(left: float, length: int, warnings: Iterable[int]) -> int | None:
    """The nearest warning that stands with so many seconds left; 0 once the time is over, None before the first."""
    return 0 if left <= 0 else min((each for each in warnings_of(length, warnings) if left <= each), default=None)


def usual_minutes(least: int, most: int, games: int) -> int:
    """The minutes of a round whose games take `least` to `most` minutes: one long game, the others short ones."""
    return most + least * (games - 1)


def clock_words(seconds: float) -> str:
    """Seconds as clocks show them, "49:59"; over time as "+2:05"."""
    left = -(-seconds // 1) if seconds > 0 else -seconds // 1
    minutes, rest = divmod(int(left), 60)
    return f"{'+' if seconds < 0 and left else ''}{minutes}:{rest:02d}"
