"""A Doomtrooper ledger as its board needs it: the tallies of its games, who acts, what is in play, who comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules_engine.cards import CardFacts
from rules_engine.errors import DomainError
from scoring.games.doomtrooper.tally import match_of, tally_games
from scoring.games.doomtrooper.tally.in_play import lay_out
from scoring.games.doomtrooper.tally.sheet import Sheet, read_sheet
from scoring.games.doomtrooper.tally.table import CardInPlay, Table
from scoring.sheets.boards import Move


@dataclass(frozen=True, slots=True)
class Setting:
    """What stands before the first act: who came as the sheet has them, the options, who has the first turn of all.

    `known` are the cards by normalised name, `combat` is the address of the calculator.
    """

    players: Sequence[Mapping[str, Any]]
    options: Mapping[str, Any]
    first: str
    known: Mapping[str, CardFacts]
    combat: str

    def sheet(self, acts: Any) -> Sheet:
        """The ledger with these acts, unlawful ones too; DomainError "bad_sheet" where it cannot be read."""
        options = {**self.options, "check_limits": False}
        return read_sheet({"players": list(self.players), "acts": acts, "options": options})

    def can_read(self, act: Move) -> bool:
        """Whether an act is one that a ledger can hold."""
        try:
            self.sheet([act])
        except DomainError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Game:
    """A ledger as it stands, with its `acts` as they are kept.

    `tally` is the one of the game at the table, the last of the `match`, which begins after `before` acts. `first` has
    the first turn of the match.
    """

    setting: Setting
    sheet: Sheet
    acts: Sequence[Move]
    tally: Mapping[str, Any]
    match: Mapping[str, Any]
    before: int
    table: Table
    first: str

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who takes turns, in turn order."""
        return tuple(self.sheet.places)

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(side.name for side in self.sheet.sides)

    @property
    def turn(self) -> str:
        """Whose turn it is; "" between turns, and once the game is over."""
        return "" if self.is_over else self.tally["turn"] or ""

    @property
    def is_over(self) -> bool:
        return bool(self.tally["ended_by"])

    @property
    def has_targets(self) -> bool:
        """Whether each player has a primary target (DT-MULTI)."""
        return self.setting.options.get("mode") == "primary_targets" and len(self.sides) > 2

    def id_of(self, card: CardInPlay) -> int:
        """The id of the entry that brought a card: it stays when an earlier one is struck out."""
        return int(self.acts[card.act - 1]["id"])

    def card(self, card_id: object) -> CardInPlay | None:
        """The card in play that an entry brought; None where it brought none, or it has left."""
        return next((card for card in self.table.cards if self.id_of(card) == card_id), None)

    def lacks_warrior(self, name: str) -> bool:
        """Whether a player's next turn is one of the three without a warrior, as the ledger tells (DT-NOWARRIOR)."""
        return name in self.tally["countdown"] or self.table.lacks_warrior(name)

    @property
    def cards(self) -> list[CardInPlay]:
        """The cards in play of those who are still in."""
        return [card for card in self.table.cards if card.owner not in self.tally["out"]]

    @property
    def following(self) -> str:
        """Whose turn comes next: after whoever has it, past those who are out. Who goes first alternates by game."""
        turns = [act["player"] for act in self.acts[self.before :] if act["act"] == "turn"]
        if turns and turns[-1] in self.people:
            start = self.people.index(turns[-1]) + 1
        else:
            start = (self.people.index(self.first) + len(self.match["games"]) - 1) % len(self.people)
        order = [*self.people[start:], *self.people[:start]]
        return next((name for name in order if name not in self.tally["out"]), order[-1])

    def prey(self, place: int) -> str:
        """The primary target of a side: the next one that is still in; "" where all may be attacked."""
        names, out = self.sides, self.tally["out"]
        if not self.has_targets or self.is_over or names[place] in out:
            return ""
        return next((name for name in (*names[place + 1 :], *names[:place]) if name not in out), "")


def game_of(setting: Setting, acts: Sequence[Move]) -> Game:
    """A ledger read; DomainError "bad_sheet"."""
    sheet = setting.sheet(acts)
    games, last = tally_games(sheet), sheet.games[-1]
    lost = {line["act"] for side in games[-1]["players"] for line in side["lines"] if line.get("discarded")}
    table = lay_out(last, setting.known, lost, games[-1]["out"])
    first = next((side.members[0] for side in sheet.sides if side.name == setting.first), next(iter(sheet.places)))
    return Game(setting, sheet, acts, games[-1], match_of(games), len(sheet.acts) - len(last.acts), table, first)
