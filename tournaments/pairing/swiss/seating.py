"""Who sits where: the order of tables, fixed tables, and who has the first seat."""

from collections.abc import Sequence

from tournaments.pairing.swiss.large.fill_large_groups import Couple

SECOND_LAST = {1: 1, 0: 0, 2: -1}  # by the latest seat: how much a person is due the second


def order_couples(couples: Sequence[Couple]) -> list[Couple]:
    """The couples by their higher score, then their lower, from the highest; equals as they come."""
    scores = sorted({one.score for couple in couples for one in couple}, reverse=True)
    ranks = {score: rank for rank, score in enumerate(scores)}

    def rank(couple: Couple) -> int:
        one, other = ranks[couple[0].score], ranks[couple[1].score]
        return one * len(ranks) + other if one < other else other * len(ranks) + one

    return sorted(couples, key=rank)


def number_tables(couples: Sequence[Couple]) -> tuple[int, ...]:
    """The table of each couple: a contender's fixed table, and for the others the remaining numbers in order.

    Of two fixed tables in a couple the smaller counts; of two couples that want one table, the first gets it.
    """
    tables: dict[int, int] = {}
    for place, (first, second) in enumerate(couples):
        if first.fixed_table is None and second.fixed_table is None:
            continue
        wanted = sorted(one.fixed_table for one in (first, second) if one.fixed_table is not None)
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
    one, other = couple
    due = one.firsts - one.seconds - other.firsts + other.seconds
    if due == 0:
        due = SECOND_LAST.get(one.last_seat, 0) - SECOND_LAST.get(other.last_seat, 0)
    if due == 0:
        due = lots[one.id] - lots[other.id] or one.id - other.id
    return (other.id, one.id) if due > 0 else (one.id, other.id)
