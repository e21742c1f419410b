"""Changes by hand in words: what a change does, what it costs, what else it means."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.manual_pairing.selectors import Meeting, Preview
from tournaments.models import PairingChange
from tournaments.pairing.manual.fields import AnyContender, Cost, table_sizes_of
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, Kind, Seating, difference
from tournaments.pairing.swiss.contenders import Apart

MAX_NOTES = 30
Called = Callable[[int], str]
"""What to call the entry of an id."""


@dataclass(frozen=True, slots=True)
class CostRow:
    """One term: what it is now, afterwards, and at best; `trend` tells whether afterwards is "better", "worse", ""."""

    label: str
    now: int
    after: int
    best: int

    @property
    def trend(self) -> str:
        """How afterwards compares with now."""
        return "" if self.now == self.after else "better" if self.after < self.now else "worse"


def title_of(change: Change | None, called: Called, number: int | None = None) -> str:
    """What a change does, as a heading; without one it is the undoing of change `number`."""
    if change is None:
        return _("Undo change %(number)s") % {"number": number}
    names = [called(each) for each in change.entries]
    facts: dict[str, Any] = {"one": "", "other": "", **dict(zip(("one", "other"), names, strict=False))}
    facts |= {"table": change.table, "to": change.to}
    if change.act in (Act.BREAK, Act.LOCK, Act.UNLOCK) and change.table is None:
        return {
            Act.BREAK: _("Remove the bye of %(one)s"), Act.LOCK: _("Lock the bye of %(one)s"),
            Act.UNLOCK: _("Unlock the bye of %(one)s"),
        }[change.act] % facts  # fmt: skip
    words = {
        Act.SEATS: _("Turn the seats of table %(table)s"), Act.SWAP: _("Swap %(one)s and %(other)s"),
        Act.MAKE: _("Pair %(one)s with %(other)s"), Act.BREAK: _("Break up table %(table)s"),
        Act.BYE: _("Give %(one)s the bye"), Act.LOCK: _("Lock table %(table)s"),
        Act.UNLOCK: _("Unlock table %(table)s"), Act.MOVE: _("Move table %(table)s to number %(to)s"),
        Act.SEAT: _("Seat %(one)s at table %(table)s"), Act.UNSEAT: _("Take %(one)s off the table"),
        Act.PAIR_REST: _("Re-pair the rest"), Act.REPAIR_MINIMAL: _("Re-pair the fewest tables by current results"),
    }  # fmt: skip
    return words[change.act] % facts


def cost_rows(preview: Preview) -> list[CostRow]:
    """The terms of the cost in order of weight; those that are nought throughout are shown only if usual."""
    return bill_rows(preview.bill_now, preview.bill_after, CostReport(0, preview.best.cost))


def bill_rows(now: CostReport, after: CostReport, best: CostReport) -> list[CostRow]:
    """The same for any three bills."""
    rows = ((CostRow(label, term(now), term(after), term(best)), usual) for label, term, usual in _terms(now.cost))
    return [row for row, usual in rows if usual or row.now or row.after or row.best]


def _terms(cost: Cost) -> list[tuple[str, Callable[[CostReport], int], bool]]:
    """The terms that a cost of this kind has, the weightiest first."""
    labels = {
        "wrong_sizes": (_("Tables of other sizes"), True),
        "second_byes": (_("Byes for players who had one"), True),
        "forbidden_pairs": (_("Pairs on the avoid list"), True),
        "rematches": (_("Rematches"), True),
        "repeats": (_("Rematches (a third meeting counts 4)"), True),
        "club_pairs": (_("Pairs of club or team mates"), False),
        "bye_score": (_("Points of the player with the bye"), False),
        "downfloats": (_("Players paired down"), False),
        "sum_sq_diff": (_("Differences in points, squared"), True),
        "spread": (_("Differences in points, squared"), True),
        "finish": (_("Repeated floats, or distance in the standings"), False),
        "off_size": (_("Turns at larger or smaller tables"), False),
        "seats": (_("Repeated seats"), False),
        "targets": (_("Repeated neighbours"), False),
    }
    known = {each.name for each in fields(cost)}
    terms = [(label, _term(name), usual) for name, (label, usual) in labels.items() if name in known]
    return [(_("Players without a place"), lambda bill: bill.unplaced, False), *terms]


def _term(name: str) -> Callable[[CostReport], int]:
    def read(bill: CostReport) -> int:
        value: int | tuple[int, ...] = getattr(bill.cost, name)
        return sum(value) if isinstance(value, tuple) else value

    return read


def verdict_of(bill: CostReport, best: Cost, *, proved: bool) -> str:
    """How a bill compares with the best round there is: every term that is worse, the weightiest first."""
    least = CostReport(0, best)
    if bill <= least:
        return _("No pairing of these players is better.") if proved else _("No better pairing is known.")
    worse = [
        _("%(label)s: %(count)d instead of %(best)d") % {"label": label, "count": term(bill), "best": term(least)}
        for label, term, _usual in _terms(best)
        if term(bill) > term(least)
    ]
    return _("Worse than the best pairing. %(terms)s.") % {"terms": " · ".join(worse)}


def notes_of(
    preview: Preview, meetings: Sequence[Meeting], shown: int, called: Called, *, published: bool
) -> list[str]:
    """What else a change means, one sentence each; a long list is cut."""
    found = list(_notes(preview, meetings, called))
    more = len(found) - MAX_NOTES
    if more > 0:
        text = ngettext("And %(count)d more like these.", "And %(count)d more like these.", more)
        found = [*found[:MAX_NOTES], text % {"count": more}]
    if shown:
        text = ngettext(
            "In %(count)d match the players may have read each other's decklist; this is logged.",
            "In %(count)d matches the players may have read each other's decklists; this is logged.",
            shown,
        )
        found.append(text % {"count": shown})
    if published:
        found.append(_("The round is published: everybody sees the change at once."))
    return found


def _notes(preview: Preview, meetings: Sequence[Meeting], called: Called) -> Iterator[str]:
    gone, come = difference(preview.now, preview.after)
    known = {each.id: each for each in preview.given.contenders}
    before = {frozenset(each.seats) for each in gone}
    together = {pair for each in gone for pair in combinations(sorted(each.seats), 2)}
    for meeting in meetings:
        if (meeting.one, meeting.other) not in together:
            text = ngettext(
                "%(one)s and %(other)s met in round %(rounds)s.",
                "%(one)s and %(other)s met in rounds %(rounds)s.",
                len(meeting.rounds),
            )
            rounds = ", ".join(map(str, meeting.rounds))
            yield text % {"one": called(meeting.one), "other": called(meeting.other), "rounds": rounds}
    for seating in come:
        if frozenset(seating.seats) not in before:
            yield from _about(seating, known, preview, called, together)
        yield from _needs(seating, known, called)
    for entry in preview.after.unplaced:
        if entry not in preview.now.unplaced:
            yield _("%(name)s then has no table.") % {"name": called(entry)}


def _about(
    seating: Seating,
    known: Mapping[int, AnyContender],
    preview: Preview,
    called: Called,
    together: Collection[tuple[int, int]],
) -> Iterator[str]:
    people = [known[seat] for seat in sorted(seating.seats) if seat in known]
    if seating.kind is Kind.BYE and any(each.had_bye and not each.awarded_bye for each in people):
        yield _("%(name)s had a bye before.") % {"name": called(seating.seats[0])}
    if seating.number is not None:
        yield from _size_of(seating, preview)
    for one, other in combinations(people, 2):
        if (one.id, other.id) not in together:
            yield from _apart(one, other, preview, called)
    for seat in seating.seats:
        if seat in preview.now.inactive or seat not in preview.now.ids:
            yield _("%(name)s has left the event.") % {"name": called(seat)}


def _size_of(seating: Seating, preview: Preview) -> Iterator[str]:
    least, _most = table_sizes_of(preview.given)
    if len(seating.seats) < least:
        text = ngettext(
            "Table %(number)s then has %(count)d player; the smallest table of this stage has %(least)d.",
            "Table %(number)s then has %(count)d players; the smallest table of this stage has %(least)d.",
            len(seating.seats),
        )
        yield text % {"number": seating.number, "count": len(seating.seats), "least": least}


def _apart(one: AnyContender, other: AnyContender, preview: Preview, called: Called) -> Iterator[str]:
    facts = {"one": called(one.id), "other": called(other.id)}
    if other.id in one.apart:
        yield _("%(one)s and %(other)s are on the avoid list.") % facts
    policy = preview.given.policy
    if policy.clubs is not Apart.IGNORE and one.club is not None and one.club == other.club:
        yield _("%(one)s and %(other)s are club-mates.") % facts
    if policy.teams is not Apart.IGNORE and one.team is not None and one.team == other.team:
        yield _("%(one)s and %(other)s are team-mates.") % facts


def _needs(seating: Seating, known: Mapping[int, AnyContender], called: Called) -> Iterator[str]:
    for seat in seating.seats:
        table = known[seat].fixed_table if seat in known else None
        if table is not None and seating.number is not None and table != seating.number:
            yield _("%(name)s is at table %(number)s but needs table %(table)s.") % {
                "name": called(seat), "table": table, "number": seating.number,
            }  # fmt: skip


def describe_change(change: PairingChange) -> str:
    """What a stored change did, in short: its kind and its tables."""
    numbers = sorted({each["number"] for side in (change.before, change.after) for each in side["seatings"]} - {None})
    shown = ", ".join(map(str, numbers[:8])) + (", …" if len(numbers) > 8 else "")
    words = change.get_kind_display()
    if change.undoes is not None:
        words = _("change %(number)s undone: %(kind)s") % {
            "number": change.undoes.number, "kind": change.undoes.get_kind_display(),
        }  # fmt: skip
    if not numbers:
        return words
    text = ngettext("%(words)s (table %(tables)s)", "%(words)s (tables %(tables)s)", len(numbers))
    return text % {"words": words, "tables": shown}


def places_in_words(seatings: Sequence[Seating], called: Called) -> list[dict[str, Any]]:
    """Seatings as lines: the table's number, the names, what the seating is."""
    return [
        {"number": each.number, "names": [called(seat) for seat in each.seats], "kind": each.kind.value,
         "locked": each.locked}
        for each in seatings
    ]  # fmt: skip
