"""The final order of a tournament of several stages: whoever plays a later stage stands above whoever does not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.standings import Standing


@dataclass(frozen=True, slots=True)
class StageFinish:
    """A stage after the first: who plays in it, and what its bracket has decided.

    `contenders` are all of its field, the best seed first. `places` are (first, last) of those whose place in the
    bracket is certain; None where points decide, in the order of the standings.
    """

    contenders: tuple[int, ...]
    places: Mapping[int, tuple[int, int]] | None = field(default=None)


def order_finish(standings: Sequence[Standing], stages: Sequence[StageFinish]) -> tuple[Standing, ...]:
    """Standings in final order with final ranks; `stages` from the second to the last that has begun.

    In a bracket those still in it share the places that are left and stand in order of seed.
    """
    raise NotImplementedError
