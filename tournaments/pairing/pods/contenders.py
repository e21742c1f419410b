"""What seating at tables of several takes and gives back: contenders, policy, input of one round, seated round."""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Self

from tournaments.pairing.swiss.contenders import Apart

TABLE_ENGINE = "tables/1"
SMALLEST, LARGEST = 2, 20
"""Seats of a table. 20 are what a score sheet of any game holds at most; what a game seats is in its rules file."""


class Remainder(StrEnum):
    """What becomes of a field that the preferred size does not divide."""

    SMALLER = "smaller"
    LARGER = "larger"
    BYES = "byes"


@dataclass(frozen=True, slots=True)
class TablePolicy:
    """How an organiser wants tables filled.

    Sizes: 2 <= `least` <= `preferred` <= `most` <= 20, else ValueError. `balance` seats like scores together (Swiss);
    without it chance decides. `clubs` and `teams` keep mates apart: after repeat meetings (soft) or before them (hard).
    With `primary_targets` it matters who sits next in turn order.
    """

    preferred: int = 4
    least: int = 3
    most: int = 5
    remainder: Remainder = Remainder.SMALLER
    balance: bool = True
    clubs: Apart = Apart.IGNORE
    teams: Apart = Apart.IGNORE
    primary_targets: bool = False

    def __post_init__(self) -> None:
        if not SMALLEST <= self.least <= self.preferred <= self.most <= LARGEST:
            raise ValueError("table sizes must obey 2 <= least <= preferred <= most <= 20")

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        return {name: str(value) if isinstance(value, StrEnum) else value for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read the form `as_dict` writes; what is missing is as usual; ValueError or TypeError for anything unknown."""
        kinds: dict[str, type[StrEnum]] = {"remainder": Remainder, "clubs": Apart, "teams": Apart}
        values: dict[str, Any] = {name: kinds[name](value) if name in kinds else value for name, value in data.items()}
        return cls(**values)


@dataclass(frozen=True, slots=True)
class TableContender:
    """An active entry as the seating of tables sees it; `contenders_from` builds it from earlier rounds.

    `opponents` are the ids of all it shared a table with (once for every meeting). `seats` counts how often it sat in
    the first, second, ... seat; `off_size` how often at a table not of the preferred size; `byes` how often it sat out.
    `left` are the ids of those who sat next to it in turn order (its primary targets). `apart` are ids never to be
    seated with it. An `awarded_bye` sits this round out. A `fixed_table` is known to changes by hand alone: the round
    as it is seated keeps them beside its input.
    """

    id: int
    score: int = 0
    opponents: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    off_size: int = 0
    byes: int = 0
    left: tuple[int, ...] = ()
    club: str | None = None
    team: str | None = None
    apart: tuple[int, ...] = ()
    awarded_bye: bool = False
    fixed_table: int | None = None

    @property
    def had_bye(self) -> bool:
        """Whether it sat out before."""
        return self.byes > 0


@dataclass(frozen=True, slots=True, order=True)
class TableCost:
    """The objective, in order of weight: each term least, the earlier the more important.

    See docs/how-it-works/pairing.md#pods.

    `wrong_sizes` counts tables the policy did not ask for (none in a seated round; by hand there may be some).
    `second_byes` sums the byes that those who sit out had before. `forbidden_pairs` share a table against a hard rule,
    `club_pairs` against a soft one. A pair that met c times before adds c squared to `repeats`. `bye_score` is the
    score that sits out and `spread` the squared score differences of all pairs at a table (both 0 without balance).
    `off_size` sums, at each table not of the preferred size, the earlier such tables of its contenders times its
    distance from that size. `seats` sums how often each has had its seat before; `targets` squares how often the same
    two sat in a row before.
    """

    wrong_sizes: int = 0
    second_byes: int = 0
    forbidden_pairs: int = 0
    repeats: int = 0
    club_pairs: int = 0
    bye_score: int = 0
    spread: int = 0
    off_size: int = 0
    seats: int = 0
    targets: int = 0


@dataclass(frozen=True, slots=True)
class TableInput:
    """Everything the seating of one round depends on; `locked` tables stay as they are, seats and all."""

    contenders: tuple[TableContender, ...]
    policy: TablePolicy = TablePolicy()
    seed: int = 0
    locked: tuple[tuple[int, ...], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form without what is as usual, contenders by id; `from_dict` reads it back."""
        return {
            "contenders": [_as_dict(each) for each in sorted(self.contenders, key=lambda each: each.id)],
            "policy": self.policy.as_dict(),
            "seed": self.seed,
            "locked": sorted(list(table) for table in self.locked),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read the form `as_dict` writes."""
        contenders = tuple(_read(each) for each in data["contenders"])
        locked = tuple(tuple(table) for table in data["locked"])
        return cls(contenders, TablePolicy.from_dict(data["policy"]), data["seed"], locked)

    def digest(self) -> str:
        """SHA-256 over everything the seating depends on, in whatever order contenders and locked tables come."""
        text = json.dumps(self.as_dict(), separators=(",", ":"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """A seated round and its certificate.

    `tables` run from the highest score down, each in seat order (turn order); `byes` sit out for want of a place,
    `awarded_byes` were given it. No seating can cost less than `bound`; `proved` says that none costs less than this
    one. `fault` is why the policy's sizes do not fit the field ("" when they do, see `table_sizes`). `engine`, the
    input's `seed` and `input_hash` let anybody compute it again.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    awarded_byes: tuple[int, ...]
    cost: TableCost
    bound: TableCost
    proved: bool
    fault: str
    seed: int
    engine: str
    input_hash: str


USUAL = {item.name: item.default for item in fields(TableContender)}


def _read(values: dict[str, Any]) -> TableContender:
    read: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return TableContender(**read)


def _as_dict(contender: TableContender) -> dict[str, Any]:
    values = {name: getattr(contender, name) for name in USUAL}
    for name in ("opponents", "left", "apart"):
        values[name] = sorted(values[name])
    values["seats"] = list(values["seats"])
    return {name: value for name, value in values.items() if value != USUAL[name] and value != []}
