"""One table as a judge sees it on the phone: who, the clock, results, calls, penalties, and every act by few taps."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.http.access import check_access, is_allowed
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import DomainError
from scoring.sheets.helpers import helpers_of
from scoring.sheets.tallies.registry import has_sheet
from tournaments.core.rounds import current_round
from tournaments.core.service_errors import call_service
from tournaments.decks.selectors.deck_states import DeckState, deck_states
from tournaments.decks.selectors.decks import checks_decks
from tournaments.models import EntryMember, Match, Penalty, ResultReport, Round, Tournament
from tournaments.permissions import member_of, require_staff_reporter
from tournaments.results.forms.scores import Score
from tournaments.results.selectors import accepted_report_of, contradictions_of, pending_of
from tournaments.results.services.stored_reports import Status
from tournaments.room.forms.floor import EXTRA_MINUTES, EXTRA_REASONS, QuickCorrectionForm, QuickScoreForm
from tournaments.room.selectors.calls import call_at
from tournaments.room.selectors.clocks import clock_of
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.web.frame.event_view import event_view
from tournaments.web.judge.floor import render_floor
from tournaments.web.judge.tiles import tile_of
from tournaments.web.shared.calls import can_call
from tournaments.web.shared.lookups import correction_rule, find_match
from tournaments.web.shared.match_reporting import StaffReporting
from tournaments.web.shared.match_rows import MatchRow, Names, describe_report, line_of, score_text, seats_of
from tournaments.web.shared.penalty_words import PenaltyLine, describe_game_losses, effect_of, may_give_penalties


def table_url(tournament: Tournament, match: Match) -> str:
    """The address of a table's page for judges."""
    return reverse("floor_table", args=[tournament.slug, match.pk])


