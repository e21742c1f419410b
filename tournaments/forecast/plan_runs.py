"""Longer simulations of a planned event: asked for, played chunk by chunk on workers, kept for an hour.

Nothing of it belongs to the event, so nothing is stored: plan and results lie in the cache, and the messages of the
outbox say how far the work is. Where the cache lost them, the run is gone and its page says so. A new run of an event
takes the place of the one before.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import uuid4

from django.core.cache import cache
from django.utils.translation import gettext as _

from journal.models import OutboxMessage
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, NotFound
from tournaments.forecast.planning import Counts, Outcome, Plan, count_runs, outcome_of
from tournaments.forecast.plans import compared
from tournaments.models import Tournament

TASK = "tournaments.simulate_plan"
CHUNKS = 20
CHUNK_SEATS = 2_000_000
"""So many seats of rounds are simulated in a chunk: a second or two."""
MOST_A_CHUNK = 500
"""Runs of each plan in a chunk, at most."""
KEPT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class PlanRun:
    """A longer simulation of a plan and those compared with it, by its id; `stopped` by an organiser or a newer one."""

    id: str
    tournament: int
    plan: Plan
    minutes: int
    seed: int
    asked_at: datetime
    stopped: bool = False

    @property
    def plans(self) -> list[Plan]:
        """All that are simulated."""
        return compared(self.plan)

    @property
    def runs_a_chunk(self) -> int:
        """How often each is played in a chunk."""
        seats = sum(plan.players * plan.rounds for plan in self.plans)
        return max(1, min(MOST_A_CHUNK, CHUNK_SEATS // seats))


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
        if self.run.stopped:
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
        """How much is done."""
        return 100 * self.done // CHUNKS


@in_transaction
def ask_plan_run(tournament: Tournament, plan: Plan, minutes: int, seed: int, now: datetime) -> PlanRun:
    """Have workers simulate a plan at length; stops an earlier run of this event."""
    if (before := newest_run_of(tournament)) is not None:
        _keep(before, stopped=True)
    run = PlanRun(str(uuid4()), tournament.pk, plan, minutes, seed, now)
    _keep(run)
    cache.set(_newest_key(tournament), run.id, KEPT_SECONDS)
    for number in range(CHUNKS):
        enqueue(TASK, [run.id, number], now, tournament.stream)
    return run


def stop_plan_run(tournament: Tournament, run_id: str) -> PlanRun:
    """Stop a run; what it found stays. NotFound "unknown_run"; Conflict "run_over" where nothing goes on."""
    state = plan_run_state(tournament, run_id)
    if not state.is_going_on:
        raise Conflict("run_over", _("This simulation has ended already."))
    return _keep(state.run, stopped=True)


def stop_newest_run(tournament: Tournament) -> PlanRun:
    """Stop the run asked for last; Conflict "run_over" where nothing goes on, or nothing is kept."""
    run = newest_run_of(tournament)
    if run is None:
        raise Conflict("run_over", _("This simulation has ended already."))
    return stop_plan_run(tournament, run.id)


def simulate_chunk(run_id: str, number: int) -> None:
    """Play one chunk; nothing for one that is kept already, or of a run that was stopped, replaced or is gone.

    What it finds follows from the run's seed and the chunk's number, however often it is played.
    """
    run = _kept(run_id)
    if run is None or run.stopped or not 0 <= number < CHUNKS or cache.get(_chunk_key(run_id, number)) is not None:
        return
    found = [count_runs(plan, run.runs_a_chunk, f"{run.seed}:{number}") for plan in run.plans]
    cache.set(_chunk_key(run_id, number), found, KEPT_SECONDS)


def newest_run_of(tournament: Tournament) -> PlanRun | None:
    """The run asked for last, while it is kept."""
    run_id: str | None = cache.get(_newest_key(tournament))
    return _kept(run_id) if run_id else None


def run_for(tournament: Tournament, plan: Plan, minutes: int) -> PlanRunState | None:
    """How far the newest run is, if it is about this plan; one query."""
    run = newest_run_of(tournament)
    if run is None or (run.plan, run.minutes) != (plan, minutes):
        return None
    return plan_run_state(tournament, run.id)


def plan_run_state(tournament: Tournament, run_id: str) -> PlanRunState:
    """How far a run of this event is, by its id; one query. NotFound "unknown_run" for one that is not kept."""
    run = _kept(run_id)
    if run is None or run.tournament != tournament.pk:
        raise NotFound("unknown_run", _("This simulation isn't kept any more. Start it again."))
    chunks = cache.get_many([_chunk_key(run_id, number) for number in range(CHUNKS)])
    failed = OutboxMessage.objects.filter(task=TASK, stream=tournament.stream, args__0=run_id, parked_at__isnull=False)
    return PlanRunState(run, len(chunks), failed.exists(), tuple(_outcomes(run.plans, chunks.values())))


def _outcomes(plans: Iterable[Plan], chunks: Iterable[list[Counts]]) -> Iterable[Outcome]:
    for plan, *parts in zip(plans, *chunks, strict=True):
        whole = Counts()
        for part in parts:
            whole.add(part)
        if parts:
            yield outcome_of(plan, whole)


def _keep(run: PlanRun, *, stopped: bool = False) -> PlanRun:
    kept = replace(run, stopped=stopped)
    cache.set(_key(run.id), kept, KEPT_SECONDS)
    return kept


def _kept(run_id: str) -> PlanRun | None:
    """The run of an id that anybody may have typed."""
    found = cache.get(_key(run_id))
    return found if isinstance(found, PlanRun) else None


def _key(run_id: str) -> str:
    return f"plan-run:{run_id}"


def _chunk_key(run_id: str, number: int) -> str:
    return f"plan-run:{run_id}:{number}"


def _newest_key(tournament: Tournament) -> str:
    return f"plan-run-of:{tournament.pk}"
