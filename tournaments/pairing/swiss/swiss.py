"""Swiss pairing of two-seat matches: exact through a small kernel, seeded, reproducible, never without an answer.

The objective is `PairingCost`; how its optimum is found and proved is explained in `kernel`, what happens beyond the
budget in `fallback` (docs/how-it-works/pairing.md#kernel).
"""

import random
from dataclasses import replace

from tournaments.pairing.swiss.bounds import neighbour_bound, places_bound
from tournaments.pairing.swiss.contenders import ENGINE, Contender, Finish, PairingCost, RoundInput, RoundPairing
from tournaments.pairing.swiss.costs import Costs, add_costs, kept_locked, pairing_cost
from tournaments.pairing.swiss.large.reduced_graph import LOT_BITS
from tournaments.pairing.swiss.seating import number_tables, order_couples, seat
from tournaments.pairing.swiss.solver import Solution, solve

__all__ = ["pair_swiss", "pairing_cost", "recommended_rounds"]

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
    """Swiss rounds that leave about one undefeated player, for an event without a cut.

    See docs/how-it-works/standings-and-tiebreakers.md#rounds.
    """
    return next((rounds for most, rounds in ROUNDS_WITHOUT_CUT if players <= most), 13)


def pair_swiss(given: RoundInput) -> RoundPairing:
    """Pair one Swiss round at least cost; the same input gives the same round, in whatever order contenders come.

    A locked pair of which one is no contender, or in an earlier locked pair, is ignored; an awarded bye gives way
    to a locked pair.
    """
    contenders = sorted(given.contenders, key=lambda one: one.id)
    lots = draw_lots(contenders, given.seed)
    locked = kept_locked(given)
    seated = {one.id for couple in locked for one in couple}
    field = [one for one in contenders if not one.awarded_bye and one.id not in seated]
    field.sort(key=lambda one: lots[one.id])
    costs = Costs(given)
    solution = solve(field, costs, lots)
    cost = costs.of_round([*locked, *solution.couples], solution.bye)
    bound = add_costs(_bound_of(field, solution, costs), costs.of_round(locked, None))
    couples = order_couples([*locked, *solution.couples, *solution.inside])
    return RoundPairing(
        pairs=tuple(seat(couple, lots) for couple in couples),
        tables=number_tables(couples),
        bye=solution.bye.id if solution.bye else None,
        awarded_byes=tuple(one.id for one in contenders if one.awarded_bye and one.id not in seated),
        cost=cost,
        bound=bound,
        proved=cost == bound,
        seed=given.seed,
        engine=ENGINE,
        input_hash=given.digest(),
    )


def draw_lots(contenders: list[Contender], seed: int) -> dict[int, int]:
    """A random number of LOT_BITS for each id."""
    chance = random.Random(seed)  # noqa: S311 - reproducible on purpose
    return {one.id: chance.getrandbits(LOT_BITS) for one in contenders}


def _bound_of(field: list[Contender], solution: Solution, costs: Costs) -> PairingCost:
    """What no pairing of the field can beat: the kernel's proof, else what neighbours tell."""
    if solution.bound is None:
        return neighbour_bound(field, costs)
    if costs.finish_rule is Finish.STANDINGS and solution.has_standins:
        return replace(solution.bound, finish=places_bound(field))
    return solution.bound
