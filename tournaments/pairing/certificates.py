"""What is known of a whole round, as reasons: proved or how far from its bound, and its weightiest terms."""

from dataclasses import fields

from tournaments.pairing.pods.contenders import TableCost
from tournaments.pairing.swiss.contenders import PairingCost
from tournaments.pairing.swiss.costs import is_least
from tournaments.pairing.swiss.explain import Reason

PERSONAL = "forbidden_pairs"
"""The term that may be about single people: a gap there ends what is said of the bound."""


def explain_certificate(cost: PairingCost, bound: PairingCost, *, proved: bool) -> tuple[Reason, ...]:
    """Of a round of pairs: proved or how far from the bound, its rematches, its squares."""
    rematches = Reason("round_rematches", {"count": cost.rematches, "least": int(is_least(cost, bound, "rematches"))})
    squares = Reason("round_squares", {"count": cost.sum_sq_diff, "least": int(is_least(cost, bound, "sum_sq_diff"))})
    return (_verdict(cost, bound, proved=proved), rematches, squares)


def explain_seating(cost: TableCost, bound: TableCost, *, proved: bool) -> tuple[Reason, ...]:
    """Of a round at tables of several: proved or how far from the bound, its repeat meetings, its spread of points."""
    repeats = Reason("table_repeats", {"count": cost.repeats, "least": int(is_least(cost, bound, "repeats"))})
    spread = Reason("table_spread", {"count": cost.spread, "least": int(is_least(cost, bound, "spread"))})
    return (_verdict(cost, bound, proved=proved), repeats, spread)


def _verdict(cost: PairingCost | TableCost, bound: PairingCost | TableCost, *, proved: bool) -> Reason:
    """Proved, or the first term in which the round costs more than the bound, unless that is about single people."""
    if proved:
        return Reason("proved")
    for item in fields(cost):
        ours, least = (getattr(side, item.name) for side in (cost, bound))
        if ours != least and item.name == PERSONAL:
            break
        if ours != least:
            return Reason(f"gap_{item.name}", {"ours": _total(ours), "least": _total(least)})
    return Reason("not_proved")


def _total(term: int | tuple[int, ...]) -> int:
    return sum(term) if isinstance(term, tuple) else term
