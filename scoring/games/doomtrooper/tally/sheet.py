"""The ledger of a Doomtrooper match: Promotion and Destiny Points of each side, act by act, and how each game ends.

A sheet is {"players": [{"name", "members"?: [names], "deck_size"?: n}, …], "acts": [act, …], "options"?: {…}}.
A player of the sheet is a side: one person, or a team whose "members" are named (teams are then played, whatever "mode"
says). Everybody has a name of their own. Players are in turn order, so the left neighbour of a player is the next one;
in teams the first members take their turns first, then the second ones.

"options" are those of `doomtrooper_options` ("mode", "target", "sabotage", "team_pool", "rules_1997", "time"), and
"check_limits" (usually true): unlawful acts stop the tally; with false they are reported and count as written.

"acts" are in the order of the game, each {"act": kind, "player": name, …}; "player" is a side or a member of a team
(a member where turns are written, and where members keep Destiny Points of their own). Any act may have "card" and
"note".

    turn              a turn begins; "warriors"?: how many (or whether any) can take part in combat
    fit               the player has a warrior that can fight: turns without one are counted no longer
    end_turn          the turn is over; "player" may be left out. The next turn says the same
    muster            a warrior enters play; "value"?: Destiny paid, "in_cover"?: nothing is paid yet,
                      "fights"?: false where it can take no part in combat
    kill              "victim": whose warrior, "value": its modified Value, "promotion"? and "destiny"?: the split (all
                      Promotion where neither is written), "freelancer"?, "affiliated"?: it has gained an affiliation,
                      "same_combat"?: true for the second kill of one combat
    sabotage          "target": whom, "value": the saboteur's modified Value, the rest as with a kill
    cover             a warrior mustered in cover is revealed: "value" is paid, or lost with the warrior
    meditate          one Destiny Point
    spend             "destiny": how many Destiny Points are paid for something
    gain              "promotion"?, "destiny"?: what a card gives, below 0 what it takes
    attack            the attack of the turn, where no kill tells it
    attack_secondary  "target": whose warrior, for 2 Destiny Points, where the left neighbour is the primary target
    draw_pile_out     the last card of the draw pile was drawn
    warriors_in_play  "count": how many there are, without those that count twice by a card
    concede           the player leaves the game
    win               the player wins by "card"
    time_called       by the judge, no "player"; the turn in progress is finished
    next_game         between two sides, no "player": the next game of the match begins, with nothing left of the last

What follows changes no points, and tells which cards are in play (`in_play`):

    seek, exit        a warrior, by "card" where it has a name, goes into cover or comes out of it
    wound, heal       a warrior is wounded, or is so no longer
    leave             a warrior leaves play without a kill
    enter, discard    another "card" than a warrior comes into play, or leaves it

The tally is {"players": [{"name", "score", "promotion", "destiny", "lines", "members"?}], "winners": [names],
"violations": [{"rule", "player", "message", "cards", "act"}], "ended_by", "ended_at", "turn", "goal", "next",
"countdown", "out", "games"}:

    score      the Promotion Points of the side; in a match of several games how many it has won
    promotion  in a match of several games those of all games; what is not written by game is of the last one
    winners    who has won the game; in a match of several who has won most of them, equal ones all
    games      {"winner", "ended_by", "promotion"} of each: the place of its only winner or null, points by place
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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from rules_engine.messages import Sentence, gettext_noop
from scoring.games.doomtrooper.tally.options import OPTIONS
from scoring.games.doomtrooper.tally.words import KEYS, place_of_act
from scoring.sheets.tallies.json_reader import SHEET_WORDS, Part, bad_sheet, place_of, place_of_player, shown
from scoring.sheets.tallies.options_filled import read_options

MOST = 12
"""The most sides of a sheet, and members of a side."""
MAX_ACTS = 5_000
MAX_POINTS = 999
TEXT_LENGTH = 200

PLAYER = ("name", "members", "deck_size")
WORDS = {**SHEET_WORDS, "acts": gettext_noop("Ledger entries"), "members": gettext_noop("Members")}
"""What people call the keys around the acts."""
NAMES = ("victim", "target")
FLAGS = ("in_cover", "fights", "freelancer", "affiliated", "same_combat")
TEXTS = ("card", "note")
SPLIT = ("promotion", "destiny", "freelancer", "affiliated")


@dataclass(frozen=True, slots=True)
class Form:
    """What an act of one kind says besides "act", "player", "card" and "note"."""

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    of_nobody: bool = False


KINDS = {
    "turn": Form(takes=("warriors",)),
    "fit": Form(),
    "end_turn": Form(of_nobody=True),
    "muster": Form(takes=("value", "in_cover", "fights")),
    "kill": Form(("victim", "value"), (*SPLIT, "same_combat")),
    "sabotage": Form(("target", "value"), SPLIT),
    "cover": Form(("value",)),
    "meditate": Form(),
    "spend": Form(("destiny",)),
    "gain": Form(takes=("promotion", "destiny")),
    "attack": Form(),
    "attack_secondary": Form(("target",)),
    "draw_pile_out": Form(),
    "warriors_in_play": Form(("count",)),
    "concede": Form(),
    "win": Form(("card",)),
    "time_called": Form(of_nobody=True),
    "next_game": Form(of_nobody=True),
    **dict.fromkeys(("seek", "exit", "wound", "heal", "leave"), Form()),
    **dict.fromkeys(("enter", "discard"), Form(("card",))),
}
"""Every kind of act."""

EVERY_KEY = {"act", "player", *TEXTS, *(name for form in KINDS.values() for name in (*form.needs, *form.takes))}


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a team, with its members: the player alone, or the members of the team in turn order."""

    name: str
    members: tuple[str, ...]
    deck_size: int | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What the table agreed on; `target` None for none."""

    mode: str
    target: int | None
    sabotage: str
    team_pool: str
    rules_1997: bool
    time: str
    check_limits: bool


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the ledger: `number` from 1, the place of its side, and its member where one was named.

    Acts of nobody have the place None.
    """

    number: int
    kind: str
    place: int | None
    member: str | None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> Sentence:
        """What messages call it."""
        return place_of_act(self.number, self.kind)

    def number_of(self, name: str) -> int:
        """A number of the act, 0 where it was left out."""
        return int(self.facts.get(name) or 0)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that could be read; `places` has everybody in turn order with the place of their side."""

    sides: tuple[Side, ...]
    acts: tuple[Act, ...]
    options: Options
    places: Mapping[str, int]

    @property
    def is_teams(self) -> bool:
        return self.options.mode == "teams"

    @property
    def games(self) -> list["Sheet"]:
        """The sheet of each game of the match; acts keep their numbers."""
        begun = [place for place, act in enumerate(self.acts) if act.kind == "next_game"]
        return [replace(self, acts=self.acts[start:end]) for start, end in pairwise((0, *begun, len(self.acts)))]


def read_sheet(sheet: Mapping[str, Any]) -> Sheet:
    """The sheet as values; DomainError "bad_sheet" that says which player or act is wrong and what to do."""
    part = Part(sheet, "", ("players", "acts", "options"), words=WORDS)
    listed = enumerate(part.items("players", MOST), 1)
    players = [Part(player, place_of_player(number), PLAYER, words=WORDS) for number, player in listed]
    options = Options(**read_options(part, OPTIONS))
    if any(len(player.items("members", MOST)) > 1 for player in players):
        options = replace(options, mode="teams")
    sides = tuple(_side(player, options) for player in players)
    _check_names(sides)
    acts = tuple(_act(act, number, sides) for number, act in enumerate(part.items("acts", MAX_ACTS), 1))
    if len(sides) > 2 and any(act.kind == "next_game" for act in acts):
        raise bad_sheet(gettext_noop("A match of several games is for two sides."))
    return Sheet(sides, acts, options, _places(sides))


def _places(sides: Sequence[Side]) -> dict[str, int]:
    """Everybody in turn order: the first member of each side, then the second ones."""
    ranks = range(max(len(side.members) for side in sides))
    return {side.members[rank]: place for rank in ranks for place, side in enumerate(sides) if rank < len(side.members)}


def _side(player: Part, options: Options) -> Side:
    name = _name(player, player.text("name", TEXT_LENGTH))
    members = [_name(player, member) for member in player.items("members", MOST)]
    teams = options.mode == "teams" and members
    return Side(name, tuple(members) if teams else (name,), player.number("deck_size", 0, 9_999))


def _name(player: Part, name: Any) -> str:
    if not isinstance(name, str) or not name.strip() or len(name) > TEXT_LENGTH:
        player.refuse(gettext_noop("Enter a name, not %(value)s."), value=shown(name))
    return name


def _check_names(sides: Sequence[Side]) -> None:
    """Two sides or more, and names that mean one of them each (DT-OWN)."""
    if len(sides) < 2:
        raise bad_sheet(gettext_noop("Doomtrooper needs 2 or more players. Name all."))
    names = [name for side in sides for name in (*side.members, *{side.name}.difference(side.members))]
    for name in names:
        if names.count(name) > 1:
            raise bad_sheet(gettext_noop("Two players are called “%(name)s”: rename one."), name=name)


def _act(act: Any, number: int, sides: Sequence[Side]) -> Act:
    any_kind = Part(act, place_of(gettext_noop("entry %(number)d"), number, "act"), EVERY_KEY, words=KEYS)
    kind = any_kind.choice("act", KINDS)
    if kind is None:
        any_kind.refuse(gettext_noop("“%(key)s” is missing: enter its kind."), key="act")
    form = KINDS[kind]
    known = ("act", "player", *form.needs, *form.takes, *TEXTS)
    part = Part(act, place_of_act(number, kind), known, words=KEYS)
    for name in form.needs:
        if not part.has(name):
            part.refuse(gettext_noop("“%(key)s” is missing."), key=name)
    nobody = form.of_nobody and not part.has("player")
    place, member = (None, None) if nobody else _who(part, "player", sides)
    names = (name for name in (*form.needs, *form.takes, *TEXTS) if part.has(name))
    return Act(number, kind, place, member, {name: _fact(part, kind, name, sides) for name in names})


def _who(part: Part, key: str, sides: Sequence[Side]) -> tuple[int, str | None]:
    """The place of the side that is meant, and its member where one is: in a side of one it always is."""
    name = part.get(key)
    for place, side in enumerate(sides):
        if name in side.members:
            return place, name
        if name == side.name:
            return place, side.members[0] if len(side.members) == 1 else None
    part.refuse(gettext_noop("“%(key)s”: %(name)s is not on this sheet."), key=key, name=shown(name))


def _fact(part: Part, kind: str, name: str, sides: Sequence[Side]) -> Any:
    if name in NAMES:
        return _who(part, name, sides)
    if name in TEXTS:
        return part.text(name, TEXT_LENGTH)
    if name in FLAGS or (isinstance(part.get(name), bool) and name == "warriors"):
        return part.flag(name, False)
    may_fall = kind == "gain" or name == "value"
    return part.number(name, -MAX_POINTS if may_fall else 0, MAX_POINTS)
