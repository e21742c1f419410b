"""Tables of an event that are really played on its pages: boards and ledgers, move by move, drawn by a seed.

A table is played by staff's browser, as the phones of a table do. What each match gives is counted by the referees of
`plain_boards`, by the plain tally of Doomlings and by a count of a ledger's points: never by the product.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.test import Client

from scoring.sheets.boards import MoveField, Offer
from tests.journeys.plain_boards import PlainDead, PlainPile
from tests.scoring.tallies.doomlings_tables import CATASTROPHES, TRAITS, follow_gold_text, random_choices
from tests.scoring.tallies.ledgers import lawful_ledger
from tests.scoring.tallies.plain_doomlings import plain_tally
from tests.tournaments.api.callers import good
from tests.tournaments.sheet_acts import work

PILES = {"Deck": "deck", "Hand": "hand", "Discard Pile": "discard", "Interred": "interred"}
ZONES = {"Deck": "deck", "Graveyard": "graveyard", "Crypt": "crypt", "Battlefield": "battlefield",
         "Hand": "hand", "Outside the Game": "outside"}  # fmt: skip
USUAL = {"mode": "free_for_all", "sabotage": "off", "target": 40, "time": "1997", "summon_reading": "example"}
"""Options of a sheet where an event sets none."""
LEFT_OUT = ("name", "start", "win", "concede")
"""Moves that are not drawn: cards are named elsewhere, and the end is made on purpose."""


@dataclass
class Table:
    """A match at its table: `best_of`, or `exact_games`; `is_time` once the clock of the round has run out.

    `decks` are those drafted for it, by player; without any all play from one box. A game has `most_moves` before one
    ends it, or an era of Doomlings so many turns.
    """

    olive: Any
    browser: Client
    rng: Random
    address: str
    root: str
    names: list[str]
    options: dict[str, Any]
    best_of: int
    exact_games: bool
    is_time: bool
    decides: bool
    seen: str = ""
    board: Any = None
    moves: int = 0
    won: list[int] = field(default_factory=list)
    decks: dict[str, list[str]] = field(default_factory=dict)
    most_moves: int = 14

    def look(self, answer: Any = None) -> Any:
        """What the board shows, after an answer or asked for."""
        answer = answer or self.browser.get(f"{self.root}play/board/")
        assert answer.status_code == 200, answer
        self.board, self.seen = answer.context["board"], answer.context["seen"]
        return answer

    def move(self, act: str, /, **fields: Any) -> dict[str, Any]:
        """One move; it must be taken."""
        sent = {key: "" if value is None else value for key, value in fields.items()}
        before = len(self.board.played)
        answer = self.browser.post(f"{self.root}play/move/", {"act": act, "seen": self.seen, **sent}, follow=True)
        self.look(answer)
        form = answer.context["refused"]
        assert len(self.board.played) == before + 1, (act, fields, form and form.errors)
        self.moves += 1
        return {"act": act, **fields}

    def strike(self, act: int) -> None:
        """The move is struck out."""
        answer = self.browser.post(f"{self.root}play/unmove/", {"act": act}, follow=True)
        self.look(answer)

    def drawn(self, offer: Offer) -> dict[str, Any]:
        """Values for what a move asks for, drawn."""
        return {each.name: self.value(each) for each in offer.fields}

    def value(self, asked: MoveField) -> Any:
        if asked.choices:
            return self.rng.choice([value for value, _label in asked.choices])
        if asked.longest:
            return "" if asked.may_lack else "Loose Plank"
        return self.rng.randint(asked.least, min(asked.most, asked.least + 3))

    def file(self) -> None:
        """Staff file the sheet, workers add it up."""
        good(self.olive.post(f"{self.address}sheet/file/", {}))
        work()

    # -- games told one by one -----------------------------------------------------------------------------------------

    def play_match(self, game: Any) -> list[int]:
        """Games until the match is over, each by `game`; the games won by seat."""
        won, drawn = [0] * len(self.names), 0
        while not self.is_over(won, drawn):
            if self.is_time and not self.decides and len(self.names) == 2 and sum(won) + drawn:
                self.write(game.on_time(self, None))
                drawn += 1
                if not self.exact_games:
                    break
                continue
            winner = game.play(self)
            won[self.names.index(winner)] += 1
        self.file()
        return won

    def is_over(self, won: list[int], drawn: int) -> bool:
        if self.exact_games:
            return sum(won) + drawn == self.best_of
        return max(won) > self.best_of // 2

    def write(self, entry: dict[str, Any]) -> None:
        """A game goes on the sheet."""
        answer = self.browser.post(f"{self.root}play/add/", entry)
        assert answer.status_code == 302, (entry, answer.context["form"].errors)

    def note(self, act: str, **fields: Any) -> None:
        """A move of a board that is the sheet."""
        answer = self.browser.post(f"{self.root}play/move/", {"act": act, **fields})
        assert answer.status_code == 302, (act, fields, answer.context["refused"].errors)

    def begin(self) -> str:
        """The board of the next game begins; who goes first."""
        self.look()
        (start,) = self.board.offers
        (who,) = start.fields
        usual = str(who.usual) or self.rng.choice(self.names)  # the rules leave open who begins a later game of a match
        assert usual in self.names
        first = self.rng.choice([usual, usual, self.rng.choice(self.names)])
        self.move("start", **{who.name: first})
        return first

    def play_game(self, referee: Any, ends: list[dict[str, Any]]) -> str:
        """Moves as they are drawn, one struck out, then moves that end the game; the winner by the referee."""
        made: list[dict[str, Any]] = []
        while not self.board.ending and len(made) < self.most_moves:
            offer = self.rng.choice([each for each in self.board.offers if each.act not in LEFT_OUT])
            made.append(self.move(offer.act, **({"card": offer.card} if offer.card else {}), **self.drawn(offer)))
            if self.rng.random() < 0.05 and not self.board.ending:
                self.take_back(made)
                referee.pass_over()
            else:
                referee.make(made[-1])
            self.compare(referee)
        for end in ends if not self.board.ending else ():
            referee.make(self.move(end["act"], **{key: end[key] for key in end if key != "act"}))
            self.compare(referee)
            if self.board.ending:
                break
        return str(referee.winner)

    def take_back(self, made: list[dict[str, Any]]) -> None:
        """The last move is struck out by the button of its line: as if it had not been made, but for its number."""
        made.pop()
        page = self.browser.get(f"{self.root}play/board/")
        self.strike(page.context["last"])

    def compare(self, referee: Any) -> None:
        """The board shows what the referee counts."""
        assert bool(self.board.ending) == bool(referee.winner)
        if referee.winner:
            return
        assert self.board.turn == referee.on_turn
        zones = {(zone.holder, zone.label): zone.count for zone in self.board.zones}
        counts = referee.counts()
        if isinstance(referee, PlainDead):
            assert {ZONES[label]: count for (_name, label), count in zones.items()} == counts
            return
        found = {(name, PILES[label]): count for (name, label), count in zones.items() if label in PILES}
        assert {key: count for key, count in counts.items() if count or key[1] != "interred"} == found
        assert {card.id: card.count for card in self.board.cards} == {
            key: card["left"] for key, card in referee.cards.items()
        }


class PileGame:
    """Games of Doom Pile."""

    @staticmethod
    def on_time(table: Table, winner: str | None) -> dict[str, Any]:
        return {"winner": winner or " ", "how": "time" if winner else ""}

    @staticmethod
    def leave(table: Table, last: str) -> list[dict[str, Any]]:
        """Some but the last give up, or all, one after the other, with some turns between."""
        others = [name for name in table.names if name != last]
        leavers = table.rng.sample(others, table.rng.randint(1, len(others)))
        turns = [{"act": "end"}] * table.rng.randint(0, 5)
        return [move for name in leavers for move in ({"act": "concede", "player": name}, *turns)]

    @staticmethod
    def play(table: Table) -> str:
        first = table.begin()
        referee, who = PlainPile(table.names, first), table.rng.choice(table.names)
        ends: list[dict[str, Any]] = [
            {"act": "win", "player": who, "how": table.rng.choice(["master_plan", "card_effect"])}
        ]
        if table.rng.random() < 0.5:
            ends = [*PileGame.leave(table, who), *ends]
        winner = table.play_game(referee, ends)
        ending = table.board.ending.result
        assert ending == {"winner": winner, "how": referee.how}
        table.write(dict(ending))
        return winner


class DeadGame:
    """Games of Dead or Destroyed."""

    @staticmethod
    def on_time(table: Table, winner: str | None) -> dict[str, Any]:
        form = table.browser.get(table.root).context["form"]
        return {"necromancer": form.initial["necromancer"], "outcome": "drawn"}

    @staticmethod
    def play(table: Table) -> str:
        table.look()
        (start,) = table.board.offers
        necromancer = start.fields[0].usual
        table.move("start", necromancer=necromancer)
        referee = PlainDead(table.names, necromancer, table.options["summon_reading"])
        ends: list[dict[str, Any]] = [{"act": "concede", "player": table.rng.choice(table.names)}]
        winner = table.play_game(referee, ends)
        at = table.names.index(winner)
        outcome = f"concession{at}" if referee.how == "concession" else referee.how
        assert dict(table.board.ending.result) == {"necromancer": necromancer, "outcome": outcome}
        table.write(dict(table.board.ending.result))
        return winner


GAMES = {"doom_pile": PileGame, "dead_or_destroyed": DeadGame}


def draft_decks(rng: Random, names: list[str]) -> dict[str, list[str]]:
    """A deck of 28 for each, drafted from one box as DL-V-DESIGN has it: 14 kept, then 7 and 7 of those passed."""
    box = [row["name"] for row in TRAITS if row["set"] == "classic" and not row["printing"]
           for _copy in range(int(row["copies"]))]  # fmt: skip
    dealt = rng.sample(box, 28 * len(names))
    hands, decks = [dealt[place :: len(names)] for place in range(len(names))], {name: [] for name in names}
    for keep in (14, 7, 7):
        for deck, hand in zip(decks.values(), hands, strict=True):
            rng.shuffle(hand)
            deck += [hand.pop() for _card in range(keep)]
        hands = [hands[-1], *hands[:-1]]
    return decks


def play_doomlings(table: Table) -> list[int]:
    """A table of Doomlings from the 1st player to World's End, then what is asked; the points of each."""
    rng, olive = table.rng, table.olive
    table.begin()
    box = rng.sample([row["name"] for row in TRAITS], 60)
    held = dict.fromkeys(table.names, 0)
    for number, catastrophe in enumerate(rng.sample(CATASTROPHES, 3)):
        turns = rng.randint(0, 2 * len(table.names)) if number else len(table.names)
        for _turn in range(min(turns, table.most_moves)):
            who = table.board.turn or rng.choice(table.names)
            own = table.decks.get(who, box)
            name = own.pop() if own else ""
            dominant = next((bool(row["dominant"]) for row in TRAITS if row["name"] == name), True)
            if name and held[who] + dominant <= 2:
                held[who] += dominant
                table.move("play", player=who, name=name)
            if table.board.turn:
                table.move("end")
        # with the deck out the last one comes before its time
        is_out = rng.random() < 0.1
        table.move("flip", name=catastrophe, kind="last" if is_out else "catastrophe")
        assert bool(table.board.ending) == (is_out or number == 2)
        if is_out:
            break
    assert table.board.ending.clause == "DL-END"
    assert table.browser.post(f"{table.root}play/fill/").status_code == 302
    return file_doomlings(table, good(olive.get(f"{table.address}sheet/"))["parts"])


