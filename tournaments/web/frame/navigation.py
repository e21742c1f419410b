"""The pages of an event that a person may open, in four groups whose order never changes.

All of them are in a rail at the side where the screen is wide, and in one menu on phones. Between the two, a few are in
the bar and all others in the menu beside them. One table says of each page which permission opens it, whose bar holds
it, and in which group it is listed; a page that does not fit the event (no bracket) is left out.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.actors import Actor
from accounts.http.access import is_allowed
from tournaments.models import Tournament
from tournaments.permissions import CHECK_IN, HEAD_JUDGE, JUDGE, ORGANISER, PLAYER, SCOREKEEPER, STREAM, roles_of

VISITOR = "visitor"
AUDIENCES = (ORGANISER, JUDGE, SCOREKEEPER, CHECK_IN, STREAM, PLAYER, VISITOR)
"""By whose eyes the bar is made, where a person holds several roles: the first of these."""
FIRST_PAGES = {
    ORGANISER: "manage", HEAD_JUDGE: "floor", JUDGE: "floor", SCOREKEEPER: "desk", CHECK_IN: "manage_check_in",
    STREAM: "wall",
}  # fmt: skip
"""The page on which each role begins, the weightiest role first."""
OF_ROUNDS = {"floor", "desk"}
"""Those of them that are empty unless the event runs."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of every event: its route, its name in the bar, who may open it (a permission).

    `bars` are the audiences in whose bar it stands, `fact` what an event or its viewer must have (a key of the frame).
    `here` are other marks of the pages that lie below it, `keys` what opens it without the link (`static/find.js`).
    """

    route: str
    label: str | Promise
    rule: str
    bars: frozenset[str] = frozenset()
    fact: str = ""
    here: tuple[str, ...] = ()
    keys: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A link in the bar or menu; `is_here` where the page shown is this one or lies below it, `keys` open it too."""

    label: str | Promise
    url: str
    is_here: bool
    keys: str = ""


def _in(*audiences: str) -> frozenset[str]:
    return frozenset(audiences)


_STAFF = _in(ORGANISER, JUDGE, SCOREKEEPER)
PARTS: tuple[tuple[str | Promise, tuple[Page, ...]], ...] = (
    (
        pgettext_lazy("group of pages", "Run"),
        (
            Page("find", _("Find"), "desk", keys="Ctrl K"),
            Page("manage", _("Now"), "desk", _STAFF),
            Page("desk", _("Desk"), "desk", _STAFF, here=("desk_sheets",)),
            Page("floor", pgettext_lazy("the room's tables", "Floor"), "floor.see", _in(JUDGE), here=("floor_calls",)),
            Page("manage_entries", _("Entries"), "desk", _in(ORGANISER, SCOREKEEPER), here=("entries",)),
            Page("manage_check_in", _("Check-in"), "entries.check_in", _in(CHECK_IN), "is_run_here", ("check_in",)),
            Page("manage_rounds", _("Rounds"), "desk", _in(ORGANISER), here=("rounds",)),
            Page("manage_decks", _("Decks"), "deck.counts", _in(JUDGE), here=("decks",)),
            Page("manage_penalties", _("Penalties"), "penalty.read", _in(JUDGE), here=("penalties",)),
        ),
    ),
    (
        pgettext_lazy("group of pages", "Room"),
        (
            Page("announcements", _("Announcements"), "announce", fact="is_run_here"),
            Page("table_codes", _("Table codes"), "tables.codes", fact="is_run_here"),
            Page("wall", _("Screens"), "screens.choose", _in(STREAM)),
            Page("prints", _("Print"), "prints.see"),
            Page("embeds", _("Embed"), "desk"),
        ),
    ),
    (
        pgettext_lazy("group of pages", "Public"),
        (
            Page("my_match", _("My match"), "entry.own", _in(*AUDIENCES), fact="is_player", here=("my",)),
            Page("event", _("Event"), "event.see", _in(CHECK_IN, STREAM, PLAYER, VISITOR), here=("register",)),
            Page("pairings", _("Pairings"), "event.see", _in(SCOREKEEPER, STREAM, PLAYER, VISITOR)),
            Page("bracket", _("Bracket"), "event.see", _in(PLAYER, VISITOR), "has_bracket"),
            Page("crosstable", _("Crosstable"), "event.see", _in(VISITOR), "has_crosstable"),
            Page("standings", _("Standings"), "event.see", _in(ORGANISER, SCOREKEEPER, STREAM, PLAYER, VISITOR)),
            Page(
                "event_decks", _("Decks of all players"), "event.see", fact="decks_are_public", here=("public_decks",)
            ),
            Page("statistics", _("Statistics"), "event.see", _in(VISITOR)),
        ),
    ),
    (
        _("Set up"),
        (
            Page("manage_settings", _("Settings"), "event.settings", fact="is_run_here", here=("settings",)),
            Page("manage_stages", _("Stages"), "event.settings", fact="is_run_here", here=("stages",)),
            Page("manage_staff", _("Staff"), "event.staff", fact="is_run_here", here=("staff",)),
            Page("manage_webhooks", _("Webhooks"), "event.webhooks", fact="is_run_here", here=("webhooks",)),
            Page("manage_work", _("Background jobs"), "event.work", here=("work",)),
            Page("manage_log", _("Log"), "event.log", here=("log",)),
        ),
    ),
)


