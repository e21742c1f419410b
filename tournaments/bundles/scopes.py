"""For whom an event file is, and what every part of it is made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from tournaments.models import Tournament

Part = tuple[str, Any]
"""The name of a file within the event file, and what it holds, ready for JSON."""


class Scope(StrEnum):
    """Whom an event file is for: everybody, or the organisers."""

    PUBLIC = "public"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class ExportedEvent:
    """An event, how much of it is exported, and the numbers of its entries by id."""

    tournament: Tournament
    whole: bool
    now: datetime
    numbers: Mapping[int, int]

    @property
    def decks_are_public(self) -> bool:
        """Whether everybody is shown the lists of cards."""
        published_at = self.tournament.decks_published_at
        return published_at is not None and published_at <= self.now
