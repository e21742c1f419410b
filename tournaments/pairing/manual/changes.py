"""Changes of a paired round by hand: what each leads to, what the places cost, and how one is put back."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count

from tournaments.pairing.manual.minimal_repairing import pair_mending
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
from tournaments.pairing.swiss.contenders import Contender, RoundInput, RoundPairing
from tournaments.pairing.swiss.explain import AWARDED_BYE, BY_HAND, explain_round
from tournaments.pairing.swiss.swiss import pair_swiss, pairing_cost


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change leads to; after pairing again also what was paired from, and how; `stood` are mended places."""

    arrangement: RoundDraft
    given: RoundInput | None = None
    paired: RoundPairing | None = None
    stood: tuple[tuple[int, ...], ...] = ()


def change_arrangement(arrangement: RoundDraft, change: Change, given: RoundInput) -> Outcome:
    """The places after a change; `given` are the contenders of everybody in it.

    Raises Refused: "unknown_table", "unknown_entry", "same_entry", "same_place", "not_free", "which_bye",
    "bye_already", "table_taken", "nothing_to_pair", and "has_begun" with the `tables` nobody may touch any more.
    """
    if change.act in (Act.REPAIR, Act.MEND):
        outcome = _pair_again(arrangement, given, change)
    else:
        outcome = Outcome(_CHANGES[change.act](arrangement, change, given))
    gone, come = difference(arrangement, outcome.arrangement)
    if not gone and not come:
        raise Refused("same_place")
    _check_untouched(gone, come)
    return outcome


def put_back(arrangement: RoundDraft, before: Collection[Seating], after: Collection[Seating]) -> RoundDraft:
    """Undo the change that led from `before` to `after`; Refused "has_begun", or "moved_on" without `after`."""
    wanted = set(after)
    found = [each for each in arrangement.seatings if each in wanted]
    if len(found) != len(wanted):
        raise Refused("moved_on")
    _check_untouched(found, before)
    return arrangement.replaced(found, before)


def bill_of(arrangement: RoundDraft, given: RoundInput) -> CostReport:
    """What the places cost, counting tables of two whose players are known; byes that were awarded are free."""
    known = {each.id: each for each in given.contenders}
    pairs = [(each.seats[0], each.seats[1]) for each in arrangement.seatings if _counts(each, known)]
    byes = [bye for bye in arrangement.byes if bye in known and not known[bye].awarded_bye]
    cost = pairing_cost(given, pairs, byes[0] if byes else None)
    more = [known[bye] for bye in byes[1:]]
    seconds = cost.second_byes + sum(each.had_bye for each in more)
    cost = replace(cost, second_byes=seconds, bye_score=cost.bye_score + sum(each.score for each in more))
    return CostReport(len(arrangement.unplaced), cost)


def best_of(arrangement: RoundDraft, given: RoundInput) -> RoundPairing:
    """The best round of everybody in the places, whoever did not show up or left aside, locks and begun tables too."""
    absent = {seat for each in arrangement.seatings if each.kind is Kind.NO_SHOW for seat in each.seats}
    here = arrangement.ids - absent
    return pair_swiss(replace(given, contenders=tuple(each for each in given.contenders if each.id in here), locked=()))


def _counts(seating: Seating, known: Collection[int]) -> bool:
    return len(seating.seats) == 2 and all(seat in known for seat in seating.seats)


def _check_untouched(gone: Collection[Seating], come: Collection[Seating]) -> None:
    """A begun table may be locked and unlocked, no more."""
    same = {(each.seats, each.number, each.kind) for each in come}
    begun = [each for each in gone if each.begun and (each.seats, each.number, each.kind) not in same]
    if begun:
        raise Refused("has_begun", tables=sorted(each.number or 0 for each in begun))


def _one(arrangement: RoundDraft, change: Change) -> Seating:
    """The seating that a change is about: by its table, or by who sits there."""
    if change.table is not None or not change.entries:
        return arrangement.table(change.table)
    found = arrangement.at(change.entries[0])
    if found is None:
        raise Refused("unknown_entry", entries=change.entries[:1])
    return found


