"""What a seating costs, term by term, and which contenders have something with each other.

See docs/how-it-works/pairing.md#pods.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from tournaments.pairing.pods.contenders import TableContender, TableCost, TableInput, TablePolicy
from tournaments.pairing.pods.sizes import TableSizes, table_sizes
from tournaments.pairing.swiss.contenders import Apart

Ties = list[dict[int, tuple[int, int, int]]]


def tables_cost(given: TableInput, tables: Iterable[Sequence[int]], byes: Iterable[int]) -> TableCost:
    """What any seating of these contenders costs, also one made by hand; KeyError for an id that is not in the field.

    Contenders who are at no table and have no bye are left out. The given tables are in seat order.
    """
    field = {each.id: each for each in given.contenders}
    seated = [[field[each] for each in table] for table in tables]
    out = [field[each] for each in byes]
    policy = given.policy
    pairs = [pair for table in seated for pair in combinations(table, 2)]
    meetings = [_tie(one, other, policy) for one, other in pairs]
    return TableCost(
        wrong_sizes=_wrong_sizes(given, [len(table) for table in seated], len(out)),
        second_byes=sum(each.byes for each in out),
        forbidden_pairs=sum(forbidden for forbidden, _, _ in meetings),
        repeats=sum(repeats for _, repeats, _ in meetings),
        club_pairs=sum(mates for _, _, mates in meetings),
        bye_score=sum(each.score for each in out) if policy.balance else 0,
        spread=sum((one.score - other.score) ** 2 for one, other in pairs) if policy.balance else 0,
        off_size=sum(each.off_size * abs(len(table) - policy.preferred) for table in seated for each in table),
        seats=sum(turns_in(each, seat) for table in seated for seat, each in enumerate(table)),
        targets=sum(_targets(table) for table in seated) if policy.primary_targets else 0,
    )


def asked_sizes(given: TableInput) -> TableSizes:
    """The tables that the policy asks of those who are not at a locked table."""
    locked = {seat for table in given.locked for seat in table}
    free = sum(not each.awarded_bye and each.id not in locked for each in given.contenders)
    return table_sizes(free, given.policy)


def turns_in(contender: TableContender, seat: int) -> int:
    """How often it sat in this seat (the first is 0)."""
    return contender.seats[seat] if seat < len(contender.seats) else 0


def ties_between(field: Sequence[TableContender], policy: TablePolicy) -> Ties:
    """For each place in the field, the places it has something with: (forbidden, meetings squared, club mate)."""
    places = {each.id: place for place, each in enumerate(field)}
    ties: Ties = [{} for _ in field]
    for place, each in enumerate(field):
        for other in {*each.opponents, *each.apart}:
            if other in places and other != each.id:
                there = places[other]
                ties[place][there] = ties[there][place] = _tie(each, field[there], policy)
    for mates in mate_groups(field, policy):
        for one, other in combinations(mates, 2):
            ties[one][other] = ties[other][one] = _tie(field[one], field[other], policy)
    return ties


def mate_groups(field: Sequence[TableContender], policy: TablePolicy) -> list[list[int]]:
    """Places of those who share a club or a team that the policy keeps apart."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, each in enumerate(field):
        for kind, name, rule in (("club", each.club, policy.clubs), ("team", each.team, policy.teams)):
            if name is not None and rule is not Apart.IGNORE:
                groups.setdefault((kind, name), []).append(place)
    return list(groups.values())


def _tie(one: TableContender, other: TableContender, policy: TablePolicy) -> tuple[int, int, int]:
    rules = [policy.clubs] if one.club is not None and one.club == other.club else []
    rules += [policy.teams] if one.team is not None and one.team == other.team else []
    forbidden = Apart.HARD in rules or other.id in one.apart or one.id in other.apart
    met = max(one.opponents.count(other.id), other.opponents.count(one.id))
    return int(forbidden), met * met, int(Apart.SOFT in rules)


def _targets(table: Sequence[TableContender]) -> int:
    ring = zip(table, [*table[1:], *table[:1]], strict=True)
    return sum(each.left.count(following.id) ** 2 for each, following in ring)


def _wrong_sizes(given: TableInput, sizes: Sequence[int], byes: int) -> int:
    asked = asked_sizes(given)
    wanted = Counter([*asked.sizes, *[1] * asked.byes, *map(len, given.locked)])
    got = Counter([*sizes, *[1] * byes])
    return max((wanted - got).total(), (got - wanted).total())
