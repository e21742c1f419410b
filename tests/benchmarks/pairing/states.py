"""The adversarial states of docs/how-it-works/pairing.md#families, from the golden files of the pairing tests."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tournaments.pairing.statefile import read_state
from tournaments.pairing.swiss.contenders import Order, PairingCost, RoundInput

GOLDEN = Path(__file__).resolve().parents[2] / "tournaments" / "pairing" / "golden"


@dataclass(frozen=True, slots=True)
class Case:
    """A state and its optimum; a `bare` one holds no more than scores, opponents, byes and clubs, in least squares."""

    name: str
    given: RoundInput
    optimum: PairingCost
    bare: bool


def golden_cases() -> Iterator[Case]:
    """Every case of every family."""
    for path in sorted(GOLDEN.glob("*.json")):
        for name, case in json.loads(path.read_text())["cases"].items():
            state = "state" in case
            given = read_state(json.dumps(case["state"])).given if state else RoundInput.from_dict(case["input"])
            bare = state and given.policy.order is Order.MIN_SQUARES
            yield Case(f"{path.stem}/{name}", given, _cost(case["expected"]), bare)


def _cost(terms: dict[str, Any]) -> PairingCost:
    return PairingCost(**{name: tuple(value) if isinstance(value, list) else value for name, value in terms.items()})
