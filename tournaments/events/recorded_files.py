"""Reads `swiss-event/1` files: a finished event with its rules, players, rounds and results, as values."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from rules_engine.errors import DomainError
from scoring.standings.records import MatchKind, ScoringPolicy
from scoring.standings.results import MatchResult, ResultKind

SCHEMA = "swiss-event/1"
SHARES = ("omw", "gw", "ogw")
"""The percentages of official standings; of an event whose games nobody recorded only the first follows from it."""
MAX_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileMatch:
    """One match: player ids, `second` None for a person alone; `result` None for a bye or a lone no-show."""

    first: str
    second: str | None
    kind: MatchKind
    result: MatchResult | None

    @property
    def players(self) -> tuple[str, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True)
class OfficialLine:
    """A line of the standings in a file; `shares` are percentages as fractions of 1, by the name of the tiebreaker."""

    player: str
    rank: int
    points: int
    shares: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A whole event: name, date, match length, policy, player ids in file order, Swiss rounds and playoffs in order.

    `official` are the standings that the file says: what the lines of who played playoffs say is of before them, unless
    `ranks_after_playoffs`.
    """

    name: str
    date: date
    best_of: int
    policy: ScoringPolicy
    players: tuple[str, ...]
    rounds: tuple[tuple[FileMatch, ...], ...]
    official: tuple[OfficialLine, ...] = ()
    playoffs: tuple[tuple[FileMatch, ...], ...] = ()
    ranks_after_playoffs: bool = False

    @property
    def eliminated(self) -> frozenset[str]:
        """Who played playoffs."""
        return frozenset(player for round_ in self.playoffs for match in round_ for player in match.players)


def read_recorded_file(content: bytes) -> RecordedFile:
    """Read a file's bytes; anything that is not such a file raises DomainError "bad_event_file" naming the place."""
    if len(content) > MAX_BYTES:
        raise DomainError("bad_event_file", f"The file is larger than {MAX_BYTES >> 20} MiB.")
    try:
        data = json.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise DomainError("bad_event_file", f"The file is not JSON in UTF-8: {error}.") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise DomainError("bad_event_file", f"The file is not an event: its “schema” is not “{SCHEMA}”.")
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"“{error.args[0]}” is missing" if isinstance(error, KeyError) else str(error)
        raise DomainError("bad_event_file", f"The event cannot be read: {what}.") from error


def _read(data: Mapping[str, Any]) -> RecordedFile:
    players = tuple(_player_id(row["id"]) for row in data["players"])
    if len(set(players)) != len(players):
        raise ValueError("a player id stands twice under “players”")
    swiss = [round_ for round_ in data["rounds"] if round_["stage"] == "swiss"]
    playoffs = [round_ for round_ in data["rounds"] if round_["stage"] != "swiss"]
    event, rules = data["event"], data["rules"]
    shares = SHARES if rules.get("games_recorded", True) else SHARES[:1]
    return RecordedFile(
        name=_tidy(str(event["name"])) or _tidy(str(event["id"])) or SCHEMA,
        date=date.fromisoformat(event["date"]),
        best_of=_count(rules.get("best_of", 3), "best_of"),
        policy=_policy(rules),
        players=players,
        rounds=_rounds(swiss, "round", set(players)),
        official=tuple(_official(row, shares, set(players)) for row in data.get("official_standings", [])),
        playoffs=_rounds(playoffs, "playoff round", set(players)),
        ranks_after_playoffs=rules.get("official_rows_after") == "playoff",
    )


def _policy(rules: Mapping[str, Any]) -> ScoringPolicy:
    points, games = rules["match_points"], rules["game_points"]
    if rules.get("bye_in_opponent_avg", False):
        raise ValueError("“bye_in_opponent_avg”: a bye is no opponent here")
    return ScoringPolicy.from_dict({
        "win": points["win"], "draw": points["draw"], "loss": points["loss"], "bye": points.get("bye", points["win"]),
        "game_win": games["win"], "game_draw": games["draw"], "game_loss": games["loss"],
        "floor": rules["floor"], "bye_games": rules["bye_games"],
        "bye_in_own_match_pct": rules["bye_in_own_match_pct"],
        "bye_in_own_game_pct": rules["bye_in_own_game_pct"],
        "gw_floored": rules["published_gw"] == "floored",
        "tiebreakers": ["match_points" if key == "points" else key for key in rules["tiebreakers"]],
        "decimals": _count(rules.get("published_decimals", 4), "published_decimals"),
    })  # fmt: skip


def _rounds(rows: Sequence[Mapping[str, Any]], what: str, known: set[str]) -> tuple[tuple[FileMatch, ...], ...]:
    return tuple(
        tuple(_match(row, f"{what} {number}", known) for row in round_["matches"])
        for number, round_ in enumerate(rows, start=1)
    )


def _match(row: Mapping[str, Any], where: str, known: set[str]) -> FileMatch:
    first, second = _player_id(row["a"]), None if row["b"] is None else _player_id(row["b"])
    if strangers := {first, second} - known - {None}:
        raise ValueError(f"{where}: {', '.join(sorted(map(str, strangers)))} does not stand under “players”")
    won = (_count(row["games_a"], f"{where}, games_a"), _count(row["games_b"], f"{where}, games_b"))
    drawn = _count(row["draws"], f"{where}, draws")
    if second is None:
        if row.get("bye") is not True and row.get("no_show") is not True and won[0] == won[1]:
            raise ValueError(f"{where}: {first} has no opponent and is neither marked “bye” nor “no_show”")
        bye = row.get("bye") is True or (row.get("no_show") is not True and won[0] > won[1])
        return FileMatch(first, None, MatchKind.BYE if bye else MatchKind.NO_SHOW, None)
    kind = ResultKind.INTENTIONAL_DRAW if row.get("intentional_draw") else ResultKind.PLAYED
    return FileMatch(first, second, MatchKind.PLAYED, MatchResult(kind, won, drawn))


def _official(row: Mapping[str, Any], shares: Sequence[str], known: set[str]) -> OfficialLine:
    player = _player_id(row["player"])
    if player not in known:
        raise ValueError(f"official_standings: {player} is not listed under “players”")
    where = f"official_standings, {player}"
    rank, points = (_whole(row[name], f"{where}, {name}") for name in ("rank", "points"))
    return OfficialLine(player, rank, points, {each: _share(row[each], where) for each in shares if each in row})


def _whole(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**6:
        raise ValueError(f"{where}: {value!r} is no number from 0 to 999999")
    return value


def _share(value: object, where: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{where}: {value!r} is no share from 0 to 1")
    return Decimal(repr(value))


def _tidy(text: str) -> str:
    """Text with single spaces and nothing that cannot be printed."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _player_id(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{value!r} is no player id")
    return value


def _count(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 99:
        raise ValueError(f"{where}: {value!r} is no number from 0 to 99")
    return value
