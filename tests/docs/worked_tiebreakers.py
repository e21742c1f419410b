"""Every tiebreaker worked out for one player of a small made-up event, by the code that ranks players."""

from fractions import Fraction

from scoring.standings.derivations import Derivation, Operation, Term
from scoring.standings.explanations import derive
from scoring.standings.records import MatchKind, MatchRecord, Outcome, PointsBy, ScoringPolicy, SeatRecord
from scoring.standings.tiebreakers import Kind, Tiebreaker

ADA, BEN, CLEO, DAN, EVA = range(1, 6)
NAMES = {ADA: "Ada", BEN: "Ben", CLEO: "Cleo", DAN: "Dan", EVA: "Eva"}
AT_TABLES = {
    "table_wins",
    "victory_points",
    "opponents_score",
    "firsts",
    "seconds",
    "thirds",
    "table_points",
}


def duel(round_number: int, first: int, second: int, won: int, lost: int) -> MatchRecord:
    """A match of two: the games that each won; as many is a draw."""
    one = Outcome.DRAW if won == lost else Outcome.WIN if won > lost else Outcome.LOSS
    other = {Outcome.WIN: Outcome.LOSS, Outcome.LOSS: Outcome.WIN}.get(one, one)
    return MatchRecord(round_number, MatchKind.PLAYED, (SeatRecord(first, one, won), SeatRecord(second, other, lost)))


def bye(round_number: int, player: int) -> MatchRecord:
    """A round without an opponent."""
    return MatchRecord(round_number, MatchKind.BYE, (SeatRecord(player, Outcome.WIN, 2),))


def table(round_number: int, *scores: tuple[int, int]) -> MatchRecord:
    """A table of several: (player, victory points), the winner first."""
    seats = (
        SeatRecord(player, Outcome.WIN if place == 1 else Outcome.LOSS, int(place == 1), place, Fraction(score))
        for place, (player, score) in enumerate(scores, 1)
    )
    return MatchRecord(round_number, MatchKind.PLAYED, tuple(seats))


DUELS = [
    *(duel(1, ADA, BEN, 2, 0), duel(1, CLEO, DAN, 2, 1), bye(1, EVA)),
    *(duel(2, CLEO, ADA, 2, 1), duel(2, EVA, BEN, 1, 1), bye(2, DAN)),
    *(duel(3, EVA, ADA, 1, 2), duel(3, CLEO, DAN, 2, 0), bye(3, BEN)),
]
TABLES = [
    table(1, (ADA, 12), (BEN, 9), (CLEO, 7), (DAN, 2)),
    table(2, (DAN, 10), (ADA, 8), (EVA, 5), (BEN, 4)),
]
POLICY = ScoringPolicy()
TABLE_POLICY = ScoringPolicy(points_by=PointsBy.PLACING, placing_points=((4, 3, 2, 1),))


def worked(tiebreaker: Tiebreaker) -> str:
    """Ada's value with its arithmetic: 3 + 0 + 3 = 6."""
    records, policy = (TABLES, TABLE_POLICY) if tiebreaker.key in AT_TABLES else (DUELS, POLICY)
    found = derive(NAMES, records, policy, tiebreaker.key, ADA)
    sums = _arithmetic(found, [_named(term) for term in found.terms])
    value = f"{float(found.value * 100):.2f} %" if tiebreaker.kind is Kind.PERCENTAGE else _number(found.value)
    return value if sums in ("", value) else f"{sums} = {value}"


def _arithmetic(found: Derivation, texts: list[str]) -> str:
    """The texts of the terms, joined by what is done with them."""
    counted = [text for text, term in zip(texts, found.terms, strict=True) if term.counted]
    left_out = [text for text, term in zip(texts, found.terms, strict=True) if not term.counted]
    joined = {Operation.SHARE: " / ", Operation.PRODUCT: " × "}.get(found.operation, " + ").join(counted)
    if found.operation is Operation.AVERAGE:
        joined = f"({joined}) / {len(counted)}"
    return joined + (f", without {' and '.join(left_out)}" if left_out else "")


def _named(term: Term) -> str:
    """A number after the opponent it belongs to, as a product or share where it is one."""
    number, parts = _number(term.value), term.parts
    if parts is not None and parts.operation in (Operation.PRODUCT, Operation.SHARE):
        number = _arithmetic(parts, [_number(each.value) for each in parts.terms])
    return f"{NAMES[term.contender]} {number}" if term.contender else number


def _number(value: Fraction) -> str:
    """A half as 0.5, for it may be divided again; other fractions as they are."""
    return f"{float(value):g}" if value.denominator == 2 else str(value)
