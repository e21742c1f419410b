"""Pairs a field through the kernel: match, add stand-ins where too few, let real members take their places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tournaments.pairing.brackets.places import bring_together
from tournaments.pairing.swiss.bounds import neighbour_bound
from tournaments.pairing.swiss.contenders import Contender, Finish, PairingCost
from tournaments.pairing.swiss.costs import Costs
from tournaments.pairing.swiss.fallback import match_in_windows, repair
from tournaments.pairing.swiss.large.fill_large_groups import Couple, pair_inside
from tournaments.pairing.swiss.large.large_groups import divide
from tournaments.pairing.swiss.large.reduced_graph import Group, Kernel, Vertex, cheapest, vertices_of
from tournaments.pairing.swiss.matching import Pair

BUDGET = 700  # vertices of a kernel that is matched exactly: at worst, all scores different, about 2 s
BUDGET_TOP_DOWN = 400  # the same where one matching takes several turns
TRIES = 20  # members of a group tried against those of another when stand-ins of both meet


@dataclass(slots=True)
class Solution:
    """A paired field: the couples that cost something, those `inside` a group that cost nothing, the bye.

    `bound` is what the kernel proves no pairing of the field can beat, None without a proof; `failed` are groups whose
    members could not take the places of their stand-ins at the kernel's cost.
    """

    couples: list[Couple] = field(default_factory=list)
    inside: list[Couple] = field(default_factory=list)
    bye: Contender | None = None
    bound: PairingCost | None = None
    failed: dict[int, Group] = field(default_factory=dict)
    has_standins: bool = False

    def meets(self, bound: PairingCost, costs: Costs) -> bool:
        return costs.of_round(self.couples, self.bye) == bound


def solve(contenders: Sequence[Contender], costs: Costs, lots: dict[int, int]) -> Solution:
    """Pair the contenders, given in random order; `lots` has a number for each id."""
    groups = divide(contenders, costs)
    odd = len(contenders) % 2 == 1
    solution, proof = None, None
    neighbours = neighbour_bound(contenders, costs)
    while True:
        vertices = vertices_of(groups, lots, costs.finish_rule)
        if len(vertices) > (BUDGET_TOP_DOWN if costs.top_down else BUDGET):
            solution = solution or substitute(*match_in_windows(vertices, costs, odd=odd), costs)
            solution.couples, solution.inside = repair([*solution.couples, *solution.inside], costs), []
            solution.bound = proof
            return solution
        kernel = Kernel(vertices, costs, odd=odd)
        matching, least = kernel.match()
        short = _short_of_standins(groups, vertices, matching.pairs)
        solution = substitute(kernel, matching.pairs, costs)
        proof = least if matching.exact and not short else proof
        solution.bound = neighbours if solution.meets(neighbours, costs) else proof
        if solution.bound is neighbours or not (short or solution.failed):
            return solution
        for group in short or solution.failed.values():
            _widen(group, more=bool(short))


def _short_of_standins(groups: Sequence[Group], vertices: Sequence[Vertex], pairs: Sequence[Pair]) -> list[Group]:
    """The large groups that have no two stand-ins paired with each other (see the kernel's bound)."""
    kept = {
        vertices[one].group.rank
        for one, other in pairs
        if other < len(vertices) and _are_twins(vertices[one], vertices[other])
    }
    return [group for group in groups if group.standins and group.rank not in kept]


def _are_twins(one: Vertex, other: Vertex) -> bool:
    return one.who is None and other.who is None and one.group is other.group


def _widen(group: Group, *, more: bool) -> None:
    more_standins = group.standins + (group.standins & ~1)
    if more and 2 * more_standins < len(group.common):
        group.standins = more_standins
    else:
        group.shrink()


def substitute(kernel: Kernel, pairs: Sequence[Pair], costs: Costs) -> Solution:
    """Let members take the places of stand-ins, the bye first, and pair those who are left inside their group."""
    vertices, taken = kernel.vertices, set[int]()
    solution = Solution(has_standins=any(vertex.who is None for vertex in vertices))
    for one, other in sorted(pairs, key=lambda pair: _standins_of(pair, vertices)):
        if other == len(vertices):
            solution.bye = _take_bye(vertices[one], taken)
        elif not _are_twins(vertices[one], vertices[other]):
            solution.couples.append(_take_pair(kernel, one, other, taken, solution))
    for group in {vertex.group.rank: vertex.group for vertex in vertices if vertex.group.standins}.values():
        members = [one for one in group.common if one.id not in taken]
        if costs.finish_rule is Finish.STANDINGS:
            members.sort(key=lambda one: one.place)
        inside, clean = pair_inside(members, costs.clean)
        if clean and costs.finish_rule is not Finish.STANDINGS:
            solution.inside += inside
        else:
            solution.couples += inside
        if not clean:
            solution.failed[group.rank] = group
    if costs.finish_rule is Finish.STANDINGS and solution.has_standins:
        solution.couples = bring_together(solution.couples, costs.clean)
    return solution


def _standins_of(pair: Pair, vertices: Sequence[Vertex]) -> int:
    """How many stand-ins a pair has; -1 for the bye, which is to be given first."""
    return -1 if pair[1] == len(vertices) else sum(vertices[each].who is None for each in pair)


def _take_bye(vertex: Vertex, taken: set[int]) -> Contender:
    if vertex.who is not None:
        return vertex.who
    member = next(one for one in vertex.group.common if one.had_bye == vertex.had_bye)
    taken.add(member.id)
    return member


def _take_pair(kernel: Kernel, one: int, other: int, taken: set[int], solution: Solution) -> Couple:
    first, second = kernel.vertices[one], kernel.vertices[other]
    enough = kernel.price(one, other)
    if first.who is not None and second.who is not None:
        return first.who, second.who
    best = None
    for tried, member in enumerate(_members(first, taken, above=True, costs=kernel.costs)):
        found, partner = cheapest(
            member, _members(second, taken, above=False, costs=kernel.costs), kernel.costs, enough
        )
        if best is None or found < best[0]:
            best = found, member, partner
        if found == enough or tried == TRIES:
            break
    assert best is not None
    found, member, partner = best
    for vertex, each in ((first, member), (second, partner)):
        if vertex.who is None:
            taken.add(each.id)
            if found != enough:
                solution.failed[vertex.group.rank] = vertex.group
    return member, partner


def _members(vertex: Vertex, taken: set[int], *, above: bool, costs: Costs) -> Iterator[Contender]:
    """Who can sit at a vertex: the contender, or any free member, by places the nearest to the other group first."""
    if vertex.who is not None:
        yield vertex.who
        return
    members = vertex.group.common
    if costs.finish_rule is Finish.STANDINGS:
        members = sorted(members, key=lambda one: -one.place if above else one.place)
    yield from (one for one in members if one.id not in taken)
