"""Plays a made-up event through our services, results drawn from latent strength, and times every step."""

import logging
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from django.db import connection

from accounts.actors import SYSTEM
from rules_engine.errors import DomainError
from scoring.standings.simulated import simulated_result
from scoring.standings.standings import Standing, compute_standings
from tournaments.core.rounds import matches_of
from tournaments.entries.selectors.entries import active_entries
from tournaments.entries.services.attendance import drop_entry, next_round_number
from tournaments.entries.services.entries import EntryDraft, register_walk_ins
from tournaments.events.selectors.events import Step, next_step
from tournaments.events.services.event_drafts import EventDraft
from tournaments.events.services.events import create_tournament, finish_tournament, start_tournament
from tournaments.models import Match, Round, Stage, Tournament
from tournaments.pairing.swiss.swiss import pair_swiss
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.contenders import round_input_of
from tournaments.rounds.services.rounds import pair_next_round, publish_round
from tournaments.standings.selectors.standings import compute_standings_of, records_of
from tournaments.structure.selectors.stages import contestants, current_stage
from tournaments.structure.services.stage_drafts import StageDraft
from tournaments.structure.services.stages import begin_next_stage, set_stages

DROP_SHARE = 0.01
MIN_PLAYERS, MAX_ROUNDS = 2, 99
START = datetime(2026, 1, 3, 9, tzinfo=UTC)


@dataclass
class Timings:
    """Seconds by step as the services take them, and beside them seconds in the database and in the pure cores.

    `cores` are the pairing and standings functions called alone on the same states; they are part of the steps' time.
    """

    steps: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    database: float = 0.0
    cores: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time one act, queries and commits included."""
        meter = _DatabaseMeter()
        begun = time.perf_counter()
        with meter:
            yield
        self.steps[name] += time.perf_counter() - begun
        self.database += meter.seconds

    @contextmanager
    def core(self, name: str) -> Iterator[None]:
        """Time a pure function by itself."""
        begun = time.perf_counter()
        yield
        self.cores[name] += time.perf_counter() - begun

    def shares(self) -> dict[str, float]:
        """Parts of the whole, 0..1: pairing, standings, database, and the rest (models, checks, ledger)."""
        whole = sum(self.steps.values())
        parts = {**self.cores, "database": self.database}
        return {name: seconds / whole for name, seconds in {**parts, "rest": whole - sum(parts.values())}.items()}


class _DatabaseMeter(logging.Handler):
    """Sums what Django reports as the duration of queries and commits while it is active."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.seconds = 0.0
        self._logger = logging.getLogger("django.db.backends")

    def emit(self, record: logging.LogRecord) -> None:
        self.seconds += getattr(record, "duration", 0.0)

    def __enter__(self) -> None:
        self._before = (self._logger.level, self._logger.propagate)
        self._logger.setLevel(logging.DEBUG)
        self._logger.propagate = False
        self._logger.addHandler(self)
        connection.force_debug_cursor = True

    def __exit__(self, *_error: object) -> None:
        connection.force_debug_cursor = False
        self._logger.removeHandler(self)
        self._logger.setLevel(self._before[0])
        self._logger.propagate = self._before[1]


@dataclass(frozen=True)
class Simulation:
    """A played event with its final standings and what the steps took."""

    tournament: Tournament
    standings: tuple[Standing, ...]
    timings: Timings


def simulate_event(players: int, rounds: int, seed: int, *, later: Sequence[StageDraft] = ()) -> Simulation:
    """Play `rounds` Swiss rounds with `players` people, then the `later` stages; the same seed gives the same event.

    Raises DomainError "bad_count" for fewer than two players or no round, before anything is stored.
    """
    if players < MIN_PLAYERS or not 1 <= rounds <= MAX_ROUNDS:
        raise DomainError("bad_count", f"An event needs two players or more, and 1 to {MAX_ROUNDS} rounds.")
    chance, timings = random.Random(seed), Timings()  # noqa: S311 - reproducible on purpose
    with timings.step("register"):
        tournament = _set_up(players, [StageDraft(planned_rounds=rounds), *later], seed)
    strength = {entry.pk: chance.gauss(0, 1) for entry in active_entries(tournament)}
    while (step := next_step(tournament).step) in (Step.PAIR, Step.BEGIN_STAGE):
        if contestants(current_stage(tournament)).count() < MIN_PLAYERS:
            break
        if step is Step.BEGIN_STAGE:
            with timings.step("cut"):
                begin_next_stage(SYSTEM, tournament, START)
        else:
            play_round(tournament, strength, seed, chance, timings)
    with timings.step("finish"):
        tournament = finish_tournament(SYSTEM, tournament, START + timedelta(hours=rounds + 1), early="nobody is left")
    return Simulation(tournament, compute_standings_of(tournament), timings)


def _set_up(players: int, stages: Sequence[StageDraft], seed: int) -> Tournament:
    draft = EventDraft(
        f"Simulated event, seed {seed}",
        START,
        "house_game",
        "open",
        swiss_rounds=stages[0].planned_rounds,
        visibility=Tournament.Visibility.UNLISTED,
    )
    tournament = create_tournament(SYSTEM, draft, START)
    if len(stages) > 1:
        set_stages(SYSTEM, tournament, stages, START)
    register_walk_ins(
        SYSTEM, tournament, [EntryDraft(f"Player {number:04d}") for number in range(1, players + 1)], START
    )
    return start_tournament(SYSTEM, tournament, START)


def play_round(
    tournament: Tournament, strength: Mapping[int, float], seed: int, chance: random.Random, timings: Timings
) -> Round:
    """Pair, publish and report the next round of any kind of stage; then one in a hundred leaves.

    `strength` is that of each entry by id; `seed` and the round's number seed its pairing.
    """
    number = next_round_number(tournament)
    is_swiss = current_stage(tournament).kind == Stage.Kind.SWISS
    given, records = round_input_of(tournament, number, seed + number) if is_swiss else None, records_of(tournament)
    if given is not None:
        with timings.core("pairing"):
            pair_swiss(given)
    with timings.step("pair"):
        round_ = pair_next_round(SYSTEM, tournament, START, seed=seed + number)
    with timings.step("publish"):
        round_ = publish_round(SYSTEM, round_, START)
    with timings.step("report"):
        _report_all(round_, strength, chance)
    with timings.step("standings"):
        compute_standings_of(tournament)
    for played in (records, records_of(tournament)):  # the services compute them to pair the round and to show it
        with timings.core("standings"):
            compute_standings(strength, played, tournament.scoring_policy)
    _drop_some(tournament, chance)
    return round_


def _report_all(round_: Round, strength: Mapping[int, float], chance: random.Random) -> None:
    stage = round_.stage
    for match in matches_of(round_):
        if match.state != Match.State.DONE:
            seats = [strength[seat.entry_id] for seat in match.seats.all()]
            result = simulated_result(seats, stage.match_length, chance, needs_winner=stage.needs_winner)
            report_result(SYSTEM, match, result, START)


def _drop_some(tournament: Tournament, chance: random.Random) -> None:
    for entry in active_entries(tournament):
        if chance.random() < DROP_SHARE:
            drop_entry(SYSTEM, entry, START)
