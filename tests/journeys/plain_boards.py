"""Games on the boards counted once more, as plainly as the books tell them: the referees of boards that are played.

They share no code with the product. A referee takes each move as it was sent and says where the cards are; what the
cards do not allow changes nothing.
"""

from typing import Any

Move = dict[str, Any]
OUT_OF_CARDS = "empty_deck"


class PlainPile:
    """A game of Doom Pile: piles by number, cards by the number of their move among all, struck out or not."""

    def __init__(self, names: list[str], first: str) -> None:
        self.names, self.turn, self.turns = names, names.index(first), 1
        self.piles = {name: {"deck": 25, "hand": 5, "discard": 0, "interred": 0} for name in names}
        self.cards: dict[int, dict[str, Any]] = {}
        self.drawn, self.moves, self.winner, self.how = True, 1, "", ""
        self.gone: list[str] = []

    @property
    def on_turn(self) -> str:
        return self.names[self.turn]

    def make(self, move: Move) -> None:
        """One move more."""
        self.moves += 1
        done = getattr(self, f"do_{move['act']}")(move)
        if done is False or self.winner:
            return
        for key, card in list(self.cards.items()):
            if card["left"] is None and card["health"] is not None and card["damage"] >= card["health"]:
                self.away(key, "discard")
        if not self.drawn and not any(card["left"] == 0 for card in self.cards.values()):
            self.drawn = True
            self.shift(self.on_turn, "deck", "hand", min(1, self.piles[self.on_turn]["deck"]))

    def pass_over(self) -> None:
        """A move was made and struck out."""
        self.moves += 1

    def shift(self, name: str, source: str, target: str, count: int) -> bool:
        if self.piles[name][source] < count:
            return False
        self.piles[name][source] -= count
        self.piles[name][target] += count
        return True

    def away(self, key: int, pile: str) -> None:
        self.piles[self.cards.pop(key)["owner"]][pile] += 1

    def do_play(self, move: Move) -> bool | None:
        pile = self.piles[move["player"]]
        if not pile[move["from"]]:
            return False
        pile[move["from"]] -= 1
        facts = {"kind": "", "strength": 0, "health": None, "damage": 0}
        self.cards[self.moves] = {"owner": move["player"], "left": move["start"], **facts}
        return None

    def do_resolve(self, move: Move) -> None:
        card = self.cards[move["card"]]
        if move["kind"] == "Plot":
            self.away(move["card"], "discard")
        else:
            card |= {"left": None, "kind": move["kind"], "strength": move["strength"], "health": move["health"]}

    def do_less(self, move: Move) -> None:
        self.cards[move["card"]]["left"] -= 1

    def do_more(self, move: Move) -> None:
        self.cards[move["card"]]["left"] += 1

    def do_leave(self, move: Move) -> None:
        self.away(move["card"], move["to"])

    def do_attack(self, move: Move) -> None:
        one, other = self.cards[move["card"]], self.cards[int(move["target"])]
        other["damage"] += one["strength"]
        one["damage"] += other["strength"] if other["kind"] == "Minion" else 0

    def do_burn(self, move: Move) -> None:
        self.cards[move["card"]]["damage"] += move["count"]

    def do_draw(self, move: Move) -> None:
        assert self.shift(move["player"], "deck", "hand", min(move["count"], self.piles[move["player"]]["deck"]))

    def do_adjust(self, move: Move) -> bool:
        if move["from"] == move["to"]:
            return False
        return self.shift(move["player"], move["from"], move["to"], move["count"])

    def do_plan(self, move: Move) -> None:
        """Progress is what the players say it is."""

    def do_win(self, move: Move) -> None:
        self.winner, self.how = move["player"], move["how"]

    def do_concede(self, move: Move) -> None:
        """The last one left wins; of several the others play on without the cards and the turns of who gave up."""
        leaver = move["player"]
        was_at_turn = self.on_turn == leaver
        self.gone.append(leaver)
        if len(self.gone) == len(self.names) - 1:
            self.winner, self.how = next(name for name in self.names if name not in self.gone), "concession"
            return
        for key in [key for key, card in self.cards.items() if card["owner"] == leaver]:
            del self.cards[key]
        if was_at_turn:
            self.next_turn()

    def do_end(self, move: Move) -> None:
        own = [card for card in self.cards.values() if card["owner"] == self.on_turn and card["left"] is not None]
        if not own and not self.piles[self.on_turn]["deck"]:
            self.winner, self.how = self.on_turn, OUT_OF_CARDS
            return
        self.next_turn()

    def next_turn(self) -> None:
        """The turn of the next who still plays; the places of the others count as turns that nobody took."""
        while True:
            self.turn, self.turns = (self.turn + 1) % len(self.names), self.turns + 1
            if self.on_turn not in self.gone:
                break
        self.drawn = self.turns <= len(self.names)
        for card in self.cards.values():
            card["damage"] = 0
            if card["owner"] == self.on_turn and card["left"]:
                card["left"] -= 1

    def counts(self) -> dict[tuple[str, str], int]:
        """Cards by holder and pile, of those who still play."""
        still = [name for name in self.names if name not in self.gone]
        return {(name, pile): count for name in still for pile, count in self.piles[name].items()}


