"""Shares of matches and games won, their averages over opponents, and strength of schedule.

Sources: docs/how-it-works/standings-and-tiebreakers.md#magic, #resistance, #duel-number, #strength and #pods.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm

from scoring.standings.derivations import Operation
from scoring.standings.played_rounds import PlayedRound, Presence
from scoring.standings.points import BYES as BYE_KINDS
from scoring.standings.records import Outcome
from scoring.standings.result_table import Column, ResultTable
from scoring.standings.tiebreaker_terms import Definition, IntegerTerm, IntegerTerms, constant

BYES = (Presence.BYE, Presence.REQUESTED_BYE)
SHOWN_LIMIT = 999

Share = tuple[int, int]
"""A numerator and a denominator; the denominator is 0 before the first match."""


def _match_shares(field: ResultTable) -> list[Share]:
    """Match points over the most possible in the rounds completed."""
    totals, win = field.totals, field.policy.win
    if field.policy.bye_in_own_match_pct:
        return [(points, win * rounds) for points, rounds in zip(totals.points, totals.rounds, strict=True)]
    columns = (totals.points, totals.left_out_points, totals.rounds, totals.left_out_rounds)
    return [(points - less, win * (rounds - out)) for points, less, rounds, out in zip(*columns, strict=True)]


def _game_shares(field: ResultTable) -> list[Share]:
    """Game points over the most possible in the games played."""
    win = field.policy.game_win
    return [(points, win * games) for points, games in zip(field.totals.game_points, field.totals.games, strict=True)]


def _win_shares(field: ResultTable) -> list[Share]:
    """Wins and half the draws over rounds, byes left out of both; as halves."""
    totals = field.totals
    halves = [2 * won + drawn for won, drawn in zip(totals.wins, totals.draws, strict=True)]
    rounds = list(totals.rounds)
    for record in field.records:
        for seat in record.seats if record.kind in BYE_KINDS else ():
            place = field.index[seat.contender]
            halves[place] -= {Outcome.WIN: 2, Outcome.DRAW: 1, Outcome.LOSS: 0}[seat.outcome]
            rounds[place] -= 1
    return [(half, 2 * number) for half, number in zip(halves, rounds, strict=True)]


SHARES: Mapping[str, Callable[[ResultTable], list[Share]]] = {
    "match_win": _match_shares,
    "game_win": _game_shares,
    "win_share": _win_shares,
}


def shares_of(field: ResultTable, inner: str) -> list[Share]:
    """Everybody's own share of one sort, not floored."""
    if inner not in field.shares:
        field.shares[inner] = SHARES[inner](field)
    return field.shares[inner]


def share_lines(
    inner: str, codes: tuple[str, str], scale: Callable[[ResultTable], int] = lambda _field: 1
) -> Definition:
    """A contender's own share, not floored; 0 before the first match. Its numbers are shown over `scale`."""

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        top, bottom = shares_of(field, inner)[place]
        if not bottom:
            return constant("nothing_played", 0)
        return IntegerTerms(Operation.SHARE, [IntegerTerm(codes[0], top), IntegerTerm(codes[1], bottom)], scale(field))

    return lines


