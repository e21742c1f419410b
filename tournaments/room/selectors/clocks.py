"""The clock of the round being played: its phases, how they stand, and what each table has beyond them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Exists, OuterRef
from django.utils.text import capfirst
from django.utils.translation import gettext

from rules_engine.systems import get_system
from tournaments.core.round_names import round_name, rounds_to_come
from tournaments.core.rounds import open_rounds
from tournaments.core.ways import way_of
from tournaments.decks.selectors.deck_ready import stacking_of, stacking_rule
from tournaments.decks.selectors.drafts import table_draft
from tournaments.kept_answers import asked_once
from tournaments.models import Match, Round, RoundClock, Stage, Tournament
from tournaments.timing import (
    ClockState,
    Timing,
    clock_words,
    current_phase,
    followed,
    usual_minutes,
    warning_at,
    warnings_of,
)

USUAL_MINUTES = 60
"""A round of a game whose rules say nothing about time."""
DRAFT = "draft"
"""What a table's own clock counts besides `RoundClock.Phase`."""
LAST_MINUTE = (60,)
"""A table's own clock warns once, in seconds before its end."""
NEVER = datetime.min.replace(tzinfo=UTC)

Phase = RoundClock.Phase


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a round at an instant: its phases in order, the one it is in, and the extra seconds of a table.

    Extra time counts in the round itself, not while decks are stacked.
    """

    round: Round
    phases: tuple[tuple[str, Timing], ...]
    place: int
    now: datetime
    warnings: tuple[int, ...]
    extra: int = 0

    @property
    def phase(self) -> str:
        """The key of the phase, as `RoundClock.Phase`."""
        return self.phases[self.place][0]

    @property
    def phase_words(self) -> str:
        return _phase_words(self.phase)

    @property
    def title(self) -> str:
        return round_name(self.round)

    @property
    def timing(self) -> Timing:
        return self.phases[self.place][1]

    @property
    def extra_here(self) -> int:
        """The extra seconds that count in the phase."""
        return self.extra if self.phase == Phase.ROUND else 0

    @property
    def state(self) -> str:
        """How the phase stands: "not started", "running", "paused" or "over"."""
        return self.timing.state(self.now, self.extra_here).value

    @property
    def left(self) -> float:
        """The seconds left in the phase; negative once its time is over."""
        return self.timing.left(self.now, self.extra_here)

    @property
    def played(self) -> float:
        """The seconds since its first phase began, pauses aside."""
        start = self.phases[0][1].started_at
        if start is None:
            return 0
        pauses = sum(
            timing.paused + ((self.now - timing.paused_at).total_seconds() if timing.paused_at else 0)
            for _key, timing in self.phases
        )
        return max(0, (self.now - start).total_seconds() - pauses)

    @property
    def left_words(self) -> str:
        """What is left when the page is made, as scripts go on to count it: nothing moves when they begin."""
        return clock_words(self.left)

    @property
    def minutes_left(self) -> int:
        """The minutes left, begun ones counted."""
        return max(0, int(-(-self.left // 60)))

    @property
    def minutes(self) -> int:
        """The length of the phase in minutes."""
        return self.timing.length // 60

    @property
    def ends_at(self) -> datetime | None:
        """When the phase ends; None while it stands or has not begun."""
        return self.timing.ends_at(self.extra_here)

    @property
    def warning(self) -> int | None:
        """The seconds of the warning that stands, 0 when the time is over; None for none."""
        stands = self.state in (ClockState.RUNNING, ClockState.OVER)
        return warning_at(self.left, self.timing.length, self.warnings) if stands else None

    @property
    def follows(self) -> bool:
        """Whether another phase comes after this one."""
        return self.place + 1 < len(self.phases)

    @property
    def data(self) -> dict[str, object]:
        """What scripts count from: nothing of it changes while the clock merely runs."""
        return {
            "round": self.title,
            "extra": self.extra,
            "phases": [_phase_data(key, timing, self.warnings) for key, timing in self.phases],
        }

    @property
    def json(self) -> str:
        """`data` as text for a page."""
        return json.dumps(self.data)


def _phase_words(key: str) -> str:
    return capfirst(gettext("drafting") if key == DRAFT else str(Phase(key).label))


def _phase_data(key: str, timing: Timing, warnings: tuple[int, ...]) -> dict[str, object]:
    """A phase in milliseconds of the epoch; `left` is given for one that stands or has not begun."""
    end, start = timing.ends_at(), timing.started_at
    left = timing.left(timing.paused_at or NEVER) if end is None else None
    return {
        "phase": key,
        "words": _phase_words(key),
        "length": timing.length,
        "starts": None if start is None else round(start.timestamp() * 1000),
        "ends": None if end is None else round(end.timestamp() * 1000),
        "left": None if left is None else round(left, 3),
        "paused": start is not None and end is None,
        "warnings": list(warnings_of(timing.length, warnings)),
    }


def clock_of(tournament: Tournament, now: datetime, match: Match | None = None) -> Clock | None:
    """The clock of the round being played, for a `match` with its extra time; two queries.

    None between rounds: none is published, or every table of it is done; and where the event has no clock.
    """
    round_ = timed_round(tournament)
    if round_ is None:
        return None
    phases = phases_of(tournament, round_, list(round_.clocks.all()))
    return clock_at(round_, phases, now, match) if phases else None


@asked_once
def timed_round(tournament: Tournament) -> Round | None:
    """The newest published round while a person still plays in it; its clocks are loaded."""
    if tournament.state != Tournament.State.RUNNING:
        return None
    unfinished = Match.objects.filter(round=OuterRef("pk")).exclude(state=Match.State.DONE)
    rounds = open_rounds(tournament).annotate(is_played=Exists(unfinished)).select_related("stage")
    found = rounds.prefetch_related("clocks").last()
    if found is None or not found.is_played:
        return None
    found.stage.tournament = tournament
    return found


def awaits_start(clock: Clock | None) -> bool:
    """Whether a clock has not begun and no table of its round has played to an end."""
    if clock is None or clock.state != ClockState.NOT_STARTED:
        return False
    return not clock.round.matches.filter(state=Match.State.DONE, kind=Match.Kind.PLAYED).exists()


def clock_at(round_: Round, phases: Sequence[tuple[str, Timing]], now: datetime, match: Match | None = None) -> Clock:
    """The clock that these phases make at an instant."""
    timings = followed([timing for _key, timing in phases])
    keyed = tuple((key, timing) for (key, _timing), timing in zip(phases, timings, strict=True))
    extra = match.extra_seconds if match is not None and match.round_id == round_.pk else 0
    warnings = tuple(60 * minutes for minutes in warning_minutes(round_.stage.tournament, round_.stage))
    return Clock(round_, keyed, current_phase(timings, now), now, warnings, extra)


def warning_minutes(tournament: Tournament, stage: Stage) -> Sequence[int]:
    """The minutes left at which the clock of a stage warns: as the stage says, else the event, else the way to play."""
    said = (stage.clock_warnings, tournament.clock_warnings)
    return next((each for each in said if each is not None), way_of(tournament).warnings)


def own_clock(tournament: Tournament, match: Match, now: datetime) -> Clock | None:
    """A table's own clock: while it drafts, or stacks for a game after the first, whose minutes it began itself."""
    draft, stacking = table_draft(tournament, match), stacking_of(tournament, match)
    if draft is not None and draft.running is not None:
        key, minutes, since = DRAFT, draft.running.minutes, draft.since
    elif stacking is not None and stacking.game != 1 and stacking.until is not None:
        key, minutes, since = Phase.STACKING.value, stacking.minutes, match.stacking_since
    else:
        return None
    return Clock(match.round, ((key, Timing(minutes * 60, since)),), 0, now, LAST_MINUTE)


