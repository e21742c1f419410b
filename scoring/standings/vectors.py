"""Adding up large fields with arrays of whole numbers: the same answers as match by match, sooner."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.standings.points import BYES
from scoring.standings.records import ContenderFacts, MatchRecord, Outcome, ScoringPolicy
from scoring.standings.result_table import Counts, ResultTable, Totals, add_up, total_up

Whole = NDArray[np.int64]

MANY = 400
"""From so many matches on arrays are worth their making."""
SPREAD = 50
LIMB_BITS = 40
LIMB = (1 << LIMB_BITS) - 1
OUTCOMES = {outcome: number for number, outcome in enumerate(Outcome)}


def field_of(
    contenders: Iterable[int | ContenderFacts], records: Iterable[MatchRecord], policy: ScoringPolicy
) -> ResultTable:
    """The field of some contenders (facts, or ids where the usual facts hold) and their matches, added up."""
    facts = [ContenderFacts(each) if isinstance(each, int) else each for each in contenders]
    matches = list(records)
    return ResultTable(facts, matches, policy, add_up_vectors if len(matches) >= MANY else add_up)


def add_up_vectors(index: Mapping[int, int], records: Sequence[MatchRecord], policy: ScoringPolicy) -> Totals:
    """What `add_up` answers; it is asked itself where tables are larger than two or numbers greater than a byte."""
    seats = [record.seats for record in records]
    alone = [place for place, size in enumerate(map(len, seats)) if size == 1]
    byes = [place for place in alone if records[place].kind in BYES]
    tables: Sequence[MatchRecord] = records
    if byes:
        at_table = np.ones(len(records), np.bool_)
        at_table[byes] = False
        seats, tables = list(compress(seats, at_table)), list(compress(records, at_table))
    flat = list(chain.from_iterable(seats))
    try:
        sizes = _small(list(map(len, seats)))
        won = _small([seat.games_won for seat in flat])
        drawn = _small([record.games_drawn for record in tables])
        lost = _small([record.games_lost for record in tables])
    except ValueError:
        return add_up(index, records, policy)
    if not len(sizes) or sizes.min() < 1 or sizes.max() > 2:
        return add_up(index, records, policy)
    who = _places(index, [seat.contender for seat in flat])
    outcome = _small([OUTCOMES[seat.outcome] for seat in flat])
    counts = _count(len(index), Seats(sizes, who, outcome, won), drawn, lost)
    return total_up(index, records, policy, counts, [records[place] for place in byes])


def _places(index: Mapping[int, int], contenders: list[int]) -> Whole:
    """The place of each contender, by a table where ids lie close enough together; KeyError for an unknown one."""
    largest = max(index, default=0)
    if min(index, default=0) < 0 or largest > SPREAD * len(index):
        return np.array([index[each] for each in contenders], np.int64)
    table = np.full(largest + 2, -1)
    table[list(index)] = list(index.values())
    ids = np.array(contenders, np.int64)
    places: Whole = table[np.clip(ids, -1, largest + 1)]
    if len(unknown := ids[places < 0]):
        raise KeyError(int(unknown[0]))
    return places


def _small(numbers: list[int]) -> Whole:
    """Numbers from 0 to 255, so that no sum of them can overflow; any other raises ValueError."""
    return np.frombuffer(bytes(numbers), np.uint8).astype(np.int64)


class Seats(NamedTuple):
    """How many seats each match has, and of each seat in order: whose it is, its outcome, its games won."""

    sizes: Whole
    who: Whole
    outcome: Whole
    won: Whole


def _count(size: int, seats: Seats, drawn: Whole, lost: Whole) -> Counts:
    sizes, who, outcome, won = seats
    first = np.cumsum(sizes) - sizes
    played = np.add.reduceat(won, first) + drawn + lost
    results = np.bincount(who * len(OUTCOMES) + outcome, minlength=size * len(OUTCOMES)).reshape(size, -1)
    wins, draws, losses = results.T.tolist()
    pairs = first[sizes == 2]
    whom = np.concatenate([who[pairs + 1], who[pairs]])
    met = np.concatenate([who[pairs], who[pairs + 1]])

    def opponent_sums(numbers: Sequence[int]) -> list[int]:
        """In limbs so small that no sum of them can overflow, put together again."""
        if max(numbers, default=0) <= LIMB:
            return _sums(size, met, np.array(numbers, np.int64)[whom])
        low = opponent_sums([number & LIMB for number in numbers])
        high = opponent_sums([number >> LIMB_BITS for number in numbers])
        return [(above << LIMB_BITS) + below for above, below in zip(high, low, strict=True)]

    games = (_sums(size, who, each) for each in (won, np.repeat(drawn, sizes), np.repeat(played, sizes)))
    return Counts(np.bincount(met, minlength=size).tolist(), opponent_sums, wins, draws, losses, *games)


def _sums(size: int, who: Whole, numbers: Whole) -> list[int]:
    found = np.zeros(size, np.int64)
    np.add.at(found, who, numbers)
    sums: list[int] = found.tolist()
    return sums
