"""The bracket of an event as a page, drawn and as a list, and as an SVG file; the crosstable of a round robin."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.http.downloads import file_response
from accounts.http.requests import ActorRequest
from rules_engine.errors import NotFound, needed
from tournaments.core.parts import RANKING
from tournaments.core.round_names import level_name
from tournaments.models import Entry, Match, ResultReport, Stage, Tournament
from tournaments.pairing.brackets.elimination import Side
from tournaments.permissions import member_of
from tournaments.results.selectors import accepted_report_of
from tournaments.standings.selectors.standings import standings_of
from tournaments.structure.selectors.overview import (
    BRACKETS,
    CrossTable,
    Meeting,
    ShownBracket,
    crosstable_of,
    shown_bracket,
    shown_stages,
)
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.page_cache import cached_page
from tournaments.web.shared.bracket_layout import BOX, ROW, Box, Drawing, Heading, draw_bracket, draw_parts
from tournaments.web.shared.bracket_words import MatchCard, _by_level, _cards
from tournaments.web.shared.match_rows import Names, outcomes_of, score_text
from tournaments.web.shared.stage_words import stage_title

NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML document may hold, not even escaped."""
TICK, SCORE = BOX - 36, BOX - 8
"""How far right in a box the winner's tick stands, and where its score ends."""


@dataclass(frozen=True, slots=True)
class Part:
    """A drawing with the words that go into it."""

    drawing: Drawing
    label: str
    headings: Sequence[tuple[Heading, str]]
    boxes: Sequence[tuple[Box, MatchCard]]
    box: int = BOX
    row: int = ROW
    tick: int = TICK
    edge: int = SCORE

    @property
    def least(self) -> int:
        """The least width at which its names are large enough to read; on a narrower page it scrolls."""
        return self.drawing.width * 6 // 7


