"""Ours and its peers behind one face: prepare a state (not timed), pair it (timed), read the answer (not timed)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import rustworkx
from cardarena_tournament_core.common.models import Player as CardarenaPlayer
from cardarena_tournament_core.pairings.swiss import Swiss
from swisspair import Player as SwisspairPlayer
from swisspair import create_matches

from tournaments.pairing.swiss.contenders import Contender, RoundInput
from tournaments.pairing.swiss.swiss import pair_swiss


@dataclass(frozen=True, slots=True)
class Answer:
    """Pairs and byes of a round by ids, in no order."""

    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]


Call = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Engine:
    """`prepare` gives the call to be timed; `read` makes an Answer of what it gave; `most` players are asked of it."""

    name: str
    prepare: Callable[[RoundInput], Call]
    read: Callable[[RoundInput, Any], Answer]
    most: int = 10_000


def _ours(given: RoundInput) -> Call:
    return lambda: pair_swiss(given)


def _read_ours(given: RoundInput, paired: Any) -> Answer:
    return Answer(paired.pairs, () if paired.bye is None else (paired.bye,))


def _swisspair(given: RoundInput) -> Call:
    """Sets of past opponents who are still in; when everybody had a bye, everybody may have one again."""
    field = _by_lot(given)
    present = {each.id for each in field}
    again = all(each.had_bye for each in field)
    players = [
        SwisspairPlayer(
            id=str(each.id),
            points=each.score,
            rank=rank,
            can_get_bye=again or not each.had_bye,
            cannot_be_paired_against_ids={str(other) for other in each.opponents if other in present},
        )
        for rank, each in enumerate(field, 1)
    ]
    return lambda: create_matches(players)


def _read_swisspair(given: RoundInput, matches: Any) -> Answer:
    pairs = tuple((int(match.p1.id), int(match.p2.id)) for match in matches if match.p2)
    return Answer(pairs, tuple(int(match.p1.id) for match in matches if not match.p2))


def _cardarena(given: RoundInput) -> Call:
    """Its state put in directly (points, past pairs), so that no history has to be submitted again."""
    field = _by_lot(given)
    engine = Swiss([CardarenaPlayer(str(each.id), str(each.id)) for each in field])
    engine._points = {str(each.id): each.score for each in field}
    engine._played_pairs = {frozenset((str(each.id), str(other))) for each in field for other in each.opponents}
    return engine.pair


def _read_cardarena(given: RoundInput, paired: Any) -> Answer:
    pairs = tuple((int(match.player1.id), int(match.player2.id)) for match in paired.matchups if match.player2)
    return Answer(pairs, tuple(int(match.player1.id) for match in paired.matchups if not match.player2))


def _full_graph(given: RoundInput, lot_bits: int = 0) -> Call:
    """The objective as one integer an edge of the complete graph, built beforehand; the call is the matching alone.

    Without lots it is the oracle of the quickest kind; with lots it pairs at random by the seed what is equal, as ours.
    """
    lots = random.Random(given.seed)
    room = lot_bits + len(given.contenders).bit_length()
    field = list(given.contenders)
    odd = len(field) % 2
    weights = _Weights(field, clubs=given.policy.clubs != "ignore")
    edges = [
        (one, other, (weights.pair(field[one], field[other]) << room) + lots.getrandbits(lot_bits))
        for one in range(len(field))
        for other in range(one + 1, len(field))
    ]
    edges += [(one, len(field), weights.bye(each) << room) for one, each in enumerate(field) if odd]
    highest = max((cost for _, _, cost in edges), default=0)
    graph: Any = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(field) + odd))
    graph.add_edges_from([(one, other, highest - cost) for one, other, cost in edges])
    return lambda: rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


def _read_full_graph(given: RoundInput, matched: Any) -> Answer:
    ids = [each.id for each in given.contenders]
    pairs = [(min(pair), max(pair)) for pair in matched]
    byes = tuple(ids[one] for one, other in pairs if other == len(ids))
    return Answer(tuple((ids[one], ids[other]) for one, other in pairs if other < len(ids)), byes)


class _Weights:
    """The objective (soft clubs, least squares), each term with room for all lower ones together.

    See docs/how-it-works/pairing.md#objective.
    """

    def __init__(self, field: Sequence[Contender], *, clubs: bool) -> None:
        scores = [each.score for each in field]
        pairs = len(field) // 2 + 1
        self.lowest = min(scores, default=0)
        span = max(scores, default=0) - self.lowest
        self.clubs = clubs
        self.met = {each.id: {} for each in field}
        for each in field:
            for other in each.opponents:
                self.met[each.id][other] = self.met[each.id].get(other, 0) + 1
        most = max((times for counts in self.met.values() for times in counts.values()), default=0)
        self.bye_score = span * span * pairs + 1
        self.club = self.bye_score * (span + 1)
        self.rematch = self.club * (pairs + 1)
        self.second_bye = self.rematch * (most * pairs + 1)

    def pair(self, one: Contender, other: Contender) -> int:
        mates = self.clubs and one.club is not None and one.club == other.club
        meetings = max(self.met[one.id].get(other.id, 0), self.met[other.id].get(one.id, 0))
        return self.rematch * meetings + self.club * mates + (one.score - other.score) ** 2

    def bye(self, one: Contender) -> int:
        return self.second_bye * one.had_bye + self.bye_score * (one.score - self.lowest)


def _by_lot(given: RoundInput) -> list[Contender]:
    """The field by score, equal scores by lot, as these engines want it."""
    field = list(given.contenders)
    random.Random(given.seed).shuffle(field)
    return sorted(field, key=lambda each: -each.score)


OURS = Engine("ours", _ours, _read_ours, 100_000)
SWISSPAIR = Engine("swisspair", _swisspair, _read_swisspair)
CARDARENA = Engine("cardarena", _cardarena, _read_cardarena)
FULL_GRAPH = Engine("rustworkx, full graph", _full_graph, _read_full_graph, 1_024)
WITH_LOTS = Engine("rustworkx, full graph with lots", partial(_full_graph, lot_bits=20), _read_full_graph, 1_024)
ENGINES = (OURS, SWISSPAIR, CARDARENA, FULL_GRAPH, WITH_LOTS)
