"""The map of tables for judges, made for a phone in one hand: every table of the round as a tile that opens it."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse

from accounts.http.requests import ActorRequest
from journal.clock import database_now
from tournaments.models import Round, Tournament
from tournaments.room.selectors.calls import open_calls
from tournaments.room.selectors.clocks import clock_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.staff_lines import StaffLines
from tournaments.web.shared.floor_look import THEMES, kept_choice, look_of
from tournaments.web.shared.match_rows import published_rounds
from tournaments.web.shared.tiles import FILTERS, Tile, counts_of, tile_of
from tournaments.web.shared.timetable_words import timetable_words

A_ROW = ("3", "4", "8")
"""How many tables stand side by side; as many as fit where nobody chose."""
KEPT_FOR = 400 * 24 * 60 * 60
MAX_WORDS = 120


@event_view("floor.see", fresh=True)
def floor(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/floor/?round=N&row=3|4|8&show=…&q=…: the tables of a round being played, the newest unless asked."""
    rounds = [each for each in published_rounds(tournament) if each.state == Round.State.PUBLISHED]
    asked = (each for each in rounds if str(each.number) == request.GET.get("round"))
    shown = next(asked, rounds[-1] if rounds else None)
    now = database_now()
    clock, calls = clock_of(tournament, now), list(open_calls(tournament))
    by_match = {call.match_id: call for call in calls}
    lines = StaffLines(request, tournament, shown)
    tiles = [tile_of(line, by_match.get(line.match.pk), clock) for line in lines.all if line.table is not None]
    wanted, words = request.GET.get("show", ""), request.GET.get("q", "").strip()[:MAX_WORDS]
    wanted = wanted if wanted in FILTERS else ""
    context: dict[str, Any] = {
        "here": "floor",
        "clock": clock,
        "timetable": timetable_words(tournament, now),
        "round": shown,
        "rounds": rounds if len(rounds) > 1 else [],
        "tiles": _texts(lines, [tile for tile in tiles if tile.is_shown(wanted) and tile.is_meant(words)]),
        "total": len(tiles),
        "done": sum(not tile.is_shown("missing") for tile in tiles),
        "filters": [(key, name, count, query_of(request, show=key)) for key, name, count in counts_of(tiles)],
        "show": wanted,
        "all_query": query_of(request, show="", q=""),
        "q": words,
        "calls": len(calls),
        "unclaimed": sum(call.state != call.State.CLAIMED for call in calls),
        "rows": [(each, query_of(request, row=each)) for each in A_ROW],
        "row": kept_choice(request, "row", A_ROW),
    }
    return render_floor(request, tournament, "judge/floor.html", context)


def _texts(lines: StaffLines, tiles: list[Tile]) -> list[str]:
    by_match = {tile.match.pk: tile for tile in tiles}
    shown = [(tile.line, (tile.call and tile.call.state, tile.ends, tile.is_over)) for tile in tiles]
    return lines.texts("judge/parts/tile.html", shown, lambda line: {"tile": by_match[line.match.pk]})


def render_floor(request: ActorRequest, tournament: Tournament, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page for judges in the theme they chose; what the address chooses is remembered in cookies."""
    look: dict[str, Any] = {
        "look": look_of(request),
        "theme": kept_choice(request, "theme", THEMES),
        "themes": [(each, query_of(request, theme=each)) for each in THEMES],
    }
    response = render_event(request, tournament, template, look | context)
    for name, offered in (("row", A_ROW), ("theme", THEMES)):
        if (chosen := request.GET.get(name, "")) in offered:
            response.set_cookie(
                f"floor_{name}", chosen, max_age=KEPT_FOR, samesite="Lax", secure=request.is_secure(), httponly=True
            )
    return response


def query_of(request: ActorRequest, **changes: str) -> str:
    """The query of this page with some of it changed; empty values are left out."""
    values = {key: request.GET[key] for key in ("round", "row", "show", "q") if request.GET.get(key)} | changes
    return "?" + urlencode({key: value for key, value in values.items() if value})
