"""Why a contender stands where it stands: every value with its arithmetic, and the first value that decides."""

from collections.abc import Iterable
from fractions import Fraction

from scoring.standings.derivations import Derivation, Operation, Term
from scoring.standings.records import ContenderFacts, MatchRecord, ScoringPolicy
from scoring.standings.result_table import ResultTable
from scoring.standings.tiebreaker_terms import IntegerTerm, IntegerTerms
from scoring.standings.tiebreakers import column_of, lines_of, tiebreaker_of
from scoring.standings.vectors import field_of


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
    field = field_of(contenders, records, policy)
    return derive_in(field, tiebreaker_of(key).key, field.index[contender])


def first_difference(
    contenders: Iterable[int | ContenderFacts],
    records: Iterable[MatchRecord],
    policy: ScoringPolicy,
    one: int,
    other: int,
) -> tuple[str, Derivation, Derivation] | None:
    """The first of the policy's tiebreakers in which two contenders differ, with both derivations; None: a tie.

    Raises KeyError for an unknown contender.
    """
    field = field_of(contenders, records, policy)
    first, second = field.index[one], field.index[other]
    for key in policy.tiebreakers:
        amounts = column_of(field, key).amounts
        if amounts[first] != amounts[second]:
            return key, derive_in(field, key, first), derive_in(field, key, second)
    return None


def derive_in(field: ResultTable, key: str, place: int) -> Derivation:
    """The same for the contender at a place of a field that is at hand; `key` may be an inner one."""
    lines = lines_of(field, key, place)
    if lines.operation is Operation.AVERAGE and lines.factors:
        return _weighted_average(field, key, place, lines)
    terms = tuple(_term(field, place, line, lines) for line in lines.lines)
    return Derivation(key, lines.operation, terms, Fraction(*lines.rational))


def _weighted_average(field: ResultTable, key: str, place: int, lines: IntegerTerms) -> Derivation:
    """The weighted sum over the sum of the weights."""
    weighted = tuple(_term(field, place, line, lines) for line in lines.lines)
    weights = tuple(
        Term("weight", Fraction(line.weight, lines.weight_scale), round_number=line.round_number)
        for line in lines.lines
    )
    sums = [
        Term(code, total, parts=Derivation(key, Operation.SUM, terms, total))
        for code, terms in (("weighted_sum", weighted), ("weights", weights))
        for total in [sum((term.value for term in terms), Fraction(0))]
    ]
    return Derivation(key, Operation.SHARE, tuple(sums), Fraction(*lines.rational))


def _term(field: ResultTable, place: int, line: IntegerTerm, lines: IntegerTerms) -> Term:
    contender = None if line.contender is None else field.facts[line.contender].id
    whose = place if line.contender is None else line.contender
    amount = Fraction(line.amount, lines.scale)
    parts = derive_in(field, line.source, whose) if line.source else None
    value = amount
    if lines.factors:
        weight = Fraction(line.weight, lines.weight_scale)
        value = amount * weight
        factors = (Term(lines.factors[0], amount, contender, parts=parts), Term(lines.factors[1], weight))
        parts = Derivation(lines.factors[0], Operation.PRODUCT, factors, value)
    return Term(line.code, value, contender, line.round_number, parts, line.counted, line.note)
