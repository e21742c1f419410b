"""Single and double elimination: the bracket as a value, and the places that each of its matches decides."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop

MAX_ENTRANTS = 128
# Where losers of the winners' bracket drop in, for 2**key places: the loser of position p of round 2, 3, … goes to
# position p ^ flip. Of all such flips these let two who met before meet again latest (the test searches them all).
DROP_FLIPS = {3: (1,), 4: (2, 0), 5: (2, 2, 0), 6: (8, 6, 1, 1), 7: (8, 8, 6, 0, 1)}

Places = tuple[int, int]


class Side(StrEnum):
    """The part of a bracket a match is played in; a single elimination has its tree in the winners' bracket."""

    WINNERS = "winners"
    LOSERS = "losers"
    GRAND_FINAL = "grand_final"
    THIRD_PLACE = "third_place"


class Source(StrEnum):
    """Where the one in a slot comes from."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class Slot:
    """One of the two places of a match: a seed (1 the best), the winner or the loser of match `match`, or a bye."""

    source: Source
    seed: int = 0
    match: str = ""


BYE = Slot(Source.BYE)


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match of a bracket, also one against a bye (a walkover, never played).

    `round` and `position` count from 1, each side by itself, positions from the top. `loser_places` are the places
    (first, last) that its loser shares, None when there is none or the loser plays on; `winner_places` likewise.
    """

    id: str
    side: Side
    round: int
    position: int
    slots: tuple[Slot, Slot]
    loser_places: Places | None = None
    winner_places: Places | None = None

    @property
    def walkover(self) -> bool:
        """Whether a bye is in it, so that nobody has to play."""
        return BYE in self.slots

    @property
    def level(self) -> str:
        """The round of its side that it belongs to: "W2", "L1", "T1", "F1"."""
        return self.id.partition("-")[0]


@dataclass(frozen=True, slots=True)
class Bracket:
    """All matches in an order in which they can be played; `entrants` by seed, None where nobody took the place."""

    entrants: tuple[int | None, ...]
    matches: tuple[BracketMatch, ...]


def single_elimination(seeds: Sequence[int | None], *, third_place: bool = False) -> Bracket:
    """The bracket of 2–128 entrants, the best seed first; None is a seed that nobody takes: its opponent has a bye.

    Standard seeding: seeds 1 and 2 can meet in the final alone, the first four not before the semi-finals, and so on;
    byes go to the top seeds. DomainError: bad_bracket_size, repeated_entrant.
    """
    _check_seeds(seeds)
    tree = _winners_bracket(seeds)
    last = max(match.round for match in tree)
    if third_place and last > 1:
        one, other = (match for match in tree if match.round == last - 1)
        slots = (_slot_after(one, Source.LOSER), _slot_after(other, Source.LOSER))
        tree.insert(-1, BracketMatch("T1-1", Side.THIRD_PLACE, 1, 1, slots))
    return _with_places(seeds, tree)


def double_elimination(seeds: Sequence[int | None], *, reset: bool = True) -> Bracket:
    """The bracket of 2–128 entrants in which only a second loss ends the event; `seeds` as in `single_elimination`.

    Losers drop into the losers' bracket where those they met before are farthest away. With `reset` the grand final is
    played again when the winner of the losers' bracket takes it. DomainError: bad_bracket_size, repeated_entrant.
    """
    _check_seeds(seeds)
    winners = _winners_bracket(seeds)
    rounds = max(match.round for match in winners)
    losers = _losers_bracket(winners, rounds)
    last = losers[-1] if losers else None
    second = _slot_after(last, Source.WINNER) if last else _slot_after(winners[-1], Source.LOSER)
    final = BracketMatch("F1-1", Side.GRAND_FINAL, 1, 1, (_slot_after(winners[-1], Source.WINNER), second))
    finals = [final]
    if reset:
        again = (_slot_after(final, Source.LOSER), _slot_after(final, Source.WINNER))
        finals.append(BracketMatch("F2-1", Side.GRAND_FINAL, 2, 1, again))
    return _with_places(seeds, winners + losers + finals)