@event_view("event.see")
@cached_page(*RANKING)
def bracket(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/bracket/?stage=N: who meets whom up to the final, drawn in parts and as a list of matches."""
    stages = shown_stages(request.actor, tournament, BRACKETS)
    stage = _wanted_stage(stages, request.GET.get("stage", ""))
    shown = shown_bracket(stage) if stage else None
    context: dict[str, Any] = {"here": "bracket", "stages": [(each, stage_title(each)) for each in stages]}
    if shown is not None:
        cards = _cards(shown, Names(tournament))
        member = member_of(request.actor, tournament)
        context |= {
            "stage": stage,
            "title": stage_title(shown.stage),
            "parts": [_part(shown, each, cards) for each in draw_parts(shown.bracket.filled)],
            "levels": _by_level(shown, cards),
            "winner": shown.winner,
            "champion": shown.champion,
            "my_entry": member.entry_id if member else None,
        }
    return render_event(request, tournament, "public/bracket.html", context)


@event_view("event.see")
def bracket_svg(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/bracket.svg?stage=N: the whole bracket as a picture that stands alone; NotFound before there is one."""
    stage = _wanted_stage(shown_stages(request.actor, tournament, BRACKETS), request.GET.get("stage", ""))
    shown = needed(shown_bracket(stage) if stage else None, NotFound("no_bracket", _("There is no bracket yet.")))
    part = _part(shown, draw_bracket(shown.bracket.filled), _cards(shown, Names(tournament)))
    text = NO_XML.sub("", render_to_string("public/bracket.svg", {"part": part, "alone": True}))
    return file_response(text, "image/svg+xml; charset=utf-8", f"{tournament.slug}-bracket.svg", saved=False)


def _wanted_stage(stages: Sequence[Stage], number: str) -> Stage | None:
    """The stage asked for by number, else the last; NotFound "unknown_stage" for one that is not there."""
    if not number:
        return stages[-1] if stages else None
    for stage in stages:
        if str(stage.number) == number:
            return stage
    raise NotFound("unknown_stage", _("This stage doesn't exist or hasn't begun."))


def _part(shown: ShownBracket, drawing: Drawing, cards: Mapping[str, MatchCard]) -> Part:
    headings = [(each, level_name(shown.stage, each.level)) for each in drawing.headings]
    boxes = [(box, cards[box.match.match.id]) for box in drawing.boxes]
    return Part(drawing, _label(shown.stage, drawing), headings, boxes)


def _label(stage: Stage, drawing: Drawing) -> str:
    """What a drawing shows: the bracket of the stage, or which part of it."""
    if drawing.side is None:
        return stage_title(stage)
    names = {Side.WINNERS: _("Winners' bracket"), Side.LOSERS: _("Losers' bracket"), Side.GRAND_FINAL: _("Grand final")}
    name = names[drawing.side] if stage.kind == Stage.Kind.DOUBLE_ELIMINATION else stage_title(stage)
    if drawing.parts == 1:
        return name
    words = _("%(bracket)s, last rounds") if drawing.part == drawing.parts else _("%(bracket)s, part %(part)d")
    return words % {"bracket": name, "part": drawing.part}


def parts_of(shown: ShownBracket, names: Names) -> list[Part]:
    """The drawings of a bracket, each small enough to be read."""
    cards = _cards(shown, names)
    return [_part(shown, each, cards) for each in draw_parts(shown.bracket.filled)]


@dataclass(frozen=True, slots=True)
class Crossing:
    """One cell of a crosstable: for each meeting a mark, the same in words and its look; its own is the diagonal."""

    marks: tuple[tuple[str, str, str], ...]
    is_own: bool


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A row of a crosstable with its rank in the event's standings, where there is one."""

    number: int
    entry: Entry
    name: str
    rank: int | None
    cells: tuple[Crossing, ...]


@event_view("event.see")
@cached_page(*RANKING)
def crosstable(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/crosstable/?stage=N: everybody of a round robin against everybody, as played so far."""
    stages = shown_stages(request.actor, tournament, [Stage.Kind.ROUND_ROBIN])
    stage = _wanted_stage(stages, request.GET.get("stage", ""))
    context: dict[str, Any] = {"here": "crosstable", "stages": [(each, stage_title(each)) for each in stages]}
    if stage is not None:
        member = member_of(request.actor, tournament)
        context |= {
            "stage": stage,
            "title": stage_title(stage),
            "lines": _cross_lines(tournament, crosstable_of(stage)),
            "my_entry": member.entry_id if member else None,
        }
    return render_event(request, tournament, "public/crosstable.html", context)


def _cross_lines(tournament: Tournament, table: CrossTable) -> list[CrossLine]:
    names = Names(tournament)
    called = {entry.pk: names(entry) for entry in table.entries}
    ranks = {standing.contender: standing.rank for standing in standings_of(tournament)}
    return [
        CrossLine(
            number,
            row,
            called[row.pk],
            ranks.get(row.pk),
            tuple(
                Crossing(
                    tuple(_mark(each, called[row.pk], called[column.pk]) for each in _met(table, row, column)),
                    row == column,
                )
                for column in table.entries
            ),
        )
        for number, row in enumerate(table.entries, 1)
    ]


def _met(table: CrossTable, row: Entry, column: Entry) -> Sequence[Meeting]:
    return table.meetings.get((row.pk, column.pk), ())


def _mark(meeting: Meeting, name: str, other: str) -> tuple[str, str, str]:
    """How a meeting ended for the row: the score as it is seen there, a sentence, and the look of its outcome."""
    report = accepted_report_of(meeting.match)
    if report is None:
        open_ = _("being played") if meeting.match.state == Match.State.OPEN else _("not settled")
        sentence = _("%(name)s against %(other)s: %(state)s") % {"name": name, "other": other, "state": open_}
        return "·", sentence, "open"
    outcome = outcomes_of(report)[meeting.place]
    words = {"win": _("%(name)s beat %(other)s"), "draw": _("%(name)s drew with %(other)s")}
    sentence = words.get(outcome, _("%(name)s lost to %(other)s")) % {"name": name, "other": other}
    look = {"win": "done", "draw": "wait"}.get(outcome, "wrong")
    if report.kind == ResultReport.Kind.PLAYED:
        score = score_text(report, meeting.place)
        return score, f"{sentence} {score}", look
    short = {"win": _("won"), "draw": _("drew")}.get(outcome, _("lost"))
    return short, f"{sentence} ({score_text(report, meeting.place)})", look
