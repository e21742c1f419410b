"""What a player does to the own match: reports it, confirms or disputes what somebody else at the table reported."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import ordinal
from django.http import HttpResponse
from django.utils.translation import gettext as _

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import Conflict
from scoring.standings.records import Outcome
from scoring.standings.results import MatchResult, ResultKind
from tournaments.core.service_errors import call_service
from tournaments.models import ResultReport, Tournament
from tournaments.results.forms.results import FIELD_FOR_ERROR, OtherReportForm, ReportForm
from tournaments.results.forms.scores import Score
from tournaments.results.forms.table_results import TableReportForm
from tournaments.results.selectors import accepted_report_of
from tournaments.results.services import ReportAnswer, Status, as_result, confirm_report, dispute_report, report_result
from tournaments.web.frame.actions import run_action, tell_disagreement
from tournaments.web.player.own_match import Table
from tournaments.web.shared.game_words import games_offered
from tournaments.web.shared.match_rows import Names, seats_of, told_to

ASKED = "X-Asked"
"""Header of an answer that stored nothing and shows two values to choose from: the entry stays on the phone."""
SENT_BY_SCRIPT = "X-Unsent"
AnyReportForm = ReportForm | OtherReportForm | TableReportForm


def answer_report(request: ActorRequest, table: Table, back: str) -> HttpResponse:
    """Confirm or dispute the report that the page showed, and go `back`; another one by now is told."""
    now, report = database_now(), next(iter(table.theirs), None)

    def act() -> None:
        if report is None or str(report.pk) != request.POST.get("report"):
            raise Conflict("not_waiting", _("Another report came in for this match; look at it again."))
        if request.POST["act"] == "confirm":
            confirm_report(request.actor, report, now, seat=table.seat)
        else:
            dispute_report(request.actor, report, request.POST.get("reason", ""), now)

    confirmed = request.POST["act"] == "confirm"
    disputed = _("Noted: the report is wrong. A judge will come to you.")
    done = _("Confirmed. The result counts.") if confirmed else disputed
    return run_action(request, act, done, back, tell=messages.success if confirmed else tell_disagreement)


def bound_forms(request: ActorRequest, tournament: Tournament, table: Table) -> dict[str, Any]:
    """The one form of the page that was sent, under its name there."""
    if table.is_table:
        return {"table_form": TableReportForm(request.POST, **table_facts(table, Names(tournament)))}
    if request.POST.get("act") == "other":
        return {"other_form": OtherReportForm(request.POST, **other_facts(tournament, table, Names(tournament)))}
    return {"form": ReportForm(request.POST, **form_facts(table))}


def form_facts(table: Table) -> dict[str, Any]:
    """What every form of a result needs: the match, and how many games it takes."""
    return {"match": table.match.pk, "length": table.match.round.stage.match_length}


def table_facts(table: Table, names: Names) -> dict[str, Any]:
    """What the form of a table of several players needs."""
    called = [names(seat.entry) for seat in seats_of(table.match)]
    return {**form_facts(table), "names": called, "counts_scores": names.counts_scores}


def other_facts(tournament: Tournament, table: Table, names: Names) -> dict[str, Any]:
    """What the form of everything else needs too: both players as the reporter calls them, in seat order."""
    facts = {**form_facts(table), "place": min(table.place, 1)}
    if table.other is None:
        return facts
    pair = (_("You"), names(table.other.entry))
    offered = games_offered(tournament, table.match)
    return {**facts, "names": pair[::-1] if table.place else pair, "offered": offered}


def send_report(request: ActorRequest, table: Table, form: AnyReportForm) -> ReportAnswer | None:
    """Report what a valid form says; None where it was refused, which the form then tells."""
    result, now = form.result(table.place), database_now()
    return call_service(
        form, lambda: report_result(request.actor, table.match, result, now, seat=table.seat), FIELD_FOR_ERROR
    )


def after_report(answer: ReportAnswer, table: Table) -> str:
    """What the reporter is told of a report that was stored."""
    if answer.status is Status.STANDING:
        return _("The result counts.")
    if answer.status is Status.CONFLICT:
        return (
            _("Somebody at your table reported something else. A judge or the desk settles it.")
            if table.is_table
            else _("Your opponent reported something else. A judge or the desk settles it.")
        )
    if table.is_table:
        return _("Sent. It counts as soon as somebody else at your table confirms it.")
    return _("Sent. It counts as soon as your opponent confirms it.")


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
        "rival_words": told_to(rival, table.place),
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
