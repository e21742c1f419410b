"""Matches that give way to others: what nobody saw goes, what was published is kept aside."""

from collections.abc import Sequence
from datetime import datetime

from tournaments.manual_pairing.selectors import SHELF
from tournaments.models import Match, Round, Seat


def take_away(round_: Round, rows: Sequence[Match], now: datetime) -> None:
    """Nobody saw an unpublished table: it goes. A published one is kept in a superseded version."""
    if not rows:
        return
    matches = Match.objects.filter(pk__in=[row.pk for row in rows])
    if round_.state == Round.State.PAIRED:
        matches.delete()
        return
    versions = Round.objects.filter(stage=round_.stage, number=round_.number)
    shelf = Round.objects.create(
        stage=round_.stage, number=round_.number, version=versions.count() + 1, state=round_.state, engine=SHELF,
        paired_at=round_.paired_at, published_at=round_.published_at, superseded_at=now,
    )  # fmt: skip
    matches.update(round=shelf)
    Seat.objects.filter(match__round=shelf).update(round=shelf)
