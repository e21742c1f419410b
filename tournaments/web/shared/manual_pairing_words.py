"""Changes by hand in words: what a change does, what it costs, what else it means."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.manual_pairing.selectors import Meeting, Preview
from tournaments.models import PairingChange
from tournaments.pairing.manual.round_draft import Act, Change, CostReport, Kind, Seating, difference
from tournaments.pairing.swiss.contenders import Apart, Contender, PairingCost

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
        Act.SEATS: _("Swap the seats of table %(table)s"), Act.SWAP: _("Swap %(one)s and %(other)s"),
        Act.MAKE: _("Pair %(one)s with %(other)s"), Act.BREAK: _("Break up table %(table)s"),
        Act.BYE: _("Give %(one)s the bye"), Act.LOCK: _("Lock table %(table)s"),
        Act.UNLOCK: _("Unlock table %(table)s"), Act.MOVE: _("Move table %(table)s to number %(to)s"),
        Act.REPAIR: _("Re-pair the rest"), Act.MEND: _("Re-pair the fewest tables by current results"),
    }  # fmt: skip
    return words[change.act] % facts


def cost_rows(preview: Preview) -> list[CostRow]:
    """The terms of the cost in order of weight; those that are nought throughout are told only where they are usual."""
    return bill_rows(preview.bill_now, preview.bill_after, CostReport(0, preview.best.cost))


def bill_rows(now: CostReport, after: CostReport, best: CostReport) -> list[CostRow]:
    """The same for any three bills."""
    rows = ((CostRow(label, term(now), term(after), term(best)), usual) for label, term, usual in _terms())
    return [row for row, usual in rows if usual or row.now or row.after or row.best]


def _terms() -> list[tuple[str, Callable[[CostReport], int], bool]]:
    return [
        (_("Players without a place"), lambda bill: bill.unplaced, False),
        (_("Byes for players who had one"), lambda bill: bill.cost.second_byes, True),
        (_("Pairs on the avoid list"), lambda bill: bill.cost.forbidden_pairs, True),
        (_("Rematches"), lambda bill: bill.cost.rematches, True),
        (_("Pairs of club or team mates"), lambda bill: bill.cost.club_pairs, False),
        (_("Points of the player with the bye"), lambda bill: bill.cost.bye_score, False),
        (_("Players paired down"), lambda bill: sum(bill.cost.downfloats), False),
        (_("Differences in points, squared"), lambda bill: bill.cost.sum_sq_diff, True),
        (_("Repeated floats, or distance in the standings"), lambda bill: bill.cost.finish, False),
    ]


def verdict_of(bill: CostReport, best: PairingCost, *, proved: bool) -> str:
    """How a bill compares with the best round there is: every term that is worse, the weightiest first."""
    least = CostReport(0, best)
    if bill <= least:
        return _("No pairing of these players is better.") if proved else _("No better pairing is known.")
    worse = [
        _("%(label)s: %(count)d instead of %(best)d") % {"label": label, "count": term(bill), "best": term(least)}
        for label, term, _usual in _terms()
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
    for meeting in meetings:
        if frozenset((meeting.one, meeting.other)) not in before:
            text = ngettext(
                "%(one)s and %(other)s met in round %(rounds)s.",
                "%(one)s and %(other)s met in rounds %(rounds)s.",
                len(meeting.rounds),
            )
            rounds = ", ".join(map(str, meeting.rounds))
            yield text % {"one": called(meeting.one), "other": called(meeting.other), "rounds": rounds}
    for seating in come:
        if frozenset(seating.seats) not in before:
            yield from _about(seating, known, preview, called)
        yield from _needs(seating, known, called)
    for entry in preview.after.unplaced:
        if entry not in preview.now.unplaced:
            yield _("%(name)s then has no table.") % {"name": called(entry)}


def _about(seating: Seating, known: Mapping[int, Contender], preview: Preview, called: Called) -> Iterator[str]:
    people = [known[seat] for seat in seating.seats if seat in known]
    if seating.kind is Kind.BYE and any(each.had_bye and not each.awarded_bye for each in people):
        yield _("%(name)s had a bye before.") % {"name": called(seating.seats[0])}
    if len(people) == 2:
        one, other = people
        facts = {"one": called(one.id), "other": called(other.id)}
        if other.id in one.apart:
            yield _("%(one)s and %(other)s are on the avoid list.") % facts
        policy = preview.given.policy
        if policy.clubs is not Apart.IGNORE and one.club is not None and one.club == other.club:
            yield _("%(one)s and %(other)s are club-mates.") % facts
        if policy.teams is not Apart.IGNORE and one.team is not None and one.team == other.team:
            yield _("%(one)s and %(other)s are team-mates.") % facts
    for seat in seating.seats:
        if seat in preview.now.inactive or seat not in preview.now.ids:
            yield _("%(name)s has left the event.") % {"name": called(seat)}


def _needs(seating: Seating, known: Mapping[int, Contender], called: Called) -> Iterator[str]:
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
