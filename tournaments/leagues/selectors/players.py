"""Who is who in a league: which appearances at its events are one player's."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from tournaments.core.names import plain_name


@dataclass(frozen=True, slots=True)
class Appearance:
    """A person at one event, under the name of the entry there; `user` is the account, None for a guest."""

    person: int
    user: int | None
    event: int
    name: str
    erased: bool = False


def who_is_who(appearances: Iterable[Appearance], words: Mapping[int, int]) -> dict[int, int]:
    """For each person the one that stands for the player, the lowest id of all who are the same.

    Persons of one account are one player, and so are guests of equal name, unless two of that name were at one event.
    `words` are the organiser's: person by person whom they count as; whoever counts as oneself stands apart.
    """
    seen = list(appearances)
    apart = {person for person, other in words.items() if person == other}
    same = _Sets()
    for each in seen:
        same.add(each.person)
    free = [each for each in seen if each.person not in apart and not each.erased]
    for group in chain(_by_account(free), _by_name(free), words.items()):
        same.join(person for person in group if person in same)
    return {person: same.root(person) for person in same}


def _by_account(appearances: Iterable[Appearance]) -> Iterable[list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for each in appearances:
        if each.user is not None:
            groups[each.user].append(each.person)
    return groups.values()


def _by_name(appearances: Iterable[Appearance]) -> Iterable[list[int]]:
    groups: dict[str, dict[tuple[int, int], None]] = defaultdict(dict)
    for each in appearances:
        if each.user is None:
            groups[plain_name(each.name)][each.event, each.person] = None
    for found in groups.values():
        if len({event for event, _person in found}) == len(found):
            yield [person for _event, person in found]


class _Sets(dict[int, int]):
    """Disjoint sets of persons, each known by its lowest id."""

    def add(self, person: int) -> None:
        self.setdefault(person, person)

    def root(self, person: int) -> int:
        while self[person] != person:
            self[person] = self[self[person]]
            person = self[person]
        return person

    def join(self, persons: Iterable[int]) -> None:
        roots = sorted({self.root(person) for person in persons})
        for root in roots[1:]:
            self[root] = roots[0]
