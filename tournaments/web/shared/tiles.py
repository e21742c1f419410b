"""The tables of a round as tiles for judges: how each stands, what is asked of a judge there, what a filter shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import JudgeCall, Match
from tournaments.room.selectors.clocks import Clock, Phase
from tournaments.timing import ClockState
from tournaments.web.shared.match_rows import MatchRow

STATES: Mapping[str, tuple[str, str | Promise]] = {
    Match.State.OPEN: ("open", _("playing")),
    Match.State.REPORTED: ("wait", _("reported")),
    Match.State.CONFLICT: ("wrong", _("conflict")),
    Match.State.DONE: ("done", _("done")),
}
"""The look and the word of a match's state."""
FILTERS: Mapping[str, str | Promise] = {
    "missing": _("missing"),
    "conflicts": _("conflicts"),
    "calls": _("calls"),
    "extra": _("extra time"),
    "over": _("over time"),
}
"""What a filter is called, by its word in the address."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A table as judges see it: its line, the open call, the instant its time is over (milliseconds of the epoch).

    `ends` is empty where no time runs for it; `is_over` says how that was when the page was made.
    """

    line: MatchRow
    call: JudgeCall | None
    ends: str
    is_over: bool

    @property
    def match(self) -> Match:
        return self.line.match

    @property
    def look(self) -> str:
        return STATES[self.match.state][0]

    @property
    def word(self) -> str | Promise:
        return STATES[self.match.state][1]

    @property
    def extra_minutes(self) -> int:
        """The minutes that judges gave it beyond the clock; begun ones count."""
        return -(-self.match.extra_seconds // 60)

    def is_shown(self, wanted: str) -> bool:
        """Whether a filter shows it; every tile without one."""
        is_done = self.match.state == Match.State.DONE
        return {
            "missing": not is_done,
            "conflicts": self.match.state == Match.State.CONFLICT,
            "calls": self.call is not None,
            "extra": self.match.extra_seconds > 0,
            "over": self.is_over,
        }.get(wanted, True)

    def is_meant(self, words: str) -> bool:
        """Whether a person looks for it: by a part of a name, or by its number."""
        return not words or words == str(self.line.table) or (not words.isdecimal() and self.line.has(words))


def tile_of(line: MatchRow, call: JudgeCall | None, clock: Clock | None) -> Tile:
    """A table of a round, with the clock of that round."""
    ends, is_over = time_of(line.match, clock)
    return Tile(line, call, ends, is_over)


def time_of(match: Match, clock: Clock | None) -> tuple[str, bool]:
    """When the time of a table that still plays is over, extra time included, and whether it was at the clock's now."""
    plays = match.state not in (Match.State.DONE, Match.State.REPORTED)
    if clock is None or not plays or clock.round.pk != match.round_id or clock.phase != Phase.ROUND:
        return "", False
    end = clock.timing.ends_at(match.extra_seconds)
    is_over = clock.timing.state(clock.now, match.extra_seconds) is ClockState.OVER
    return (in_milliseconds(end) if end is not None else ""), is_over


def in_milliseconds(at: datetime) -> str:
    """An instant in milliseconds of the epoch, as scripts read it: no digit grouping of any language."""
    return str(round(at.timestamp() * 1000))


def counts_of(tiles: Sequence[Tile]) -> list[tuple[str, str | Promise, int]]:
    """Each filter with its name and how many tables it would show."""
    return [(key, name, sum(tile.is_shown(key) for tile in tiles)) for key, name in FILTERS.items()]
