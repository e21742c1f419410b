"""Why a contender stands where it stands: every value with its arithmetic, and the first value that decides."""

from collections.abc import Iterable

from scoring.derivations import Derivation, Operation, Term
from scoring.records import ContenderFacts, MatchRecord, ScoringPolicy
from scoring.standings import compute_standings


def derive(
    contenders: Iterable[int | ContenderFacts],
    records: Iterable[MatchRecord],
    policy: ScoringPolicy,
    key: str,
    contender: int,
) -> Derivation:
    """How one contender's value of one tiebreaker came about; exactly the value that `compute_standings` ranks by.

    Raises KeyError for an unknown contender, DomainError("unknown_tiebreaker") for an unknown key.
    """
    lines = compute_standings(contenders, records, policy)
    line = next(each for each in lines if each.contender == contender)
    value = dict(zip(policy.tiebreakers, line.keys, strict=True)).get(key, line.omw)
    return Derivation(key, Operation.GIVEN, (Term("points", value),), value)


def first_difference(
    contenders: Iterable[int | ContenderFacts],
    records: Iterable[MatchRecord],
    policy: ScoringPolicy,
    one: int,
    other: int,
) -> tuple[str, Derivation, Derivation] | None:
    """The first of the policy's tiebreakers in which two contenders differ, with both derivations; None: a tie."""
    facts, played = tuple(contenders), tuple(records)
    for key in policy.tiebreakers:
        first, second = (derive(facts, played, policy, key, each) for each in (one, other))
        if first.value != second.value:
            return key, first, second
    return None
