"""The matches that a viewer has to play, in all events at once."""

from collections.abc import Iterable

from accounts.actors import Actor
from accounts.identity.selectors import persons_of
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.permissions import is_in_scope


def own_open_matches(actor: Actor, tournaments: Iterable[Tournament]) -> dict[int, Match]:
    """The viewer's newest match without a result in each running event, by the event's id; a few queries."""
    running = {each.pk for each in tournaments if each.state == Tournament.State.RUNNING and is_in_scope(actor, each)}
    mine = Seat.objects.filter(
        member__person__in=persons_of(actor),
        round__stage__tournament__in=running,
        round__state=Round.State.PUBLISHED,
        round__superseded_at=None,
    )
    found = Match.objects.filter(pk__in=mine.values("match")).exclude(state=Match.State.DONE)
    loaded = found.select_related("round__stage").prefetch_related("seats__entry").order_by("round__number", "pk")
    return {each.round.stage.tournament_id: each for each in loaded}
