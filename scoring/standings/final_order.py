"""The final order of a tournament of several stages: whoever plays a later stage stands above whoever does not."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from scoring.standings.standings import Standing

Places = tuple[int, int]


@dataclass(frozen=True, slots=True)
class StageFinish:
    """A stage that ranks its field above everybody else: who plays in it, and what its bracket has decided.

    `contenders` are all of its field, the best seed first. `places` are (first, last) of those whose place in the
    bracket is certain; while there are none, points decide, in the order of the standings.
    """

    contenders: tuple[int, ...]
    places: Mapping[int, Places] = field(default_factory=dict)


def order_finish(standings: Sequence[Standing], stages: Sequence[StageFinish]) -> tuple[Standing, ...]:
    """Standings in final order with final ranks; `stages` are those that rank above the first, in order of play.

    In a bracket those still in it share the places that are left and stand in order of seed, as soon as one place is
    certain. Whoever has no line in the standings (disqualified) has none here, and those below move up
    (docs/how-it-works/standings-and-tiebreakers.md#magic).
    """
    ordered: list[Standing] = []
    for stage in reversed(stages):
        field_ = set(stage.contenders) - {line.contender for line in ordered}
        lines = [line for line in standings if line.contender in field_]
        found = _by_places(lines, stage.contenders, stage.places) if stage.places else _by_points(lines)
        ordered += _below(len(ordered), found)
    return append_below(ordered, standings)


def append_below(upper: Sequence[Standing], lower: Sequence[Standing]) -> tuple[Standing, ...]:
    """Lines in final order, and below them those of `lower` (best first) that are not among them."""
    above = {line.contender for line in upper}
    rest = _by_points([line for line in lower if line.contender not in above])
    return (*upper, *_below(len(upper), rest))


def _below(above: int, lines: Sequence[Standing]) -> Iterator[Standing]:
    return (line._replace(rank=above + line.rank) for line in lines)


def _by_points(lines: Sequence[Standing]) -> list[Standing]:
    """Some lines of the standings with ranks of their own: who was tied stays so."""
    ranked: list[Standing] = []
    for _rank, tied in groupby(lines, key=lambda line: line.rank):
        rank = len(ranked) + 1
        ranked += [line._replace(rank=rank) for line in tied]
    return ranked


def _by_places(lines: Sequence[Standing], seeds: Sequence[int], places: Mapping[int, Places]) -> list[Standing]:
    """Lines by certain place, then seed; those without one share the best place left."""
    left = _best_left(places)
    first = {each: places[each][0] if each in places else left for each in seeds}
    unranked = set(seeds) - {line.contender for line in lines}
    seed = {each: number for number, each in enumerate(seeds)}
    ranked = [line._replace(rank=_moved_up(first[line.contender], first, unranked)) for line in lines]
    return sorted(ranked, key=lambda line: (line.rank, seed[line.contender]))


def _moved_up(place: int, first: Mapping[int, int], unranked: Collection[int]) -> int:
    return place - sum(first[each] < place for each in unranked)


def _best_left(places: Mapping[int, Places]) -> int:
    """The best place that is not certain to be a person's."""
    best = 1
    for (first, last), count in sorted(Counter(places.values()).items()):
        if first > best or count <= last - first:
            break
        best = last + 1
    return best
