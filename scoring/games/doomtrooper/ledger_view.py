"""A Doomtrooper ledger as its page shows it: both totals of each side, the cards in play, every entry in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.http.wording import worded
from rules_engine.errors import DomainError
from scoring.games.doomtrooper.cards_in_play import CardLine, lines_of
from scoring.games.doomtrooper.forms import GAME
from scoring.games.doomtrooper.tally import match_of, tally_games
from scoring.games.doomtrooper.tally.in_play import lay_out
from scoring.games.doomtrooper.tally.sheet import read_sheet
from scoring.games.doomtrooper.tally.table import CardInPlay, Table
from scoring.games.doomtrooper.words import describe_act, shortfall
from scoring.sheets.forms.stored_cards import known_cards
from scoring.sheets.ledgers import live_acts, struck_acts
from scoring.sheets.web.entries import Entry, newest_first


@dataclass(frozen=True, slots=True)
class Member:
    """A person who takes turns; `destiny` None where the team shares it, `countdown` turns left without a warrior.

    `actions_left` of the viewer's turn, else None.
    """

    name: str
    destiny: int | None
    is_turn: bool
    countdown: int | None
    out: str
    cards: list[CardLine]
    actions_left: int | None


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a team with both totals; `to_go` None without a target.

    `prey` is the left neighbour where each player has a primary target, else "".
    """

    name: str
    promotion: int
    destiny: int
    to_go: int | None
    members: list[Member]
    won: bool
    prey: str

    @property
    def is_team(self) -> bool:
        """Whether several people play for it."""
        return len(self.members) > 1

    @property
    def is_turn(self) -> bool:
        return any(member.is_turn for member in self.members)


@dataclass(frozen=True, slots=True)
class Game:
    """A ledger as it stands: its content, its tallies with unlawful acts counted, who acts, what is in play.

    `tally` is the one of the game at the table, the last of the `match`, which begins after `before` acts. `first` has
    the first turn of the match.
    """

    content: Mapping[str, Any]
    tally: Mapping[str, Any]
    match: Mapping[str, Any]
    before: int
    people: tuple[str, ...]
    table: Table
    first: str

    @property
    def players(self) -> Sequence[Mapping[str, Any]]:
        """Every side that came, in turn order."""
        return list(self.content["players"])

    @property
    def ids(self) -> dict[int, int]:
        """The ids of the entries that count, by their number."""
        return {number: act["id"] for number, act in enumerate(live_acts(self.content), 1)}

    def card(self, act_id: int) -> CardInPlay | None:
        """The card in play that an entry brought; None where it brought none, or it has left."""
        ids = self.ids
        return next((card for card in self.table.cards if ids[card.act] == act_id), None)

    @property
    def next_turns(self) -> list[tuple[bool, str]]:
        """The ways in which the next turn can begin: without a warrior fit for combat or not, as far as both can be."""
        name = {"name": self.following}
        ways = [(False, _("Turn of %(name)s") % name), (True, _("Turn of %(name)s, no warrior fit") % name)]
        return ways[1:] if self.lacks_warrior(self.following) else ways

    def lacks_warrior(self, name: str) -> bool:
        """Whether a player's next turn is one of the three without a warrior, as the ledger tells (DT-NOWARRIOR)."""
        return name in self.tally["countdown"] or self.table.lacks_warrior(name)

    @property
    def following(self) -> str:
        """Whose turn comes next: after whoever has it, past those who are out. Who goes first alternates by game."""
        turns = [act["player"] for act in live_acts(self.content)[self.before :] if act["act"] == "turn"]
        if turns and turns[-1] in self.people:
            start = self.people.index(turns[-1]) + 1
        else:
            start = (self.people.index(self.first) + len(self.match["games"]) - 1) % len(self.people)
        order = [*self.people[start:], *self.people[:start]]
        return next((name for name in order if name not in self.tally["out"]), order[-1])


