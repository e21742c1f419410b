"""The forms of a player's match as all players are given them: rendered once, with what is one player's put in.

Rendering them takes longer than everything else on the page. What differs from player to player (names, numbers) has a
stand-in each, made of what no text can hold (`tournaments.web.live.marks`).
"""

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.kept_answers import keep, keeps_answers
from tournaments.models import Tournament
from tournaments.penalties.selectors import penalties_at
from tournaments.results.forms.results import OtherReportForm, ReportForm
from tournaments.room.forms import CallForm
from tournaments.web.live.marks import MARKS, mark
from tournaments.web.shared.calls import TableCall
from tournaments.web.shared.game_words import games_offered
from tournaments.web.shared.match_reporting import SeatReporting


def report_forms(tournament: Tournament, table: SeatReporting, opponent: str, *, stacking_leads: bool) -> SafeString:
    """The forms in which a match of two is reported, unsent; "" where a page has them rendered for itself."""
    if not keeps_answers(tournament) or table.other is None or table.is_table or table.match.table_number is None:
        return SafeString()
    penalties = penalties_at(table.match, table.seats)
    if penalties.game_losses or penalties.match_losses:  # some scores are not offered
        return SafeString()
    stage, place = table.match.round.stage, table.place or 0

    def context() -> dict[str, Any]:
        facts: dict[str, Any] = {"match": 0, "length": stage.match_length}
        names = [_("You"), _("You")]
        names[1 - place] = mark("opponent")
        offered = games_offered(tournament, table.match)
        return {
            "table": _Seen(mark("match"), mark("table"), mark("newest")),
            "opponent": mark("opponent"),
            "stacking_leads": stacking_leads,
            "form": ReportForm(None, needs_winner=stage.needs_winner, **facts),
            "other_form": OtherReportForm(
                None,
                place=place,
                names=(names[0], names[1]),
                offered=offered,
                counts_scores=tournament.counts_scores,
                **facts,
            ),
        }

    key = ("report", stage.pk, place, stacking_leads)
    values = {
        "opponent": opponent, "match": table.match.pk, "table": table.match.table_number, "newest": table.newest,
    }  # fmt: skip
    return _kept(tournament, "player/parts/report.html", key, context, values)


def call_forms(tournament: Tournament, call: TableCall | None) -> SafeString:
    """The form that calls a judge to a table which has not called one; "" where a page has it rendered for itself."""
    if not keeps_answers(tournament) or call is None or call.call is not None:
        return SafeString()

    def context() -> dict[str, Any]:
        seen = SimpleNamespace(table_number=mark("table"))
        form = CallForm(auto_id="call_%s")
        return {"table_call": {"match": seen, "back": mark("back"), "address": mark("address"), "form": form}}

    values = {"table": call.match.table_number, "back": call.back, "address": call.address}
    return _kept(tournament, "shared/call_judge_form.html", ("call",), context, values)


class _Seen:
    """What the forms ask of a seat's reporting."""

    is_table = by_code = False

    def __init__(self, match: object, table: object, newest: object) -> None:
        self.match, self.newest = SimpleNamespace(pk=match, table_number=table), newest


def _kept(
    tournament: Tournament,
    template: str,
    key: tuple[object, ...],
    context: Callable[[], dict[str, Any]],
    values: Mapping[str, object],
) -> SafeString:
    """A template rendered once a language and key, with the values of one player in their places."""
    html = keep(
        tournament,
        (template, get_language(), *key),
        lambda: str(render_to_string(template, {**MARKS, **context()})),
    )
    for name, value in values.items():
        html = html.replace(mark(name), escape(value))
    return SafeString(html)
