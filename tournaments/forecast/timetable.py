"""When the round being played ends, the next begins and the event is over, from the times of this event's reports."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import Min, Q

from rules_engine.systems import get_system
from tournaments.core.rounds import rounds_of
from tournaments.forecast.games_over import games_over, share_left
from tournaments.forecast.planning import Plan
from tournaments.forecast.round_ends import (
    LEAST_LEFT,
    Forecaster,
    PlayingTable,
    Range,
    Seen,
    TableState,
    usual_durations,
)
from tournaments.models import Match, ResultReport, Round, Stage, Tournament
from tournaments.room.selectors.clocks import USUAL_MINUTES, clock_at, phases_of, planned_seconds, timed_round
from tournaments.structure.selectors.stages import contestants, field_of, rounds_in, rounds_planned, stages_of
from tournaments.timing import Timing, usual_minutes

ROUND, STACKING = "round", "stacking"
LONGEST_BREAK = timedelta(hours=1)
"""A longer pause between two rounds is a meal or a night: it says nothing of the next one."""
KEPT_SECONDS = 20
"""How long what every phone of the room asks for is kept; meanwhile one of them works it out again."""
KEEP = 120
SHORT = 3
"""Without a word on time in its rules, the shortest usual game takes one part in so many of the longest."""


@dataclass(frozen=True, slots=True)
class Moments:
    """An uncertain time of day: `median`, and between `low` and `high` four times in five."""

    low: datetime
    median: datetime
    high: datetime


@dataclass(frozen=True, slots=True)
class Timetable:
    """What is expected of a round being played. `next_start` is None after the last round, `event_end` where the number
    of rounds to come is not known; `held_up_by` are numbers of tables, none while many may be the last.
    """

    round: Round
    end: Moments
    next_start: Moments | None
    event_end: Moments | None
    held_up_by: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """When the tables of a round play: since when, how many seconds at most, how many it paused and since when."""

    since: datetime
    limit: float | None
    paused: float = 0.0
    stands_since: datetime | None = None

    def played(self, at: datetime) -> float:
        """The seconds played until then, pauses aside."""
        return max(0.0, (min(at, self.stands_since or at) - self.since).total_seconds() - self.paused)

    def limit_with(self, extra: int) -> float | None:
        """The seconds after which the time of a table with these extra seconds is over."""
        return None if self.limit is None else self.limit + extra


class EndedTable(NamedTuple):
    """A table that played to its end, its extra seconds, and the moment of its first report."""

    round_id: int
    extra: int
    at: datetime


@dataclass(frozen=True, slots=True)
class RoundInPlay:
    """The round being played, when its tables play, what forecasts its end, and the rounds to come if known."""

    round: Round
    play: Play
    forecaster: Forecaster
    coming: Sequence[tuple[int, float | None]] | None


def timetable_of(tournament: Tournament, now: datetime) -> Timetable | None:
    """The times to expect; None while no table plays. A constant number of queries.

    Each table is taken to play from the moment at which its round did; its first report is its end, confirmed or not.
    Of a match that is not over, the games written on its score sheet count.
    How anybody plays is not looked at.
    """
    playing = round_in_play(tournament, now)
    if playing is None:
        return None
    found, coming = playing.forecaster.forecast(), playing.coming
    until_then = max(0.0, (playing.play.since - now).total_seconds())

    def moments(drawn: Range) -> Moments:
        times = (now + timedelta(seconds=until_then + each) for each in (drawn.low, drawn.median, drawn.high))
        return Moments(*times)

    return Timetable(
        playing.round,
        moments(found.end),
        moments(found.next_start) if coming != [] else None,
        moments(found.last_end) if coming is not None else None,
        found.held_up_by,
    )


def round_in_play(tournament: Tournament, now: datetime) -> RoundInPlay | None:
    """What is known of the round being played; None while no table plays. A constant number of queries."""
    current = timed_round(tournament)
    play = play_of(tournament, current, now) if current else None
    if current is None or play is None:
        return None
    published = rounds_of(tournament).filter(published_at__isnull=False)
    earlier = list(published.select_related("stage").prefetch_related("clocks"))
    of_stage = [each for each in earlier if each.stage_id == current.stage_id]
    coming = _rounds_to_come(tournament, current.stage)
    forecaster = Forecaster(
        _usual(tournament, current.stage),
        _seen(tournament, of_stage, earlier, _ended(tournament), now),
        list(_playing_tables(current, play, now)),
        seed=current.pk,
        rounds_to_come=coming or (),
    )
    return RoundInPlay(current, play, forecaster, coming)


def _playing_tables(round_: Round, play: Play, now: datetime) -> Iterator[PlayingTable]:
    games = games_over(round_)
    played = play.played(now)
    for match in round_.matches.filter(state=Match.State.OPEN):
        state = TableState(played, play.limit_with(match.extra_seconds))
        if (over := games.get(match.pk)) is not None:
            left = max(LEAST_LEFT, share_left(round_.stage.match_length, over.won))
            state = state._replace(since=played - play.played(over.at), left=left)
        yield PlayingTable(match.table_number or 0, state)


@dataclass(frozen=True, slots=True)
class Pace:
    """How a planned event goes: its start, the usual durations of its matches, the seconds before each round's time."""

    starts_at: datetime
    usual: Sequence[float]
    stacking: float = 0.0