def seed_order(size: int) -> list[int]:
    """Seeds in order of the places of the first round, for `size` (a power of two) places, from the top."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        pairs = [(seed, total - seed) for seed in order]
        order = [seed for row, pair in enumerate(pairs) for seed in (reversed(pair) if row % 2 else pair)]
    return order


def _check_seeds(seeds: Sequence[int | None]) -> None:
    entrants = [seed for seed in seeds if seed is not None]
    if not 2 <= len(entrants) <= len(seeds) <= MAX_ENTRANTS:
        text = gettext_noop("A bracket has 2 to %(most)s entrants.")
        raise DomainError("bad_bracket_size", Message(text, {"most": MAX_ENTRANTS}), entrants=len(entrants))
    if len(set(entrants)) < len(entrants):
        repeated = sorted(entrant for entrant, count in Counter(entrants).items() if count > 1)
        raise DomainError("repeated_entrant", Message(gettext_noop("Nobody can take two places.")), entrants=repeated)


def _winners_bracket(seeds: Sequence[int | None]) -> list[BracketMatch]:
    size = 1 << (len(seeds) - 1).bit_length()
    order = [seed if seed <= len(seeds) and seeds[seed - 1] is not None else 0 for seed in seed_order(size)]
    slots = [Slot(Source.SEED, seed) if seed else BYE for seed in order]
    made: list[BracketMatch] = []
    number = 0
    while len(slots) > 1:
        number += 1
        level = list(_round(Side.WINNERS, number, slots))
        made += level
        slots = [_slot_after(match, Source.WINNER) for match in level]
    return made


def _losers_bracket(winners: Sequence[BracketMatch], rounds: int) -> list[BracketMatch]:
    """Odd rounds pair those who are in it, even rounds pair them with those who just lost in the winners' bracket."""
    made: list[BracketMatch] = []
    slots = [_slot_after(match, Source.LOSER) for match in winners if match.round == 1]
    flips = (*DROP_FLIPS.get(rounds, ()), 0)
    for number, flip in zip(range(2, rounds + 1), flips, strict=False):
        among = list(_round(Side.LOSERS, 2 * number - 3, slots))
        dropping = [_slot_after(match, Source.LOSER) for match in winners if match.round == number]
        staying = [_slot_after(match, Source.WINNER) for match in among]
        slots = [slot for place, stays in enumerate(staying) for slot in (dropping[place ^ flip], stays)]
        against = list(_round(Side.LOSERS, 2 * number - 2, slots))
        made += among + against
        slots = [_slot_after(match, Source.WINNER) for match in against]
    return made


def _round(side: Side, number: int, slots: Sequence[Slot]) -> Iterator[BracketMatch]:
    """The matches of one round, two slots each; of two seeds the better sits first."""
    for position, (one, other) in enumerate(zip(slots[::2], slots[1::2], strict=True), 1):
        if other.source is Source.SEED and (one == BYE or other.seed < one.seed):
            one, other = other, one
        yield BracketMatch(f"{side[0].upper()}{number}-{position}", side, number, position, (one, other))


def _slot_after(match: BracketMatch, source: Source) -> Slot:
    """The slot that the winner or the loser of a match takes; a bye when there can be none."""
    byes = match.slots.count(BYE)
    missing = byes == 2 or (byes == 1 and source is Source.LOSER)
    return BYE if missing else Slot(source, match=match.id)


def _with_places(seeds: Sequence[int | None], matches: Sequence[BracketMatch]) -> Bracket:
    """The bracket with the places that each match decides, given from the last round back to the first."""
    playing_on = {(slot.source, slot.match) for match in matches for slot in match.slots}
    places: dict[tuple[Source, str], Places] = {}
    for _, level in groupby(reversed(matches), key=lambda match: (match.side, match.round)):
        ending = list(level)
        for source in (Source.WINNER, Source.LOSER):
            ends = [(source, match.id) for match in ending if _slot_after(match, source) != BYE]
            leaving = [end for end in ends if end not in playing_on]
            shared = (len(places) + 1, len(places) + len(leaving))
            places |= dict.fromkeys(leaving, shared)
    placed = []
    for match in matches:
        won, lost = (places.get((source, match.id)) for source in (Source.WINNER, Source.LOSER))
        placed.append(replace(match, winner_places=won, loser_places=lost))
    return Bracket(tuple(seeds), tuple(placed))
