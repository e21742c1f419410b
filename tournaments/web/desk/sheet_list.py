"""The score sheets of a round at a glance, for the desk: what came back or waits stands first."""

from django.http import HttpResponse

from accounts.http.requests import ActorRequest
from tournaments.core.rounds import matches_of
from tournaments.models import Match, Tournament
from tournaments.sheets.selectors.sheet_lines import SheetState, sheet_lines
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.match_rows import Names, line_of, published_rounds

URGENCY = {
    SheetState.FAILED: 0, SheetState.RETURNED: 0, SheetState.DISPUTED: 0, SheetState.SIGNING: 1, SheetState.TALLIED: 2,
    SheetState.FILED: 2, SheetState.WRITING: 3, SheetState.NOTHING: 3, SheetState.ANOTHER: 4, SheetState.COUNTS: 4,
}  # fmt: skip
"""What staff look at first in a list of sheets."""


@event_view("desk")
def desk_sheets(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/desk/sheets/?round=N: how far the score sheets of a round are, the newest unless asked."""
    rounds = published_rounds(tournament)
    shown = next(
        (each for each in rounds if str(each.number) == request.GET.get("round")), rounds[-1] if rounds else None
    )
    names, matches = Names(tournament), matches_of(shown) if shown else []
    played = [match for match in matches if match.kind == Match.Kind.PLAYED]
    lines = [(line_of(each.match, names), each) for each in sheet_lines(played)]
    lines.sort(key=lambda pair: (URGENCY[pair[1].state], pair[0].table or 0))
    context = {
        "here": "desk",
        "round": shown,
        "rounds": rounds,
        "lines": lines,
        "counts": sum(each.match.accepted_report_id is not None for _line, each in lines),
    }
    return render_event(request, tournament, "desk/sheets.html", context)