class PlainDead:
    """A game of Dead or Destroyed: cards by number, zombies of the Crypt by the round in which they came."""

    def __init__(self, names: list[str], necromancer: str, reading: str) -> None:
        self.necromancer, self.reading = necromancer, reading
        self.paladin = next(name for name in names if name != necromancer)
        self.zones = {"deck": 39, "hand": 3, "graveyard": 10, "crypt": 0, "battlefield": 0, "outside": 0}
        self.on_turn, self.winner, self.how = necromancer, "", ""
        self.summoned: list[tuple[bool, bool, bool]] = []

    def make(self, move: Move) -> None:
        """One move more."""
        getattr(self, f"do_{move['act']}")(move)
        if not self.winner and not self.zones["battlefield"] + self.zones["graveyard"]:
            self.winner, self.how = self.paladin, "paladin"

    def pass_over(self) -> None:
        """A move was made and struck out: no card has its number."""

    def shift(self, source: str, target: str, count: int) -> bool:
        if self.zones[source] < count:
            return False
        self.zones[source] -= count
        self.zones[target] += count
        return True

    def price(self, summons: list[tuple[bool, bool, bool]]) -> int:
        """What the summons of a turn cost in all: each is minor, from the top, straight to the Battlefield."""
        total, usual = 0, 0
        for minor, top, straight in summons:
            if minor:
                total += straight
                continue
            total += (usual > 0) + (not top) + (straight and (self.reading == "rule" or not usual))
            usual += 1
        return total

    def do_summon(self, move: Move) -> None:
        top = move["at"] == "1"
        this = (top and move["card"] == "minor", top, move["to"] == "battlefield")
        cost = self.price([*self.summoned, this]) - self.price(self.summoned)
        if self.zones["graveyard"] > cost:
            self.shift("graveyard", move["to"], 1)
            self.shift("graveyard", "outside", cost)
            self.summoned.append(this)

    def do_cycle_sap(self, move: Move) -> None:
        if self.zones["deck"]:
            self.shift("hand", "outside", 1)

    def do_shuffle(self, move: Move) -> None:
        """As many cards lie in the Graveyard as before."""

    def do_advance(self, move: Move) -> None:
        self.shift("crypt", "battlefield", self.fates(move, "battlefield"))

    def fates(self, move: Move, fate: str) -> int:
        return sum(value == fate for key, value in move.items() if key[0] == "z" and key[1:].isdecimal())

    def answered(self, move: Move, more: int = 0) -> bool:
        """The paladin pays a card for each zombie that is killed or destroyed."""
        killed, destroyed = self.fates(move, "killed"), self.fates(move, "destroyed")
        if self.zones["hand"] < killed + destroyed + more:
            return False
        self.shift("hand", "outside", killed + destroyed + more)
        self.shift("battlefield", "graveyard", killed)
        self.shift("battlefield", "outside", destroyed)
        return True

    def do_attack(self, move: Move) -> None:
        if not self.answered(move):
            return
        asked = 3 * (self.zones["battlefield"] - self.fates(move, "waits"))
        if not self.shift("deck", "graveyard", asked):
            self.shift("deck", "graveyard", self.zones["deck"])
            self.winner, self.how = self.necromancer, "necromancer"
        elif self.zones["battlefield"] + self.zones["graveyard"]:
            self.end_of_necromancer()

    def do_smite(self, move: Move) -> None:
        top = int(move["graveyard"] == "yes")
        if self.zones["graveyard"] >= top and self.answered(move, top):
            self.shift("graveyard", "outside", top)

    def do_reveal(self, move: Move) -> None:
        if move["cards"] == 3:
            self.shift("deck", "hand", 1)
        elif move["cards"] == 7:
            for zone in ("crypt", "battlefield"):
                self.shift(zone, "outside", self.zones[zone])

    def end_of_necromancer(self) -> None:
        self.on_turn, self.summoned = self.paladin, []
        self.shift("deck", "hand", 1)

    def do_pass(self, move: Move) -> None:
        if self.on_turn == self.necromancer:
            self.end_of_necromancer()
        else:
            self.on_turn = self.necromancer

    def do_adjust(self, move: Move) -> None:
        if move["from"] != move["to"]:
            self.shift(move["from"], move["to"], move["count"])

    def do_concede(self, move: Move) -> None:
        self.winner = self.paladin if move["player"] == self.necromancer else self.necromancer
        self.how = "concession"

    def counts(self) -> dict[str, int]:
        """Cards by zone."""
        return dict(self.zones)
