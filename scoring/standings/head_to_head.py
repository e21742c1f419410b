"""Head-to-head: points from the matches among those who are tied in everything that counts before."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from scoring.standings.derivations import Operation
from scoring.standings.points import match_points_of
from scoring.standings.result_table import Column, ResultTable
from scoring.standings.tiebreaker_terms import Definition, IntegerTerm, IntegerTerms, constant

Before = Callable[[ResultTable], Sequence[Sequence[int]]]
"""The amounts of all that counts before head-to-head."""


class Tie(NamedTuple):
    """Two or more places of the field that are tied, and what each won among them; None unless all have met."""

    group: frozenset[int]
    points: Mapping[int, int] | None


def head_to_head_lines(before: Before) -> Definition:
    """Points from the matches among all who are tied so far; decides nothing unless all of them have met.

    Tied means equal in everything that stands before it in the policy's order (in match points where it does not
    stand there). With three or more tied it counts as FIDE's direct encounter does when everybody has met; what C.07
    says of groups in which some have not met is not applied: the next criterion decides then. No-shows count.
    """

    def lines(field: ResultTable, place: int) -> IntegerTerms:
        tie = _ties(field, before).get(place)
        if tie is None:
            return constant("head_to_head", 0, note="not_tied")
        if tie.points is None:
            return constant("head_to_head", 0, note="not_all_met")
        found = [
            IntegerTerm("opponent", part.points, part.only_other, part.round_number)
            for part in field.parts[place]
            if not tie.group.isdisjoint(part.others)
        ]
        return IntegerTerms(Operation.SUM, found, field.policy.point_unit)

    return lines


def head_to_head_column(before: Before) -> Callable[[ResultTable], Column]:
    """The column of `head_to_head_lines`: looks only at matches among the tied."""

    def column(field: ResultTable) -> Column:
        amounts = [0] * len(field.facts)
        for place, tie in _ties(field, before).items():
            amounts[place] = tie.points[place] if tie.points else 0
        return Column(amounts, field.policy.point_unit)

    return column


def _ties(field: ResultTable, before: Before) -> dict[int, Tie]:
    """The tie of each place that is in one."""
    if field.ties is None:
        places: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for place, (facts, *key) in enumerate(zip(field.facts, *before(field), strict=True)):
            if facts.ranked:
                places[tuple(key)].append(place)
        groups = [frozenset(group) for group in places.values() if len(group) > 1]
        # Most groups are too large for everybody to have met; only the others' matches are looked for.
        small = [group for group in groups if all(field.totals.opponents[each] >= len(group) - 1 for each in group)]
        decided = _points_within(field, small)
        field.ties = {place: Tie(group, decided.get(group)) for group in groups for place in group}
    return field.ties


def _points_within(field: ResultTable, groups: Iterable[frozenset[int]]) -> dict[frozenset[int], Mapping[int, int]]:
    """By group in which all have met: everybody's points from the tables at which another one of it sat."""
    facts, index = field.facts, field.index
    group_of = {facts[place].id: group for group in groups for place in group}
    met: defaultdict[int, set[int]] = defaultdict(set)
    points = dict.fromkeys((index[each] for each in group_of), 0)
    for record in field.records:
        tied = [seat for seat in record.seats if seat.contender in group_of]
        if len(tied) < 2:
            continue
        for seat in tied:
            place, group = index[seat.contender], group_of[seat.contender]
            others = group.intersection(index[each.contender] for each in tied) - {place}
            if others:
                met[place] |= others
                points[place] += match_points_of(record, seat, field.policy)
    return {
        group: {place: points[place] for place in group}
        for group in set(group_of.values())
        if all(len(met[place]) == len(group) - 1 for place in group)
    }