@event_view("floor.see")
@never_cache
@require_http_methods(["GET", "POST"])
def floor_table(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """GET, POST …/floor/table/<match id>/: a table; a usual score, a waiting report or a correction by few taps."""
    line = line_of(find_match(tournament, match_id), Names(tournament))
    forms: dict[str, Any] = {}
    if request.method == "POST" and (act := ACTS.get(request.POST.get("act", ""))) is not None:
        require_staff_reporter(request.actor, tournament, line.match)
        answer = act(request, tournament, line, forms)
        if answer is not None:
            return answer
    return _show(request, tournament, line, forms)


def _facts(line: MatchRow) -> dict[str, Any]:
    stage = line.match.round.stage
    return {"length": stage.match_length, "needs_winner": stage.needs_winner}


def _score(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: dict[str, Any]) -> HttpResponse:
    """A usual score: it counts at once."""
    check_access("result.report", request.actor, tournament)
    form, back = QuickScoreForm(request.POST, **_facts(line)), table_url(tournament, line.match)
    if line.is_table or line.is_bye or not form.is_valid():
        messages.error(request, _("Not saved: this isn't a usual result of this match."))
        return redirect(back)
    try:
        answer = StaffReporting(request, line.match).store(form.result())
    except DomainError as error:
        messages.error(request, error.message)
        return redirect(back)
    if answer.status is Status.CONFLICT:
        messages.warning(request, _("Another result counts already. Correct it if needed."))
    else:
        facts = {"table": line.table or "–", "score": form.chosen().text}
        messages.success(request, _("Table %(table)s: %(score)s is stored.") % facts)
    return redirect(back)


def _confirm(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: dict[str, Any]) -> HttpResponse:
    """A waiting report, or one side of a conflict, counts from now on."""
    check_access("result.report", request.actor, tournament)
    reporting, done = StaffReporting(request, line.match), _("Table %(table)s: settled.") % {"table": line.table or "–"}
    gone = _("This report has been handled. Check the table again.")
    return reporting.confirm(reporting.sent_report(), done, table_url(tournament, line.match), gone)


def _correct(
    request: ActorRequest, tournament: Tournament, line: MatchRow, forms: dict[str, Any]
) -> HttpResponse | None:
    """Another usual score instead of the one that counts."""
    check_access(correction_rule(line.match), request.actor, tournament)
    form = forms["correction"] = QuickCorrectionForm(request.POST, auto_id="correct_%s", **_facts(line))
    if not form.is_valid():
        return None
    reporting, reason, seen = StaffReporting(request, line.match), form.reason_text(), form.cleaned_data["seen"]
    if call_service(form, lambda: reporting.correct(form.result(), reason, database_now(), seen)) is None:
        return None
    messages.success(request, _("Table %(table)s corrected. The standings will update.") % {"table": line.table or "–"})
    return redirect(table_url(tournament, line.match))


ACTS = {"score": _score, "confirm": _confirm, "correct": _correct}


def _show(request: ActorRequest, tournament: Tournament, line: MatchRow, forms: dict[str, Any]) -> HttpResponse:
    match, now = line.match, database_now()
    standing, clock = accepted_report_of(match), clock_of(tournament, now, match)
    clock = clock if clock is not None and clock.round.pk == match.round_id else None
    call, judges = call_at(match), is_allowed("deck.read", request.actor, tournament)
    is_open = tournament.state == Tournament.State.RUNNING and match.round.superseded_at is None
    playable = is_open and match.kind == Match.Kind.PLAYED and not line.is_bye
    own = member_of(request.actor, tournament)
    may_punish = is_open and may_give_penalties(request.actor, tournament)
    context: dict[str, Any] = {
        "here": "floor",
        "line": line,
        "tile": tile_of(line, call, clock),
        "round": match.round,
        "table_clock": clock,
        "call": call,
        "may_call": call is None and can_call(tournament, match),
        "plays_here": own is not None and any(seat.member_id == own.pk for seat in seats_of(match)),
        "pending": [(each, score_text(each), describe_report(each, line.names)) for each in pending_of(match)],
        "against": [(each, score_text(each), describe_report(each, line.names)) for each in contradictions_of(match)],
        "standing": standing,
        "scores": _scores_of(line) if _may_report(match, playable, standing) and not line.is_table else [],
        "may_report": _may_report(match, playable, standing),
        "may_correct": playable and standing is not None and _corrects_here(tournament, match),
        "by_sheet": uses_sheets(tournament),
        "helper": _helper(tournament),
        "extra": [(minutes, match.extra_seconds) for minutes in EXTRA_MINUTES],
        "extra_reasons": EXTRA_REASONS,
        "may_extend": playable and standing is None and match.round.state == Round.State.PUBLISHED,
        "penalties": _penalties(tournament, line),
        "game_losses": describe_game_losses(line),
        "to_punish": _players(line) if may_punish and match.kind == Match.Kind.PLAYED else [],
        "may_take_back": may_punish,
        "decks": _decks(request, tournament, line) if judges and checks_decks(tournament) else [],
        "asks_reason": judges and own is not None,
    }
    if context["may_correct"] and standing is not None and not line.is_table:
        context["correction"] = QuickCorrectionForm(
            None, initial={"seen": standing.pk}, auto_id="correct_%s", **_facts(line)
        )
    return render_floor(request, tournament, "judge/table.html", context | forms)


def _may_report(match: Match, playable: bool, standing: ResultReport | None) -> bool:
    return playable and standing is None and match.round.state == Round.State.PUBLISHED


def _corrects_here(tournament: Tournament, match: Match) -> bool:
    """Later rounds were paired on it otherwise: the page of the match shows first what a correction would move."""
    newest = current_round(tournament)
    return match.round.state == Round.State.PUBLISHED and newest is not None and newest.pk == match.round_id


def _scores_of(line: MatchRow) -> list[tuple[str, str, str]]:
    """Each usual score with its key and in words: what the first wins beside its mirror image, draws last."""
    scores = QuickScoreForm(None, **_facts(line)).scores
    ordered = sorted(scores.items(), key=lambda item: _as_pairs(item[1]))
    return [(key, score.text, _won_by(line, score.won, score.lost)) for key, score in ordered]


def _as_pairs(score: Score) -> tuple[bool, int, bool]:
    return score.won == score.lost, min(score.won, score.lost), score.won < score.lost


def _won_by(line: MatchRow, won: int, lost: int) -> str:
    if won == lost:
        return _("draw")
    return line.names[0] if won > lost else line.names[-1]


def _players(line: MatchRow) -> list[tuple[int, str]]:
    """Number and name of everybody at the table."""
    return [(seat.entry.number, name) for seat, name in zip(seats_of(line.match), line.names, strict=True)]


def _penalties(tournament: Tournament, line: MatchRow) -> list[PenaltyLine]:
    """What everybody at the table was given so far at the event, the newest first."""
    called = dict(zip(line.entries, line.names, strict=True))
    given = Penalty.objects.filter(tournament=tournament, entry__in=line.entries)
    return [
        PenaltyLine(each, called[each.entry_id], effect_of(each))
        for each in given.select_related("entry", "round__stage__tournament")
    ]


def _helper(tournament: Tournament) -> str:
    """The address of the game's score sheet, else of its first helper; empty for a game without either."""
    if has_sheet(tournament.game):
        return reverse("start_sheet", args=[tournament.game])
    return next((each.address for each in helpers_of(tournament.game, keeps_sheet=False)), "")


def _decks(request: ActorRequest, tournament: Tournament, line: MatchRow) -> list[tuple[str, DeckState, bool]]:
    """How the deck of each player at the table is, by name, and whether a judge allowed it; for judges."""
    found = EntryMember.objects.in_bulk([seat.member_id for seat in seats_of(line.match)])
    members = [found[seat.member_id] for seat in seats_of(line.match)]
    states = deck_states(request.actor, tournament, members)
    return [
        (name, states[each.pk], each.deck_allowed_at is not None)
        for name, each in zip(line.names, members, strict=True)
    ]
