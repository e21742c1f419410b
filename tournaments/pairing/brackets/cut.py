"""The cut from Swiss standings to an elimination: who qualifies, in which seed, and who missed it on a tie."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the standings: equal ranks are tied, `points` are match points, `dropped` will not play on."""

    entrant: int
    rank: int
    points: int
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class TieAtCut:
    """A rank that the cut runs through: only the order of the standings (their lot) put these in and those out."""

    rank: int
    inside: tuple[int, ...]
    outside: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """Who plays on: `seeds` from the best down, for an elimination bracket; None is a place left empty, a bye.

    `missing` qualified and dropped out; `tie` is None when the line falls between two ranks.
    """

    seeds: tuple[int | None, ...]
    missing: tuple[int, ...]
    tie: TieAtCut | None = None


@dataclass(frozen=True, slots=True)
class Structure:
    """Swiss rounds, and how many play on in an elimination after them (0: no cut)."""

    rounds: int
    cut: int


STRUCTURES = (
    (4, Structure(2, 0)), (8, Structure(3, 0)), (16, Structure(5, 4)), (32, Structure(5, 8)), (64, Structure(6, 8)),
    (128, Structure(7, 8)), (226, Structure(8, 8)), (409, Structure(9, 8)),
)  # fmt: skip


def recommended_structure(players: int) -> Structure:
    """Swiss rounds and cut by attendance; up to 8 players are better without.

    See docs/how-it-works/standings-and-tiebreakers.md#rounds.
    """
    return next((structure for most, structure in STRUCTURES if players <= most), Structure(10, 8))


def cut_to_top(standings: Sequence[Ranked], size: int, *, replace: bool = True) -> Cut:
    """The best `size` of the standings (best first; tied lines in the order of their lot), seeded by place.

    With `replace` the next in the standings move up for those who dropped out, otherwise these leave a bye behind. A
    shorter field qualifies whole.
    """
    field = [line for line in standings if not (replace and line.dropped)]
    qualified, others = field[:size], field[size:]
    missing = tuple(line.entrant for line in standings[:size] if line.dropped)
    return Cut(_seeds(qualified), missing, _tie(qualified, others))


def cut_at_points(standings: Sequence[Ranked], points: int, *, replace: bool = True) -> Cut:
    """Everybody with so many match points or more, seeded by place; nobody below the line ever moves up.

    With `replace` the seeds close up over those who dropped out, otherwise these leave a bye behind.
    """
    reached = [line for line in standings if line.points >= points]
    missing = tuple(line.entrant for line in reached if line.dropped)
    return Cut(_seeds([line for line in reached if not (replace and line.dropped)]), missing)


def _seeds(qualified: Sequence[Ranked]) -> tuple[int | None, ...]:
    return tuple(None if line.dropped else line.entrant for line in qualified)


def _tie(qualified: Sequence[Ranked], others: Sequence[Ranked]) -> TieAtCut | None:
    if not qualified:
        return None
    rank = qualified[-1].rank
    inside = tuple(line.entrant for line in qualified if line.rank == rank)
    outside = tuple(line.entrant for line in others if line.rank == rank and not line.dropped)
    return TieAtCut(rank, inside, outside) if outside else None
