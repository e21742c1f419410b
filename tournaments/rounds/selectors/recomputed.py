"""Rounds computed once more from what is stored with them, and held against what stands.

See docs/how-it-works/trust.md#p3.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tournaments.manual_pairing.selectors import SHELF
from tournaments.models import PairingChange, Round, Seat, StoredRoundInput, Tournament
from tournaments.pairing.brackets.fixed_rounds import FIXED_ENGINE, FixedInput, pair_fixed
from tournaments.pairing.manual.minimal_repairing import MINIMAL_REPAIR, pair_repaired
from tournaments.pairing.pods.contenders import TABLE_ENGINE, TableInput
from tournaments.pairing.pods.pods import seat_tables
from tournaments.pairing.swiss.contenders import ENGINE, RoundInput, RoundPairing, places_digest
from tournaments.pairing.swiss.swiss import pair_swiss
from tournaments.pairing.swiss.table_numbers import seated_places

Places = frozenset[tuple[int, ...]]
"""Tables with their seats, or 0 and who has no opponent, as `RoundPairing.places` tells them."""


class Verdict(StrEnum):
    """What computing a round again shows; one by another engine is held against that engine's digest alone.

    BY_HAND is also a round paired before inputs and digests were kept, and one of an event from a file.
    """

    SAME = "same"
    DIFFERENT = "different"
    OTHER_ENGINE = "other_engine"
    BY_HAND = "by_hand"


class Fault(StrEnum):
    """What does not agree.

    INPUT: the input is not the one the round names, or it or its seed is gone. PAIRING: the engine gives another
    pairing than it gave. PLACES: the tables are not what the engine gave and staff changed. CERTIFICATE: cost, bound or
    proof. REPAIR: tables that staff had paired again.
    """

    INPUT = "input"
    PAIRING = "pairing"
    PLACES = "places"
    CERTIFICATE = "certificate"
    REPAIR = "repair"


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A round computed again by `engine`, with what does not agree.

    `changes` by hand are taken out before the comparison, so they are no fault. `computed` and `stored` are the places
    that one side has and the other has not; both are empty where another engine paired.
    """

    round: Round
    verdict: Verdict
    faults: tuple[Fault, ...] = ()
    changes: int = 0
    computed: Places = frozenset()
    stored: Places = frozenset()
    engine: str = ENGINE

    @property
    def same(self) -> bool:
        """Whether nothing speaks against the round."""
        return self.verdict is not Verdict.DIFFERENT


def recompute_rounds(tournament: Tournament) -> Iterator[Recomputed]:
    """Every round of a tournament computed again, one after the other, versions that were taken back included."""
    rounds = Round.objects.filter(stage__tournament=tournament).exclude(engine=SHELF)
    for round_ in rounds.select_related("stage__tournament").order_by("stage__number", "number", "version"):
        yield recompute_round(round_)


def recompute_round(round_: Round) -> Recomputed:
    """A round computed again from its stored input, and held against what the engine stored then."""
    stored = StoredRoundInput.objects.filter(round=round_).first()
    changes = list(round_.changes.all())
    if round_.seed is None or stored is None:
        is_known = stored is not None or round_.pairing_hash
        if is_known and not round_.stage.tournament.is_brought:
            return Recomputed(round_, Verdict.DIFFERENT, (Fault.INPUT,), len(changes))
        return Recomputed(round_, Verdict.BY_HAND, changes=len(changes))
    found = _without_changes(_places_of(round_), changes)
    if round_.engine not in ENGINES:
        kept = not round_.pairing_hash or places_digest(found) == round_.pairing_hash
        if kept:
            return Recomputed(round_, Verdict.OTHER_ENGINE, changes=len(changes))
        return Recomputed(round_, Verdict.DIFFERENT, (Fault.PLACES,), len(changes))
    again = ENGINES[round_.engine](stored.given)
    faults = tuple(_faults(round_, again, again.places == found, changes))
    verdict = Verdict.DIFFERENT if faults else Verdict.SAME
    missing, more = again.places - found, found - again.places
    return Recomputed(round_, verdict, faults, len(changes), missing, more, engine=round_.engine)


