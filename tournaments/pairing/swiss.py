"""Swiss pairing of two-seat matches: exact on the full graph, seeded, reproducible (PAIRING.md 4)."""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import astuple

from rules_engine.errors import DomainError
from tournaments.pairing.contenders import ENGINE, Contender, PairingCost, RoundPairing
from tournaments.pairing.matching import match_all

LOT_BITS = 20
ROUNDS_WITHOUT_CUT = (
    (2, 1),
    (4, 2),
    (8, 3),
    (16, 4),
    (32, 5),
    (64, 6),
    (128, 7),
    (212, 8),
    (384, 9),
    (672, 10),
    (1248, 11),
    (2272, 12),
)


def recommended_rounds(players: int) -> int:
    """Swiss rounds that leave about one undefeated player, for an event without a cut (TIEBREAKERS.md 1)."""
    return next((rounds for most, rounds in ROUNDS_WITHOUT_CUT if players <= most), 13)


def pair_swiss(contenders: Sequence[Contender], *, seed: int, keep_clubs_apart: bool = False) -> RoundPairing:
    """Pair one Swiss round at least cost; contenders may come in any order, the same seed gives the same round.

    An odd field gives one bye. A rematch is made only where no pairing without one exists. Raises
    DomainError("too_few_entries") below two contenders.
    """
    if len(contenders) < 2:
        raise DomainError("too_few_entries", "A round needs at least two players.")
    field = sorted(contenders, key=lambda contender: contender.id)
    lots = random.Random(seed)  # noqa: S311 - reproducible on purpose
    lots.shuffle(field)
    odd = len(field) % 2
    pairs = match_all(len(field) + odd, _edge_cost(field, lots, keep_clubs_apart))
    bye = next((field[one] for one, other in pairs if other == len(field)), None)
    seated = [(field[one], field[other]) for one, other in pairs if other < len(field)]
    seated.sort(key=lambda pair: (-max(pair[0].score, pair[1].score), -min(pair[0].score, pair[1].score)))
    ordered = tuple(_seat_order(pair, lots) for pair in seated)
    return RoundPairing(
        pairs=ordered,
        bye=bye.id if bye else None,
        cost=pairing_cost(contenders, ordered, bye.id if bye else None, keep_clubs_apart=keep_clubs_apart),
        proved=True,
        seed=seed,
        engine=ENGINE,
        input_hash=input_hash(contenders, seed, keep_clubs_apart=keep_clubs_apart),
    )


def pairing_cost(
    contenders: Sequence[Contender],
    pairs: Sequence[tuple[int, int]],
    bye: int | None,
    *,
    keep_clubs_apart: bool = False,
) -> PairingCost:
    """What a given pairing of these contenders costs, term by term."""
    by_id = {contender.id: contender for contender in contenders}
    met = {contender.id: Counter(contender.opponents) for contender in contenders}
    couples = [(by_id[one], by_id[other]) for one, other in pairs]
    return PairingCost(
        second_byes=int(bye is not None and by_id[bye].had_bye),
        rematches=sum(met[one.id][other.id] for one, other in couples),
        club_pairs=sum(_same_club(one, other) for one, other in couples) if keep_clubs_apart else 0,
        bye_score=by_id[bye].score if bye is not None else 0,
        sum_sq_diff=sum((one.score - other.score) ** 2 for one, other in couples),
    )


def input_hash(contenders: Sequence[Contender], seed: int, *, keep_clubs_apart: bool) -> str:
    """SHA-256 over everything the pairing depends on."""
    rows = sorted(astuple(contender) for contender in contenders)
    text = json.dumps([rows, seed, keep_clubs_apart], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _seat_order(pair: tuple[Contender, Contender], lots: random.Random) -> tuple[int, int]:
    one, other = pair
    return (one.id, other.id) if lots.random() < 0.5 else (other.id, one.id)


def _same_club(one: Contender, other: Contender) -> bool:
    return one.club is not None and one.club == other.club


def _edge_cost(field: Sequence[Contender], lots: random.Random, keep_clubs_apart: bool) -> Callable[[int, int], int]:
    """The objective as one integer an edge: each term has more room than all lower terms of a whole round together.

    Vertex len(field) is the bye. Meetings beyond the first cost more each, so that a third meeting comes last.
    """
    pairs = len(field) // 2 + 1
    met = [Counter(contender.opponents) for contender in field]
    lowest = min(contender.score for contender in field)
    span = max(contender.score for contender in field) - lowest
    most_meetings = max((max(count.values(), default=0) for count in met), default=0)
    lot = 1 << LOT_BITS
    square = lot * pairs
    bye_score = square * (span * span * pairs + 1)
    club = bye_score * (span + 1)
    rematch = club * (pairs + 1)
    second_bye = rematch * (most_meetings * pairs + 1)

    def cost(one: int, other: int) -> int:
        first = field[one]
        if other == len(field):
            return second_bye * first.had_bye + bye_score * (first.score - lowest) + lots.getrandbits(LOT_BITS)
        second = field[other]
        apart = keep_clubs_apart and _same_club(first, second)
        return (
            rematch * met[one][second.id]
            + club * apart
            + square * (first.score - second.score) ** 2
            + lots.getrandbits(LOT_BITS)
        )

    return cost
