"""What an event asks of its staff, in words, each with the one page on which it is done."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.events.selectors.todo import Need, Todo
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class TodoLine:
    """A line of the list: its state (wrong, wait or open), what is to be done, where, and the tables it is about."""

    look: str
    text: str
    label: str
    url: str
    tables: tuple[tuple[str, int], ...]
    more: int


LOOKS = {
    Need.CONFLICT: "wrong",
    Need.CALL: "wrong",
    Need.SHEET: "wrong",
    Need.WORK: "wrong",
    Need.COPY: "wrong",
    Need.FULL: "open",
}
"""How a need looks; what is not listed waits."""
TEXTS: dict[Need, Callable[[int], str]] = {
    Need.CONFLICT: lambda n: ngettext(
        "%(n)d table has two different reports", "%(n)d tables have different reports", n
    ),
    Need.CALL: lambda n: ngettext("%(n)d table waits for a judge", "%(n)d tables wait for a judge", n),
    Need.SHEET: lambda n: ngettext("%(n)d score sheet needs attention", "%(n)d score sheets need attention", n),
    Need.WORK: lambda n: ngettext("%(n)d background job failed", "%(n)d background jobs failed", n),
    Need.COPY: lambda n: _("The second folder cannot be written"),
    Need.TIME_OVER: lambda n: ngettext(
        "Time is over, %(n)d table has no result", "Time is over, %(n)d tables have no result", n
    ),
    Need.UNCONFIRMED: lambda n: ngettext("%(n)d report is not confirmed", "%(n)d reports are not confirmed", n),
    Need.CHECK_IN: lambda n: ngettext("%(n)d player is not checked in", "%(n)d players are not checked in", n),
    Need.FREE_PLACE: lambda n: ngettext(
        "%(n)d place is free for the waiting list", "%(n)d places are free for the waiting list", n
    ),
    Need.DECK_MISSING: lambda n: ngettext("%(n)d deck is missing", "%(n)d decks are missing", n),
    Need.DECK_ILLEGAL: lambda n: ngettext("%(n)d deck is not legal", "%(n)d decks are not legal", n),
    Need.LINK: lambda n: ngettext(
        "%(n)d player has no account or link to report",
        "%(n)d players have no account or link to report",
        n,
    ),
    Need.FULL: lambda n: _("Event full: new entries go on the waiting list"),
}
PLACES: dict[Need, tuple[str, str]] = {
    Need.CONFLICT: ("desk", ""),
    Need.CALL: ("floor_calls", ""),
    Need.SHEET: ("desk_sheets", ""),
    Need.WORK: ("manage_work", ""),
    Need.COPY: ("manage_work", "#copies"),
    Need.TIME_OVER: ("desk", ""),
    Need.UNCONFIRMED: ("desk", ""),
    Need.CHECK_IN: ("manage_entries", "?show=absent"),
    Need.FREE_PLACE: ("manage_entries", "?show=waiting"),
    Need.DECK_MISSING: ("manage_entries", "?show=no_deck"),
    Need.DECK_ILLEGAL: ("manage_decks", ""),
    Need.LINK: ("manage_entries", ""),
    Need.FULL: ("manage_settings", ""),
}
"""The page of a need, and what it is asked to show."""


def todo_line(tournament: Tournament, todo: Todo) -> TodoLine:
    route, query = PLACES[todo.need]
    return TodoLine(
        look=LOOKS.get(todo.need, "wait"),
        text=TEXTS[todo.need](todo.count) % {"n": todo.count},
        label=_label(todo.need),
        url=reverse(route, args=[tournament.slug]) + query,
        tables=tuple((reverse("match", args=[tournament.slug, pk]), number) for pk, number in todo.tables),
        more=todo.count - len(todo.tables) if todo.tables else 0,
    )


def _label(need: Need) -> str:
    labels = {
        Need.CONFLICT: _("Go to the desk"), Need.CALL: _("View calls"), Need.SHEET: _("View sheets"),
        Need.WORK: _("View jobs"), Need.COPY: _("See why"), Need.TIME_OVER: _("Go to the desk"),
        Need.UNCONFIRMED: _("Confirm at the desk"), Need.CHECK_IN: _("Check them in"),
        Need.FREE_PLACE: _("Move them up"), Need.DECK_MISSING: _("See who"),
        Need.DECK_ILLEGAL: _("View decks"), Need.LINK: _("Create links"), Need.FULL: _("Change places"),
    }  # fmt: skip
    return labels[need]
