"""Reads the state of a field and writes its paired round, as the JSON of `./run manage pair`."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rules_engine.errors import BadInput
from tournaments.pairing.swiss.contenders import (
    Apart,
    Contender,
    Order,
    PairingCost,
    PairingPolicy,
    RoundInput,
    RoundPairing,
)

PlayerId: TypeAlias = int | str

KEYS = ("players", "seed", "order", "keep_clubs_apart")
PLAYER_KEYS = ("id", "score", "opponents", "had_bye", "club")
TERMS = ("second_byes", "rematches", "club_pairs", "bye_score", "sum_sq_diff")
MAX_PLAYERS = 100_000
HIGHEST_SCORE = 1_000_000
NAMES = {
    int: "a whole number", str: "a text", bool: "true or false", list: "a list", dict: "an object",
    PlayerId: "a whole number or a text", PlayerId | None: "a text, a whole number or null",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class State:
    """A field to pair; contender n of `given` is the player `ids[n - 1]` of the file."""

    given: RoundInput
    ids: tuple[PlayerId, ...]

    def id_of(self, contender: int) -> PlayerId:
        """The file's id of a contender."""
        return self.ids[contender - 1]


def read_state(text: str) -> State:
    """Read `{"players": [{"id", "score", "opponents", "had_bye", "club"}, …], "seed", "order", "keep_clubs_apart"}`.

    Only `players`, `id` and `score` must be there; players may stand in any order. A pair has met as often as the one
    of the two says who names the other more often; opponents who are no players here have left the event. Anything
    else raises BadInput "bad_state" with one sentence naming the place.
    """
    try:
        data = json.loads(text)
    except RecursionError:
        raise _bad("it is nested too deeply") from None
    except ValueError as error:
        raise _bad(f"it is not JSON: {error}") from None
    _require_keys(_typed(data, dict, "the state"), KEYS, ("players",), "the state")
    rows = _typed(data["players"], list, "players")
    if len(rows) > MAX_PLAYERS:
        raise _bad(f"players: {len(rows)} are more than {MAX_PLAYERS}")
    ids = _read_ids(rows)
    order = _typed(data.get("order", Order.MIN_SQUARES.value), str, "order")
    if order not in list(Order):
        raise _bad(f"order: {order!r} is neither {' nor '.join(Order)}")
    clubs = Apart.SOFT if _typed(data.get("keep_clubs_apart", False), bool, "keep_clubs_apart") else Apart.IGNORE
    seed = _typed(data.get("seed", 0), int, "seed")
    return State(RoundInput(_read_players(rows, ids), PairingPolicy(Order(order), clubs), seed), ids)


def answer_of(state: State, paired: RoundPairing, explanations: Sequence[str]) -> dict[str, Any]:
    """The paired round in the file's own ids, JSON-ready; `explanations` has one sentence a pair, then the bye's."""
    return {
        "pairs": [[state.id_of(one), state.id_of(other)] for one, other in paired.pairs],
        "bye": None if paired.bye is None else state.id_of(paired.bye),
        "cost": _terms_of(paired.cost),
        "bound": _terms_of(paired.bound),
        "proved": paired.proved,
        "explanations": list(explanations),
    }


def _terms_of(cost: PairingCost) -> dict[str, int]:
    return {term: getattr(cost, term) for term in TERMS}


def _read_ids(rows: Sequence[object]) -> tuple[PlayerId, ...]:
    """The ids, numbers before texts, each in order; refused when one stands twice."""
    ids: list[PlayerId] = []
    for number, row in enumerate(rows, start=1):
        where = f"player {number} of the list"
        player = _typed(row, dict, where)
        _require_keys(player, PLAYER_KEYS, ("id", "score"), where)
        ids.append(_typed(player["id"], PlayerId, f"{where}, id"))
    twice = [each for each, times in Counter(ids).items() if times > 1]
    if twice:
        raise _bad(f"players: the id {_shown(twice[0])} stands twice")
    return tuple(sorted(ids, key=lambda each: (isinstance(each, str), each)))


def _read_players(rows: Sequence[dict[str, Any]], ids: Sequence[PlayerId]) -> tuple[Contender, ...]:
    numbers = {each: number for number, each in enumerate(ids, start=1)}
    met = {numbers[row["id"]]: _read_opponents(row, numbers) for row in rows}
    for one, counts in met.items():
        for other, times in counts.items():
            if met[other][one] < times:
                met[other][one] = times
    read = (_read_player(row, numbers[row["id"]], met) for row in rows)
    return tuple(sorted(read, key=lambda each: each.id))


def _read_player(row: dict[str, Any], number: int, met: Mapping[int, Counter[int]]) -> Contender:
    where = f"player {_shown(row['id'])}"
    score = _typed(row["score"], int, f"{where}, score")
    if abs(score) > HIGHEST_SCORE:
        raise _bad(f"{where}, score: {_shown(score)} is beyond ±{HIGHEST_SCORE}")
    had_bye = _typed(row.get("had_bye", False), bool, f"{where}, had_bye")
    club = _typed(row.get("club"), PlayerId | None, f"{where}, club")
    opponents = tuple(sorted(met[number].elements()))
    return Contender(number, score, opponents, had_bye, None if club in (None, "") else str(club))


def _read_opponents(row: dict[str, Any], numbers: Mapping[PlayerId, int]) -> Counter[int]:
    """How often a player met each of the others who are players here."""
    where = f"player {_shown(row['id'])}, opponents"
    named = _typed(row.get("opponents", []), list, where)
    if not {type(each) for each in named} <= {int, str}:
        for each in named:
            _typed(each, PlayerId, where)
    if row["id"] in named:
        raise _bad(f"{where}: the player's own id")
    for stranger in named:
        if stranger not in numbers and _twin(stranger) in numbers:
            raise _bad(f"{where}: {_shown(stranger)} is no player, but {_shown(_twin(stranger))} is")
    return Counter(numbers[each] for each in named if each in numbers)


def _twin(opponent: PlayerId) -> PlayerId | None:
    """The same id written the other way: 7 and "7"."""
    if isinstance(opponent, int):
        return str(opponent)
    return int(opponent) if opponent.isdecimal() and len(opponent) < 20 else None


def _require_keys(row: Mapping[str, object], known: Sequence[str], needed: Sequence[str], where: str) -> None:
    for key in row:
        if key not in known:
            raise _bad(f"{where}: the key {_shown(key)} is unknown; known are {', '.join(known)}")
    for key in needed:
        if key not in row:
            raise _bad(f"{where}: the key {_shown(key)} is missing")


def _typed(value: Any, kind: Any, where: str) -> Any:
    """The value, if it is of this kind (true and false are no numbers)."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise _bad(f"{where}: {_shown(value)} is not {NAMES[kind]}")
    return value


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _bad(what: str) -> BadInput:
    return BadInput("bad_state", f"The state cannot be read: {what}.")
