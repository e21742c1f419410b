"""Looks at what an act would move before it is done, and does it once a person has looked."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.actors import Actor
from journal.transactions import in_transaction
from rules_engine.errors import Conflict
from tournaments.core.ledger import lock_tournament
from tournaments.impact.selectors import Impact, Situation, impact_between, situation_of
from tournaments.manual_pairing.services import change_round
from tournaments.models import Tournament
from tournaments.pairing.manual.round_draft import Act, Change

T = TypeVar("T")


def look_at(tournament: Tournament, act: Callable[[], object], *, with_tables: bool) -> Impact:
    """What an act (a call of one service) would move; it is done and taken back, so that nothing of it stays.

    Raises what the act raises. `with_tables` for actors who may see pairings before they are published.
    """
    return impact_between(*_try(tournament, act, with_tables=with_tables))


@in_transaction
def _try(tournament: Tournament, act: Callable[[], object], *, with_tables: bool) -> tuple[Situation, Situation]:
    """The situations before and after an act that is taken back; computing with them needs no lock any more."""
    tournament = lock_tournament(tournament)
    before = situation_of(tournament, with_tables=with_tables)
    act()
    after = situation_of(tournament, with_tables=with_tables)
    transaction.set_rollback(True)
    return before, after


@in_transaction
def apply_if_unchanged(tournament: Tournament, act: Callable[[], T], *, seen: str, with_tables: bool) -> T:
    """Do an act whose impact was previewed (`Impact.mark`): Conflict "moved_on" if anything it depends on moved."""
    tournament = lock_tournament(tournament)
    if seen != situation_of(tournament, with_tables=with_tables).mark:
        raise Conflict(
            "moved_on",
            _("This has changed since you looked; nothing was saved. Check again, then decide."),
        )
    return act()


@in_transaction
def apply_and_repair_pairings(
    actor: Actor, tournament: Tournament, act: Callable[[], T], reason: str, now: datetime, *, seen: str
) -> T:
    """The same, and pair the fewest tables of the newest round again that make it as good as can be afterwards.

    Raises as `change_round` does, DomainError "same_place" where no other pairing is better.
    """
    answer = apply_if_unchanged(tournament, act, seen=seen, with_tables=True)
    tables = situation_of(tournament, with_tables=True).tables
    if tables is None:
        raise Conflict("round_closed", _("There is no round left to re-pair."))
    change_round(actor, tables.round, Change(Act.REPAIR_MINIMAL), reason, now, seen=tables.seen)
    return answer
