"""Small pages for the frames of other sites: what a stranger may see of a public event, whoever looks.

They alone may be framed by anybody. They hold no form, use no session and set no cookie; their links leave the frame.
"""

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.actors import ANONYMOUS
from accounts.http.access import access, check_access
from accounts.http.addresses import shared_address
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import NotFound
from tournaments.core.events import find_event
from tournaments.core.rounds import is_played
from tournaments.kept_answers import ask_once
from tournaments.models import Tournament
from tournaments.room.selectors.clocks import clock_of
from tournaments.standings.selectors.lists import entries_by_id
from tournaments.standings.selectors.standings import standings_of
from tournaments.structure.selectors.overview import BRACKETS, shown_bracket, shown_stages
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.public.bracket import parts_of
from tournaments.web.shared.match_rows import Names, lines_of, published_rounds
from tournaments.web.shared.standing_lines import columns_of, lines_of_standings, shared_ranks

THEMES = ("light", "dark")
MAX_LINES = 200
COLUMNS = 2
"""Of the tiebreakers the first ones alone: a frame is narrow."""
HEIGHTS = {"standings": 480, "pairings": 480, "bracket": 480, "clock": 140}
Contents = Callable[[Tournament], dict[str, Any]]


def embed(kind: str, page: str, contents: Contents) -> Callable[..., HttpResponse]:
    """A view of one kind: `contents` is what its template shows, `page` the route of the whole page."""

    def view(request: HttpRequest, slug: str) -> HttpResponse:
        tournament = _public_event(slug)
        check_access("event.see", ANONYMOUS, tournament)
        now, theme = database_now(), request.GET.get("theme", "")
        context = {
            "event": tournament,
            "theme": theme if theme in THEMES else "",
            "whole": reverse(page, args=[tournament.slug]),
            "as_of": now,
            "clock": clock_of(tournament, now),
            **contents(tournament),
        }
        with timezone.override(ZoneInfo(tournament.time_zone)):
            return render(request, f"public/embeds/{kind}.html", context)

    read: Callable[..., Any] = require_safe(view)
    framed: Any = csp_replace({"frame-ancestors": ["*"]})(xframe_options_exempt(read))
    shown: Callable[..., HttpResponse] = access("event.see")(framed)
    return shown


def _public_event(slug: str) -> Tournament:
    """An event that is listed for everybody; NotFound "unknown_event" for every other alike."""
    tournament = ask_once(find_event(ANONYMOUS, slug))
    if not _is_public(tournament):
        raise NotFound("unknown_event", _("This event doesn't exist or isn't open to you."))
    return tournament


def _is_public(tournament: Tournament) -> bool:
    return tournament.visibility == Tournament.Visibility.PUBLIC and tournament.state != Tournament.State.DRAFT


def _standings(tournament: Tournament) -> dict[str, Any]:
    rounds = published_rounds(tournament)
    found = standings_of(tournament) if rounds else ()
    shown, policy = found[:MAX_LINES], tournament.scoring_policy
    entries = entries_by_id(tournament, [each.contender for each in shown])
    lines = lines_of_standings(
        shown, entries, Names(tournament), policy, ties=shared_ranks(found), moved={}, cut=()
    )  # fmt: skip
    rows = [(line, line.cells[:COLUMNS]) for line in lines]
    shown_round = rounds[-1] if rounds else None
    played = shown_round is not None and is_played(shown_round)
    return {"round": shown_round, "played": played, "columns": columns_of(policy)[:COLUMNS], "rows": rows}


def _pairings(tournament: Tournament) -> dict[str, Any]:
    rounds = published_rounds(tournament)
    lines = lines_of(rounds[-1], Names(tournament)) if rounds else []
    return {"round": rounds[-1] if rounds else None, "lines": lines[:MAX_LINES], "more": len(lines) > MAX_LINES}


def _bracket(tournament: Tournament) -> dict[str, Any]:
    stages = shown_stages(ANONYMOUS, tournament, BRACKETS)
    shown = shown_bracket(stages[-1]) if stages else None
    return {"parts": parts_of(shown, Names(tournament)) if shown else []}


def _clock(tournament: Tournament) -> dict[str, Any]:
    rounds = published_rounds(tournament)
    return {"round": rounds[-1] if rounds else None}


TITLES = {
    "standings": gettext_lazy("Standings"),
    "pairings": gettext_lazy("Pairings"),
    "bracket": gettext_lazy("Bracket"),
    "clock": gettext_lazy("Clock"),
}
KINDS = {
    "standings": embed("standings", "standings", _standings),
    "pairings": embed("pairings", "pairings", _pairings),
    "bracket": embed("bracket", "bracket", _bracket),
    "clock": embed("clock", "event", _clock),
}
"""The kinds of frames and their views."""


@event_view("desk")
def embeds(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/embed/?theme=: for staff: each frame as it looks, and the lines to copy into another site."""
    said = request.GET.get("theme", "")
    theme = said if said in THEMES else ""
    frames = [
        (kind, TITLES[kind], f"{reverse(f'embed_{kind}', args=[tournament.slug])}{f'?theme={theme}' if theme else ''}")
        for kind in KINDS
    ]
    context = {
        "here": "embeds",
        "theme": theme,
        "frames": [
            (kind, title, address, shared_address(request, address), HEIGHTS[kind]) for kind, title, address in frames
        ],
        "is_public": _is_public(tournament),
    }
    return render_event(request, tournament, "public/embeds/list.html", context)
