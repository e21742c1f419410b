"""The simulated event of docs/how-it-works/pairing.md: every state that the engines are measured on comes from here."""

import random
from dataclasses import dataclass, field

from tournaments.pairing.swiss.contenders import Contender, RoundInput, RoundPairing

WIN, DRAW = 3, 1


@dataclass(slots=True)
class Player:
    """Somebody who plays as well as `strength` says (in Elo points)."""

    strength: float
    score: int = 0
    opponents: list[int] = field(default_factory=list)
    had_bye: bool = False
    seats: list[int] = field(default_factory=list)
    downfloats: int = 0
    upfloats: int = 0


class Event:
    """An event under way: `given` is the next round to pair, `play` makes up its results."""

    def __init__(self, size: int, *, seed: int, draws: float = 0.05, drops: float = 0.01) -> None:
        """A field of `size` with latent strengths; shares of drawn matches and of players who drop after a round."""
        self.chance = random.Random(f"{seed} {size} {draws}")
        self.players = {number: Player(self.chance.gauss(0, 200)) for number in range(1, size + 1)}
        self.draws, self.drops = draws, drops
        self.seed = seed

    def given(self) -> RoundInput:
        """The field as it stands, everybody placed by score and lot."""
        lots = {number: self.chance.random() for number in self.players}
        ranked = sorted(self.players, key=lambda number: (-self.players[number].score, lots[number]))
        places = {number: place for place, number in enumerate(ranked, 1)}
        contenders = tuple(_contender(number, player, places[number]) for number, player in self.players.items())
        return RoundInput(contenders, seed=self.chance.getrandbits(32))

    def play(self, paired: RoundPairing) -> None:
        """Best of three at every table, three points for the bye; then some drop."""
        for one, other in paired.pairs:
            self._match(self.players[one], self.players[other])
            self.players[one].opponents.append(other)
            self.players[other].opponents.append(one)
        if paired.bye is not None:
            self.players[paired.bye].had_bye = True
            self.players[paired.bye].score += WIN
        self.players = {number: player for number, player in self.players.items() if self.chance.random() >= self.drops}

    def _match(self, first: Player, second: Player) -> None:
        first.seats.append(1)
        second.seats.append(2)
        if first.score != second.score:
            higher, lower = (first, second) if first.score > second.score else (second, first)
            higher.downfloats += 1
            lower.upfloats += 1
        if self.chance.random() < self.draws:
            first.score += DRAW
            second.score += DRAW
            return
        even = 1 / (1 + 10 ** ((second.strength - first.strength) / 400))
        games = [self.chance.random() < even for _ in range(3)]  # the third decides only what the first two left open
        winner = first if sum(games) >= 2 else second
        winner.score += WIN


def rounds_of(size: int) -> int:
    """Rounds of an event: ceil(log2 size) + 1."""
    return (size - 1).bit_length() + 1


def events_of(size: int) -> int:
    """Events to measure: several small ones, for a round that is hard comes up in one of them only."""
    return 4 if size <= 1_024 else 1


def measured_rounds(size: int) -> list[int]:
    """The rounds to measure: all of a small event, the second, middle and last of a large one."""
    rounds = rounds_of(size)
    return list(range(1, rounds + 1)) if size <= 256 else [2, (rounds + 1) // 2, rounds]


def _contender(number: int, player: Player, place: int) -> Contender:
    return Contender(
        id=number,
        score=player.score,
        opponents=tuple(player.opponents),
        had_bye=player.had_bye,
        place=place,
        downfloats=player.downfloats,
        upfloats=player.upfloats,
        firsts=player.seats.count(1),
        seconds=player.seats.count(2),
        last_seat=player.seats[-1] if player.seats else 0,
    )
