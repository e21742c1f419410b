"""One match as staff see it, at the desk and on their feet: the result by a tap, then every other act they may do."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import check_access, is_allowed
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from journal.clock import database_now
from scoring.sheets.helpers import helpers_of
from scoring.sheets.tallies.registry import has_sheet
from scoring.standings.results import MatchResult
from tournaments.core.forms import ReasonForm
from tournaments.core.round_names import round_name
from tournaments.decks.selectors.deck_states import DeckState, deck_states
from tournaments.decks.selectors.decks import checks_decks
from tournaments.entries.selectors.entries import around_the_table, plays_in_teams
from tournaments.models import EntryMember, Match, ReportAct, ResultReport, Round, Tournament
from tournaments.permissions import member_of, require_staff_reporter
from tournaments.results.forms.results import StaffResultForm
from tournaments.results.selectors import accepted_report_of, contradictions_of, is_of_one_phone, pending_of
from tournaments.results.services.corrections import keep_result
from tournaments.results.services.reports import why_not_agree
from tournaments.results.services.stored_reports import ReportAnswer, Status, as_result
from tournaments.room.forms import EXTRA_MINUTES, EXTRA_REASONS
from tournaments.room.selectors.calls import call_at
from tournaments.room.selectors.clocks import clock_of
from tournaments.room.selectors.no_shows import no_show_at
from tournaments.sheets.selectors.sheet_lines import sheet_line
from tournaments.sheets.selectors.sheets import signatures_of, uses_sheets
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.calls import can_call
from tournaments.web.shared.deck_ready import stacking_context
from tournaments.web.shared.floor_look import look_of
from tournaments.web.shared.game_words import describe_games
from tournaments.web.shared.impact import CORRECT, EDIT, PendingChange, preview_or_apply, step_of
from tournaments.web.shared.impact_words import typed_result
from tournaments.web.shared.lookups import correction_rule, desk_of, find_match, floor_match_url
from tournaments.web.shared.match_reporting import StaffReporting
from tournaments.web.shared.match_rows import MatchRow, Names, describe_report, line_of, score_text, seats_of
from tournaments.web.shared.need_words import shown_needs
from tournaments.web.shared.penalty_words import describe_game_losses, may_give_penalties, shown_penalties
from tournaments.web.shared.tiles import tile_of

Forms = dict[str, Any]


@event_view("desk", "GET", "POST", fresh=True)
def match(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """GET, POST …/match/<id>/?from=floor: report, confirm, settle, correct, uphold; NotFound where it is not out.

    Who came `from` the floor stays at the match after an act and goes back there; everybody else to the desk.
    """
    line = line_of(find_match(tournament, match_id), Names(tournament))
    forms: Forms = {}
    if request.method == "POST":
        require_staff_reporter(request.actor, tournament, line.match)
        act = ACTS.get(request.POST.get("act", ""))
        answer = act(request, tournament, line, forms) if act is not None else None
        if answer is not None:
            return answer
        line = line_of(find_match(tournament, match_id), Names(tournament))
    return _show(request, tournament, line, forms)


def _is_on_floor(request: ActorRequest, tournament: Tournament) -> bool:
    return request.GET.get("from") == "floor" and is_allowed("floor.see", request.actor, tournament)


def _back(request: ActorRequest, tournament: Tournament, line: MatchRow) -> str:
    """To the desk while the round is played there, else to the match."""
    if _is_on_floor(request, tournament):
        return floor_match_url(tournament, line.match)
    if line.match.round.state == Round.State.PUBLISHED and line.table:
        return desk_of(tournament, line.match.round, last=line.match.pk)
    return reverse("match", args=[tournament.slug, line.match.pk])


def _report(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse | None:
    """A tapped or typed result counts at once."""
    check_access("result.report", request.actor, tournament)
    reporting = StaffReporting(request, line)
    form = forms["form"] = reporting.sent_form()
    if not form.is_valid():
        return None
    answer = call_service(form, lambda: reporting.store(form.result()))
    if answer is None:
        return None
    if answer.status is Status.CONFLICT:
        messages.warning(request, _("Another result is accepted: keep or correct it."))
        return redirect(request.get_full_path())
    messages.success(request, _("Table %(table)s: saved.") % {"table": line.table})
    return redirect(_back(request, tournament, line))


def _confirm(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse:
    """A waiting report, or one side of a conflict, counts from now on."""
    check_access("result.report", request.actor, tournament)
    reporting = StaffReporting(request, line)
    report = reporting.sent_report()
    words = describe_report(report, line.names) if report is not None else ""
    done = _("Table %(table)s: settled, %(words)s.") % {"table": line.table, "words": words}
    return reporting.confirm(done, _back(request, tournament, line) if report else request.get_full_path())


def _correct(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse | None:
    check_access(correction_rule(line.match), request.actor, tournament)
    reporting = StaffReporting(request, line)
    form = forms["form"] = reporting.sent_form(corrects=True)
    if step_of(request) == EDIT or not form.is_valid():
        return None
    reason, seen = form.cleaned_data["reason"], form.cleaned_data["seen"]

    def act(now: datetime) -> ReportAnswer:
        return reporting.correct(form.result(), reason, now, seen)

    change = _correction(request, line, form.result(), reason)
    answer = preview_or_apply(request, tournament, change, act, form, step=step_of(request))
    if not isinstance(answer, ReportAnswer):
        return answer
    done = _("Table %(table)s corrected. The standings will update.")
    messages.success(request, done % {"table": line.table or "–"})
    return redirect(_back(request, tournament, line))


def _correction(request: ActorRequest, line: MatchRow, result: MatchResult, reason: str) -> PendingChange:
    """What a correction is about, for the page that shows what it would move."""
    where = {"table": line.table or "–", "round": round_name(line.match.round)}
    instead = _("%(after)s instead of %(before)s") % {"after": typed_result(result), "before": line.score}
    facts = ((" – ".join(line.names), instead), (_("Reason"), reason))
    return PendingChange(
        _("%(round)s, table %(table)s: correct it?") % where,
        facts,
        CORRECT,
        _("%(round)s, table %(table)s, corrected: %(reason)s") % {**where, "reason": reason},
        request.get_full_path(),
        edits=True,
        tells_players=True,
    )


def _uphold(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse | None:
    check_access(correction_rule(line.match), request.actor, tournament)
    form = forms["uphold_form"] = ReasonForm(request.POST, auto_id="uphold_%s")
    if not form.is_valid():
        return None
    reason, seen = form.cleaned_data["reason"], posted_number(request, "seen")
    if call_service(form, lambda: keep_result(request.actor, line.match, reason, database_now(), seen=seen)) is None:
        return None
    messages.success(request, _("Table %(table)s: the result stays.") % {"table": line.table})
    return redirect(_back(request, tournament, line))


ACTS = {"report": _report, "confirm": _confirm, "correct": _correct, "uphold": _uphold}


def _show(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: Forms) -> HttpResponse:
    found, actor = line.match, request.actor
    counts, on_floor = accepted_report_of(found), _is_on_floor(request, tournament)
    is_open = tournament.state == Tournament.State.RUNNING and found.round.superseded_at is None
    playable = is_open and found.kind == Match.Kind.PLAYED and not line.is_bye
    correctable = playable or (is_open and found.is_walkover)
    is_published = found.round.state == Round.State.PUBLISHED
    form = forms.pop("form", None) or (StaffReporting(request, line).fresh_form() if correctable else None)
    context: dict[str, Any] = {
        "here": "floor" if on_floor else "desk",
        "on_floor": on_floor,
        "look": look_of(request) if on_floor else "",
        "line": line,
        "round": found.round,
        "around": around_the_table(tournament, [seat.entry for seat in seats_of(found)]),
        "may_report": playable and counts is None and is_published,
        "may_correct": correctable and counts is not None and is_allowed(correction_rule(found), actor, tournament),
        "is_played": found.kind == Match.Kind.PLAYED,
        "form": form,
        "uphold_form": ReasonForm(auto_id="uphold_%s"),
        "swapped": form.swapped(as_result(counts)) if counts and isinstance(form, StaffResultForm) else None,
        "sheet_line": sheet_line(found) if playable and uses_sheets(tournament) else None,
        "helper": "" if uses_sheets(tournament) else _helper(tournament),
        "needs": shown_needs(actor, found.round, found),
        **_reports_context(actor, line, counts),
        **_room_context(actor, tournament, line),
        **_penalty_context(actor, tournament, line, is_open=is_open),
        **stacking_context(actor, tournament, found, Names(tournament)),
    }
    context["may_extend"] = playable and counts is None and is_published and is_allowed(
        "match.extra_time", actor, tournament
    )  # fmt: skip
    return render_event(request, tournament, "shared/match.html", context | forms)


def _reports_context(actor: Actor, line: MatchRow, counts: ResultReport | None) -> dict[str, Any]:
    """What was reported: what matters now, and what was replaced."""
    pending, against = pending_of(line.match), contradictions_of(line.match)
    reports = [_report_context(line, report, counts, pending, against) for report in line.match.reports.all()]
    for each in reports:
        waits = each["state"] == "waits"
        each["why_not_agree"] = why_not_agree(actor, each["report"], seats_of(line.match), None) if waits else ""
    return {
        "counts": counts,
        "pending": len(pending),
        "against": against,
        "reports": [each for each in reports if each["state"] != "past"],
        "earlier_reports": [each for each in reports if each["state"] == "past"],
        "one_phone": is_of_one_phone(line.match, signatures_of(line.match)),
    }


def _report_context(
    line: MatchRow,
    report: ResultReport,
    counts: ResultReport | None,
    pending: list[ResultReport],
    against: list[ResultReport],
) -> dict[str, Any]:
    """One report with who, when, what, why, and what was done to it."""
    groups = (("stands", [counts]), ("waits", pending), ("against", against))
    return {
        "report": report,
        "score": score_text(report),
        "words": describe_report(report, line.names),
        "games": describe_games(line.match.round.stage.tournament, report, line.names),
        "state": next((name for name, members in groups if report in members), "past"),
        "acts": [(act, ReportAct.Name(act.name).label) for act in report.acts.all()],
    }


def _room_context(actor: Actor, tournament: Tournament, line: MatchRow) -> dict[str, Any]:
    """The table's clock, its open call, the viewer's own seat there, and the decks for judges."""
    match, own = line.match, member_of(actor, tournament)
    now = database_now()
    clock, call = clock_of(tournament, now, match), call_at(match)
    clock = clock if clock is not None and clock.round.pk == match.round_id else None
    reads_decks = checks_decks(tournament) and is_allowed("deck.read", actor, tournament)
    no_show = no_show_at(match, call, now)
    return {
        "no_show": no_show,
        "missing": [line.players[place] for place in no_show.absent] if no_show else [],
        "tile": tile_of(line, call, clock),
        "table_clock": clock,
        "call": call,
        "may_answer": call is not None and is_allowed("call.answer", actor, tournament),
        "may_call": call is None and can_call(tournament, match),
        "plays_here": own is not None and any(seat.entry_id == own.entry_id for seat in seats_of(match)),
        "extra_minutes": EXTRA_MINUTES,
        "extra_reasons": EXTRA_REASONS,
        "decks": _decks(actor, tournament, line) if reads_decks else [],
        "asks_reason": own is not None,
    }


def _penalty_context(actor: Actor, tournament: Tournament, line: MatchRow, *, is_open: bool) -> dict[str, Any]:
    gives = is_open and may_give_penalties(actor, tournament)
    numbers = [number for number, _name in line.players] if gives and line.match.kind == Match.Kind.PLAYED else []
    return {
        "game_losses": describe_game_losses(line),
        "penalties": shown_penalties(actor, tournament, line),
        "to_punish": list(zip(numbers, line.short_names, strict=False)),
        "may_take_back": may_give_penalties(actor, tournament),
    }


def _helper(tournament: Tournament) -> str:
    """The address of the game's score sheet, else of its first helper; empty for a game without either."""
    if has_sheet(tournament.game):
        return reverse("start_sheet", args=[tournament.game])
    return next((each.address for each in helpers_of(tournament.game, keeps_sheet=False)), "")


def _decks(actor: Actor, tournament: Tournament, line: MatchRow) -> list[tuple[str, DeckState, bool]]:
    """How the deck of each player at the table is, by name, and whether a judge allowed it; for judges."""
    names = dict(zip((seat.entry_id for seat in seats_of(line.match)), line.names, strict=True))
    found = EntryMember.objects.filter(entry__in=names).select_related("person")
    members = sorted(found, key=lambda each: (list(names).index(each.entry_id), each.order))
    states, teams = deck_states(actor, tournament, members), plays_in_teams(tournament)
    return [
        (each.person.name if teams else names[each.entry_id], states[each.pk], each.deck_allowed_at is not None)
        for each in members
    ]