def _people(arrangement: RoundDraft, change: Change, wanted: int) -> tuple[int, ...]:
    """The people that a change is about: all in the round, all different."""
    if len(change.entries) != wanted or not arrangement.ids.issuperset(change.entries):
        raise Refused("unknown_entry", entries=tuple(each for each in change.entries if each not in arrangement.ids))
    if len(set(change.entries)) != wanted:
        raise Refused("same_entry", entries=change.entries[:1])
    return change.entries


def _turn_seats(arrangement: RoundDraft, change: Change, _given: RoundInput) -> RoundDraft:
    old = arrangement.table(change.table)
    return arrangement.replaced([old], [replace(old, seats=old.seats[::-1])])


def _swap(arrangement: RoundDraft, change: Change, _given: RoundInput) -> RoundDraft:
    """Each takes the other's place; who has none gives none."""
    one, other = _people(arrangement, change, 2)
    if arrangement.at(one) is None and arrangement.at(other) is None:
        raise Refused("same_place")
    turned = {one: other, other: one}
    old = {each for each in (arrangement.at(one), arrangement.at(other)) if each is not None}
    if any(each.kind is Kind.NO_SHOW for each in old):
        raise Refused("not_free", entries=(one, other))
    new = [_renewed(each, tuple(turned.get(seat, seat) for seat in each.seats)) for each in old]
    return arrangement.replaced(old, new)


def _make(arrangement: RoundDraft, change: Change, given: RoundInput) -> RoundDraft:
    """A table of two who have no opponent: without a place, with a bye, or marked as not there."""
    one, other = _people(arrangement, change, 2)
    old = [each for each in (arrangement.at(one), arrangement.at(other)) if each is not None]
    if any(each.kind is Kind.PLAYED for each in old):
        raise Refused("not_free", entries=(one, other))
    taken = {each.number for each in arrangement.seatings}
    wishes = [each.fixed_table for each in given.contenders if each.id in (one, other)]
    number = change.to or next((each for each in wishes if each and each not in taken), None)
    number = number or next(each for each in count(1) if each not in taken)
    _check_number(arrangement, number)
    return arrangement.replaced(old, [Seating((one, other), number, reasons=(BY_HAND.as_dict(),))])


def _break(arrangement: RoundDraft, change: Change, _given: RoundInput) -> RoundDraft:
    return arrangement.replaced([_one(arrangement, change)], [])


def _give_bye(arrangement: RoundDraft, change: Change, given: RoundInput) -> RoundDraft:
    """The named one gets the bye; who had it takes the seat that becomes free."""
    (named,) = _people(arrangement, change, 1)
    place = arrangement.at(named)
    if place is not None and place.kind is Kind.BYE:
        raise Refused("bye_already", entries=(named,))
    awarded = {each.id for each in given.contenders if each.awarded_bye}
    byes = [bye for bye in arrangement.byes if bye not in awarded]
    if len(byes) > 1:
        raise Refused("which_bye", entries=tuple(byes))
    if byes:
        return _swap(arrangement, Change(Act.SWAP, (named, byes[0])), given)
    bye = Seating((named,), kind=Kind.BYE, reasons=(BY_HAND.as_dict(),))
    return arrangement.replaced([] if place is None else [place], [bye])


def _lock(arrangement: RoundDraft, change: Change, _given: RoundInput) -> RoundDraft:
    old = _one(arrangement, change)
    return arrangement.replaced([old], [replace(old, locked=change.act is Act.LOCK)])


def _move(arrangement: RoundDraft, change: Change, _given: RoundInput) -> RoundDraft:
    """To a free number; with the table that has the number, the two change places."""
    old, number = arrangement.table(change.table), change.to or 0
    if number == old.number:
        raise Refused("same_place")
    there = next((each for each in arrangement.seatings if each.number == number), None)
    if there is None:
        _check_number(arrangement, number)
        return arrangement.replaced([old], [replace(old, number=number)])
    return arrangement.replaced([old, there], [replace(old, number=number), replace(there, number=old.number)])


_CHANGES: dict[Act, Callable[[RoundDraft, Change, RoundInput], RoundDraft]] = {
    Act.SEATS: _turn_seats, Act.SWAP: _swap, Act.MAKE: _make, Act.BREAK: _break, Act.BYE: _give_bye, Act.LOCK: _lock,
    Act.UNLOCK: _lock, Act.MOVE: _move,
}  # fmt: skip


