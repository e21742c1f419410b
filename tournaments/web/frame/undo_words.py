"""What the viewer did here within ten minutes and can undo, in words."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.actors import Actor
from accounts.http.access import is_allowed
from tournaments.core.log import names_in
from tournaments.events.selectors.undoing import OPEN_FOR, undoable_acts
from tournaments.models import Tournament
from tournaments.web.shared.log_words import log_line

FRESH_FOR = timedelta(seconds=20)
"""How long the staff are offered an undo on every page; afterwards it is listed on the page Now."""


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """An act that can be undone: its number in the log, which act it was, in words too, until when, if just now."""

    act: int
    what: str
    words: str
    until: datetime
    is_fresh: bool


def undo_offers(actor: Actor, tournament: Tournament, now: datetime) -> list[UndoOffer]:
    """The newest first; two queries, seven where there is something to offer."""
    entries = undoable_acts(actor, tournament, now)
    if not entries:
        return []
    names = names_in(tournament, entries)
    return [
        UndoOffer(each.sequence, each.act, log_line(each, names).words, each.at + OPEN_FOR, now - each.at < FRESH_FOR)
        for each in entries
    ]


def fresh_undo_offers(actor: Actor, tournament: Tournament, now: datetime) -> list[UndoOffer]:
    """What every page offers to undo: for staff, who have a list on Now, only what they did just now."""
    offers = undo_offers(actor, tournament, now)
    fresh = [each for each in offers if each.is_fresh]
    return fresh if len(fresh) == len(offers) or is_allowed("desk", actor, tournament) else offers
