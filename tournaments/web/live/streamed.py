"""Long papers are sent while they are rendered: a thousand slips compute for seconds, a piece of them for a moment.

Other requests get their turn between two pieces, and the browser shows the first lines while the last are made.
"""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.http import StreamingHttpResponse
from django.template.base import NodeList
from django.template.context import Context
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override

from accounts.http.requests import ActorRequest
from tournaments.models import Tournament
from tournaments.web.frame.event_view import render_event
from tournaments.web.live.marks import MARK, mark

LOOPS = "streamed_loops"
"""Where a template finds the loops that it leaves for later."""
ROUNDS_AT_ONCE = 20
"""Rounds of a loop in one piece: of slips, each with a QR code, a sixth of a second on a slow machine."""


class Loop:
    """A loop of a template, with what its content was given where it stands; `forloop` counts as it does in `for`."""

    def __init__(self, content: NodeList, name: str, rows: Sequence[Any], context: Context) -> None:
        self._content, self._name, self._rows, self._context = content, name, rows, copy(context)

    def left_in(self, loops: dict[str, "Loop"]) -> SafeString:
        """A mark in its place, by which it is found again."""
        name = str(len(loops))
        loops[name] = self
        return mark("loop", name)

    def text(self) -> SafeString:
        """All rounds."""
        return SafeString("".join(self.pieces()))

    def pieces(self) -> Iterator[str]:
        """The text of so many rounds after the other."""
        for first in range(0, len(self._rows), ROUNDS_AT_ONCE):
            rows = enumerate(self._rows[first : first + ROUNDS_AT_ONCE], first)
            yield "".join(self._round(at, row) for at, row in rows)

    def _round(self, at: int, row: Any) -> SafeString:
        counted = {"counter": at + 1, "counter0": at, "first": not at, "last": at + 1 == len(self._rows)}
        with self._context.push(**{self._name: row, "forloop": counted}):
            return self._content.render(self._context)


def render_streamed(
    request: ActorRequest, tournament: Tournament, template: str, context: dict[str, Any]
) -> StreamingHttpResponse:
    """What `render_event` answers; its `{% streamed %}` loops are rendered while it is sent, and ask no database."""
    loops: dict[str, Loop] = {}
    page = render_event(request, tournament, template, {LOOPS: loops, **context})
    pieces = _pieces(page.content.decode(), loops, get_language(), ZoneInfo(tournament.time_zone))
    return StreamingHttpResponse(pieces, status=page.status_code, headers=page.headers)


def _pieces(page: str, loops: Mapping[str, Loop], language: str | None, zone: ZoneInfo) -> Iterator[str]:
    for place, piece in enumerate(page.split(MARK)):
        if place % 2 == 0:
            yield piece
            continue
        parts = loops[piece.partition(":")[2]].pieces()
        while True:  # each piece may be made in another thread than the one before
            with override(language), timezone.override(zone), connection.execute_wrapper(_refuse):
                text = next(parts, None)
            if text is None:
                break
            yield text


def _refuse(*_asked: object) -> None:
    """A question would open a connection that nobody closes."""
    raise AssertionError("a streamed loop asks the database")
