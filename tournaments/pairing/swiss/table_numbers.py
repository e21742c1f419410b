"""Which table each seating gets, and all places of a seated round."""

from collections.abc import Iterable, Mapping, Sequence

from tournaments.pairing.pods.contenders import SeatedRound


def number_seatings(
    seatings: Sequence[Sequence[int]], fixed: Mapping[int, int], taken: Iterable[int] = ()
) -> list[int]:
    """The table of each seating: the fixed table of somebody at it, the remaining numbers in order for the others.

    Of several fixed tables at one the smallest that is free counts; tables `taken` are given to nobody.
    """
    used, numbers = set(taken), dict[int, int]()
    for place, seats in enumerate(seatings):
        wanted = sorted(fixed[each] for each in seats if each in fixed)
        table = next((table for table in wanted if table not in used), None)
        if table is not None:
            numbers[place] = table
            used.add(table)
    free = iter(table for table in range(1, len(seatings) + len(used) + 1) if table not in used)
    return [numbers[place] if place in numbers else next(free) for place in range(len(seatings))]


def seated_places(seated: SeatedRound, fixed: Mapping[int, int]) -> frozenset[tuple[int, ...]]:
    """Every place given away: the table and its seats in order, or 0 and who sits out."""
    numbers = number_seatings(seated.tables, fixed)
    at_tables = ((number, *seats) for number, seats in zip(numbers, seated.tables, strict=True))
    return frozenset([*at_tables, *((0, each) for each in (*seated.byes, *seated.awarded_byes))])