def _renewed(seating: Seating, seats: tuple[int, ...]) -> Seating:
    """The same table with other people: begun by nobody, and there because somebody wanted it so."""
    if set(seats) == set(seating.seats):
        return replace(seating, seats=seats)
    return replace(seating, seats=seats, begun=False, reasons=(BY_HAND.as_dict(),))


def _check_number(arrangement: RoundDraft, number: int) -> None:
    if not 1 <= number <= MAX_TABLE:
        raise Refused("unknown_table", table=number)
    if any(each.number == number for each in arrangement.seatings):
        raise Refused("table_taken", table=number)


def _pair_again(arrangement: RoundDraft, given: RoundInput, change: Change) -> Outcome:
    """Pair everybody anew but those at locked and begun tables, with locked or awarded byes, or marked as not there.

    Who left the event gets no new place. A mend leaves most of them where they are.
    """
    known = {each.id: each for each in given.contenders}
    kept = [each for each in arrangement.seatings if _stays(each, known)]
    staying = {seat for each in kept for seat in each.seats}
    free = (arrangement.ids & known.keys()) - staying - arrangement.inactive
    if len(free) < 2:
        raise Refused("nothing_to_pair")
    here = free | staying
    paired_off = {seat for each in kept if len(each.seats) == 2 for seat in each.seats}
    again = replace(
        given,
        contenders=tuple(_again(each, paired_off, free) for each in given.contenders if each.id in here),
        seed=change.seed,
        locked=tuple((each.seats[0], each.seats[1]) for each in kept if _counts(each, known)),
    )
    gone, stood = set(arrangement.seatings).difference(kept), tuple[tuple[int, ...], ...]()
    if change.act is Act.REPAIR:
        paired = pair_swiss(again)
    else:
        stood = tuple(sorted(each.seats for each in gone if len(each.seats) <= 2))
        paired = pair_mending(again, stood)
        unmoved = {each for each in gone if each.seats in paired.pairs or each.seats == (paired.bye,)}
        kept, gone, free = [*kept, *unmoved], gone - unmoved, free - {seat for each in unmoved for seat in each.seats}
    return Outcome(arrangement.replaced(gone, _new_seatings(kept, free, again, paired)), again, paired, stood)


def _stays(seating: Seating, known: Mapping[int, Contender]) -> bool:
    if seating.locked or seating.begun or seating.kind is Kind.NO_SHOW:
        return True
    awarded = all(seat in known and known[seat].awarded_bye for seat in seating.seats)
    return seating.kind is Kind.BYE and awarded


def _again(contender: Contender, paired_off: Collection[int], free: Collection[int]) -> Contender:
    """As the core sees a contender when pairing again: who stays without an opponent it knows sits out."""
    sits_out = contender.awarded_bye if contender.id in free else contender.id not in paired_off
    return replace(contender, awarded_bye=sits_out)


def _new_seatings(
    kept: Iterable[Seating], free: Collection[int], given: RoundInput, paired: RoundPairing
) -> Iterator[Seating]:
    """The seatings of those who were free; kept tables hold their numbers, fixed tables come before the rest."""
    told = explain_round(given, paired)
    news = [(pair, why) for pair, why in zip(paired.pairs, told.pairs, strict=True) if pair[0] in free]
    taken = {each.number for each in kept if each.number is not None}
    fixed = {each.id: each.fixed_table for each in given.contenders if each.fixed_table is not None}
    numbers: dict[tuple[int, int], int] = {}
    for pair, _why in news:
        wish = next((fixed[seat] for seat in pair if seat in fixed and fixed[seat] not in taken), None)
        if wish is not None:
            numbers[pair] = wish
            taken.add(wish)
    others = (number for number in count(1) if number not in taken)
    for pair, why in news:
        number = numbers[pair] if pair in numbers else next(others)
        yield Seating(pair, number, reasons=tuple(each.as_dict() for each in why))
    if paired.bye is not None and paired.bye in free:
        yield Seating((paired.bye,), kind=Kind.BYE, reasons=tuple(each.as_dict() for each in told.bye))
    for bye in paired.awarded_byes:
        if bye in free:
            yield Seating((bye,), kind=Kind.BYE, reasons=(AWARDED_BYE.as_dict(),))