def file_doomlings(table: Table, parts: list[dict[str, Any]]) -> list[int]:
    """What only the end asks is answered, and the sheet filed; points by the plain tally."""
    table_part, *own = parts
    sheet: dict[str, Any] = {
        "catastrophe": table_part["content"]["catastrophe"], "discard_pile": [], "options": table.options,
        "players": [{"name": name, **part["content"]} for name, part in zip(table.names, own, strict=True)],
    }  # fmt: skip
    for place, player in enumerate(sheet["players"]):
        player["choices"] = dict(random_choices(table.rng, player["traits"]))
        player["drawn_face"] = table.rng.randint(-1, 9)
        player["revealed"] = table.rng.choice(["colorless", "blue", "green", "purple", "red"])
        player["discarded_at_worlds_end"] = []
        follow_gold_text(table.rng, sheet, place)
    for part, player in zip(own, sheet["players"], strict=True):
        content = {key: value for key, value in player.items() if key != "name"}
        address = f"{table.address}sheet/parts/{part['place']}/"
        good(table.olive.put(address, {"content": content, "version": part["version"]}))
    table.file()
    return [sum(each) for each in plain_tally(sheet)]


def play_trooper(table: Table, members: dict[str, list[str]]) -> tuple[list[int], list[int]]:
    """A ledger, entry by entry, until a side reaches the target, leads when time is called, or wins by a card.

    The places, and the Promotion Points as the scores. Of a team the first of its `members` acts.
    """
    side_of = {members.get(side, [side])[0]: side for side in table.names}
    sheet, after = lawful_ledger(table.rng.random(), 25, list(side_of), table.options)
    totals, goal = dict.fromkeys(table.names, 0), table.options["target"]
    for act, pools in zip(sheet["acts"], after, strict=True):
        table.note(**as_form(act, side_of))
        if act.get("warriors"):  # whoever has one that was not written down says so; refused where nobody counts turns
            table.browser.post(f"{table.root}play/move/", {"act": "fit", "player": act["player"]})
        totals = {side_of[name]: promotion for name, (promotion, _destiny) in pools.items()}
        if goal and max(totals.values()) >= goal:
            break
    winner = end_trooper(table, side_of, totals)
    table.file()
    order = [(name == winner, totals[name]) for name in table.names]
    return [1 + sum(other > own for other in order) for own in order], list(totals.values())


