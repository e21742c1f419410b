"""Why tables of several are seated as they are: what can be counted at each, and who has no seat."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from tournaments.pairing.pods.contenders import SeatedRound, TableInput
from tournaments.pairing.swiss.explain import Reason


def explain_seated(given: TableInput, seated: SeatedRound) -> Iterator[tuple[tuple[int, ...], tuple[Reason, ...]]]:
    """The tables in their order, then the byes for want of a place, each with its reasons."""
    met = {each.id: Counter(each.opponents) for each in given.contenders}
    for seats in seated.tables:
        again = sum(met[one][other] > 0 for one, other in combinations(seats, 2))
        yield seats, (Reason("table_met", {"count": again}) if again else Reason("table_new"), Reason("table_seats"))
    for entry in seated.byes:
        yield (entry,), (Reason("table_bye", {"who": entry}),)
