"""The games that are scored by sheet: each has a package in `scoring.games` whose `tally` has a `TALLIER`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules_engine.errors import NotFound
from rules_engine.messages import Message, gettext_noop
from scoring.game_folders import game_module
from scoring.sheets.tallies.options import SIGNATURES, Option
from scoring.standings.results import MatchResult, places_by, table_result


def table_result_of(tally: Mapping[str, Any]) -> MatchResult:
    """The match result of a tally: its winners share the first place, the others follow by score."""
    players, winners = tally["players"], set(tally["winners"])
    scores = [Fraction(str(player["score"])) for player in players]
    below = 1 + max(scores) - min(scores)
    ranked = [
        score + (below if player["name"] in winners else 0) for score, player in zip(scores, players, strict=True)
    ]
    return table_result(places_by(ranked), scores)


@dataclass(frozen=True, slots=True)
class Tallier:
    """How the score sheet of a game adds up.

    `tally` takes a sheet and answers its tally, both as JSON objects: "players" in the order of the sheet, each with
    "name", "score" and "lines", "winners" by name and "violations"; DomainError "bad_sheet" where that cannot be done.
    `result` is what a tally says of the match, seats in the order of the players. `options` are what a table may agree
    on before it plays, which a sheet carries under "options". `is_one_game`: a sheet tells a single game, so that it is
    a whole match only where that is one game long. `read` reads a sheet that is still a draft, so far as it is written;
    DomainError "bad_sheet" where something on it cannot be read.
    """

    tally: Callable[[Mapping[str, Any]], dict[str, Any]]
    result: Callable[[Mapping[str, Any]], MatchResult] = table_result_of
    options: tuple[Option, ...] = ()
    is_one_game: bool = True
    read: Callable[[Mapping[str, Any]], object] = dict


def has_sheet(game: str) -> bool:
    """Whether a game is scored by sheet."""
    return _tallier(game) is not None


def get_tallier(game: str) -> Tallier:
    """The tallier of a game; NotFound "no_sheet" for a game that is not scored by sheet."""
    if not has_sheet(game):
        text = Message(gettext_noop("“%(game)s” is not scored by sheet."), {"game": game})
        raise NotFound("no_sheet", text, game=game)
    tallier: Tallier = _tallier(game)
    return tallier


def tells_one_game(game: str) -> bool:
    """Whether a sheet of a game tells a single game; False for a game that is not scored by sheet."""
    return has_sheet(game) and get_tallier(game).is_one_game


def options_at_events(game: str) -> tuple[Option, ...]:
    """What an event of a game may say of its score sheets; () for a game that has none.

    Variations for one player are left out: nobody sits alone at an event.
    """
    if not has_sheet(game):
        return ()
    known = get_tallier(game).options
    return (*(option for option in known if option.players is None or option.players[-1] > 1), SIGNATURES)


def options_of_stages(game: str) -> tuple[Option, ...]:
    """What may differ from stage to stage of an event."""
    return tuple(option for option in options_at_events(game) if option.of_stage)


def _tallier(game: str) -> Any:
    """What a game's tally calls TALLIER; None where it has none."""
    return getattr(game_module(game, "tally"), "TALLIER", None)