def end_trooper(table: Table, side_of: dict[str, str], totals: dict[str, int]) -> str:
    """Who has won, by the target, by the lead when time is called, or else now by a card."""
    best, goal = max(totals.values()), table.options["target"]
    leaders = [name for name, promotion in totals.items() if promotion == best]
    if goal and best >= goal:
        return leaders[0]
    person = table.rng.choice(list(side_of))
    if not (table.is_time and len(leaders) == 1 and table.options["time"] == "1997"):
        table.note("win", player=person, name="A CARD THAT WINS")
        return side_of[person]
    table.note("time_called")
    if "has won" not in table.browser.get(table.root).content.decode():
        table.note("end_turn")
    return leaders[0]


def as_form(act: dict[str, Any], side_of: dict[str, str]) -> dict[str, Any]:
    """An act of a ledger as its form takes it."""
    kind = act["act"]
    fields: dict[str, Any] = {"act": kind, "player": act["player"]}
    if other := act.get("victim") or act.get("target"):
        fields["other"] = side_of[other]
    if "value" in act:
        fields["value"] = max(act["value"], 0)
    if kind == "spend":
        fields["value"] = act["destiny"]
    elif kind in ("kill", "sabotage"):
        worth = max(act["value"], 0) if kind == "kill" else -(-act["value"] // 2)
        fields["destiny"] = act.get("destiny", worth - act["promotion"] if "promotion" in act else 0)
        fields["by"] = "affiliated" if act.get("affiliated") else "freelancer" if act.get("freelancer") else ""
    elif kind == "muster":
        fields["entered"] = "in_cover" if act["in_cover"] else ""
    return fields
