"""Changes of a paired round by hand: what each leads to, what the places cost, and how one is put back."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

from tournaments.pairing.manual.fields import (
    PAIR,
    AnyContender,
    Field,
    Paired,
    cost_of,
    explained,
    gives_byes,
    pair_field,
    pair_only,
    table_sizes_of,
    without_others,
)
from tournaments.pairing.manual.minimal_repairing import pair_repaired
from tournaments.pairing.manual.round_draft import (
    MAX_TABLE,
    Act,
    Change,
    CostReport,
    Kind,
    Refused,
    RoundDraft,
    Seating,
    difference,
)
from tournaments.pairing.pods.contenders import SeatedRound, TableInput
from tournaments.pairing.pods.sizes import TOO_FEW
from tournaments.pairing.swiss.explain import BY_HAND


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change leads to; after pairing again also what was paired from, and how.

    `stood` are the places that a repair started from.
    """

    draft: RoundDraft
    given: Field | None = None
    paired: Paired | None = None
    stood: tuple[tuple[int, ...], ...] = ()


def change_draft(draft: RoundDraft, change: Change, given: Field) -> Outcome:
    """The places after a change; `given` are the contenders of everybody in it.

    Raises Refused: "unknown_table", "unknown_entry", "same_entry", "same_place", "not_free", "which_bye",
    "bye_already", "table_taken", "table_full" with its `most`, "nothing_to_pair", "too_few_entries" with the `least`
    of a table, "not_swiss" for a repair at tables of several, and "has_begun" with the `tables` nobody may touch any
    more.
    """
    if change.act in (Act.PAIR_REST, Act.REPAIR_MINIMAL):
        outcome = _pair_again(draft, given, change)
    else:
        outcome = Outcome(_CHANGES[change.act](draft, change, given))
    gone, come = difference(draft, outcome.draft)
    if not gone and not come:
        raise Refused("same_place")
    _check_untouched(gone, come)
    return outcome


def put_back(draft: RoundDraft, before: Collection[Seating], after: Collection[Seating]) -> RoundDraft:
    """Undo the change that led from `before` to `after`; Refused "has_begun", or "moved_on" without `after`."""
    wanted = set(after)
    found = [each for each in draft.seatings if each in wanted]
    if len(found) != len(wanted):
        raise Refused("moved_on")
    _check_untouched(found, before)
    return draft.replaced(found, before)


def bill_of(draft: RoundDraft, given: Field) -> CostReport:
    """What the places cost, counting tables whose players are all known; byes that were awarded are free."""
    known = {each.id: each for each in given.contenders}
    tables = [each.seats for each in draft.seatings if _counts(each, known)]
    byes = [bye for bye in draft.byes if bye in known and not known[bye].awarded_bye]
    return CostReport(len(draft.unplaced), cost_of(given, tables, byes, draft.unplaced))


def best_of(draft: RoundDraft, given: Field) -> Paired:
    """The best round of everybody in the places, whoever did not show up or left aside, locks and begun tables too."""
    absent = {seat for each in draft.seatings if each.kind is Kind.NO_SHOW for seat in each.seats}
    return pair_only(given, draft.ids - absent)


def _counts(seating: Seating, known: Collection[int]) -> bool:
    return len(seating.seats) >= PAIR and all(seat in known for seat in seating.seats)


def _check_untouched(gone: Collection[Seating], come: Collection[Seating]) -> None:
    """A begun table may be locked and unlocked, no more."""
    same = {(each.seats, each.number, each.kind) for each in come}
    begun = [each for each in gone if each.begun and (each.seats, each.number, each.kind) not in same]
    if begun:
        raise Refused("has_begun", tables=sorted(each.number or 0 for each in begun))


def _one(draft: RoundDraft, change: Change) -> Seating:
    """The seating that a change is about: by its table, or by who sits there."""
    if change.table is not None or not change.entries:
        return draft.table(change.table)
    found = draft.at(change.entries[0])
    if found is None:
        raise Refused("unknown_entry", entries=change.entries[:1])
    return found


def _people(draft: RoundDraft, change: Change, wanted: int) -> tuple[int, ...]:
    """The people that a change is about: all in the round, all different."""
    if len(change.entries) != wanted or not draft.ids.issuperset(change.entries):
        raise Refused("unknown_entry", entries=tuple(each for each in change.entries if each not in draft.ids))
    if len(set(change.entries)) != wanted:
        raise Refused("same_entry", entries=change.entries[:1])
    return change.entries


