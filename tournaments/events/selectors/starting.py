"""Who would play if an event started now, who would be left out, and whose decks are missing."""

from dataclasses import dataclass

from tournaments.entries.selectors.entries import active_entries
from tournaments.models import Entry, EntryMember, Stage, Tournament
from tournaments.structure.selectors.stages import advised_rounds, stages_of

FEWEST = 2
"""Entries that an event needs to start."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a start now would do: entries that play, those left out because they are not here, decks that are missing.

    Decks count where the event requires them. Nobody is left out for a missing one. `planned` are the rounds of a Swiss
    that its organiser chose, where `advised` ones, more of them, are needed to leave one undefeated. `not_reached` are
    on the waiting list, which closes.
    """

    playing: int
    left_out: int
    missing_decks: int
    planned: int | None = None
    advised: int | None = None
    not_reached: int = 0

    @property
    def is_possible(self) -> bool:
        return self.playing >= FEWEST


def start_of(tournament: Tournament) -> Start:
    """A start now, of an event that has not started; one to four queries."""
    active = active_entries(tournament)
    here = active.filter(checked_in_at__isnull=False) if tournament.check_in else active
    playing, missing = here.count(), 0
    absent = active.count() - playing if tournament.check_in else 0
    if tournament.deck_required:
        missing = EntryMember.objects.filter(entry__in=here, deck_version=None).count()
    waiting = tournament.entries.filter(state=Entry.State.WAITING).count() if tournament.capacity else 0
    return Start(playing, absent, missing, *_advice(tournament, playing), not_reached=waiting)


def _advice(tournament: Tournament, playing: int) -> tuple[int | None, int | None]:
    planned = tournament.swiss_rounds
    if planned is None or playing < FEWEST or stages_of(tournament)[0].kind != Stage.Kind.SWISS:
        return None, None
    advised = advised_rounds(tournament, playing)
    return (planned, advised) if planned < advised else (None, None)
