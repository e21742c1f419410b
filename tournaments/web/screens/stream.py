"""Overlays for a stream: a transparent page of 1920 × 1080 of the feature table, as far behind as the stream is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from scoring.standings.records import ScoringPolicy
from scoring.standings.standings import Standing
from tournaments.core.parts import RANKING
from tournaments.core.place_words import place_words
from tournaments.models import Match, ResultReport, Tournament
from tournaments.results.selectors import accepted_report_of
from tournaments.room.selectors.feature import MAX_DELAY_SECONDS, MAX_TABLE, Feature, feature_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.page_cache import cached_page
from tournaments.web.screens.rows import from_last_decided
from tournaments.web.shared.bracket_words import MatchCard, levels_of
from tournaments.web.shared.match_rows import Names, line_of
from tournaments.web.shared.standing_lines import cells_of

Kind = ResultReport.Kind
NAMES, STANDINGS, CLOCK, BRACKET = "names", "standings", "clock", "bracket"
TITLES = {
    NAMES: gettext_lazy("Names and score"),
    STANDINGS: gettext_lazy("Lines of the standings"),
    CLOCK: gettext_lazy("Clock"),
    BRACKET: gettext_lazy("Bracket"),
}
"""What an overlay may show."""
USUAL = (NAMES, STANDINGS, CLOCK)
REFRESH_SECONDS = 10
"""Of a page without scripts."""
MAX_LEVELS = 2
"""Levels of a bracket that fit beside a game: the one being played, and the one before or after it."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What an overlay shows, as its address says."""

    parts: tuple[str, ...]
    table: int | None = None
    delay: int = 0
    is_light: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One seat of the feature table; the texts are empty while there is nothing to say."""

    name: str
    score: str
    standing: str
    has_won: bool


def overlay_of(request: HttpRequest) -> Overlay:
    """What an address asks for; what it does not say, or says wrongly, is as usual."""
    asked = [part for value in request.GET.getlist("show") for part in value.split(",")]
    table = asked_number(request, "table", MAX_TABLE)
    delay = asked_number(request, "delay", 9999) or 0
    return Overlay(
        tuple(part for part in TITLES if part in asked) or USUAL,
        table or None, min(delay, MAX_DELAY_SECONDS), request.GET.get("theme") == "light",
    )  # fmt: skip


@event_view("event.see")
@cached_page(*RANKING)
def stream(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/stream/?table=4&show=names,clock&delay=30&theme=light: what is public of a table, for a stream."""
    overlay = overlay_of(request)
    names, feature = Names(tournament), feature_of(tournament, overlay.table, overlay.delay, database_now())
    context = {
        "overlay": overlay,
        "refresh_seconds": REFRESH_SECONDS,
        "feature": feature,
        "clock": feature.clock,
        "sides": _sides(feature, names, tournament.scoring_policy),
        "words": _words(feature, names),
        "levels": _levels(feature, names) if BRACKET in overlay.parts else (),
    }
    return render_event(request, tournament, "screens/stream.html", context)


def _sides(feature: Feature, names: Names, policy: ScoringPolicy) -> Sequence[Side]:
    """The seats of the feature table in their order."""
    if feature.match is None:
        return ()
    line, scores = line_of(feature.match, names), _scores(feature.match)
    ranked = {row.entry.pk: row.standing for row in feature.standings}
    return [
        Side(name, scores.get(entry, ""), _standing_words(ranked.get(entry), policy), place in line.winners)
        for place, (name, entry) in enumerate(zip(line.names, line.entries, strict=True))
    ]


def _words(feature: Feature, names: Names) -> str:
    """How a match ended that was not played out; empty for every other."""
    report = accepted_report_of(feature.match) if feature.match else None
    return line_of(feature.match, names).words if feature.match and report and report.kind != Kind.PLAYED else ""


def _scores(match: Match) -> Mapping[int, str]:
    """Games won, or the place at a table of several players, by entry; empty while nothing is accepted."""
    report = accepted_report_of(match)
    if report is None or report.kind not in (Kind.PLAYED, Kind.NO_SHOW):
        return {}
    seats = {seat.pk: seat.entry_id for seat in match.seats.all()}
    rows = report.seat_results.all()
    return {seats[row.seat_id]: place_words(row.placing) if row.placing else str(row.games_won) for row in rows}


def _standing_words(standing: Standing | None, policy: ScoringPolicy) -> str:
    """Rank, and the value that ranks first: “2 · 9 Pts”."""
    if standing is None:
        return ""
    first = [f"{cell.text} {cell.label}" for cell in cells_of(standing, policy)[:1]]
    return " · ".join((_("Rank %(rank)d") % {"rank": standing.rank}, *first))


def _levels(feature: Feature, names: Names) -> list[tuple[str, list[MatchCard]]]:
    return from_last_decided(levels_of(feature.bracket, names))[:MAX_LEVELS] if feature.bracket else []
