"""Shares of matches and games won, their averages over opponents, and strength of schedule.

Sources: TIEBREAKERS.md 1 (Magic), 2 (Pokémon), 3 (Yu-Gi-Oh), 4 (Cobra), 7 (virtual opponents of byes).
"""

from collections.abc import Callable
from fractions import Fraction
from math import lcm

from scoring.derivations import Operation
from scoring.field import Column, Field, Part, Presence
from scoring.lines import Definition, Line, Lines, given

BYES = (Presence.BYE, Presence.REQUESTED_BYE)
SHOWN_LIMIT = 999

Share = Callable[[Field, int], tuple[int, int]]
"""A numerator and a denominator; the denominator is 0 before the first match."""


def match_share(field: Field, place: int) -> tuple[int, int]:
    """Match points over the most possible in the rounds completed."""
    totals = field.totals
    rounds = totals.rounds[place] - totals.left_out_rounds[place]
    return totals.points[place] - totals.left_out_points[place], field.policy.win * rounds


def game_share(field: Field, place: int) -> tuple[int, int]:
    """Game points over the most possible in the games played."""
    return field.totals.game_points[place], field.policy.game_win * field.totals.games[place]


def win_share(field: Field, place: int) -> tuple[int, int]:
    """Wins and half the draws over rounds, byes left out of both; as halves."""
    parts = [part for part in field.parts[place] if part.own is not None and part.presence not in BYES]
    outcomes = [part.own.outcome.value for part in parts if part.own is not None]
    return 2 * outcomes.count("win") + outcomes.count("draw"), 2 * len(parts)


def share_lines(share: Share, codes: tuple[str, str], scale: Callable[[Field], int] = lambda _field: 1) -> Definition:
    """A contender's own share, not floored; 0 before the first match. Its numbers are shown over `scale`."""

    def lines(field: Field, place: int) -> Lines:
        top, bottom = share(field, place)
        if not bottom:
            return given("nothing_played", 0)
        return Lines(Operation.SHARE, [Line(codes[0], top), Line(codes[1], bottom)], scale(field))

    return lines


def floored(field: Field, key: str, share: Share) -> Column:
    """Everybody's share raised to the floor: what opponents' averages count. Kept under `key`."""
    if key not in field.columns:
        policy = field.policy
        shares = [share(field, place) for place in range(len(field.facts))]
        most = {bottom for _top, bottom in shares if bottom}
        virtual = policy.bye_opponent_share.denominator if policy.bye_opponents else 1
        scale = lcm(policy.floor.denominator, virtual, *most)
        least = policy.floor.numerator * (scale // policy.floor.denominator)
        factor = {bottom: scale // bottom for bottom in most} | {0: 0}
        field.columns[key] = Column([max(top * factor[bottom], least) for top, bottom in shares], scale)
    return field.columns[key]


def average_column(inner: str, share: Share) -> Callable[[Field], Column]:
    """The column of `average_lines`, by adding up whole columns."""

    def column(field: Field) -> Column:
        shares, policy = floored(field, f"floored {inner}", share), field.policy
        return averaged(field, shares, policy.floor, policy.bye_opponents)

    return column


def averaged(field: Field, shares: Column, default: Fraction, virtual: int = 0) -> Column:
    """Opponents' average of a column, each meeting counted; byes bring `virtual` opponents; `default` without any."""
    totals, share = field.totals, field.policy.bye_opponent_share
    sums, counts = totals.opponent_sums(shares.amounts), totals.opponents
    if virtual:
        extra = virtual * share.numerator * (shares.scale // share.denominator)
        sums = [total + byes * extra for total, byes in zip(sums, totals.byes, strict=True)]
        counts = [count + byes * virtual for count, byes in zip(counts, totals.byes, strict=True)]
    common = lcm(*{count for count in counts if count})
    factor = {count: common // count for count in set(counts) if count}
    alone = default.numerator * (shares.scale // default.denominator) * common if default else 0
    amounts = [total * factor[count] if count else alone for total, count in zip(sums, counts, strict=True)]
    return Column(amounts, shares.scale * common)


def average_lines(inner: str, share: Share) -> Definition:
    """The opponents' average of a floored share, opponent by opponent, with the virtual opponents of byes."""

    def lines(field: Field, place: int) -> Lines:
        shares, policy = floored(field, f"floored {inner}", share), field.policy
        found = [
            Line("opponent", shares.amounts[other], other, part.round_number, inner, note=_raised(field, share, other))
            for part in field.parts[place]
            if part.presence not in BYES
            for other in part.others
        ]
        if policy.bye_opponents:
            found += _virtual(field, field.parts[place], shares.scale)
        return Lines(Operation.AVERAGE, found, shares.scale) if found else at_the_floor(field)

    return lines


def at_the_floor(field: Field) -> Lines:
    """What an average is without opponents."""
    return given("floor", field.policy.floor.numerator, field.policy.floor.denominator, note="no_opponents")


def _raised(field: Field, share: Share, place: int) -> str:
    top, bottom = share(field, place)
    floor = field.policy.floor
    return "floored" if top * floor.denominator < floor.numerator * max(bottom, 1) else ""


def _virtual(field: Field, parts: tuple[Part, ...], scale: int) -> list[Line]:
    share = field.policy.bye_opponent_share
    amount = share.numerator * (scale // share.denominator)
    byes = [part for part in parts if part.presence is Presence.BYE]
    return [
        Line("virtual", amount, None, part.round_number, note="virtual")
        for part in byes
        for _ in range(field.policy.bye_opponents)
    ]


def gw_lines(field: Field, place: int) -> Lines:
    """The own game %, with the floor where the policy says so."""
    own = share_lines(game_share, ("game_points", "most_game_points"))(field, place)
    if field.policy.gw_floored and _raised(field, game_share, place):
        floor = field.policy.floor
        return given("floor", floor.numerator, floor.denominator, "floored", "game_win")
    return own


def gw_column(field: Field) -> Column:
    """The column of `gw_lines`."""
    if field.policy.gw_floored:
        return floored(field, "floored game_win", game_share)
    shares = [game_share(field, place) for place in range(len(field.facts))]
    scale = lcm(*{bottom for _top, bottom in shares if bottom})
    return Column([top * (scale // bottom) if bottom else 0 for top, bottom in shares], scale)


def schedule_lines(inner: str, column: Callable[[Field], Column]) -> Definition:
    """Weighted average of the opponents' values of a column, byes left out; 0 without opponents (Cobra)."""

    def lines(field: Field, place: int) -> Lines:
        values = column(field)
        found = [
            Line("opponent", values.amounts[other], other, part.round_number, inner, field.weight(part.round_number))
            for part in field.parts[place]
            if part.presence not in BYES
            for other in part.others
        ]
        if not sum(line.weight for line in found):
            return given("floor", 0, note="no_opponents")
        factors = ("opponents_value", "weight") if field.policy.round_weights else None
        return Lines(Operation.AVERAGE, found, values.scale, field.weight_scale, factors)

    return lines


def pace_lines(field: Field, place: int) -> Lines:
    """Points a round, byes included: what strength of schedule counts of an opponent."""
    rounds = sum(field.weight(part.round_number) for part in field.parts[place] if part.record is not None)
    if not rounds:
        return given("nothing_played", 0)
    points = field.totals.points[place] * field.weight_scale
    return Lines(Operation.SHARE, [Line("points", points), Line("rounds", rounds)], field.weight_scale)


def thousandths(column: Column, place: int) -> int:
    """A share in whole thousandths, rounded down, three digits at the most."""
    return min(column.amounts[place] * 1000 // column.scale, SHOWN_LIMIT)
