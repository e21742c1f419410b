"""What the pairing core takes and gives back: contenders, rules, the input of one round, and the paired round."""

import hashlib
import json
import sys
from array import array
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import Any, Self

ENGINE = "kernel/1"


class Order(StrEnum):
    """What comes before the lot: least squares of score differences, or fewest pair-downs from the top group down."""

    MIN_SQUARES = "least_squares"
    TOP_DOWN = "top_down"


class Apart(StrEnum):
    """How strictly mates are kept apart: not at all, after rematches (soft), or before them (hard)."""

    IGNORE = "ignore"
    SOFT = "soft"
    HARD = "hard"


class Finish(StrEnum):
    """What decides among pairings that are equal otherwise."""

    LOT = "lot"
    FEWEST_FLOATS = "fewest_floats"
    STANDINGS = "standings"


@dataclass(frozen=True, slots=True)
class Contender:
    """An active entry as the pairing core sees it.

    `score` is in match points; `opponents` are the ids of everybody met (a repeated opponent is listed again). `apart`
    are ids never to be paired with. `place` is the place in the standings (1 the best, 0 unknown); `downfloats` and
    `upfloats` count the rounds in which it was paired down or up. `firsts` and `seconds` count the matches in the first
    and the second seat, `last_seat` is the seat of the latest (0 none). An `awarded_bye` sits this round out.
    """

    id: int
    score: int
    opponents: tuple[int, ...] = ()
    had_bye: bool = False
    club: str | None = None
    team: str | None = None
    apart: tuple[int, ...] = ()
    place: int = 0
    downfloats: int = 0
    upfloats: int = 0
    firsts: int = 0
    seconds: int = 0
    last_seat: int = 0
    fixed_table: int | None = None
    awarded_bye: bool = False


@dataclass(frozen=True, slots=True)
class PairingPolicy:
    """How an organiser wants rounds paired; `last_finish` takes the place of `finish` in the last round."""

    order: Order = Order.MIN_SQUARES
    clubs: Apart = Apart.IGNORE
    teams: Apart = Apart.IGNORE
    finish: Finish = Finish.LOT
    last_finish: Finish = Finish.LOT

    def for_round(self, *, last: bool) -> Self:
        """The same rules with the finish that this round has."""
        return replace(self, finish=self.last_finish) if last else self

    def as_dict(self) -> dict[str, str]:
        """JSON-ready form; `from_dict` reads it back."""
        return {name: str(value) for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read the form `as_dict` writes; what is missing is as usual; ValueError or KeyError for anything unknown."""
        kinds: dict[str, type[StrEnum]] = {
            "order": Order, "clubs": Apart, "teams": Apart, "finish": Finish, "last_finish": Finish,
        }  # fmt: skip
        values: dict[str, Any] = {name: kinds[name](value) for name, value in data.items()}
        return cls(**values)


@dataclass(frozen=True, slots=True, order=True)
class PairingCost:
    """The objective, in order of weight: each term least, the earlier the more important.

    See docs/how-it-works/pairing.md#objective.

    `forbidden_pairs` are pairs kept apart by a hard rule, `club_pairs` those by a soft one, each pair counted once;
    `rematches` counts every earlier meeting of each pair. `downfloats` (top-down order alone) are the contenders paired
    below their score group, by group from the highest. `finish` are repeated floats or squared differences of places.
    """

    second_byes: int = 0
    forbidden_pairs: int = 0
    rematches: int = 0
    club_pairs: int = 0
    bye_score: int = 0
    downfloats: tuple[int, ...] = ()
    sum_sq_diff: int = 0
    finish: int = 0


@dataclass(frozen=True, slots=True)
class RoundInput:
    """Everything the pairing of one round depends on; `locked` pairs stay as they are."""

    contenders: tuple[Contender, ...]
    policy: PairingPolicy = PairingPolicy()
    seed: int = 0
    locked: tuple[tuple[int, int], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form without what is as usual, contenders by id; `from_dict` reads it back."""
        return {
            "contenders": [_as_dict(each) for each in sorted(self.contenders, key=lambda each: each.id)],
            "policy": self.policy.as_dict(),
            "seed": self.seed,
            "locked": [sorted(pair) for pair in self.locked],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read the form `as_dict` writes."""
        contenders = (_read(each) for each in data["contenders"])
        locked = tuple((one, other) for one, other in data["locked"])
        return cls(tuple(contenders), PairingPolicy.from_dict(data["policy"]), data["seed"], locked)

    def digest(self) -> str:
        """SHA-256 over everything the pairing depends on, in whatever order the contenders come.

        Hashed are: policy, seed and locked pairs as JSON text, then each value of all contenders as one column, the
        contenders by id; opponents and `apart` sorted, one after the other, after their counts.
        """
        contenders = sorted(self.contenders, key=_ID)
        rules = [self.policy.as_dict(), self.seed, [sorted(pair) for pair in self.locked], len(contenders)]
        digest = hashlib.sha256(json.dumps(rules, separators=(",", ":"), sort_keys=True).encode())
        for name in USUAL:
            column = list(map(attrgetter(name), contenders))
            if name in {"opponents", "apart"}:
                digest.update(_packed(list(map(len, column))))
                column = list(chain.from_iterable(map(sorted, column)))
            digest.update(_packed(column))
        return digest.hexdigest()


_ID = attrgetter("id")


def _packed(column: list[Any]) -> bytes:
    """A column as text of its kind and 64-bit numbers, the lowest byte first, or as JSON text where it has others."""
    try:
        numbers = array("q", column)
    except (TypeError, OverflowError):
        return b"json" + json.dumps(column, separators=(",", ":")).encode() + b";"
    if sys.byteorder == "big":
        numbers.byteswap()
    return b"int64" + numbers.tobytes()


USUAL = {item.name: item.default for item in fields(Contender)}


def _read(values: dict[str, Any]) -> Contender:
    read: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    return Contender(**read)


def _as_dict(contender: Contender) -> dict[str, Any]:
    values = {name: getattr(contender, name) for name in USUAL}
    values["opponents"], values["apart"] = sorted(contender.opponents), sorted(contender.apart)
    return {name: value for name, value in values.items() if value != USUAL[name] and value != []}


@dataclass(frozen=True, slots=True)
class RoundPairing:
    """A paired round and its certificate.

    `pairs` are in order of tables, the first seat first, and `tables` their numbers; `bye` is the odd one out,
    `awarded_byes` those who were given one. No pairing can cost less than `bound`; `proved` says that none costs less
    than this one. `engine`, the input's `seed` and `input_hash` let anybody compute it again.
    """

    pairs: tuple[tuple[int, int], ...]
    tables: tuple[int, ...]
    bye: int | None
    awarded_byes: tuple[int, ...]
    cost: PairingCost
    bound: PairingCost
    proved: bool
    seed: int
    engine: str
    input_hash: str

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Every place given away, sorted: the table and its two seats in order, or 0 and who has a bye."""
        byes = self.awarded_byes if self.bye is None else (*self.awarded_byes, self.bye)
        at_table = ((table, *pair) for table, pair in zip(self.tables, self.pairs, strict=True))
        return tuple(sorted([*at_table, *((0, bye) for bye in byes)]))

    def digest(self) -> str:
        """SHA-256 over every place given away: two rounds have the same one if they are the same to the players."""
        return places_digest(self.places)


def places_digest(places: Iterable[tuple[int, ...]]) -> str:
    """SHA-256 over places as `RoundPairing.places` tells them, in whatever order they come."""
    return hashlib.sha256(json.dumps(sorted(places), separators=(",", ":")).encode()).hexdigest()