def phases_of(tournament: Tournament, round_: Round, stored: Sequence[RoundClock]) -> list[tuple[str, Timing]]:
    """The phases of a round in order: as they were started or changed, the others as the settings say."""
    by_phase = {clock.phase: clock.timing for clock in stored}
    planned = planned_seconds(tournament, round_.stage, rounds_to_come(round_))
    keys = [key for key in (Phase.STACKING, Phase.ROUND) if key in by_phase or key in planned]
    return [(key.value, by_phase.get(key) or Timing(planned[key])) for key in keys]


def planned_seconds(tournament: Tournament, stage: Stage, to_come: int | None = None) -> dict[str, int]:
    """The length of each phase of a round by the settings; empty where the event plays without a clock."""
    minutes = minutes_a_round(tournament, stage, to_come)
    if not minutes:
        return {}
    rule = stacking_rule(tournament)
    stacking: dict[str, int] = {Phase.STACKING: (tournament.stacking_minutes or rule.minutes) * 60} if rule else {}
    return {**stacking, Phase.ROUND: minutes * 60}


def minutes_a_round(tournament: Tournament, stage: Stage | None = None, to_come: int | None = None) -> int:
    """The minutes of a round of a stage: as set for it or the event, else as usual; 0 without a clock.

    `to_come` rounds of its bracket follow: semi-finals and final are as in a cut, unless the stage says otherwise.
    """
    own = stage.round_minutes if stage else None
    of_finals = way_of(tournament).cut_minutes if to_come in (0, 1) else None
    said = (own, of_finals, tournament.round_minutes, way_of(tournament).round_minutes)
    minutes = next((each for each in said if each is not None), None)
    if minutes is not None:
        return minutes
    length = (stage or tournament).match_length
    return usual_round_minutes(tournament.game, length.games)


def usual_round_minutes(game: str, games: int) -> int:
    """The minutes of a round unless the organiser says otherwise, from how long the game's rules say a game takes."""
    duration = get_system(game).match.duration
    return USUAL_MINUTES if duration is None else usual_minutes(duration.least, duration.most, games)
