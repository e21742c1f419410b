"""Who won: the best three of a finished event, on its page and as a picture to share."""

import textwrap
from dataclasses import dataclass
from math import floor
from unicodedata import east_asian_width

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.http.downloads import file_response
from accounts.http.requests import ActorRequest
from rules_engine.errors import NotFound
from scoring.standings.standings import Standing
from tournaments.core.rounds import shown_rounds
from tournaments.models import Tournament
from tournaments.standings.selectors.standings import standing_rows
from tournaments.web.frame.event_view import event_view
from tournaments.web.public.bracket import NO_XML
from tournaments.web.shared.event_lines import game_name
from tournaments.web.shared.match_rows import Names

PLACES, MOST = 3, 4
"""Ranks on the podium, and how many may stand there: where more share a rank, nobody does."""
TITLE_LETTERS, TITLE_LINES, NAME_LINES = 36, 2, 3
MIDDLE, FLOOR, NAME_LINE = 600, 566, 40
HEIGHTS = {1: 250, 2: 180, 3: 130}


@dataclass(frozen=True, slots=True)
class Winner:
    """One of the best three: their standing, number and name in the event."""

    standing: Standing
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """A winner's step in the picture of 1200 by 630: its middle, half its width, its height, the lines of the name."""

    winner: Winner
    middle: int
    half: int
    height: int
    lines: tuple[tuple[int, str], ...]

    @property
    def top(self) -> int:
        """Where the step begins, from above."""
        return FLOOR - self.height

    @property
    def left(self) -> int:
        """Where it begins, from the left."""
        return self.middle - self.half


def winners_of(tournament: Tournament, names: Names) -> list[Winner]:
    """Who is ranked first to third, in final order.

    Nobody before the event is over, where it had no round, or where more than four are.
    """
    if tournament.state != Tournament.State.FINISHED or not shown_rounds(tournament):
        return []
    best = [row for row in standing_rows(tournament) if row.standing.rank <= PLACES]
    return [Winner(row.standing, row.entry.number, names(row.entry)) for row in best] if len(best) <= MOST else []


@event_view("event.see")
def podium_svg(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/podium.svg: the best three as a picture of 1200 by 630; NotFound "no_podium" without winners."""
    winners = winners_of(tournament, Names(tournament))
    if not winners:
        raise NotFound("no_podium", _("There is no podium, or not yet."))
    steps = _steps(winners)
    title = list(enumerate(_lines(tournament.name, TITLE_LETTERS, TITLE_LINES)))
    context = {"event": tournament, "game": game_name(tournament), "title": title, "steps": steps, "floor": FLOOR}
    with timezone.override(tournament.time_zone):
        text = NO_XML.sub("", render_to_string("public/podium.svg", context))
    return file_response(text, "image/svg+xml; charset=utf-8", f"{tournament.slug}-podium.svg", saved=False)


def _steps(winners: list[Winner]) -> list[Step]:
    """Side by side, the first between the second and the third."""
    pitch, letters = (368, 17) if len(winners) < MOST else (284, 13)
    columns = (1, 0, 2, 3) if len(winners) > 2 else (0, 1)
    left = MIDDLE - pitch * (len(winners) - 1) // 2
    return [
        _step(winner, left + pitch * column, pitch // 2 - 16, letters)
        for winner, column in zip(winners, columns, strict=False)
    ]


def _step(winner: Winner, middle: int, half: int, letters: int) -> Step:
    height = HEIGHTS[winner.standing.rank]
    lines = _lines(winner.name, letters, NAME_LINES)
    first = FLOOR - height - 56 - NAME_LINE * (len(lines) - 1)
    return Step(winner, middle, half, height, tuple((first + NAME_LINE * at, line) for at, line in enumerate(lines)))


def _lines(text: str, letters: int, most: int) -> list[str]:
    """The text in lines as wide as so many letters usually are; what does not fit ends in "…"."""
    letters = _fitting(text, letters)
    lines = textwrap.wrap(text, letters)
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1][: letters - 1]}…"]


def _fitting(text: str, letters: int) -> int:
    """How many letters of the text fit where so many usual ones do: capitals are wider, signs of East Asia twice."""
    width = sum(2 if east_asian_width(each) in "WF" else 1.5 if each.isupper() else 1 for each in text)
    return min(letters, floor((letters + 1) * len(text) / width)) if text else letters
