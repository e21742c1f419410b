"""Judges a paired round on its own, written apart from the pairing engine: the oracle of the tests.

See docs/how-it-works/trust.md#p5.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias

import rustworkx

from tournaments.pairing.swiss.contenders import (
    Apart,
    Contender,
    Finish,
    Order,
    PairingCost,
    PairingPolicy,
    RoundInput,
    RoundPairing,
)

DECIDED_UP_TO = 1_000
"""Contenders up to which the checker decides whether a round without rematches exists (memory and time squared)."""

Couple: TypeAlias = tuple[Contender, Contender]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a round: a stable `code`, and the ids and numbers it is about."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


def check_pairing(given: RoundInput, paired: RoundPairing) -> tuple[Problem, ...]:
    """Everything wrong with a round; empty for a sound one.

    Sound: every contender exactly once in a seat or a bye, awarded byes and locked pairs honoured, one bye at most and
    only in an odd field, no second bye while somebody eligible has had none; tables as `_tables` says; the cost told is
    the cost, not below the bound, and equal to it if proved; in fields up to DECIDED_UP_TO no rematch and no
    forbidden pair while a round without one exists.
    """
    found = (*_places(given, paired), *_honoured(given, paired))
    if found:  # cost and tables mean nothing when somebody has two seats or none
        return found
    return (*_bye(given, paired), *_tables(given, paired), *_certificate(given, paired), *_avoidable(given, paired))


def cost_of(given: RoundInput, pairs: Iterable[tuple[int, int]], bye: int | None) -> PairingCost:
    """The cost of a pairing, term by term as PairingCost defines it, computed apart from the engine."""
    known = {each.id: each for each in given.contenders}
    couples = [(known[one], known[other]) for one, other in pairs]
    policy = given.policy
    return PairingCost(
        second_byes=1 if bye is not None and known[bye].had_bye else 0,
        forbidden_pairs=sum(1 for couple in couples if _is_forbidden(couple, policy)),
        rematches=sum(map(_meetings, couples)),
        club_pairs=sum(1 for couple in couples if _are_mates(couple, policy, Apart.SOFT)),
        bye_score=0 if bye is None else known[bye].score,
        downfloats=_downfloats(given, couples) if policy.order is Order.TOP_DOWN else (),
        sum_sq_diff=sum((one.score - other.score) ** 2 for one, other in couples),
        finish=sum(_finish(couple, policy.finish) for couple in couples),
    )


def _places(given: RoundInput, paired: RoundPairing) -> Iterator[Problem]:
    """Everybody in one place, nobody else in any."""
    byes = () if paired.bye is None else (paired.bye,)
    places = Counter([*(seat for pair in paired.pairs for seat in pair), *byes, *paired.awarded_byes])
    known = {each.id for each in given.contenders}
    for one, other in paired.pairs:
        if one == other:
            yield Problem("against_itself", {"contender": one})
    for stranger in sorted(places.keys() - known):
        yield Problem("stranger", {"contender": stranger})
    for contender in sorted(known):
        if places[contender] != 1:
            yield Problem("not_one_place", {"contender": contender, "places": places[contender]})


def _honoured(given: RoundInput, paired: RoundPairing) -> Iterator[Problem]:
    """Awarded byes are given, and to nobody else, unless a locked pair seats them; locked pairs stay."""
    locked = _locked(given)
    awarded = {each.id for each in given.contenders if each.awarded_bye} - {seat for pair in locked for seat in pair}
    for contender in sorted(awarded ^ set(paired.awarded_byes)):
        yield Problem("awarded_bye_not_given" if contender in awarded else "bye_not_awarded", {"contender": contender})
    for pair in locked - {frozenset(pair) for pair in paired.pairs}:
        yield Problem("locked_pair_broken", {"pair": tuple(sorted(pair))})


def _bye(given: RoundInput, paired: RoundPairing) -> Iterator[Problem]:
    """No second bye while somebody eligible has had none (that a bye means an odd field follows from `_places`)."""
    unserved = [each.id for each in _free(given) if not each.had_bye]
    if paired.bye is not None and unserved and paired.bye not in unserved:
        yield Problem("second_bye", {"contender": paired.bye, "had_none": tuple(unserved)})


def _tables(given: RoundInput, paired: RoundPairing) -> Iterator[Problem]:
    """One table a pair, each number once; a pair misses its fixed table only to another pair with a right to it."""
    if len(paired.tables) != len(paired.pairs) or any(table < 1 for table in paired.tables):
        yield Problem("tables_do_not_fit", {"tables": len(paired.tables), "pairs": len(paired.pairs)})
        return
    for table, times in Counter(paired.tables).items():
        if times > 1:
            yield Problem("table_twice", {"table": table})
    fixed = {each.id: each.fixed_table for each in given.contenders if each.fixed_table is not None}
    wishes = [{fixed[seat] for seat in pair if seat in fixed} for pair in paired.pairs]
    served = {table for table, wished in zip(paired.tables, wishes, strict=True) if table in wished}
    for pair, table, wished in zip(paired.pairs, paired.tables, wishes, strict=True):
        if wished and table not in wished and wished - served:
            yield Problem("fixed_table_missed", {"pair": pair, "table": min(wished - served)})


def _certificate(given: RoundInput, paired: RoundPairing) -> Iterator[Problem]:
    """Cost, bound and proof agree with each other and with the round; seed and digest are those of the input."""
    cost = cost_of(given, paired.pairs, paired.bye)
    for name in PairingCost.__slots__:
        if getattr(cost, name) != getattr(paired.cost, name):
            yield Problem("cost_wrong", {"term": name, "is": getattr(cost, name), "told": getattr(paired.cost, name)})
    if paired.bound > paired.cost:
        yield Problem("bound_above_cost")
    if paired.proved and paired.bound != paired.cost:
        yield Problem("proved_with_a_gap")
    if paired.seed != given.seed or paired.input_hash != given.digest():
        yield Problem("another_input")


def _avoidable(given: RoundInput, paired: RoundPairing) -> Iterator[Problem]:
    """Forbidden pairs and rematches (beyond the locked pairs) although a round with none is possible."""
    known = {each.id: each for each in given.contenders}
    locked = _locked(given)
    couples = [(known[one], known[other]) for one, other in paired.pairs if {one, other} not in locked]
    forbidden = [couple for couple in couples if _is_forbidden(couple, given.policy)]
    rematches = [couple for couple in couples if _meetings(couple)]
    if forbidden and _is_possible(given, rematches_too=True):
        yield Problem("avoidable_forbidden_pairs", {"pairs": _ids(forbidden)})
    if rematches and _is_possible(given, rematches_too=False):
        yield Problem("avoidable_rematches", {"pairs": _ids(rematches)})


def _is_possible(given: RoundInput, *, rematches_too: bool) -> bool:
    """Whether the free contenders can all be seated without a forbidden pair (nor a rematch) and without a second bye.

    Edmonds' matching by cardinality alone, which no weight can mislead; False in fields that are too large.
    """
    field = _free(given)
    if len(field) > DECIDED_UP_TO:
        return False
    lawful = [
        (one, other)
        for one, other in combinations(range(len(field)), 2)
        if not _is_forbidden((field[one], field[other]), given.policy)
        and (rematches_too or not _meetings((field[one], field[other])))
    ]
    if len(field) % 2:
        unserved = [place for place, each in enumerate(field) if not each.had_bye]
        lawful += [(place, len(field)) for place in unserved or range(len(field))]
    graph: rustworkx.PyGraph[None, None] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * (len(field) + len(field) % 2))
    graph.add_edges_from_no_data(lawful)
    return len(rustworkx.max_weight_matching(graph, max_cardinality=True)) * 2 == graph.num_nodes()


def _free(given: RoundInput) -> list[Contender]:
    """Those whom the engine may place as it likes."""
    locked = {seat for pair in _locked(given) for seat in pair}
    return [each for each in given.contenders if not each.awarded_bye and each.id not in locked]


def _locked(given: RoundInput) -> set[frozenset[int]]:
    """The locked pairs that can be kept: of two contenders, neither of whom an earlier locked pair names."""
    known = {each.id for each in given.contenders}
    kept: set[frozenset[int]] = set()
    for pair in map(frozenset, given.locked):
        if len(pair) == 2 and pair <= known and all(pair.isdisjoint(other) for other in kept):
            kept.add(pair)
    return kept


def _meetings(couple: Couple) -> int:
    one, other = couple
    return max(one.opponents.count(other.id), other.opponents.count(one.id))


def _is_forbidden(couple: Couple, policy: PairingPolicy) -> bool:
    one, other = couple
    return one.id in other.apart or other.id in one.apart or _are_mates(couple, policy, Apart.HARD)


def _are_mates(couple: Couple, policy: PairingPolicy, rule: Apart) -> bool:
    """Whether they share a club or a team that this rule keeps apart."""
    one, other = couple
    clubs = policy.clubs is rule and one.club is not None and one.club == other.club
    teams = policy.teams is rule and one.team is not None and one.team == other.team
    return clubs or teams


def _downfloats(given: RoundInput, couples: Sequence[Couple]) -> tuple[int, ...]:
    """How many of each score group, from the highest, meet somebody of a lower one."""
    floats = Counter(max(one.score, other.score) for one, other in couples if one.score != other.score)
    seated = (*(each for couple in couples for each in couple), *_free(given))
    groups = sorted({each.score for each in seated}, reverse=True)
    return tuple(floats[score] for score in groups)


def _finish(couple: Couple, finish: Finish) -> int:
    lower, upper = sorted(couple, key=lambda each: each.score)
    match finish:
        case Finish.STANDINGS:
            return (lower.place - upper.place) ** 2
        case Finish.FEWEST_FLOATS if lower.score != upper.score:
            return upper.downfloats + lower.upfloats
    return 0


def _ids(couples: Iterable[Couple]) -> tuple[tuple[int, int], ...]:
    return tuple((one.id, other.id) for one, other in couples)
