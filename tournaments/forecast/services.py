"""The outlook shown or hidden, and its simulation: asked for, stopped, and kept chunk by chunk."""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import Count
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.ledger.selectors import head_of
from journal.models import OutboxMessage
from journal.outbox.messages import enqueue
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import lock_tournament, log_act
from tournaments.forecast.inputs import OutlookGiven
from tournaments.forecast.selectors import outlook_given
from tournaments.models import OutlookChunk, OutlookRun, Tournament

TASK = "tournaments.simulate_outlook"
CHUNKS, SAMPLES = 20, 100
"""Messages of one run, and courses in each: together a standard error of 1.1 % at most."""


@in_transaction
def show_outlook(actor: Actor, tournament: Tournament, now: datetime, *, shows: bool) -> Tournament:
    """Let all players see what they need, or none; officials always do."""
    tournament = lock_tournament(tournament)
    if tournament.shows_outlook != shows:
        tournament.shows_outlook = shows
        tournament.save(update_fields=["shows_outlook"])
        log_act(tournament, "outlook.shown" if shows else "outlook.hidden", actor, now)
    return tournament


@in_transaction
def ask_outlook(actor: Actor, tournament: Tournament, now: datetime, seed: int) -> OutlookRun:
    """Have the rest of the stage simulated from what stands now; takes the place of earlier runs.

    One at a time: Conflict "outlook_running", unless all that is left of it was given up. DomainError "no_outlook"
    where nothing is left to simulate.
    """
    tournament = lock_tournament(tournament)
    unfinished = tournament.outlook_runs.filter(cancelled_at=None).annotate(kept=Count("done"))
    if any(run.kept < run.chunks and _is_worked_on(run) for run in unfinished):
        raise Conflict("outlook_running", _("A simulation is running. Wait for it, or stop it."))
    found = outlook_given(tournament)
    if found is None or not (found[0].matches or found[0].rounds):
        raise DomainError("no_outlook", _("Nothing to simulate: no match or points round is left."))
    return _start(actor, tournament, found[0], now, seed)


@in_transaction
def renew_outlook(actor: Actor, tournament: Tournament, now: datetime, seed: int) -> OutlookRun | None:
    """Simulate the rest again from what counts now; None where that is simulated already, was stopped, or is over."""
    tournament = lock_tournament(tournament)
    run, found = tournament.outlook_runs.first(), outlook_given(tournament)
    if run is None or run.cancelled_at is not None or found is None or found[0].as_dict() == run.given:
        return None
    return _start(actor, tournament, found[0], now, seed) if found[0].matches or found[0].rounds else None


def _start(actor: Actor, tournament: Tournament, given: OutlookGiven, now: datetime, seed: int) -> OutlookRun:
    """A run in place of earlier ones, whose chunks find theirs gone and stop."""
    for before in tournament.outlook_runs.select_for_update():  # nobody keeps a chunk of it while it goes
        before.delete()
    run = OutlookRun.objects.create(
        tournament=tournament,
        position=head_of(tournament.stream).sequence,
        seed=seed,
        given=given.as_dict(),
        chunks=CHUNKS,
        samples_a_chunk=SAMPLES,
        asked_at=now,
    )
    for number in range(run.chunks):
        enqueue(TASK, [run.pk, number], now, run.tournament.stream)
    log_act(tournament, "outlook.asked", actor, now, {"run": run.pk, "seed": seed, "samples": CHUNKS * SAMPLES})
    return run


def _is_worked_on(run: OutlookRun) -> bool:
    """Whether a chunk of a simulation is still to be done: what failed keeps nobody waiting."""
    return OutboxMessage.objects.filter(task=TASK, args__0=run.pk, done_at=None, parked_at=None).exists()


@in_transaction
def cancel_outlook(actor: Actor, tournament: Tournament, now: datetime) -> None:
    """Stop the simulation that is under way; what it found stays. Conflict "outlook_over" when there is none."""
    tournament = lock_tournament(tournament)
    run = OutlookRun.objects.select_for_update().filter(tournament=tournament, cancelled_at=None).first()
    if run is None or run.done.count() >= run.chunks:
        raise Conflict("outlook_over", _("No simulation is under way."))
    run.cancelled_at = now
    run.save(update_fields=["cancelled_at"])
    log_act(tournament, "outlook.stopped", actor, now, {"run": run.pk})


@in_transaction
def keep_chunk(run_id: int, number: int, counts: Mapping[int, list[int]], now: datetime) -> None:
    """Store what a chunk found unless it is stored already, or the run was stopped or replaced meanwhile."""
    if OutlookRun.objects.select_for_update().filter(pk=run_id, cancelled_at=None).exists():
        by_entry = {str(entry): found for entry, found in counts.items()}
        chunk = OutlookChunk(run_id=run_id, number=number, counts=by_entry, done_at=now)
        OutlookChunk.objects.bulk_create([chunk], ignore_conflicts=True)
