"""The structure of an event: its stages set, begun one after the other, taken back."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.marks import mark_of
from journal.transactions import in_transaction
from rules_engine.errors import Conflict, DomainError
from tournaments.core.ledger import lock_tournament, log_act, require_reason
from tournaments.models import Round, Stage, Tournament
from tournaments.pairing.brackets.elimination import MAX_ENTRANTS
from tournaments.rounds.services.closing import close_rounds
from tournaments.structure.selectors.brackets import is_complete
from tournaments.structure.selectors.cuts import NextCut, preview_next_stage
from tournaments.structure.selectors.stages import current_stage, has_begun, rounds_in, stages_of
from tournaments.structure.services.stage_drafts import (
    COUNTED,
    NAMES,
    StageDraft,
    check_stages,
    stage_drafts_of,
    stage_fault,
)

Qualify, State = Stage.Qualify, Tournament.State


def stages_mark(tournament: Tournament) -> str:
    """A short mark of all stages: another one means that a person changed them or that one began."""
    begun = [has_begun(stage) for stage in stages_of(tournament)]
    return mark_of([begun, [_plain(draft) for draft in stage_drafts_of(tournament)]])


def _plain(draft: StageDraft) -> dict[str, Any]:
    return {**asdict(draft), "tables": draft.tables.as_dict()}


@in_transaction
def set_stages(
    actor: Actor, tournament: Tournament, drafts: Sequence[StageDraft], now: datetime, *, seen: str | None = None
) -> list[Stage]:
    """Store the list of stages; once the event runs, those that have begun stay as they are but for their rounds.

    `seen` is the `stages_mark` that the organiser looked at: Conflict "stages_changed". Raises DomainError "bad_stage"
    with `stage` (its number) and `field`, "stage_has_begun" likewise, "wrong_state".
    """
    tournament = lock_tournament(tournament)
    if tournament.state not in (State.DRAFT, State.REGISTRATION, State.RUNNING):
        text = _("Stages cannot be changed: the event is “%(state)s”.")
        raise DomainError("wrong_state", text % {"state": tournament.get_state_display()})
    if seen is not None and seen != stages_mark(tournament):
        raise Conflict("stages_changed", _("The stages have changed. Look at them before you save yours."))
    check_stages(tournament, drafts)
    before = {stage.number: (stage, draft) for stage, draft in _stored(tournament)}
    _check_begun(before, drafts)
    store_stages(tournament, drafts)
    summary = ", ".join(_summary_of(draft) for draft in drafts)
    log_act(tournament, "stages.set", actor, now, {"stages": summary, "count": len(drafts)})
    return stages_of(tournament)


def store_stages(tournament: Tournament, drafts: Sequence[StageDraft]) -> None:
    """Write checked drafts over the stages there are; one more is made, one less goes."""
    rows = {stage.number: stage for stage in stages_of(tournament)}
    for number, draft in enumerate(drafts, start=1):
        stage = rows.pop(number, None) or Stage(tournament=tournament, number=number)
        for name in NAMES:
            setattr(stage, name, getattr(draft, name))
        stage.tables = draft.tables.as_dict()
        if number == 1:
            stage.planned_rounds = None
        stage.save()
    Stage.objects.filter(pk__in=[stage.pk for stage in rows.values()]).delete()
    first = drafts[0]
    if first.kind in COUNTED and tournament.swiss_rounds != first.planned_rounds:
        running = tournament.state == State.RUNNING
        tournament.swiss_rounds = first.planned_rounds or (tournament.swiss_rounds if running else None)
        tournament.save(update_fields=["swiss_rounds"])


def _stored(tournament: Tournament) -> list[tuple[Stage, StageDraft]]:
    return list(zip(stages_of(tournament), stage_drafts_of(tournament), strict=True))


def _summary_of(draft: StageDraft) -> str:
    return draft.kind + ("" if draft.qualify_value is None else f" ({draft.qualify} {draft.qualify_value})")


def _check_begun(before: Mapping[int, tuple[Stage, StageDraft]], drafts: Sequence[StageDraft]) -> None:
    """Refuse to change what is played or was; a number of rounds may change, down to those paired."""
    for number, (stage, was) in before.items():
        draft = drafts[number - 1] if number <= len(drafts) else None
        if draft is None and Round.objects.filter(stage=stage).exists():
            raise stage_fault(number, "kind", _("it has rounds already, so you can't remove it."), "stage_has_begun")
        if not has_begun(stage):
            continue
        changed = [name for name in NAMES if draft is not None and getattr(draft, name) != getattr(was, name)]
        if draft is None or set(changed) - {"planned_rounds", "name"}:
            name = next((each for each in changed if each not in ("planned_rounds", "name")), "kind")
            raise stage_fault(number, name, _("it has begun and stays as it is."), "stage_has_begun")
        if draft.planned_rounds is not None and draft.planned_rounds < rounds_in(stage).count():
            raise stage_fault(number, "planned_rounds", _("more rounds than that are paired already."))


@in_transaction
def begin_next_stage(
    actor: Actor,
    tournament: Tournament,
    now: datetime,
    *,
    seen: str | None = None,
    chosen: Collection[int] = (),
    reason: str = "",
) -> Stage:
    """Cut by the standings and begin the next stage: its seeds are stored, for good; decklists follow the cut.

    `seen` is the `NextCut.mark` that the organiser looked at: Conflict "cut_changed". A tie at the line is decided by
    lot unless `chosen` names those of the tied who play on, for a `reason`. Nothing begins while a match is open.
    Raises DomainError "wrong_state", "no_stage_left", "missing_results", "not_published", "rounds_left", "bad_choice",
    "reason_needed", "too_few_entries", "bad_bracket_size".
    """
    tournament = lock_tournament(tournament)
    if tournament.state != State.RUNNING:
        text = _("A stage begins while the event runs; now it is “%(state)s”.")
        raise DomainError("wrong_state", text % {"state": tournament.get_state_display()})
    close_rounds(actor, tournament, now)
    current = current_stage(tournament)
    if not is_complete(current):
        raise DomainError("rounds_left", _("This stage has rounds left: play them, or plan fewer rounds."))
    found = preview_next_stage(tournament, chosen=chosen)
    if seen is not None and seen not in (found.mark, preview_next_stage(tournament).mark):
        raise Conflict("cut_changed", _("The standings changed since you looked: look at the cut again, then decide."))
    reason = require_reason(reason) if chosen else ""
    _check_size(found)
    stage = found.stage
    stage.seeds, stage.started_at = list(found.cut.seeds), now
    stage.save(update_fields=["seeds", "started_at"])
    subjects: dict[str, int | str] = {"stage": stage.number, "players": found.players}
    if stage.qualify != Qualify.EVERYBODY and _publish_decks(tournament, now):
        subjects["decks_published"] = tournament.deck_publish
    if found.cut.tie is not None:
        subjects["tie"] = "chosen" if chosen else "lot"
    log_act(tournament, "stage.begun", actor, now, subjects, {"reason": reason} if reason else None)
    return stage


@in_transaction
def begin_recorded_stage(actor: Actor, tournament: Tournament, seeds: Sequence[int], now: datetime) -> Stage:
    """Begin the next stage with the entries, by id, that are on record as its field, the best seed first.

    For events that were played elsewhere, whose cut nobody computes again. DomainError "no_stage_left".
    """
    tournament = lock_tournament(tournament)
    close_rounds(actor, tournament, now)
    stage = preview_next_stage(tournament).stage
    stage.seeds, stage.started_at = list(seeds), now
    stage.save(update_fields=["seeds", "started_at"])
    log_act(tournament, "stage.begun", actor, now, {"stage": stage.number, "players": len(seeds)})
    return stage


def _check_size(found: NextCut) -> None:
    if found.players < 2:
        raise DomainError("too_few_entries", _("A stage needs at least two players."))
    if found.stage.is_bracket and len(found.cut.seeds) > MAX_ENTRANTS:
        raise DomainError("bad_bracket_size", _("An elimination has %(most)d places at most.") % {"most": MAX_ENTRANTS})


def _publish_decks(tournament: Tournament, now: datetime) -> bool:
    """Show the lists where the event shows them after the cut; what was published once stays so."""
    if tournament.deck_publish != Tournament.DeckPublish.AFTER_CUT or tournament.decks_published_at is not None:
        return False
    tournament.decks_published_at = now
    tournament.save(update_fields=["decks_published_at"])
    return True


@in_transaction
def take_stage_back(actor: Actor, tournament: Tournament, reason: str, now: datetime) -> Stage:
    """Take back the cut that began the current stage, while no round of it stands; the last round opens again.

    Decklists that were published with it stay published. Raises DomainError "reason_needed", Conflict "stage_played"
    while a round of it stands ("withdraw it first"), DomainError "first_stage", "wrong_state".
    """
    tournament = lock_tournament(tournament)
    reason = require_reason(reason)
    stage = current_stage(tournament)
    if tournament.state != State.RUNNING or stage.number == 1:
        raise DomainError("first_stage", _("There is no cut to undo."))
    if rounds_in(stage).exists():
        raise Conflict("stage_played", _("This stage has a round: take it back first."))
    stage.seeds, stage.started_at = None, None
    stage.save(update_fields=["seeds", "started_at"])
    before = rounds_in(current_stage(tournament)).last()
    if before is not None:
        Round.objects.filter(pk=before.pk).update(state=Round.State.PUBLISHED, closed_at=None)
    log_act(tournament, "stage.taken_back", actor, now, {"stage": stage.number}, {"reason": reason})
    return stage
