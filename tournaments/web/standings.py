"""Standings for everybody: every line with its tiebreakers, as a page and as CSV."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from scoring.records import ScoringPolicy
from scoring.standings import Standing, decimal_text
from scoring.tiebreakers import TIEBREAKERS, Tiebreaker
from tournaments.exports import standings_csv as as_csv
from tournaments.models import Match, Tournament
from tournaments.permissions import member_of
from tournaments.selectors.standings import StandingRow, standing_rows
from tournaments.web.edge import ActorRequest, event_page, render_event
from tournaments.web.lines import Names, published_rounds

IN_OTHER_COLUMNS = ("match_points", "wins")


@dataclass(frozen=True, slots=True)
class Cell:
    """A tiebreaker's value in a standings line: short, and exact."""

    label: str
    text: str
    exact: str


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line of the standings as shown; `tied` where the rank is shared."""

    row: StandingRow
    name: str
    tied: bool
    cells: tuple[Cell, ...]


@event_page("event.see")
@require_safe
def standings(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/standings/: ranks after the results so far, with every tiebreaker in the event's order."""
    rounds = published_rounds(tournament)
    rows = standing_rows(tournament) if rounds else []
    policy, names = tournament.scoring_policy, Names(tournament)
    columns = columns_of(policy)
    ranks = [row.standing.rank for row in rows]
    tied = _repeated(ranks)
    member = member_of(request.actor, tournament)
    context = {
        "here": "standings",
        "columns": columns,
        "lines": [
            StandingLine(row, names(row.entry), row.standing.rank in tied, _cells(row.standing, columns, policy))
            for row in rows
        ],
        "my_entry": member.entry_id if member else None,
        "round": rounds[-1] if rounds else None,
        "missing": Match.objects.filter(round=rounds[-1]).exclude(state=Match.State.DONE).count() if rounds else 0,
    }
    return render_event(request, tournament, "events/standings.html", context)


def _repeated(ranks: list[int]) -> set[int]:
    """Ranks that stand more than once; equal ranks are neighbours."""
    return {one for one, other in pairwise(ranks) if one == other}


def columns_of(policy: ScoringPolicy) -> list[Tiebreaker]:
    """The tiebreakers shown: the event's in their order, then the percentages it does not rank by."""
    keys = [key for key in policy.tiebreakers if key not in IN_OTHER_COLUMNS]
    return [TIEBREAKERS[key] for key in (*keys, *(key for key in ("omw", "gw", "ogw") if key not in keys))]


def _cells(standing: Standing, columns: list[Tiebreaker], policy: ScoringPolicy) -> tuple[Cell, ...]:
    values = dict(zip(policy.tiebreakers, standing.keys, strict=True))
    values |= {"omw": standing.omw, "gw": standing.gw, "ogw": standing.ogw}
    return tuple(_cell(column, values[column.key]) for column in columns)


def _cell(column: Tiebreaker, value: Fraction) -> Cell:
    short = column.abbreviation.rstrip("%")
    if not column.percentage:
        return Cell(short, str(value), str(value))
    return Cell(short, decimal_text(value * 100, 1), f"{column.name}: {value} = {decimal_text(value * 100, 6)} %")


@event_page("event.see")
@require_safe
def standings_csv(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/standings.csv: the same lines for a spreadsheet, percentages as decimals of 1."""
    rows = standing_rows(tournament) if published_rounds(tournament) else []
    text = as_csv(rows, tournament.scoring_policy.decimals)
    response = HttpResponse(text.encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}-standings.csv"'
    return response
