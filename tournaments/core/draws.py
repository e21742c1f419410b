"""Draws by lot that anybody can repeat: who is next, at random but even."""

import random
from collections.abc import Iterable, Mapping


def propose_check(candidates: Iterable[int], times_checked: Mapping[int, int], seed: int) -> int | None:
    """Which of `candidates` (entry numbers) is checked next: each of those checked least often is as likely.

    Who is not in `times_checked` was never checked. The same values give the same answer; None without a candidate.
    """
    pool = least_checked(candidates, times_checked)
    return random.Random(seed).choice(pool) if pool else None  # noqa: S311 - repeatable on purpose


def least_checked(candidates: Iterable[int], times_checked: Mapping[int, int]) -> list[int]:
    """Those of `candidates` checked least often, in ascending order."""
    numbers = sorted(set(candidates))
    fewest = min((times_checked.get(number, 0) for number in numbers), default=0)
    return [number for number in numbers if times_checked.get(number, 0) == fewest]
