"""The tables of a round on pages of staff, which are built anew each time: only what changed is read and rendered."""

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.http.requests import ActorRequest
from tournaments.kept_answers import version_of_match
from tournaments.models import Round, Tournament
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.web.live.page_cache import shared_event
from tournaments.web.shared.kept_lines import lines_again, texts_again
from tournaments.web.shared.match_rows import MatchRow, published_rounds


class StaffLines:
    """The lines of a round; nothing on them may be changed, for other requests read the same.

    Where score sheets are filed, which moves a report without an act, all is read each time.
    """

    def __init__(self, request: ActorRequest, tournament: Tournament, round_: Round | None) -> None:
        """Two queries and those of lines that changed, or as many as `lines_of`; no lines without a round."""
        self._event = tournament if round_ is None or uses_sheets(tournament) else shared_event(request, tournament)
        # the round of the shared event leads to nobody's roles; gone where it was taken back a moment ago
        self._round = next((each for each in published_rounds(self._event) if each == round_), None)
        self.all: list[MatchRow] = [] if self._round is None else lines_again(self._event, self._round)

    def texts(
        self, template: str, shown: Iterable[tuple[MatchRow, Hashable]], context: Callable[[MatchRow], dict[str, Any]]
    ) -> list[str]:
        """Some lines as text: each from its context, which is never somebody's own, and from the event.

        With each line goes what else its context depends on.
        """
        versions = [
            (line.match.pk, (version_of_match(self._event, line.match.pk), also), partial(self._context, context, line))
            for line, also in shown
        ]
        with timezone.override(ZoneInfo(self._event.time_zone)):
            return texts_again(self._event, template, self._round and self._round.pk, versions)

    def _context(self, of: Callable[[MatchRow], dict[str, Any]], line: MatchRow) -> dict[str, Any]:
        return {"event": self._event, **of(line)}
