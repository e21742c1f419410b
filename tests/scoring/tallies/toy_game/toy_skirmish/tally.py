"""The tally of a toy game: a sheet is {"players": [{"name", "knights": [powers]}]}, the greatest sum of powers wins."""

from collections.abc import Mapping
from typing import Any

from scoring.sheets.tallies.json_reader import Part, bad_sheet
from scoring.sheets.tallies.registry import Tallier


def tally(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """The powers of each player's knights together; DomainError "bad_sheet" for a table of one."""
    players = [_player(Part(player, "player", ("name", "knights"))) for player in sheet["players"]]
    if len(players) < 2:
        raise bad_sheet("Nobody skirmishes alone.")
    most = max(player["score"] for player in players)
    winners = [player["name"] for player in players if player["score"] == most]
    return {"players": players, "winners": winners, "violations": []}


def _player(player: Part) -> dict[str, Any]:
    lines = [{"card": "Knight", "kind": "power", "points": power} for power in player.items("knights", 5)]
    return {"name": player.text("name", 20), "score": sum(line["points"] for line in lines), "lines": lines}


TALLIER = Tallier(tally)
