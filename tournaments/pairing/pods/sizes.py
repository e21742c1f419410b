"""How many tables of which size a field fills: every count has an answer, also one that no lawful sizes fit."""

from dataclasses import dataclass

from tournaments.pairing.pods.contenders import Remainder, TablePolicy

BYES_FORCED = "byes_forced"
TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class TableSizes:
    """Seats a table, the largest first (they differ by one at most), and how many contenders sit out.

    `fault` is "" when the policy is kept; "byes_forced" when no lawful tables seat everybody although the policy asks
    for no byes; "too_few" when the field does not fill a single lawful table, so that all sit out.
    """

    sizes: tuple[int, ...]
    byes: int
    fault: str = ""


def table_sizes(count: int, policy: TablePolicy) -> TableSizes:
    """The tables for `count` contenders (0 or more).

    SMALLER and LARGER seat everybody: the nearest number of tables that makes none (or all) larger than preferred,
    else the nearest lawful number on the other side. BYES makes tables of the preferred size alone while there is one,
    and the rest sits out. Where no lawful tables seat everybody, as few as possible sit out.
    """
    if policy.remainder is Remainder.BYES and count >= policy.preferred:
        return TableSizes((policy.preferred,) * (count // policy.preferred), count % policy.preferred)
    for byes in range(count - policy.least + 1):
        sizes = _all_seated(count - byes, policy)
        if sizes:
            return TableSizes(sizes, byes, BYES_FORCED if byes else "")
    return TableSizes((), count, TOO_FEW if count else "")


def _all_seated(count: int, policy: TablePolicy) -> tuple[int, ...]:
    fewest, most = -(-count // policy.most), count // policy.least
    if fewest > most:
        return ()
    down, up = count // policy.preferred, -(-count // policy.preferred)
    wanted = down if policy.remainder is Remainder.LARGER else up
    tables = min(max(wanted, fewest), most)
    small, larger = divmod(count, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)
