"""Why a round is paired as it is: reasons as codes with ids and numbers, read off its input and its pairing alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from tournaments.pairing.contenders import Contender, RoundInput, RoundPairing

Value = int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement about a pairing: what it says (`code`), and the ids and numbers it says it with."""

    code: str
    params: Mapping[str, Value] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready form; `from_dict` reads it back."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in self.params.items()}
        return {"code": self.code, "params": values}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the form `as_dict` writes."""
        values = {name: tuple(value) if isinstance(value, list) else value for name, value in data["params"].items()}
        return cls(data["code"], values)


AWARDED_BYE = Reason("bye_awarded")


@dataclass(frozen=True, slots=True)
class RoundReasons:
    """The reasons of a round: one tuple for each of `RoundPairing.pairs`, in that order, and one for its bye.

    Whoever was awarded a bye has the reason AWARDED_BYE, which is not repeated here.
    """

    pairs: tuple[tuple[Reason, ...], ...]
    bye: tuple[Reason, ...]


def explain_round(given: RoundInput, paired: RoundPairing) -> RoundReasons:
    """Why each pair of a round meets and why its bye sits out, whatever engine paired it."""
    by_id = {each.id: each for each in given.contenders}
    locked = {frozenset(pair) for pair in given.locked}
    pairs = tuple(_of_pair(by_id[one], by_id[other], {one, other} in locked) for one, other in paired.pairs)
    bye = () if paired.bye is None else (Reason("bye_score", {"points": by_id[paired.bye].score}),)
    return RoundReasons(pairs, bye)


def _of_pair(one: Contender, other: Contender, locked: bool) -> tuple[Reason, ...]:
    if locked:
        return (Reason("locked"),)
    high, low = (one, other) if one.score >= other.score else (other, one)
    if high.score == low.score:
        return (Reason("same_score", {"points": high.score}),)
    return (Reason("paired_down", {"high": high.id, "above": high.score, "low": low.id, "below": low.score}),)
