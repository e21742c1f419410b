"""What a player does to the own match: reports it, confirms or disputes what somebody else at the table reported."""

from dataclasses import replace
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from scoring.standings.records import Outcome
from scoring.standings.results import MatchResult, ResultKind
from tournaments.models import ResultReport
from tournaments.results.forms.scores import Score
from tournaments.results.selectors import accepted_report_of
from tournaments.results.services.stored_reports import as_result
from tournaments.web.player.own_match import Table
from tournaments.web.shared.match_reporting import AnyReportForm
from tournaments.web.shared.match_rows import describe_report_to

ASKED = "X-Asked"
"""Header of an answer that stored nothing and shows two values to choose from: the entry stays on the phone."""
SENT_BY_SCRIPT = "X-Unsent"


def rival_of(request: ActorRequest, table: Table, form: AnyReportForm) -> ResultReport | None:
    """A report that says something else than a valid form and that the page it came from had not shown.

    The page says by `seen` how many reports it had shown; a form without it is not asked about.
    """
    seen = posted_number(request, "seen")
    if seen is None or seen == table.newest:
        return None
    told, standing = replace(form.result(table.place), games=()), accepted_report_of(table.match)
    held = [standing] if standing else [*table.theirs, *table.own]
    return None if any(as_result(report) == told for report in held) else next(iter(held), None)


def two_values(request: ActorRequest, table: Table, form: AnyReportForm, rival: ResultReport) -> dict[str, Any]:
    """What the page needs that shows both values side by side: neither is merged into the other, nothing is stored."""
    left_out = ("csrfmiddlewaretoken", "idempotency_key", "seen")
    fields = [(name, value) for name, values in request.POST.lists() for value in values if name not in left_out]
    return {
        "phase": "two_values",
        "rival": rival,
        "rival_counts": rival.pk == table.match.accepted_report_id,
        "rival_is_own": rival.by_seat_id == table.seat.pk,
        "rival_words": describe_report_to(rival, table.place),
        "sent_words": words_of(form.result(table.place), table.place),
        "sent_fields": fields,
        "sent_key": request.POST.get("idempotency_key", ""),
    }


def words_of(result: MatchResult, place: int) -> str:
    """A result that is not stored, as a sentence to the player at `place`."""
    outcome = result.outcomes[place]
    if result.placings:
        absent = place in result.absent
        return _("You did not come") if absent else _("You came %(place)s") % {"place": ordinal(result.placings[place])}
    if result.kind is ResultKind.INTENTIONAL_DRAW:
        return _("You agreed on a draw")
    lost = sum(won for other, won in enumerate(result.games_won) if other != place)
    score = {"score": Score(result.games_won[place], lost, result.games_drawn).text}
    if result.kind is ResultKind.NO_SHOW:
        return _("Your opponent did not come: you win %(score)s") % score
    sentence = {
        Outcome.WIN: _("You won %(score)s"),
        Outcome.DRAW: _("Draw, %(score)s"),
        Outcome.LOSS: _("You lost %(score)s"),
    }
    return sentence[outcome] % score