def pace_of(tournament: Tournament) -> Pace:
    """How an event goes by its settings; two queries."""
    stage = stages_of(tournament)[0]
    stage.tournament = tournament
    return Pace(tournament.starts_at, _usual(tournament, stage), planned_seconds(tournament, stage).get(STACKING, 0))


def usual_pace(starts_at: datetime, minutes: int) -> Pace:
    """How an event goes of which no more is known than the length of its rounds; 0 for no clock."""
    longest = 60.0 * (minutes or USUAL_MINUTES)
    return Pace(starts_at, usual_durations(longest / SHORT, longest))


def planned_end(pace: Pace, plan: Plan, minutes: int, seed: int) -> Moments:
    """When an event of this plan ends that goes at this pace and has this round length (0: no clock)."""
    limit = 60.0 * minutes + pace.stacking if minutes else None
    rounds = [(max(1, plan.players // 2), limit)] * plan.rounds
    tables = plan.cut
    while tables > 1:
        tables = (tables + 1) // 2
        rounds.append((tables, limit))
    found = Forecaster(pace.usual, Seen(), [], seed, rounds).forecast().last_end
    times = (pace.starts_at + timedelta(seconds=each) for each in (found.low, found.median, found.high))
    return Moments(*times)


def kept_next_start(tournament: Tournament, playing: Round, now: datetime) -> datetime | None:
    """When the round after the one being played is expected to start, at most `KEPT_SECONDS` old while anybody asks.

    None where it cannot be said, and for whoever asks while another works it out for the first time.
    """
    key = f"next-start:{playing.pk}"
    kept: tuple[datetime, datetime | None] | None = cache.get(key)
    is_fresh = kept is not None and (now - kept[0]).total_seconds() < KEPT_SECONDS
    asked = f"{key}:{int(now.timestamp()) // KEPT_SECONDS}"
    if is_fresh or not cache.add(asked, 1, KEPT_SECONDS):
        return kept[1] if kept else None
    found = timetable_of(tournament, now)
    start = found.next_start.median if found and found.next_start else None
    cache.set(key, (now, start), KEEP)
    return start


def play_of(tournament: Tournament, round_: Round, now: datetime) -> Play | None:
    """When the tables of a published round play; None while nobody has started its clock."""
    round_.stage.tournament = tournament
    phases = phases_of(tournament, round_, list(round_.clocks.all()))
    if not phases:
        return Play(round_.published_at, None) if round_.published_at else None
    timing: Timing = dict(clock_at(round_, phases, now).phases)[ROUND]
    if timing.started_at is None:
        return None
    limit = float(timing.length)
    if timing.stopped_at is not None:
        limit = min(limit, (timing.stopped_at - timing.started_at).total_seconds() - timing.paused)
    stands = timing.paused_at if timing.stopped_at is None else None
    return Play(timing.started_at, limit, timing.paused, stands)


def _ended(tournament: Tournament) -> list[EndedTable]:
    """The tables that played to their end, in the order of their reports."""
    played = Match.objects.filter(
        round__stage__tournament=tournament, round__superseded_at=None, kind=Match.Kind.PLAYED
    ).exclude(state=Match.State.OPEN)
    at_table = Q(reports__kind=ResultReport.Kind.PLAYED)
    reported = played.annotate(ended_at=Min("reports__reported_at", filter=at_table)).filter(ended_at__isnull=False)
    return [
        EndedTable(*row) for row in reported.order_by("ended_at").values_list("round_id", "extra_seconds", "ended_at")
    ]


def _seen(
    tournament: Tournament,
    of_stage: Sequence[Round],
    rounds: Sequence[Round],
    ended: Sequence[EndedTable],
    now: datetime,
) -> Seen:
    durations, settling, cut_off = [], [], []
    plays = {each.pk: play for each in of_stage if (play := play_of(tournament, each, now)) is not None}
    for table in ended:
        play = plays.get(table.round_id)
        if play is None:
            continue
        played, limit = play.played(table.at), play.limit_with(table.extra)
        if limit is not None and played > limit:
            settling.append(played - limit)
            cut_off.append(limit)
        elif played > 0:
            durations.append(played)
    return Seen(durations, settling, cut_off, list(_breaks(rounds, ended)))


def _breaks(rounds: Sequence[Round], ended: Sequence[EndedTable]) -> Iterator[float]:
    """The seconds from the last result of a round to the publication of the next."""
    last = {table.round_id: table.at for table in ended}
    for before, after in pairwise(rounds):
        gap = after.published_at - last[before.pk] if before.pk in last and after.published_at else None
        if gap is not None and timedelta(0) < gap < LONGEST_BREAK:
            yield gap.total_seconds()


def _usual(tournament: Tournament, stage: Stage) -> Sequence[float]:
    """The usual durations of a match, by the game's rules or the length of the round."""
    games, duration = stage.match_length.games, get_system(tournament.game).match.duration
    if duration is None:
        minutes = planned_seconds(tournament, stage).get(ROUND, USUAL_MINUTES * 60) / 60
        return usual_durations(60 * minutes / SHORT, 60 * minutes)
    fewest = stage.match_length.games if stage.match_length.exactly else stage.match_length.wins_needed
    return usual_durations(60 * duration.least * fewest, 60 * usual_minutes(duration.least, duration.most, games))


def _rounds_to_come(tournament: Tournament, current: Stage) -> list[tuple[int, float | None]] | None:
    """The tables and the time of each round after this one; None where their number is not known."""
    coming: list[tuple[int, float | None]] = []
    for stage in stages_of(tournament):
        if stage.number < current.number:
            continue
        stage.tournament = tournament
        planned = rounds_planned(stage)
        if planned is None:
            return None
        begun = rounds_in(stage).count() if stage.number == current.number else 0
        for index in range(begun, planned):
            lengths = planned_seconds(tournament, stage, planned - 1 - index if stage.is_bracket else None)
            coming.append((_tables_in(stage, index), float(sum(lengths.values())) if lengths else None))
    return coming


def _tables_in(stage: Stage, round_index: int) -> int:
    """About how many tables play in a round of a stage: half as many from round to round of a bracket."""
    coming = stage.qualify_value if stage.seeds is None and stage.qualify == Stage.Qualify.TOP else None
    size = len(field_of(stage)) or coming or contestants(stage).count()
    if stage.is_bracket:
        return max(1, size >> (round_index + 1))
    return max(1, size // stage.table_policy.preferred if stage.kind == Stage.Kind.TABLES else size // 2)
