"""Longer simulations of a planned event: asked for, played chunk by chunk on workers, kept until the next one.

Nothing of it belongs to the event, so nothing is logged: run and chunks have rows of their own, and the messages of
the outbox say which chunks were given up. A new run of an event takes the place of the one before.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from journal.models import OutboxMessage
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, NotFound
from tournaments.forecast.planning import Counts, Outcome, Plan, count_runs, outcome_of
from tournaments.forecast.plans import compared
from tournaments.models import PlanChunk, PlanRun, Tournament

TASK = "tournaments.simulate_plan"
CHUNKS = 20
CHUNK_SEATS = 2_000_000
"""So many seats of rounds are simulated in a chunk: a second or two."""
MOST_A_CHUNK = 500
"""Runs of each plan in a chunk, at most."""


@dataclass(frozen=True, slots=True)
class PlanRunState:
    """How far a run is: chunks done, whether any of them failed for good, and what they found, plan by plan."""

    run: PlanRun
    done: int
    has_failed: bool
    outcomes: tuple[Outcome, ...]

    @property
    def state(self) -> str:
        """In one word: "done", "stopped", "failed", "running", or "waiting" for a worker."""
        if self.done >= CHUNKS:
            return "done"
        if self.run.stopped_at:
            return "stopped"
        if self.has_failed:
            return "failed"
        return "running" if self.done else "waiting"

    @property
    def is_going_on(self) -> bool:
        """Whether more is to come."""
        return self.state in ("running", "waiting")

    @property
    def percent(self) -> int:
        return 100 * self.done // CHUNKS


@in_transaction
def ask_plan_run(tournament: Tournament, plan: Plan, minutes: int, seed: int, now: datetime) -> PlanRun:
    """Have workers simulate a plan at length, in place of an earlier run of this event, whose chunks find it gone."""
    for before in tournament.plan_runs.select_for_update():  # nobody keeps a chunk of it while it goes
        before.delete()
    given: dict[str, Any] = {"plan": asdict(plan), "plans": [asdict(each) for each in compared(plan)]}
    run = PlanRun.objects.create(tournament=tournament, minutes=minutes, seed=seed, asked_at=now, **given)
    for number in range(CHUNKS):
        enqueue(TASK, [str(run.pk), number], now, tournament.stream)
    return run


@in_transaction
def stop_plan_run(tournament: Tournament, run_id: UUID, now: datetime) -> None:
    """Stop a run; what it found stays. NotFound "unknown_run"; Conflict "run_over" where nothing goes on."""
    _stop(plan_run_state(tournament, run_id), now)


@in_transaction
def stop_newest_run(tournament: Tournament, now: datetime) -> None:
    """Stop the run asked for last; Conflict "run_over" where nothing goes on, or there is none."""
    run = tournament.plan_runs.first()
    _stop(_state_of(run) if run else None, now)


def _stop(state: PlanRunState | None, now: datetime) -> None:
    if state is None or not state.is_going_on:
        raise Conflict("run_over", _("This simulation has ended already."))
    PlanRun.objects.filter(pk=state.run.pk).update(stopped_at=now)


def simulate_chunk(run_id: str, number: int) -> None:
    """Play one chunk; nothing for one that is kept already, or of a run that was stopped or replaced.

    What it finds follows from the run's seed and the chunk's number, however often it is played.
    """
    going_on = PlanRun.objects.filter(pk=run_id, stopped_at=None)
    run = going_on.exclude(done__number=number).first()
    if run is None or not 0 <= number < CHUNKS:
        return
    plans = plans_of(run)
    found = [count_runs(plan, runs_a_chunk(plans), f"{run.seed}:{number}").as_list() for plan in plans]
    _keep_chunk(PlanChunk(run=run, number=number, counts=found))


@in_transaction
def _keep_chunk(chunk: PlanChunk) -> None:
    """Keep what a chunk found, unless it is kept already or the run was stopped or replaced meanwhile."""
    if PlanRun.objects.select_for_update().filter(pk=chunk.run_id, stopped_at=None).exists():
        PlanChunk.objects.bulk_create([chunk], ignore_conflicts=True)


def plans_of(run: PlanRun) -> list[Plan]:
    """All that are simulated."""
    return [Plan(**each) for each in run.plans]


def runs_a_chunk(plans: Iterable[Plan]) -> int:
    """How often each of them is played in a chunk."""
    return max(1, min(MOST_A_CHUNK, CHUNK_SEATS // sum(plan.players * plan.rounds for plan in plans)))


def run_for(tournament: Tournament, plan: Plan, minutes: int) -> PlanRunState | None:
    """How far the newest run is, if it is about this plan; at most three queries."""
    run = tournament.plan_runs.first()
    if run is None or (Plan(**run.plan), run.minutes) != (plan, minutes):
        return None
    return _state_of(run)


def plan_run_state(tournament: Tournament, run_id: UUID) -> PlanRunState:
    """How far a run of this event is, by its id; three queries. NotFound "unknown_run" for one that was replaced."""
    run = tournament.plan_runs.filter(pk=run_id).first()
    if run is None:
        raise NotFound("unknown_run", _("This simulation isn't kept any more. Start it again."))
    return _state_of(run)


def _state_of(run: PlanRun) -> PlanRunState:
    chunks = list(run.done.values_list("counts", flat=True))
    failed = OutboxMessage.objects.filter(task=TASK, args__0=str(run.pk), parked_at__isnull=False)
    return PlanRunState(run, len(chunks), failed.exists(), tuple(_outcomes(plans_of(run), chunks)))


def _outcomes(plans: Iterable[Plan], chunks: Iterable[list[Any]]) -> Iterable[Outcome]:
    for plan, *parts in zip(plans, *chunks, strict=True):
        whole = Counts()
        for part in parts:
            whole.add(Counts.from_list(part))
        if parts:
            yield outcome_of(plan, whole)
