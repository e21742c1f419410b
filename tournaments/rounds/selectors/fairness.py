"""How fairly an event was paired, counted from who sat where and what they had won: by round and by player."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from django.core.cache import cache

from journal.ledger.selectors import head_of
from scoring.standings.records import MatchRecord
from tournaments.core.first_players import first_place
from tournaments.core.rounds import rounds_of
from tournaments.models import Match, Round, Seat, Stage, Tournament
from tournaments.rounds.selectors.contenders import add_points, floats_at, mates_by_name
from tournaments.standings.selectors.standings import records_by_match
from tournaments.structure.selectors.stages import begun_stages, sections

CACHE_SECONDS = 24 * 3600
COUNTED = (Stage.Kind.SWISS, Stage.Kind.TABLES)
"""What is paired by the results so far; a round robin and a bracket follow a plan."""


@dataclass(slots=True)
class RoundFairness:
    """A round as its players met: `floats` are those paired down, `rematches` and `mates` pairs at one table.

    `sizes` counts the tables of several by their seats; empty in a round of pairs.
    """

    number: int
    byes: int = 0
    floats: int = 0
    rematches: int = 0
    mates: int = 0
    sizes: Counter[int] = field(default_factory=Counter)

    @property
    def by_size(self) -> list[tuple[int, int]]:
        """The sizes with how many tables have them, the largest first."""
        return sorted(self.sizes.items(), reverse=True)


@dataclass(slots=True)
class PlayerFairness:
    """What one entry, by id, had so far. It went first in `firsts` of the `turns` in which that was settled.

    `seats` and `sizes` count the tables of several by the player's place, from 1, and by their number of seats.
    """

    entry: int
    byes: int = 0
    downs: int = 0
    ups: int = 0
    firsts: int = 0
    turns: int = 0
    rematches: int = 0
    mates: int = 0
    seats: Counter[int] = field(default_factory=Counter)
    sizes: Counter[int] = field(default_factory=Counter)

    @property
    def in_each_seat(self) -> tuple[int, ...]:
        """How often it sat in the first, second, ... seat."""
        return tuple(self.seats[seat] for seat in range(1, max(self.seats, default=0) + 1))

    @property
    def by_size(self) -> list[tuple[int, int]]:
        """The sizes with how many of its tables have them, the largest first."""
        return sorted(self.sizes.items(), reverse=True)


@dataclass(frozen=True, slots=True)
class EventFairness:
    """The published rounds of Swiss stages and of tables of several, and everybody who played or had a bye in them."""

    rounds: tuple[RoundFairness, ...]
    players: tuple[PlayerFairness, ...]
    has_mates: bool = False
    """Whether any two of the event share a club or a team."""

    @property
    def has_pairs(self) -> bool:
        """Whether any round was one of pairs."""
        return any(not each.sizes for each in self.rounds)

    @property
    def has_tables(self) -> bool:
        """Whether any round was one at tables of several."""
        return any(each.sizes for each in self.rounds)


def fairness_of(tournament: Tournament) -> EventFairness:
    """How fairly it was paired so far, kept for this very position of the log."""
    key = f"fairness:{tournament.stream}:{head_of(tournament.stream)}"
    found: EventFairness | None = cache.get(key)
    if found is None:
        found = compute_fairness(tournament)
        cache.set(key, found, CACHE_SECONDS)
    return found


def compute_fairness(tournament: Tournament) -> EventFairness:
    """The same from the database, in a constant number of queries."""
    shown = rounds_of(tournament).exclude(state=Round.State.PAIRED).select_related("stage")
    rounds, seated, records = list(shown), _seated_by_round(tournament), records_by_match(tournament)
    counts = _Counts(tournament)
    for section in sections(begun_stages(tournament)):
        counts.begin_section()
        for round_ in rounds:
            if round_.stage in section:
                matches = seated[round_.pk]
                counts.add(round_, matches, [records[match.pk] for match, _seats in matches if match.pk in records])
    return EventFairness(tuple(counts.rounds), tuple(counts.players.values()), counts.has_mates)


Seated = tuple[Match, tuple[int, ...]]
"""A match with its entries in order of seats."""


def _seated_by_round(tournament: Tournament) -> defaultdict[int, list[Seated]]:
    matches = Match.objects.filter(round__stage__tournament=tournament, round__superseded_at=None, bracket="")
    seats = defaultdict[int, list[int]](list)
    rows = Seat.objects.filter(match__in=matches).order_by("order")
    for match, entry in rows.values_list("match_id", "entry_id"):
        seats[match].append(entry)
    found = defaultdict[int, list[Seated]](list)
    for each in matches.order_by("pk"):
        found[each.round_id].append((each, tuple(seats[each.pk])))
    return found


class _Counts:
    """Counts round by round, and keeps what the next one is measured by: points so far, and who has met."""

    def __init__(self, tournament: Tournament) -> None:
        self.rounds: list[RoundFairness] = []
        self.players: dict[int, PlayerFairness] = {}
        self._tournament = tournament
        self._mates = [mates_by_name(tournament.entries.values_list("pk", each)) for each in ("club", "team")]
        self.has_mates = any(self._mates)
        self.begin_section()

    def begin_section(self) -> None:
        """Points and meetings begin anew."""
        self._points = Counter[int]()
        self._met = set[frozenset[int]]()

    def add(self, round_: Round, matches: Sequence[Seated], records: Sequence[MatchRecord]) -> None:
        """Count a round, then take over what it leaves to the next."""
        if round_.stage.kind in COUNTED:
            self.rounds.append(self._counted(round_, matches))
        self._met.update(frozenset(pair) for _match, seats in matches for pair in combinations(seats, 2))
        add_points(self._points, records, self._tournament.scoring_policy)

    def _counted(self, round_: Round, matches: Sequence[Seated]) -> RoundFairness:
        counted = RoundFairness(round_.number)
        for match, seats in matches:
            if match.kind == Match.Kind.BYE:
                counted.byes += 1
                self._of(seats[0]).byes += 1
            elif match.kind == Match.Kind.PLAYED:
                match.round = round_
                self._count_seats(counted, match, seats)
                self._count_pairs(counted, seats)
        return counted

    def _count_seats(self, counted: RoundFairness, match: Match, seats: tuple[int, ...]) -> None:
        first = first_place(self._tournament, match, len(seats))
        for place, each in enumerate(seats):
            self._of(each).turns += first is not None
            self._of(each).firsts += first == place
        if match.round.stage.kind == Stage.Kind.SWISS:
            downs, ups = floats_at(seats, self._points)
            counted.floats += len(downs)
            for each in downs:
                self._of(each).downs += 1
            for each in ups:
                self._of(each).ups += 1
        else:
            counted.sizes[len(seats)] += 1
            for place, each in enumerate(seats, 1):
                self._of(each).seats[place] += 1
                self._of(each).sizes[len(seats)] += 1

    def _count_pairs(self, counted: RoundFairness, seats: tuple[int, ...]) -> None:
        each: RoundFairness | PlayerFairness
        for pair in combinations(seats, 2):
            again = frozenset(pair) in self._met
            mates = any(pair[0] in group and group[pair[0]] == group.get(pair[1]) for group in self._mates)
            for each in (counted, self._of(pair[0]), self._of(pair[1])):
                each.rematches += again
                each.mates += mates

    def _of(self, entry: int) -> PlayerFairness:
        return self.players.setdefault(entry, PlayerFairness(entry))