def game_of(content: Mapping[str, Any], first: str = "") -> Game:
    """A ledger read; `first` is the side that goes first, else the first that came. DomainError "bad_sheet"."""
    lenient = {**content, "options": {**content["options"], "check_limits": False}}
    sheet = read_sheet(lenient)
    games, last = tally_games(sheet), sheet.games[-1]
    lost = {line["act"] for side in games[-1]["players"] for line in side["lines"] if line.get("discarded")}
    table = lay_out(last, known_cards(GAME), lost, games[-1]["out"])
    people = tuple(sheet.places)
    first = next((side.members[0] for side in sheet.sides if side.name == first), people[0])
    return Game(content, games[-1], match_of(games), len(sheet.acts) - len(last.acts), people, table, first)


def members_of(player: Mapping[str, Any]) -> list[str]:
    return list(player.get("members") or [player["name"]])


def sides_of(game: Game) -> list[Side]:
    """Every side with its totals, in turn order."""
    goal = game.tally["goal"]
    return [
        Side(
            side["name"], side["promotion"], side["destiny"],
            None if goal is None else max(goal - side["promotion"], 0),
            _people_of(game, player, side), side["name"] in game.tally["winners"], _prey(game, place),
        )
        for place, (player, side) in enumerate(zip(game.players, game.tally["players"], strict=True))
    ]  # fmt: skip


def _people_of(game: Game, player: Mapping[str, Any], side: Mapping[str, Any]) -> list[Member]:
    held = {member["name"]: member["destiny"] for member in side.get("members", ())}
    return [_member(game, name, held.get(name)) for name in list(held) or [player["name"]]]


def _member(game: Game, name: str, destiny: int | None) -> Member:
    out, is_turn = game.tally["out"].get(name, ""), game.tally["turn"] == name
    return Member(
        name, destiny, is_turn, game.tally["countdown"].get(name), out,
        [] if out else lines_of(game.table, name, game.ids), game.table.actions_left if is_turn else None,
    )  # fmt: skip


def _prey(game: Game, place: int) -> str:
    """The primary target of a side: the next one that is still in (DT-MULTI); "" where all may be attacked."""
    names = [player["name"] for player in game.players]
    if game.content["options"].get("mode") != "primary_targets" or len(names) < 3:
        return ""
    out = game.tally["out"]
    order = [*names[place + 1 :], *names[:place]]
    return "" if names[place] in out else next((name for name in order if name not in out), "")


def entries_of(game: Game) -> list[Entry]:
    """Every act in words, the newest first, those struck out among them."""
    points: dict[int, list[tuple[str, int, int]]] = {}
    unpaid: dict[int, Mapping[str, Any]] = {}
    for side in game.match["players"]:
        for line in side["lines"]:
            points.setdefault(line["act"], []).append((side["name"], line["points"], line["destiny"]))
            unpaid |= {line["act"]: line} if line.get("discarded") else {}
    wrong = {each["act"] for each in game.match["violations"]}
    counted = [
        Entry(
            act["id"], number, describe_act(act), act["by"],
            ((_("against a rule"), ""),) if number in wrong else _marks(game.table, number),
            tuple(points.get(number, ())),
            shortfall(act, unpaid[number]) if number in unpaid else "",
        )
        for number, act in enumerate(live_acts(game.content), 1)
    ]  # fmt: skip
    struck = [
        Entry(act["id"], None, describe_act(act), act.get("struck_by", ""))
        for act in struck_acts(game.content)
        if _is_readable(game, act)
    ]
    return newest_first([*counted, *struck])


def _marks(table: Table, number: int) -> tuple[tuple[str, str], ...]:
    """What the cards in play say against an entry."""
    return tuple((worded(mark.words), mark.clause) for mark in table.marks.get(number, ()))


def _is_readable(game: Game, act: Mapping[str, Any]) -> bool:
    """Whether an act is one that a ledger can hold: nobody asked that of those that a program stored as struck out."""
    try:
        read_sheet({**game.content, "acts": [act]})
    except DomainError:
        return False
    return True
