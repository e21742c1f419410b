"""What changes by hand need of a field, at tables of two or of several: table sizes, cost, rounds."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from tournaments.pairing.pods.contenders import Remainder, SeatedRound, TableContender, TableCost, TableInput
from tournaments.pairing.pods.costs import tables_cost
from tournaments.pairing.pods.explain import explain_seated
from tournaments.pairing.pods.pods import seat_tables
from tournaments.pairing.swiss.contenders import Contender, PairingCost, RoundInput, RoundPairing
from tournaments.pairing.swiss.explain import AWARDED_BYE, Reason, explain_round
from tournaments.pairing.swiss.swiss import pair_swiss, pairing_cost

Field = RoundInput | TableInput
"""Who is paired by which rules: at tables of two, or of several."""
AnyContender = Contender | TableContender
Cost = PairingCost | TableCost
Paired = RoundPairing | SeatedRound
AField = TypeVar("AField", RoundInput, TableInput)
PAIR = 2


def table_sizes_of(given: Field) -> tuple[int, int]:
    """The smallest and the largest table of a field."""
    return (given.policy.least, given.policy.most) if isinstance(given, TableInput) else (PAIR, PAIR)


def gives_byes(given: Field) -> bool:
    """Whether the tables are asked to leave some players over, who have a bye."""
    return isinstance(given, TableInput) and given.policy.remainder is Remainder.BYES


def cost_of(given: Field, tables: Sequence[tuple[int, ...]], byes: Sequence[int], unplaced: Collection[int]) -> Cost:
    """What tables and byes cost, those that were awarded left out; tables of several are sized for everybody named."""
    if isinstance(given, TableInput):
        here = {*byes, *unplaced}.union(*tables)
        return tables_cost(only(given, here), tables, byes)
    known = {each.id: each for each in given.contenders}
    cost = pairing_cost(given, [(one, other) for one, other in tables], byes[0] if byes else None)
    more = [known[bye] for bye in byes[1:]]
    seconds = cost.second_byes + sum(each.had_bye for each in more)
    return replace(cost, second_byes=seconds, bye_score=cost.bye_score + sum(each.score for each in more))


def only(given: AField, here: Collection[int]) -> AField:
    """The same field with none but these, and nobody locked."""
    return replace(given, contenders=tuple(each for each in given.contenders if each.id in here), locked=())


def with_fixed(given: AField, tables: Mapping[int, int]) -> AField:
    """The same field, those without a fixed table having these."""
    seated = (replace(each, fixed_table=each.fixed_table or tables.get(each.id)) for each in given.contenders)
    return replace(given, contenders=tuple(seated))


def pair_only(given: Field, here: Collection[int]) -> Paired:
    """The best round of some of a field, nobody locked."""
    return seat_tables(only(given, here)) if isinstance(given, TableInput) else pair_swiss(only(given, here))


def pair_field(given: Field) -> Paired:
    """The best round of a field."""
    return seat_tables(given) if isinstance(given, TableInput) else pair_swiss(given)


def without_others(
    given: Field, free: Collection[int], locked: Sequence[tuple[int, ...]], staying: Collection[int], seed: int
) -> Field:
    """A field of the `free` and those `staying`, who keep their `locked` tables or sit out."""
    paired_off = {seat for table in locked for seat in table}
    out = set(staying) - paired_off
    here = {*free, *staying}
    if isinstance(given, TableInput):
        return replace(_sitting_out(given, here, out, paired_off), seed=seed, locked=tuple(locked))
    pairs = tuple((one, other) for one, other in locked)
    return replace(_sitting_out(given, here, out, paired_off), seed=seed, locked=pairs)


def _sitting_out(given: AField, here: Collection[int], out: Collection[int], paired_off: Collection[int]) -> AField:
    """Those here, with a bye whoever is out, and none whoever is paired off."""
    found = only(given, here)
    contenders = (
        replace(each, awarded_bye=each.id in out or (each.awarded_bye and each.id not in paired_off))
        for each in found.contenders
    )
    return replace(found, contenders=tuple(contenders))


def explained(given: Field, paired: Paired) -> Iterator[tuple[tuple[int, ...], tuple[Reason, ...]]]:
    """Every table of a round in order of seats, and everybody with a bye, each with the reasons why."""
    if isinstance(given, TableInput) and isinstance(paired, SeatedRound):
        yield from explain_seated(given, paired)
    elif isinstance(given, RoundInput) and isinstance(paired, RoundPairing):
        reasons = explain_round(given, paired)
        yield from zip(paired.pairs, reasons.pairs, strict=True)
        if paired.bye is not None:
            yield (paired.bye,), reasons.bye
    for bye in paired.awarded_byes:
        yield (bye,), (AWARDED_BYE,)