@dataclass(frozen=True, slots=True)
class Again:
    """What an engine makes of a stored input now."""

    places: Places
    input_hash: str
    cost: Mapping[str, Any]
    bound: Mapping[str, Any]
    proved: bool


def _swiss(given: dict[str, Any]) -> Again:
    paired = pair_swiss(RoundInput.from_dict(given))
    costs = asdict(paired.cost), asdict(paired.bound)
    return Again(frozenset(paired.places), paired.input_hash, *costs, paired.proved)


def _tables(given: dict[str, Any]) -> Again:
    seated = seat_tables(TableInput.from_dict(given))
    places = seated_places(seated, dict(given.get("fixed", ())))
    return Again(places, seated.input_hash, asdict(seated.cost), asdict(seated.bound), seated.proved)


def _fixed(given: dict[str, Any]) -> Again:
    paired = pair_fixed(FixedInput.from_dict(given))
    return Again(frozenset(paired.places), paired.input_hash, {}, {}, proved=True)


ENGINES: Mapping[str, Callable[[dict[str, Any]], Again]] = {
    ENGINE: _swiss,
    TABLE_ENGINE: _tables,
    FIXED_ENGINE: _fixed,
}
"""What computes a round again, by the engine that paired it."""


def by_number(tournament: Tournament, places: Places) -> list[list[int]]:
    """Places for people and programs: the table (0: no opponent) and the numbers of the entries, sorted; one query."""
    if not places:
        return []
    numbers = dict(tournament.entries.values_list("pk", "number"))
    return sorted([table, *(numbers.get(entry, 0) for entry in entries)] for table, *entries in places)


def _faults(round_: Round, again: Again, fits: bool, changes: list[PairingChange]) -> Iterator[Fault]:
    if again.input_hash != round_.input_hash:
        yield Fault.INPUT
    if places_digest(again.places) != round_.pairing_hash:
        yield Fault.PAIRING
    if not fits:
        yield Fault.PLACES
    if not changes and not _certifies(round_, again):
        yield Fault.CERTIFICATE
    if not all(map(_repeats, changes)):
        yield Fault.REPAIR


def _certifies(round_: Round, again: Again) -> bool:
    computed = (_plain(again.cost), _plain(again.bound), again.proved)
    return computed == (_plain(round_.cost), _plain(round_.bound), round_.proved)


def _plain(cost: Mapping[str, Any]) -> dict[str, Any]:
    """A cost as JSON gives it back."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in cost.items()}


def _repeats(change: PairingChange) -> bool:
    """Whether tables that staff had paired again come out the same; any other change, and any other engine's, does."""
    after = change.after
    if "given" not in after or after["engine"] not in (MINIMAL_REPAIR, *ENGINES):
        return True
    paired = _repaired(after) if after["engine"] == MINIMAL_REPAIR else ENGINES[after["engine"]](after["given"])
    seats = {place[1:] for place in paired.places}
    return paired.input_hash == after["input_hash"] and {place[1:] for place in _places_in(after)} <= seats


def _repaired(after: Mapping[str, Any]) -> RoundPairing:
    return pair_repaired(RoundInput.from_dict(after["given"]), map(tuple, after["stood"]))


def _without_changes(places: Places, changes: Iterable[PairingChange]) -> Places:
    """The places as they were before staff changed them; what a change gave and is not there any more shows."""
    for change in changes:
        places ^= _places_in(change.after) ^ _places_in(change.before)
    return places


def _places_in(side: Mapping[str, Any]) -> Places:
    """The places that one side of a change names."""
    return frozenset((each["number"] or 0, *each["seats"]) for each in side["seatings"])


def _places_of(round_: Round) -> Places:
    rows = Seat.objects.filter(round=round_).order_by("order")
    seats: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for match, table, entry in rows.values_list("match_id", "match__table_number", "entry_id"):
        seats[match, table or 0].append(entry)
    return frozenset((table, *entries) for (_match, table), entries in seats.items())
