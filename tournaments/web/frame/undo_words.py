"""What the viewer did here within ten minutes and can undo, in words."""

from dataclasses import dataclass
from datetime import datetime

from accounts.actors import Actor
from tournaments.core.log import names_in
from tournaments.events.selectors.undoing import OPEN_FOR, undoable_acts
from tournaments.models import Tournament
from tournaments.web.shared.log_words import log_line


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """An act that can be undone: its number in the log, what it was, and until when."""

    act: int
    words: str
    until: datetime


def undo_offers(actor: Actor, tournament: Tournament, now: datetime) -> list[UndoOffer]:
    """The newest first; two queries, seven where there is something to offer."""
    entries = undoable_acts(actor, tournament, now)
    if not entries:
        return []
    names = names_in(tournament, entries)
    return [UndoOffer(each.sequence, log_line(each, names).words, each.at + OPEN_FOR) for each in entries]
