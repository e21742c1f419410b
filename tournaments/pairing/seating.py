"""Who sits where: the order of tables, fixed tables, and who has the first seat."""

from collections.abc import Sequence

from tournaments.pairing.contenders import Contender
from tournaments.pairing.inside import Couple

FAIRNESS_OF_LAST = {1: 1, 0: 0, 2: -1}


def order_couples(couples: Sequence[Couple], lots: dict[int, int]) -> list[Couple]:
    """The couples by their higher score, then their lower, from the highest; equals by lot."""

    def rank(couple: Couple) -> tuple[int, int, int]:
        one, other = couple
        if one.score < other.score:
            one, other = other, one
        return -one.score, -other.score, min(lots[one.id], lots[other.id])

    return sorted(couples, key=rank)


def number_tables(couples: Sequence[Couple]) -> tuple[int, ...]:
    """The table of each couple: a contender's fixed table, and for the others the remaining numbers in order.

    Of two fixed tables in a couple the smaller counts; of two couples that want one table, the first gets it.
    """
    tables: dict[int, int] = {}
    for place, couple in enumerate(couples):
        wanted = sorted(one.fixed_table for one in couple if one.fixed_table is not None)
        table = next((table for table in wanted if table > 0 and table not in tables), None)
        if table is not None:
            tables[table] = place
    if not tables:
        return tuple(range(1, len(couples) + 1))
    seated = {place: table for table, place in tables.items()}
    free = iter([table for table in range(1, len(couples) + len(tables) + 1) if table not in tables])
    return tuple(seated[place] if place in seated else next(free) for place in range(len(couples)))


def seat(couple: Couple, lots: dict[int, int]) -> tuple[int, int]:
    """The ids of a couple, the first seat first: whoever was first more often is second, then who was first last."""
    first, second = sorted(couple, key=lambda one: _had_first(one, lots))
    return first.id, second.id


def _had_first(one: Contender, lots: dict[int, int]) -> tuple[int, int, int, int]:
    return one.firsts - one.seconds, FAIRNESS_OF_LAST.get(one.last_seat, 0), lots[one.id], one.id
