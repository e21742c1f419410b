"""Events in lists: what a line says, for everybody and for those who run or play them."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.actors import Actor
from decks.selectors.legality import format_at
from journal.clock import database_now
from rules_engine.systems import get_system
from tournaments.decks.selectors.deck_states import DeckState, own_deck_states
from tournaments.decks.selectors.decks import reopened_until
from tournaments.models import EntryMember, Match, Role, Tournament
from tournaments.rounds.selectors.own_matches import own_open_matches
from tournaments.web.frame.navigation import first_page

State = Tournament.State


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in a list, with its game's name, the page that opens, the viewer's deck there and the match to play."""

    event: Tournament
    game: str
    page: str = "event"
    deck: DeckState | None = None
    match: Match | None = None

    @property
    def left(self) -> int | None:
        """How many may still sign up; None without a limit."""
        return places_left(self.event.capacity, getattr(self.event, "playing", 0))

    @property
    def names(self) -> list[str]:
        """Who plays the viewer's match, in seat order."""
        return [seat.entry.name for seat in self.match.seats.all()] if self.match else []

    @property
    def round_number(self) -> int | None:
        """The round being played or played last; None before the first, and where the list did not ask."""
        return getattr(self.event, "round_now", None)


def group_lines(lines: list[EventLine]) -> list[tuple[str, list[EventLine]]]:
    """Lines under headings, in the order in which they come: running, to come, over."""
    titles = {
        State.RUNNING: _("Running now"),
        State.DRAFT: _("Coming up"),
        State.REGISTRATION: _("Coming up"),
    }
    groups: dict[str, list[EventLine]] = {}
    for line in lines:
        groups.setdefault(titles.get(State(line.event.state), _("Over")), []).append(line)
    return list(groups.items())


def game_name(tournament: Tournament) -> str:
    return get_system(tournament.game).name


def own_event_lines(actor: Actor, events: list[Tournament]) -> list[EventLine]:
    """Events that the viewer runs or plays in; a few queries.

    What staff run opens at their first page, what a player has a match in opens at that match.
    """
    held: dict[int, set[str]] = defaultdict(set)
    if actor.user is not None:
        for role in Role.objects.filter(user=actor.user, tournament__in=events):
            held[role.tournament_id].add(role.name)
    decks, matches = own_deck_states(actor, events), own_open_matches(actor, events)
    lines = []
    for event in events:
        match, roles = matches.get(event.pk), held[event.pk]
        page = "my_match" if match and not roles else first_page(roles, event)
        lines.append(EventLine(event, game_name(event), page, decks.get(event.pk), match))
    return lines


def places_left(capacity: int | None, taken: int) -> int | None:
    """How many may still sign up; None without a limit."""
    return None if capacity is None else max(0, capacity - taken)


def own_reopening(tournament: Tournament, member: EntryMember | None) -> datetime | None:
    """Until when a judge has the viewer's deck open again; asks the database's clock only where one has."""
    if member is None or member.deck_reopened_until is None:
        return None
    return reopened_until(tournament, member, database_now())


def variant_name(tournament: Tournament) -> str:
    """The name of the way in which an event's format is played; "" where it has only one."""
    variants = format_at(tournament.game, tournament.game_format).variants
    named = (each.name for each in variants if tournament.variant in ("", each.slug))
    return next(named, "")
