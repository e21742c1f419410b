"""A paired round as places that staff change by hand: each change a value, what it leaves and what that costs."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from tournaments.pairing.pods.contenders import TableCost
from tournaments.pairing.swiss.contenders import PairingCost

MAX_TABLE = 9999


class Act(StrEnum):
    """What staff do to the places of a round; undoing is `put_back`."""

    SEATS = "seats"
    SWAP = "swap"
    MAKE = "make"
    BREAK = "break"
    BYE = "bye"
    LOCK = "lock"
    UNLOCK = "unlock"
    MOVE = "move"
    SEAT = "seat"
    UNSEAT = "unseat"
    PAIR_REST = "repair"
    REPAIR_MINIMAL = "mend"


class Kind(StrEnum):
    """What a seating is for; a bye and a no-show have one seat and no table, an awarded one has two and no table."""

    PLAYED = "played"
    BYE = "bye"
    NO_SHOW = "no_show"
    AWARDED = "awarded"


class Refused(Exception):
    """A change that the places do not allow: a stable `code`, with the ids and tables it is about."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, params)
        self.code, self.params = code, params


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `entries` are the ids it is about; `table` is the table it is about, `to` the number it gets.

    LOCK, UNLOCK and BREAK take a bye by the id of its holder. SEAT gives one a seat at a table with room, UNSEAT takes
    one off. PAIR_REST is drawn by `seed`. REPAIR_MINIMAL re-pairs the fewest tables that make the round as
    good as can be.
    """

    act: Act
    entries: tuple[int, ...] = ()
    table: int | None = None
    to: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits together, ids in order of seats, at which table (None: a bye, a no-show).

    A `locked` one stays when the others are paired again. A `begun` one was reported, or play has begun there: nobody
    touches it. `reasons` say why these meet, as `Reason.as_dict` writes them.
    """

    seats: tuple[int, ...]
    number: int | None = None
    kind: Kind = Kind.PLAYED
    locked: bool = False
    begun: bool = field(default=False, compare=False)
    reasons: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        values = {"seats": list(self.seats), "number": self.number, "kind": self.kind.value, "locked": self.locked}
        return {**values, "reasons": list(self.reasons)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the form `as_dict` writes."""
        return cls(tuple(data["seats"]), data["number"], Kind(data["kind"]), data["locked"], False, (*data["reasons"],))


@dataclass(frozen=True, slots=True)
class RoundDraft:
    """All places of a round. `unplaced` are ids that play but have no place; `inactive` left the event since."""

    seatings: tuple[Seating, ...]
    unplaced: tuple[int, ...] = ()
    inactive: frozenset[int] = frozenset()

    @property
    def ids(self) -> frozenset[int]:
        """Everybody in it, with a place or without."""
        return frozenset(self.unplaced).union(*(each.seats for each in self.seatings))

    @property
    def byes(self) -> tuple[int, ...]:
        """Who has a bye, awarded or not."""
        return tuple(seat for each in self.seatings if each.kind is Kind.BYE for seat in each.seats)

    def at(self, entry: int) -> Seating | None:
        """Where a person sits."""
        return next((each for each in self.seatings if entry in each.seats), None)

    def table(self, number: int | None) -> Seating:
        """The seating at a table; Refused "unknown_table"."""
        found = next((each for each in self.seatings if number is not None and each.number == number), None)
        if found is None:
            raise Refused("unknown_table", table=number)
        return found

    def replaced(self, gone: Collection[Seating], come: Iterable[Seating]) -> "RoundDraft":
        """The places after some seatings gave way to others; who loses their place is unplaced, unless inactive."""
        leaving = set(gone)
        seatings = (*(each for each in self.seatings if each not in leaving), *come)
        placed = {seat for each in seatings for seat in each.seats}
        known = sorted(self.ids - placed - self.inactive)
        ordered = sorted(seatings, key=lambda each: (each.number is None, each.number or 0, each.seats))
        return replace(self, seatings=tuple(ordered), unplaced=tuple(known))

    def digest(self) -> str:
        """Tells any two states of a round apart, as long as nobody may touch the same tables in both."""
        seatings = [(each.seats, each.number, each.kind.value, each.locked) for each in self.seatings]
        text = json.dumps([seatings, self.unplaced, sorted(self.inactive)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, order=True)
class CostReport:
    """What a round draft costs: people without a place first, then the terms of the pairing core."""

    unplaced: int
    cost: PairingCost | TableCost


def difference(before: RoundDraft, after: RoundDraft) -> tuple[tuple[Seating, ...], tuple[Seating, ...]]:
    """The seatings that a change takes away, and those that it brings."""
    old, new = set(before.seatings), set(after.seatings)
    gone = tuple(each for each in before.seatings if each not in new)
    return gone, tuple(each for each in after.seatings if each not in old)
