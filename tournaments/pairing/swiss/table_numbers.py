"""Which table each seating gets, and all places of a seated round."""

from collections.abc import Iterable, Mapping, Sequence

from tournaments.pairing.pods.contenders import SeatedRound


def number_seatings(
    seatings: Sequence[Sequence[int]], fixed: Mapping[int, int], taken: Iterable[int] = ()
) -> list[int]:
    """The table of each seating: the fixed table of a person at it, the remaining numbers in order for the others.

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


def needed_tables(
    seatings: Sequence[Sequence[int]],
    fixed: Mapping[int, int],
    wanted: Mapping[int, Sequence[frozenset[int]]],
    taken: Iterable[int] = (),
) -> dict[int, int]:
    """The table of everybody who wants one of several, as `fixed` takes it, for as many seatings as can have one.

    `wanted` are an entry's sets of tables, each meeting one of its needs. A seating gets a table that meets all needs
    at it; where none is left for it, one that meets some. Fixed tables come first; lower numbers before higher ones.
    """
    used = {*taken, *(fixed[each] for seats in seatings for each in seats if each in fixed)}
    needs = {
        place: [tables - used for each in seats for tables in wanted.get(each, ())]
        for place, seats in enumerate(seatings)
        if any(each in wanted for each in seats) and not any(each in fixed for each in seats)
    }
    at: dict[int, int] = {}
    choices: dict[int, list[int]] = {}
    for combine in (frozenset.intersection, frozenset.union):
        for place in [each for each in needs if each not in at.values()]:
            choices[place] = sorted(combine(*needs[place]))[: len(needs)]
            _give_table(place, choices, at)
    return {each: table for table, place in at.items() for each in seatings[place] if each in wanted}


def _give_table(place: int, choices: Mapping[int, Sequence[int]], at: dict[int, int]) -> None:
    """Give a seating one of its tables, moving others to another of theirs where that frees one (Berge 1957)."""
    mover: dict[int, int] = {}
    waiting = [place]
    for one in waiting:
        for table in choices[one]:
            if table in mover:
                continue
            mover[table] = one
            if table in at:
                waiting.append(at[table])
                continue
            free = table
            while mover[free] != place:
                left = next(each for each, sits in at.items() if sits == mover[free])
                at[free] = mover[free]
                free = left
            at[free] = place
            return


def seated_places(seated: SeatedRound, fixed: Mapping[int, int]) -> frozenset[tuple[int, ...]]:
    """Every place given away: the table and its seats in order, or 0 and who sits out."""
    numbers = number_seatings(seated.tables, fixed)
    at_tables = ((number, *seats) for number, seats in zip(numbers, seated.tables, strict=True))
    return frozenset([*at_tables, *((0, each) for each in (*seated.byes, *seated.awarded_byes))])
