"""An entry as the pairing core sees it, and the round it gives back: values in, values out."""

from dataclasses import dataclass

ENGINE = "full-graph/1"


@dataclass(frozen=True, slots=True)
class Contender:
    """An active entry: id, match points, ids of everybody met (a repeated opponent is listed again), byes had, club."""

    id: int
    score: int
    opponents: tuple[int, ...] = ()
    had_bye: bool = False
    club: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class PairingCost:
    """The objective, in order of weight (PAIRING.md 4): each term least, the earlier the more important."""

    second_byes: int = 0
    rematches: int = 0
    club_pairs: int = 0
    bye_score: int = 0
    sum_sq_diff: int = 0


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """A paired round: pairs by table (table 1 first), the bye, its cost, and all that is needed to compute it again.

    `proved` says that no pairing costs less; `input_hash` is the SHA-256 of the contenders, order and seed given.
    """

    pairs: tuple[tuple[int, int], ...]
    bye: int | None
    cost: PairingCost
    proved: bool
    seed: int
    engine: str
    input_hash: str