def floored(field: ResultTable, inner: str) -> Column:
    """Everybody's share raised to the floor: what opponents' averages count."""
    key = f"floored {inner}"
    if key not in field.columns:
        policy, shares = field.policy, shares_of(field, inner)
        most = {bottom for _top, bottom in shares if bottom}
        virtual = policy.bye_opponent_share.denominator if policy.bye_opponents else 1
        scale = lcm(policy.floor.denominator, virtual, *most)
        least = policy.floor.numerator * (scale // policy.floor.denominator)
        factor = {bottom: scale // bottom for bottom in most} | {0: 0}
        amounts = [top * factor[bottom] for top, bottom in shares]
        field.columns[key] = Column([amount if amount > least else least for amount in amounts], scale)
    return field.columns[key]


def average_column(inner: str) -> Callable[[ResultTable], Column]:
    """The column of `average_lines`, by adding up whole columns."""

    def column(field: ResultTable) -> Column:
        shares, policy = floored(field, inner), field.policy
        return averaged(field, shares, policy.floor, policy.bye_opponents)

    return column


def averaged(field: ResultTable, shares: Column, default: Fraction, virtual: int = 0) -> Column:
    """Opponents' average of a column, each meeting counted; byes bring `virtual` opponents; `default` without any."""
    totals, share = field.totals, field.policy.bye_opponent_share
    sums, counts = totals.opponent_sums(shares.amounts), totals.opponents
    if virtual:
        extra = virtual * share.numerator * (shares.scale // share.denominator)
        sums = [total + byes * extra for total, byes in zip(sums, totals.byes, strict=True)]
        counts = [count + byes * virtual for count, byes in zip(counts, totals.byes, strict=True)]
    return divided(sums, counts, shares.scale, default)


def divided(sums: Sequence[int], counts: Sequence[int], scale: int, default: Fraction) -> Column:
    """Averages from sums over `scale` and counts; `default`, whose denominator divides `scale`, for a count of 0."""
    common = lcm(*{count for count in counts if count})
    factor = {count: common // count for count in set(counts) if count}
    alone = default.numerator * (scale // default.denominator) * common if default else 0
    amounts = [total * factor[count] if count else alone for total, count in zip(sums, counts, strict=True)]
    return Column(amounts, scale * common)


def average_lines(inner: str) -> Definition:
    """The opponents' average of a floored share, opponent by opponent, with the virtual opponents of byes."""

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        shares, policy = floored(field, inner), field.policy
        found = [
            IntegerTerm(
                "opponent", shares.amounts[other], other, part.round_number, inner, note=_raised(field, inner, other)
            )
            for part in field.parts[place]
            if part.presence not in BYES
            for other in part.others
        ]
        if policy.bye_opponents:
            found += _virtual(field, field.parts[place], shares.scale)
        return IntegerTerms(Operation.AVERAGE, found, shares.scale) if found else at_the_floor(field)

    return lines


def at_the_floor(field: ResultTable) -> IntegerTerms:
    """What an average is without opponents."""
    return constant("floor", field.policy.floor.numerator, field.policy.floor.denominator, note="no_opponents")


def _raised(field: ResultTable, inner: str, place: int) -> str:
    top, bottom = shares_of(field, inner)[place]
    floor = field.policy.floor
    return "floored" if top * floor.denominator < floor.numerator * max(bottom, 1) else ""


def _virtual(field: ResultTable, parts: tuple[PlayedRound, ...], scale: int) -> list[IntegerTerm]:
    share = field.policy.bye_opponent_share
    amount = share.numerator * (scale // share.denominator)
    byes = [part for part in parts if part.presence is Presence.BYE]
    return [
        IntegerTerm("virtual", amount, None, part.round_number, note="virtual")
        for part in byes
        for _ in range(field.policy.bye_opponents)
    ]


def gw_lines(field: ResultTable, place: int) -> IntegerTerms:
    """The player's game %, with the floor where the policy says so."""
    own = share_lines("game_win", ("game_points", "most_game_points"))(field, place)
    if field.policy.gw_floored and _raised(field, "game_win", place):
        floor = field.policy.floor
        return constant("floor", floor.numerator, floor.denominator, "floored", "game_win")
    return own


def gw_column(field: ResultTable) -> Column:
    """The column of `gw_lines`."""
    if field.policy.gw_floored:
        return floored(field, "game_win")
    shares = shares_of(field, "game_win")
    scale = lcm(*{bottom for _top, bottom in shares if bottom})
    return Column([top * (scale // bottom) if bottom else 0 for top, bottom in shares], scale)


def schedule_lines(inner: str, column: Callable[[ResultTable], Column]) -> Definition:
    """Weighted average of the opponents' values of a column, byes left out; 0 without opponents (Cobra)."""

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        values = column(field)
        found = [
            IntegerTerm(
                "opponent", values.amounts[other], other, part.round_number, inner, field.weight(part.round_number)
            )
            for part in field.parts[place]
            if part.presence not in BYES
            for other in part.others
        ]
        if not sum(line.weight for line in found):
            return constant("floor", 0, note="no_opponents")
        factors = ("opponents_value", "weight") if field.policy.round_weights else None
        return IntegerTerms(Operation.AVERAGE, found, values.scale, field.weight_scale, factors)

    return lines


def pace_lines(field: ResultTable, place: int) -> IntegerTerms:
    """Points a round, byes included: what strength of schedule counts of an opponent."""
    rounds = sum(field.weight(part.round_number) for part in field.parts[place] if part.record is not None)
    if not rounds:
        return constant("nothing_played", 0)
    points = field.totals.points[place] * field.weight_scale
    return IntegerTerms(
        Operation.SHARE, [IntegerTerm("points", points), IntegerTerm("rounds", rounds)], field.weight_scale
    )


def thousandths(column: Column, place: int) -> int:
    """A share in whole thousandths, rounded down, three digits at the most."""
    return min(column.amounts[place] * 1000 // column.scale, SHOWN_LIMIT)
