"""What would have been: the standings by other rules, rounds, cut or with another result. Nothing is stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from scoring.standings.records import MatchRecord, ScoringPolicy
from tournaments.core.round_names import round_name
from tournaments.core.rounds import with_all
from tournaments.models import Match, Tournament
from tournaments.results.forms.scores import Score
from tournaments.standings.forms.what_if import WhatIfForm
from tournaments.standings.selectors.lists import entries_by_id
from tournaments.standings.selectors.what_if import Supposed, SupposedLine, suppose
from tournaments.standings.words import name_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.match_rows import Names, line_of, published_rounds
from tournaments.web.shared.standing_lines import Cell, cells_of, columns_of
from tournaments.web.shared.standing_words import points_sentence, scoring_sentence

LINES_A_PAGE = 200


@dataclass(frozen=True, slots=True)
class Line:
    """A line supposed, with its entry's number and name, its values, and by what it stands below the one above."""

    supposed: SupposedLine
    number: int
    name: str
    cells: tuple[Cell, ...]
    decided_by: str


@event_view("desk")
def what_if(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/what-if/?rules=…&win=…&draw=…&loss=…&tiebreaker_1=…&after=N&cut=N&page=N: how it would stand.

    With in_round=N&at_table=N&result=2-1 also with another result of that match.
    """
    rounds = published_rounds(tournament)
    numbers = [(each.number, round_name(each)) for each in rounds[:-1] if not each.stage.is_bracket]
    played = [(each.number, round_name(each)) for each in rounds]
    form = WhatIfForm(request.GET or None, tournament=tournament, rounds=numbers, played=played)
    policy = tournament.scoring_policy
    context: dict[str, Any] = {"here": "standings", "form": form, "has_rounds": bool(rounds)}
    if rounds and (not form.is_bound or form.is_valid()):
        supposed = form.supposed(policy) if form.is_bound else Supposed(policy)
        found = suppose(tournament, rounds[-1].number, supposed)
        page = Paginator(found.lines, LINES_A_PAGE).get_page(request.GET.get("page"))
        context |= {
            "moved": found.moved,
            "page": page,
            "columns": columns_of(found.policy),
            "lines": _lines(tournament, page.object_list, found.policy),
            "last_in": next((each.standing.contender for each in reversed(found.lines) if each.in_cut), None),
            "other_results": _other_results(tournament, supposed),
            "rules_now": f"{scoring_sentence(policy)} {points_sentence(policy)}",
            "rules_then": f"{scoring_sentence(found.policy)} {points_sentence(found.policy)}",
        }
    return render_event(request, tournament, "organiser/what_if.html", context)


def _other_results(tournament: Tournament, supposed: Supposed) -> list[str]:
    """Each result that is supposed, and the one that counts."""
    names = Names(tournament) if supposed.results else None
    matches = with_all(Match.objects.filter(pk__in=supposed.results)) if names else ()
    return [
        _("%(round)s, table %(table)s, %(players)s: %(then)s instead of %(now)s.")
        % {
            "round": round_name(match.round), "table": match.table_number, "players": " – ".join(row.names),
            "then": _score_of(supposed.results[match.pk]), "now": row.score or _("no result"),
        }
        for match in matches
        if names and (row := line_of(match, names))
    ]  # fmt: skip


def _score_of(record: MatchRecord) -> str:
    """Places at a table of several, else games as they are written."""
    if any(seat.placing is not None for seat in record.seats):
        return " · ".join(str(seat.placing) for seat in record.seats)
    first, second = (seat.games_won for seat in record.seats)
    return Score(first, second, record.games_drawn).text


def _lines(tournament: Tournament, shown: Iterable[SupposedLine], policy: ScoringPolicy) -> list[Line]:
    entries = entries_by_id(tournament, [each.standing.contender for each in shown])
    names = Names(tournament)
    return [
        Line(
            each, entry.number, names(entry), cells_of(each.standing, policy),
            name_of(each.decided_by) if each.decided_by else "",
        )
        for each in shown
        if (entry := entries.get(each.standing.contender))
    ]  # fmt: skip
