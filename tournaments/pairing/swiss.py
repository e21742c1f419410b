"""Swiss pairing of two-seat matches: exact on the full graph, seeded, reproducible (PAIRING.md 4)."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from tournaments.pairing.contenders import ENGINE, Apart, Contender, PairingCost, RoundInput, RoundPairing
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


def pair_swiss(given: RoundInput) -> RoundPairing:
    """Pair one Swiss round at least cost; the same input gives the same round, in whatever order contenders come."""
    seated = {seat for pair in given.locked for seat in pair}
    field = sorted(
        (each for each in given.contenders if not each.awarded_bye and each.id not in seated), key=lambda each: each.id
    )
    lots = random.Random(given.seed)  # noqa: S311 - reproducible on purpose
    lots.shuffle(field)
    odd = len(field) % 2
    clubs = given.policy.clubs is not Apart.IGNORE
    pairs = match_all(len(field) + odd, _edge_cost(field, lots, clubs)) if field else []
    bye = next((field[one] for one, other in pairs if other == len(field)), None)
    by_id = {each.id: each for each in given.contenders}
    found = [(by_id[one], by_id[other]) for one, other in given.locked]
    found += [(field[one], field[other]) for one, other in pairs if other < len(field)]
    found.sort(key=lambda pair: (-max(pair[0].score, pair[1].score), -min(pair[0].score, pair[1].score)))
    ordered = tuple(_seat_order(pair, lots) for pair in found)
    cost = pairing_cost(given, ordered, bye.id if bye else None)
    return RoundPairing(
        pairs=ordered,
        tables=tuple(range(1, len(ordered) + 1)),
        bye=bye.id if bye else None,
        awarded_byes=tuple(sorted(each.id for each in given.contenders if each.awarded_bye)),
        cost=cost,
        bound=cost,
        proved=True,
        seed=given.seed,
        engine=ENGINE,
        input_hash=given.digest(),
    )


def pairing_cost(given: RoundInput, pairs: Iterable[tuple[int, int]], bye: int | None) -> PairingCost:
    """What a given pairing of these contenders costs, term by term; contenders in neither are left out."""
    by_id = {contender.id: contender for contender in given.contenders}
    met = {contender.id: Counter(contender.opponents) for contender in given.contenders}
    couples = [(by_id[one], by_id[other]) for one, other in pairs]
    clubs = given.policy.clubs is not Apart.IGNORE
    return PairingCost(
        second_byes=int(bye is not None and by_id[bye].had_bye),
        rematches=sum(met[one.id][other.id] for one, other in couples),
        club_pairs=sum(_same_club(one, other) for one, other in couples) if clubs else 0,
        bye_score=by_id[bye].score if bye is not None else 0,
        sum_sq_diff=sum((one.score - other.score) ** 2 for one, other in couples),
    )


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
