"""Judges a paired round on its own, written apart from the pairing engine: the oracle of the tests."""

from collections import Counter
from collections.abc import Sequence

from tournaments.pairing.contenders import Contender


def check_pairing(contenders: Sequence[Contender], pairs: Sequence[tuple[int, int]], byes: Sequence[int]) -> list[str]:
    """Everything wrong with a round, in words; an empty list is a sound round.

    Sound: every contender exactly once, nobody against himself, one bye at most and only in an odd field, no second bye
    while somebody has had none.
    """
    known = {contender.id: contender for contender in contenders}
    seated = Counter([seat for pair in pairs for seat in pair] + list(byes))
    problems = [f"{one} is paired with itself" for one, other in pairs if one == other]
    problems += [f"{contender} has {seated[contender]} places" for contender in known if seated[contender] != 1]
    problems += [f"{contender} is not in the field" for contender in seated if contender not in known]
    if len(byes) > len(known) % 2:
        problems.append(f"{len(byes)} byes in a field of {len(known)}")
    if any(known[bye].had_bye for bye in byes if bye in known) and not all(one.had_bye for one in contenders):
        problems.append("a second bye while somebody has had none")
    return problems


def count_rematches(contenders: Sequence[Contender], pairs: Sequence[tuple[int, int]]) -> int:
    """How many of the pairs met before."""
    met = {contender.id: set(contender.opponents) for contender in contenders}
    return sum(other in met[one] for one, other in pairs)
