"""The ledger of a Doomtrooper game: Promotion and Destiny Points of each side, act by act, and how the game ends.

A sheet is {"players": [{"name", "members"?: [names], "deck_size"?: n}, …], "acts": [act, …], "options"?: {…}}.
A player of the sheet is a side: one person, or a team whose "members" are named (teams are then played, whatever "mode"
says). Everybody has a name of their own. Players are in turn order, so the left
neighbour of a player is the next one; in teams the first members take their turns first, then the second ones.

"options" are those of `doomtrooper_options` ("mode", "target", "sabotage", "team_pool", "rules_1997"), and
"check_limits" (usually true): unlawful acts stop the tally; with false they are told and count as written.

"acts" are in the order of the game, each {"act": kind, "player": name, …}; "player" is a side or a member of a team
(a member where turns are told, and where members keep Destiny Points of their own). Any act may have "card" and "note".

    turn              a turn begins; "warriors"?: how many (or whether any) can take part in combat
    end_turn          the turn is over; "player" may be left out. The next turn says the same
    muster            a warrior enters play; "value"?: Destiny paid, "in_cover"?: nothing is paid yet,
                      "fights"?: false where it can take no part in combat
    kill              "victim": whose warrior, "value": its modified Value, "promotion"? and "destiny"?: the split (all
                      Promotion where neither is told), "freelancer"?, "affiliated"?: it has gained an affiliation,
                      "same_combat"?: true for the second kill of one combat
    sabotage          "target": whom, "value": the saboteur's modified Value, the rest as with a kill
    cover             a warrior mustered in cover is revealed: "value" is paid, or lost with the warrior
    meditate          one Destiny Point
    spend             "destiny": how many Destiny Points are paid for something
    gain              "promotion"?, "destiny"?: what a card gives, below 0 what it takes
    attack_secondary  "target": whose warrior, for 2 Destiny Points, where the left neighbour is the primary target
    draw_pile_out     the last card of the draw pile was drawn
    warriors_in_play  "count"
    concede           the player leaves the game
    win               the player wins by "card"
    time_called       by the judge, no "player"; the turn in progress is finished

The tally is {"players": [{"name", "score", "promotion", "destiny", "lines", "members"?}], "winners": [names],
"violations": [{"rule", "player", "message", "cards", "act"}], "ended_by", "ended_at", "turn", "goal", "next",
"countdown", "out"}:

    score      the Promotion Points of the side
    lines      {"card", "kind", "points", "destiny", "act", "member"?}: what changed, "points" are Promotion Points.
               "act" is the number of the act from 1, null for the points a side starts with
    members    of a team: {"name", "destiny"}, null where the team shares them
    ended_by   "target", "draw_piles", "no_warrior", "time", "card", "last_one" (the others left), null in progress;
               "ended_at" is the number of the act that ended it, null in progress
    turn       whose turn it is; "goal": the Promotion Points that win, null without a target
    next       null in usual play, else {"until", "players", …}: a tie or the call of time tells what decides the game:
               "lead" (of one alone), "target" ("points"), "turn_end", "warriors" (who has to count them still),
               "turns" ("turns": how many each has left)
    countdown  {player: turns left, the one begun last included} for who has no warrior that can fight
    out        {player: "no_warrior" or "concede"}

Readings, where the books are silent. Destiny and Promotion Points never fall below 0: who pays more than there is pays
what there is. A warrior of a team mate counts as one's own. A member without a warrior for three turns is out, a team
is out with its last member. Everybody has had a turn once the first turn of the last player is over. Where sabotage is
played, turns without a warrior are counted from the first one that begins after some draw pile ran out. Several at the
target after one combat: the most Promotion Points win; equal, they play on until one leads, by the rules of 1997 to 10
more, as often as needed.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules_engine.errors import DomainError
from scoring.results import GameResult, MatchResult, places_by, table_result
from scoring.tallies.doomtrooper_ends import next_of
from scoring.tallies.doomtrooper_ledger import Ledger
from scoring.tallies.doomtrooper_options import OPTIONS
from scoring.tallies.doomtrooper_play import replay
from scoring.tallies.doomtrooper_sheet import read_sheet
from scoring.tallies.registry import Tallier

WIN_KINDS = {
    "target": "target", "draw_piles": "draw_piles", "no_warrior": "no_warrior",
    "time": "time", "card": "card_effect", "last_one": "concession",
}  # fmt: skip
"""Each way to end as the game system names it (rules.toml)."""


def tally(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """The points of each side and how the game stands, as the module says; DomainError "bad_sheet"."""
    read = read_sheet(sheet)
    ledger = replay(read)
    if read.options.check_limits and ledger.violations:
        first = ledger.violations[0]["message"]
        raise DomainError("bad_sheet", first, violations=ledger.violations)
    return {
        "players": [_player(ledger, place) for place in range(len(read.sides))],
        "winners": [read.sides[place].name for place in ledger.winners],
        "violations": ledger.violations,
        "ended_by": ledger.ended_by,
        "ended_at": ledger.ended_at,
        "turn": ledger.turn,
        "goal": ledger.goal,
        "next": next_of(ledger),
        "countdown": dict(ledger.countdown),
        "out": dict(ledger.out),
    }


def _player(ledger: Ledger, place: int) -> dict[str, Any]:
    side = ledger.sheet.sides[place]
    told: dict[str, Any] = {
        "name": side.name,
        "score": ledger.promotion[place],
        "promotion": ledger.promotion[place],
        "destiny": ledger.destiny_of(place),
        "lines": ledger.lines[place],
    }
    if ledger.sheet.is_teams:
        told["members"] = [{"name": member, "destiny": ledger.destiny.get(member)} for member in side.members]
    return told


def result_of(tally: Mapping[str, Any]) -> MatchResult:
    """The match result: winners first, then whoever is still in by Promotion Points, then the others, last out first.

    Promotion Points are the scores, unless a player with more of them stands lower: then there are none. Between two
    sides the game is told with how it was won. DomainError "bad_sheet" while the game goes on.
    """
    if not tally["winners"]:
        raise DomainError("bad_sheet", "This game is not over: nobody has won it yet.")
    players = tally["players"]
    scores = tuple(Fraction(player["score"]) for player in players)
    standings = [_standing(tally, player) for player in players]
    order = sorted(set(standings))
    placings = places_by([Fraction(order.index(standing)) for standing in standings])
    result = table_result(placings, scores if _agree(scores, placings) else ())
    if len(players) != 2 or 1 not in result.games_won:
        return result
    game = GameResult(result.games_won.index(1), WIN_KINDS[tally["ended_by"]])
    return MatchResult(result.kind, result.games_won, games=(game,), placings=placings, scores=result.scores)


def _standing(tally: Mapping[str, Any], player: Mapping[str, Any]) -> tuple[int, int]:
    """What a side is ranked by, the highest first."""
    if player["name"] in tally["winners"]:
        return 2, 0
    order = list(tally["out"])
    members = [member["name"] for member in player.get("members", [])] or [player["name"]]
    if all(member in order for member in members):
        return 0, max(order.index(member) for member in members)
    return 1, player["promotion"]


def _agree(scores: tuple[Fraction, ...], placings: tuple[int, ...]) -> bool:
    """Whether more points never stand lower, nor beside fewer."""
    rows = list(zip(scores, placings, strict=True))
    return not any(score > other and place >= behind for score, place in rows for other, behind in rows)


TALLIER = Tallier(tally, result_of, OPTIONS)
