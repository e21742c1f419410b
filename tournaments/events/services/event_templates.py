"""Events made from events: all settings and stages, no entries, no results."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from accounts.actors import Actor
from journal.models import LedgerEntry
from journal.transactions import in_transaction
from tournaments.core.ledger import log_act
from tournaments.events.services.event_drafts import EventDraft
from tournaments.events.services.events import create_tournament
from tournaments.events.services.settings import draft_of_event
from tournaments.forecast.services import show_outlook
from tournaments.models import Role, Tournament
from tournaments.structure.services.stage_drafts import COUNTED, stage_drafts_of
from tournaments.structure.services.stages import store_stages


@in_transaction
def copy_tournament(
    actor: Actor, tournament: Tournament, changes: Mapping[str, Any], now: datetime, *, same_staff: bool = False
) -> Tournament:
    """A new event in draft with the settings and stages of another, `changes` (names of EventDraft) aside.

    The actor is its organiser, nobody else is staff unless `same_staff`. A number of rounds that was recommended at the
    start is recommended again; a deck deadline and the time when the hall
    closes keep their distance to the start. Raises what `create_tournament` raises.
    """
    copy = create_tournament(actor, _draft_of_copy(tournament, changes), now)
    first, *later = stage_drafts_of(tournament)
    if first.kind in COUNTED:
        first = replace(first, planned_rounds=copy.swiss_rounds)
    store_stages(copy, [first, *later])
    copy = show_outlook(actor, copy, now, shows=tournament.shows_outlook)
    if same_staff:
        _copy_staff(tournament, copy, now)
    log_act(copy, "event.copied", actor, now, {"from": tournament.pk, "same_staff": int(same_staff)})
    return copy


def _draft_of_copy(tournament: Tournament, changes: Mapping[str, Any]) -> EventDraft:
    draft = draft_of_event(tournament)
    if _takes_advice(tournament):
        draft = replace(draft, swiss_rounds=None)
    draft = replace(draft, **changes)
    moved = {
        name: moment + (draft.starts_at - tournament.starts_at)
        for name in ("deck_deadline", "hall_closes_at")
        if (moment := getattr(draft, name)) is not None and name not in changes
    }
    return replace(draft, **moved)


def _takes_advice(tournament: Tournament) -> bool:
    """Whether the start chose the number of rounds, as the organiser had left it open, and nobody changed it since."""
    moves = LedgerEntry.objects.filter(stream=tournament.stream, act="event.state_changed").order_by("sequence")
    started = [each.subjects for each in moves if "planned" in each.subjects][-1:]
    chosen = [each.get("rounds") for each in started if each["planned"] == 0]
    return tournament.started_at is not None and chosen == [tournament.swiss_rounds]


def _copy_staff(tournament: Tournament, copy: Tournament, now: datetime) -> None:
    held = set(copy.roles.values_list("user", "name"))
    Role.objects.bulk_create(
        Role(tournament=copy, user_id=user, name=name, granted_at=now)
        for user, name in tournament.roles.values_list("user", "name")
        if (user, name) not in held
    )
