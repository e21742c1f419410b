"""A tournament's entries as the pairing core takes them."""

from collections import defaultdict

from scoring.records import MatchKind
from tournaments.models import Tournament
from tournaments.pairing.contenders import Contender, RoundInput
from tournaments.selectors.entries import active_entries
from tournaments.selectors.standings import compute_standings_of, records_of


def round_input_of(tournament: Tournament, number: int, seed: int) -> RoundInput:
    """Everything that the pairing of a tournament's round of this number depends on, as it stands now."""
    last = number == tournament.swiss_rounds
    return RoundInput(tuple(contenders_of(tournament)), tournament.pairing_policy.for_round(last=last), seed)


def contenders_of(tournament: Tournament) -> list[Contender]:
    """The active entries as the pairing core sees them."""
    scores = {standing.contender: standing.match_points for standing in compute_standings_of(tournament)}
    opponents: dict[int, list[int]] = defaultdict(list)
    byes: set[int] = set()
    for record in records_of(tournament):
        seats = [seat.contender for seat in record.seats]
        for seat in seats:
            opponents[seat] += [other for other in seats if other != seat]
        if record.kind is MatchKind.BYE:
            byes.update(seats)
    return [
        Contender(entry.pk, scores[entry.pk], tuple(sorted(opponents[entry.pk])), entry.pk in byes, entry.club or None)
        for entry in active_entries(tournament)
    ]
