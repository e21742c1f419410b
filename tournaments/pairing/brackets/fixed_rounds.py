"""Rounds without chance: a wave of a bracket, a round of Berger tables, each from seeds and results alone."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from tournaments.pairing.brackets.elimination import Bracket, Side, double_elimination, single_elimination
from tournaments.pairing.brackets.filled import FilledMatch, fill_bracket
from tournaments.pairing.brackets.round_robin import pair_round_robin
from tournaments.pairing.swiss.contenders import places_digest
from tournaments.pairing.swiss.explain import Reason
from tournaments.pairing.swiss.table_numbers import number_seatings

FIXED_ENGINE = "fixed/1"
SINGLE, DOUBLE, ROBIN = "single", "double", "round_robin"


@dataclass(frozen=True, slots=True)
class FixedInput:
    """Everything such a round depends on.

    `kind` is SINGLE, DOUBLE or ROBIN; `extra` the match for third place, the second grand final or the return leg;
    `number` the round of the stage (from 1), which a bracket does not need. `winners` of the bracket's matches by id,
    and `paired` the ids of those that were paired before. `gone` are entrants who left: their opponents need not play.
    `fixed` are the tables of those who have one; `taken` those where an earlier round is still played.
    """

    kind: str
    seeds: tuple[int | None, ...]
    extra: bool = False
    number: int = 1
    winners: Mapping[str, int] = field(default_factory=dict)
    paired: tuple[str, ...] = ()
    gone: tuple[int, ...] = ()
    fixed: tuple[tuple[int, int], ...] = ()
    taken: tuple[int, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        return {
            **asdict(self),
            "winners": dict(self.winners),
            "paired": sorted(self.paired),
            "gone": sorted(self.gone),
            "fixed": sorted(list(each) for each in self.fixed),
            "taken": sorted(self.taken),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the form `as_dict` writes."""
        lists = {name: tuple(data[name]) for name in ("seeds", "paired", "gone", "taken")}
        return cls(**{**data, **lists, "fixed": tuple((entrant, table) for entrant, table in data["fixed"])})

    def digest(self) -> str:
        """SHA-256 over everything the round depends on."""
        text = json.dumps(self.as_dict(), separators=(",", ":"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class FixedPlace:
    """One match: its table and who sits there, the first seat first; alone: a bye.

    Two without a table: one of them left, and the first seat plays on. `bracket` is the id within a bracket.
    """

    seats: tuple[int, ...]
    table: int | None
    bracket: str = ""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedRound:
    """A round of such matches, those at tables first; the same input gives the same round."""

    matches: tuple[FixedPlace, ...]
    input_hash: str

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """Every place given away, sorted: the table (0: none) and its seats in order."""
        return tuple(sorted((each.table or 0, *each.seats) for each in self.matches))

    @property
    def levels(self) -> tuple[str, ...]:
        """The rounds of the bracket that these matches belong to, in order of play."""
        return tuple(dict.fromkeys(each.bracket.partition("-")[0] for each in self.matches if each.bracket))

    def digest(self) -> str:
        """SHA-256 over every place given away."""
        return places_digest(self.places)


def pair_fixed(given: FixedInput) -> FixedRound:
    """The next round: every match of the bracket that can be played and is not paired yet, or the Berger round.

    Whoever meets a person who left plays on without playing (of two who left, the better seed); in a round robin that
    is a bye.
    """
    found = _robin(given) if given.kind == ROBIN else _wave(given)
    playing = [each for each in found if each.table is not None]
    numbers = number_seatings([each.seats for each in playing], dict(given.fixed), given.taken)
    at_tables = [
        FixedPlace(each.seats, number, each.bracket, each.reasons)
        for each, number in zip(playing, numbers, strict=True)
    ]
    return FixedRound((*at_tables, *(each for each in found if each.table is None)), given.digest())


def bracket_of_input(given: FixedInput) -> Bracket:
    if given.kind == DOUBLE:
        return double_elimination(given.seeds, reset=given.extra)
    return single_elimination(given.seeds, third_place=given.extra)


def seat_in_bracket(match: FilledMatch, seeds: Sequence[int | None], gone: Iterable[int]) -> FixedPlace:
    """A match of a bracket whose two players are known: the better seed first, or whoever is still there."""
    left = set(gone)
    one, other = sorted(
        (seat for seat in match.seats if seat is not None), key=lambda seat: (seat in left, seeds.index(seat))
    )
    numbers = {"seed": seeds.index(one) + 1, "other_seed": seeds.index(other) + 1}
    reasons = [Reason("bracket", {"who": one, "stay": other, **numbers})]
    if other in left:
        reasons.append(Reason("walkover", {"who": one, "stay": other}))
    return FixedPlace((one, other), None if other in left else 1, match.match.id, tuple(reasons))


def _wave(given: FixedInput) -> list[FixedPlace]:
    playable = fill_bracket(bracket_of_input(given), given.winners).playable
    ordered = sorted(playable, key=lambda each: each.match.side is Side.THIRD_PLACE)
    return [seat_in_bracket(each, given.seeds, given.gone) for each in ordered if each.match.id not in given.paired]


def _robin(given: FixedInput) -> list[FixedPlace]:
    entrants, gone = [seed for seed in given.seeds if seed is not None], set(given.gone)
    round_ = pair_round_robin(entrants, double=given.extra)[given.number - 1]
    found = [
        FixedPlace(pair, 1, reasons=(Reason("berger", {"round": given.number}),))
        for pair in round_.pairs
        if gone.isdisjoint(pair)
    ]
    for pair in round_.pairs:
        if len(gone.intersection(pair)) == 1:
            one, other = sorted(pair, key=lambda each: each in gone)
            found.append(FixedPlace((one,), None, reasons=(Reason("opponent_left", {"who": one, "stay": other}),)))
    if round_.bye is not None and round_.bye not in gone:
        found.append(FixedPlace((round_.bye,), None, reasons=(Reason("berger_bye", {"who": round_.bye}),)))
    return found