def _turn_seats(draft: RoundDraft, change: Change, _given: Field) -> RoundDraft:
    """Everybody moves up by one seat; whoever has the first gets the last."""
    old = draft.table(change.table)
    return draft.replaced([old], [replace(old, seats=(*old.seats[1:], old.seats[0]))])


def _swap(draft: RoundDraft, change: Change, _given: Field) -> RoundDraft:
    """Each takes the other's place; who has none gives none."""
    one, other = _people(draft, change, 2)
    if draft.at(one) is None and draft.at(other) is None:
        raise Refused("same_place")
    turned = {one: other, other: one}
    old = {each for each in (draft.at(one), draft.at(other)) if each is not None}
    if any(each.kind is Kind.NO_SHOW for each in old):
        raise Refused("not_free", entries=(one, other))
    new = [_renewed(each, tuple(turned.get(seat, seat) for seat in each.seats)) for each in old]
    return draft.replaced(old, new)


def _make(draft: RoundDraft, change: Change, given: Field) -> RoundDraft:
    """A table of two who have no opponent: without a place, with a bye, or marked as not there."""
    one, other = _people(draft, change, 2)
    old = [each for each in (draft.at(one), draft.at(other)) if each is not None]
    if any(each.kind is Kind.PLAYED for each in old):
        raise Refused("not_free", entries=(one, other))
    taken = {each.number for each in draft.seatings}
    wishes = [each.fixed_table for each in given.contenders if each.id in (one, other)]
    number = change.to or next((each for each in wishes if each and each not in taken), None)
    number = number or next(each for each in count(1) if each not in taken)
    _check_number(draft, number)
    return draft.replaced(old, [Seating((one, other), number, reasons=(BY_HAND.as_dict(),))])


def _break(draft: RoundDraft, change: Change, _given: Field) -> RoundDraft:
    return draft.replaced([_one(draft, change)], [])


def _give_bye(draft: RoundDraft, change: Change, given: Field) -> RoundDraft:
    """The named one gets the bye; who had it takes the seat that becomes free, for there is one at tables of two."""
    (named,) = _people(draft, change, 1)
    if named in draft.byes:
        raise Refused("bye_already", entries=(named,))
    awarded = {each.id for each in given.contenders if each.awarded_bye}
    byes = [] if isinstance(given, TableInput) else [bye for bye in draft.byes if bye not in awarded]
    if len(byes) > 1:
        raise Refused("which_bye", entries=tuple(byes))
    if byes:
        return _swap(draft, Change(Act.SWAP, (named, byes[0])), given)
    return _taken_off(draft, named, [_bye(named)])


def _bye(entry: int) -> Seating:
    return Seating((entry,), kind=Kind.BYE, reasons=(BY_HAND.as_dict(),))


def _taken_off(draft: RoundDraft, entry: int, come: Iterable[Seating], gone: Iterable[Seating] = ()) -> RoundDraft:
    """The places once a person lost their own to what comes; a single player left at a table has no place either."""
    old = draft.at(entry)
    if old is None:
        return draft.replaced([*gone], come)
    left = tuple(seat for seat in old.seats if seat != entry)
    return draft.replaced([*gone, old], [*come, *([_renewed(old, left)] if len(left) >= PAIR else [])])


def _seat(draft: RoundDraft, change: Change, given: Field) -> RoundDraft:
    """One more at a table that has room, in its last seat, whatever place the player had before."""
    (named,) = _people(draft, change, 1)
    there = draft.table(change.table)
    if named in there.seats:
        raise Refused("same_place")
    most = table_sizes_of(given)[1]
    if len(there.seats) >= most:
        raise Refused("table_full", table=there.number, most=most)
    return _taken_off(draft, named, [_renewed(there, (*there.seats, named))], [there])


def _unseat(draft: RoundDraft, change: Change, given: Field) -> RoundDraft:
    """A person loses the place; where players are left over for byes, one at a table gets a bye for it."""
    (named,) = _people(draft, change, 1)
    old = draft.at(named)
    if old is None:
        raise Refused("same_place")
    to_bye = old.kind is Kind.PLAYED and gives_byes(given) and named not in draft.inactive
    return _taken_off(draft, named, [_bye(named)] if to_bye else [])


def _lock(draft: RoundDraft, change: Change, _given: Field) -> RoundDraft:
    old = _one(draft, change)
    return draft.replaced([old], [replace(old, locked=change.act is Act.LOCK)])