Group = tuple[str | Promise, tuple[Place, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """What the bar shows, and what the menu holds by its groups; `groups` hold both, for the rail and for phones.

    The same object for all who are shown the same, so that templates render it once.
    """

    bar: tuple[Place, ...]
    menu: tuple[Group, ...]
    groups: tuple[Group, ...]
    may_sign_in: bool

    @property
    def in_menu(self) -> Place | None:
        """The page shown, where it is one of the menu."""
        return next((place for _title, places in self.menu for place in places if place.is_here), None)


def first_page(roles: Collection[str], tournament: Tournament) -> str:
    """The route of the page on which a person with these roles among the staff begins; "event" without any."""
    page = next((page for role, page in FIRST_PAGES.items() if role in roles), "event")
    return "manage" if page in OF_ROUNDS and tournament.state != Tournament.State.RUNNING else page


def places_of(actor: Actor, tournament: Tournament, frame: dict[str, Any]) -> Places:
    """The pages that the actor may open; `frame` holds the facts that pages ask for, and `here`, the page shown.

    Where a page is listed depends on who looks, never on the page shown: nothing moves from one page to the next.
    """
    held = roles_of(actor, tournament)
    audience = next((name for name in AUDIENCES if name in held), VISITOR)
    opened = tuple(page.route for _title, pages in PARTS for page in _open_to(actor, tournament, pages, frame))
    is_known = actor.user is not None or actor.person is not None
    return _places(tournament.slug, audience, opened, str(frame.get("here", "")), not is_known)


@lru_cache(maxsize=256)
def _places(slug: str, audience: str, opened: tuple[str, ...], here: str, may_sign_in: bool) -> Places:
    in_bar: list[Place] = []
    menu: list[Group] = []
    groups: list[Group] = []
    for title, pages in PARTS:
        shown = [page for page in pages if page.route in opened]
        places = [
            Place(page.label, reverse(page.route, args=[slug]), here in (page.route, *page.here), page.keys)
            for page in shown
        ]
        of_menu = [place for page, place in zip(shown, places, strict=True) if audience not in page.bars]
        in_bar += [place for place in places if place not in of_menu]
        menu += [(title, tuple(of_menu))] if of_menu else []
        groups += [(title, tuple(places))] if places else []
    return Places(tuple(in_bar), tuple(menu), tuple(groups), may_sign_in)


def _open_to(actor: Actor, tournament: Tournament, pages: Iterable[Page], frame: dict[str, Any]) -> list[Page]:
    """Those that the actor may open at this event."""
    return [
        page for page in pages if (not page.fact or frame.get(page.fact)) and is_allowed(page.rule, actor, tournament)
    ]
