"""Questions about penalties: what counts for a match, what one player has, what officials read."""

from collections import Counter
from collections.abc import Sequence

from django.db.models import QuerySet

from tournaments.models import Match, Penalty, Seat, Tournament


def penalties_of(tournament: Tournament) -> QuerySet[Penalty]:
    """Every penalty of a tournament, the newest first, with entry, round and match loaded."""
    found = Penalty.objects.filter(tournament=tournament)
    return found.select_related("entry", "round", "match", "report")


def standing_penalties(match: Match) -> QuerySet[Penalty]:
    """The penalties given at a match and not taken back."""
    return Penalty.objects.filter(match=match, taken_back_at=None)


def game_losses_of(match: Match, seats: Sequence[Seat]) -> dict[int, int]:
    """How many game losses count against each place of a match, from 0 in seat order; only those with any."""
    given = standing_penalties(match).filter(kind=Penalty.Kind.GAME_LOSS).values_list("entry", flat=True)
    losses = Counter(given)
    return {place: losses[seat.entry_id] for place, seat in enumerate(seats) if losses[seat.entry_id]}