def _move(draft: RoundDraft, change: Change, _given: Field) -> RoundDraft:
    """To a free number; with the table that has the number, the two change places."""
    old, number = draft.table(change.table), change.to or 0
    if number == old.number:
        raise Refused("same_place")
    there = next((each for each in draft.seatings if each.number == number), None)
    if there is None:
        _check_number(draft, number)
        return draft.replaced([old], [replace(old, number=number)])
    return draft.replaced([old, there], [replace(old, number=number), replace(there, number=old.number)])


_CHANGES: dict[Act, Callable[[RoundDraft, Change, Field], RoundDraft]] = {
    Act.SEATS: _turn_seats, Act.SWAP: _swap, Act.MAKE: _make, Act.BREAK: _break, Act.BYE: _give_bye, Act.LOCK: _lock,
    Act.UNLOCK: _lock, Act.MOVE: _move, Act.SEAT: _seat, Act.UNSEAT: _unseat,
}  # fmt: skip


def _renewed(seating: Seating, seats: tuple[int, ...]) -> Seating:
    """The same table with other people: begun by nobody, and there because a person wanted it so."""
    if set(seats) == set(seating.seats):
        return replace(seating, seats=seats)
    return replace(seating, seats=seats, begun=False, reasons=(BY_HAND.as_dict(),))


def _check_number(draft: RoundDraft, number: int) -> None:
    if not 1 <= number <= MAX_TABLE:
        raise Refused("unknown_table", table=number)
    if any(each.number == number for each in draft.seatings):
        raise Refused("table_taken", table=number)


def _pair_again(draft: RoundDraft, given: Field, change: Change) -> Outcome:
    """Pair everybody anew but those at locked and begun tables, with locked or awarded byes, or marked as not there.

    Who left the event gets no new place. A repair leaves most of them where they are.
    """
    known = {each.id: each for each in given.contenders}
    kept = [each for each in draft.seatings if _stays(each, known)]
    staying = {seat for each in kept for seat in each.seats}
    free = (draft.ids & known.keys()) - staying - draft.inactive
    if len(free) < 2:
        raise Refused("nothing_to_pair")
    locked = [each.seats for each in kept if _counts(each, known)]
    again = without_others(given, free, locked, staying, change.seed)
    gone, stood = set(draft.seatings).difference(kept), tuple[tuple[int, ...], ...]()
    if change.act is Act.PAIR_REST:
        paired = pair_field(again)
    elif isinstance(again, TableInput):
        raise Refused("not_swiss")
    else:
        stood = tuple(sorted(each.seats for each in gone if len(each.seats) <= PAIR))
        paired = pair_repaired(again, stood)
        unmoved = {each for each in gone if each.seats in paired.pairs or each.seats == (paired.bye,)}
        kept, gone, free = [*kept, *unmoved], gone - unmoved, free - {seat for each in unmoved for seat in each.seats}
    if isinstance(paired, SeatedRound) and paired.fault == TOO_FEW:
        raise Refused("too_few_entries", least=table_sizes_of(given)[0])
    return Outcome(draft.replaced(gone, _new_seatings(kept, free, again, paired)), again, paired, stood)


def _stays(seating: Seating, known: Mapping[int, AnyContender]) -> bool:
    if seating.locked or seating.begun or seating.kind is Kind.NO_SHOW:
        return True
    awarded = all(seat in known and known[seat].awarded_bye for seat in seating.seats)
    return seating.kind is Kind.BYE and awarded


def _new_seatings(kept: Iterable[Seating], free: Collection[int], given: Field, paired: Paired) -> Iterator[Seating]:
    """The seatings of those who were free; kept tables hold their numbers, fixed tables come before the rest."""
    news = [each for each in explained(given, paired) if each[0][0] in free]
    taken = {each.number for each in kept if each.number is not None}
    fixed = {each.id: each.fixed_table for each in given.contenders if each.fixed_table is not None}
    numbers: dict[tuple[int, ...], int] = {}
    tables = [seats for seats, _why in news if len(seats) >= PAIR]
    for seats in tables:
        wish = next((fixed[seat] for seat in seats if seat in fixed and fixed[seat] not in taken), None)
        if wish is not None:
            numbers[seats] = wish
            taken.add(wish)
    others = (number for number in count(1) if number not in taken)
    for seats, why in news:
        reasons = tuple(each.as_dict() for each in why)
        if len(seats) < PAIR:
            yield Seating(seats, kind=Kind.BYE, reasons=reasons)
        else:
            yield Seating(seats, numbers[seats] if seats in numbers else next(others), reasons=reasons)
