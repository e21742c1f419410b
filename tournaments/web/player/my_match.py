"""The page of a player's match: what it is about now, and all that its player is shown beside it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.http.access import check_access, is_allowed
from accounts.http.requests import ActorRequest
from rules_engine.errors import Conflict
from scoring.sheets.helpers import helpers_of
from scoring.standings.standings import Standing
from tournaments.core.parts import FACTS, RANKING, ROUNDS
from tournaments.decks.selectors.deck_states import own_deck
from tournaments.decks.selectors.deck_view import deck_view
from tournaments.decks.selectors.decks import checks_decks
from tournaments.decks.selectors.drafts import makes_decks_at_tables
from tournaments.entries.selectors.entries import around_the_table, plays_in_teams
from tournaments.entries.selectors.pairing_constraints import own_needs
from tournaments.kept_answers import time_of_reading
from tournaments.models import Entry, EntryMember, ResultReport, Tournament
from tournaments.penalties.selectors import own_penalties
from tournaments.permissions import check_issuer, withdrawn_entry_of
from tournaments.results.selectors import accepted_report_of
from tournaments.room.selectors.clocks import clock_of
from tournaments.sheets.selectors.sheet_lines import sheet_line
from tournaments.sheets.selectors.sheets import uses_sheets
from tournaments.standings.selectors.standings import standings_of
from tournaments.structure.selectors.stages import current_stage
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.page_cache import cached_page, shared_value
from tournaments.web.player.kept_forms import call_forms, report_forms
from tournaments.web.player.own_match import earlier_tables, own_member, table_of
from tournaments.web.player.own_notices import own_notices
from tournaments.web.player.phases import comes_next, open_phase, phase_of, plays_on
from tournaments.web.player.reports import ASKED, SENT_BY_SCRIPT, rival_of, two_values
from tournaments.web.shared.calls import call_context
from tournaments.web.shared.deck_ready import stacking_context
from tournaments.web.shared.event_lines import own_reopening
from tournaments.web.shared.game_words import describe_games, goes_first
from tournaments.web.shared.match_reporting import SeatReporting
from tournaments.web.shared.match_rows import (
    Names,
    line_of,
    published_rounds,
    score_text,
    seats_of,
)
from tournaments.web.shared.penalty_words import describe_game_losses, effect_of

RANKED_BY = (*RANKING, FACTS, ROUNDS)
KEPT_FOR = "X-Keep"
"""Header that lets a browser's service worker keep a page for when there is no connection; names whose page it is."""


def _ranks_again(request: ActorRequest, tournament: Tournament) -> str | None:
    """What results of others change of the player's match: who is where in the standings, and in a bracket far more.

    Score sheets and drafts at tables are saved without an act in the log.
    """
    if tournament.state != Tournament.State.RUNNING or not is_allowed("entry.own", request.actor, tournament):
        return None
    if uses_sheets(tournament) or makes_decks_at_tables(tournament) or current_stage(tournament).is_bracket:
        return None
    entry = own_member(request, tournament).entry
    table, ranks = table_of(request, tournament, entry), _shared_ranks(request, tournament)
    seats = [seat.entry for seat in seats_of(table.match)] if table else []
    called = [(ranks.get(each.pk), each.number) for each in seats]
    return render_to_string("player/parts/ranks.html", {"mine": ranks.get(entry.pk), "ranks": called})


@event_view("entry.state", "GET", "POST")
@cached_page(every=True, rest=_ranks_again)
def my_match(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/my/?round=N: your match; report it, confirm or dispute what the opponent reported.

    `round` names an earlier round whose match still has no result.
    """
    if not is_allowed("entry.own", request.actor, tournament):
        gone = withdrawn_entry_of(request.actor, tournament)
        return render_event(request, tournament, "player/withdrawn.html", {"here": "my", "entry": gone})
    member = own_member(request, tournament)
    now = table_of(request, tournament, member.entry)
    earlier = earlier_tables(request, tournament, member.entry, now)
    table = next((each for each in earlier if str(each.match.round.number) == request.GET.get("round")), now)
    if table is not None:
        check_issuer(request.actor, table.match)
    forms: dict[str, Any] = {}
    here = reverse("my_match", args=[tournament.slug])
    if request.method == "POST":
        check_access("result.report", request.actor, tournament)
        meant = (each for each in (now, *earlier) if each and str(each.match.pk) == request.POST.get("match"))
        table = next(meant, None)
        if table is None:
            return _other_match(request, here)
        back = here if table == now else f"{here}?round={table.match.round.number}"
        if request.POST.get("act") in ("confirm", "dispute"):
            return table.answer(back, agrees=request.POST["act"] == "confirm")
        name, form = table.sent_form()
        forms = {name: form}
        if form.is_valid() and (rival := rival_of(table, form)) is not None:
            return _ask_which(request, tournament, member, table, two_values(table, form, rival))
        if form.is_valid() and table.report(form) is not None:
            return redirect(back)
    others = {
        "earlier": [(each.match, open_phase(tournament, each)) for each in earlier if each != table],
        "newest": now if table != now else None,
    }
    return _show_my_match(request, tournament, member, table, others | forms)


def _other_match(request: ActorRequest, here: str) -> HttpResponse:
    """Nothing is stored of what was sent for a match that is over for the player; a script keeps it and shows why."""
    text = _("Not saved: that was another match. Here is yours.")
    if SENT_BY_SCRIPT in request.headers:
        raise Conflict("other_match", text)
    messages.error(request, text)
    return redirect(here)


def _ask_which(
    request: ActorRequest, tournament: Tournament, member: EntryMember, table: SeatReporting, values: dict[str, Any]
) -> HttpResponse:
    """Show what was sent beside what came in meanwhile; nothing is stored until a person chose."""
    response = _show_my_match(request, tournament, member, table, values)
    response[ASKED] = "1"
    return response


def _show_my_match(
    request: ActorRequest,
    tournament: Tournament,
    member: EntryMember,
    table: SeatReporting | None,
    given: dict[str, Any],
) -> HttpResponse:
    names, ranks, entry, now = Names(tournament), {}, member.entry, time_of_reading(tournament)
    if table is not None or published_rounds(tournament):
        ranks = _shared_ranks(request, tournament)
    context: dict[str, Any] = {
        "here": "my",
        "is_answer": request.method == "POST",
        "entry": entry,
        "table": table,
        "phase": phase_of(tournament, entry, table),
        "plays_on": plays_on(tournament, entry),
        "comes_next": partial(comes_next, tournament, entry),
        "mine": ranks.get(entry.pk),
        "needs": own_needs(request.actor, member),
        "own_penalties": [(each, effect_of(each)) for each in own_penalties(request.actor, member)],
        "checks_decks": checks_decks(tournament),
        "reopened_until": own_reopening(tournament, member),
        "own_deck": own_deck(request.actor, tournament, member, now),
        "may_drop": tournament.state == Tournament.State.RUNNING and entry.state == Entry.State.REGISTERED,
    }
    if table is not None:
        context |= _table_context(tournament, table, names, ranks)
        context["sheet_line"] = sheet_line(table.match) if uses_sheets(tournament) else None
        context["around"] = around_the_table(tournament, [seat.entry for seat in seats_of(table.match)])
        context["their_lists"] = _their_lists(request, tournament, table)
        context |= stacking_context(request.actor, tournament, table.match, names)
        context |= call_context(request.actor, tournament, table.match, request.get_full_path())
        context["clock"] = clock_of(tournament, now, table.match)
        if context["phase"] == "report" and not given.keys() & {"form", "other_form", "table_form"}:
            leads = context["stacking_leads"]
            context["report_forms"] = report_forms(tournament, table, context["opponent"], stacking_leads=leads)
        if not context.get("report_forms"):
            context |= table.fresh_forms(names)
        context["follows_match"] = table.match.pk
        context["call_forms"] = call_forms(tournament, context.get("table_call"))
    call = context["table_call"].call if "table_call" in context else None
    context["notices"] = list(own_notices(tournament, member, table, call, context["own_deck"]))
    response = render_event(request, tournament, "player/match.html", context | given)
    if request.method == "GET":
        response[KEPT_FOR] = salted_hmac("kept-pages", request.actor.key).hexdigest()[:16]
    return response


def _shared_ranks(request: ActorRequest, tournament: Tournament) -> dict[int, Standing]:
    """Everybody's line of the standings, by entry."""

    def made() -> dict[int, Standing]:
        return {each.contender: each for each in standings_of(tournament)}

    return shared_value(request, tournament, "ranks", RANKED_BY, made)


def _their_lists(request: ActorRequest, tournament: Tournament, table: SeatReporting) -> list[tuple[EntryMember, str]]:
    """The members of the opponent's entry whose list is shown to the viewer now, with the name of one of a team."""
    if table.other is None or tournament.deck_publish == Tournament.DeckPublish.NEVER:
        return []
    view = deck_view(request.actor, tournament, time_of_reading(tournament))
    members = [each for each in table.other.entry.members.select_related("entry", "person") if view.shows(each)]
    return [(each, each.person.name if plays_in_teams(tournament) else "") for each in members]


def _table_context(tournament: Tournament, table: SeatReporting, names: Names, ranks: dict[int, Any]) -> dict[str, Any]:
    theirs, own = next(iter(table.theirs), None), next(iter(table.own), None)
    standing = accepted_report_of(table.match)
    called = tuple(names(seat.entry) for seat in seats_of(table.match))
    return {
        "opponent": _opponent(table, names, theirs),
        "goes_first": goes_first(tournament, table.match, names, table.place or 0) if table.can_report else "",
        "at_table": [
            (names(seat.entry), ranks.get(seat.entry_id), seat == table.seat, seat.entry.number)
            for seat in seats_of(table.match)
        ],
        "helpers": helpers_of(tournament.game, called, tournament.sheet_options, keeps_sheet=tournament.score_sheets),
        "their_result": _whole_table(theirs, called) if table.is_table else [],
        "own_result": _whole_table(own, called) if table.is_table else [],
        "theirs_rank": ranks.get(table.other.entry_id) if table.other else None,
        "their_report": theirs,
        "their_words": table.words(theirs),
        "agreement": table.agreement(theirs),
        "why_not_agree": table.why_not_agree(theirs),
        "own_words": table.words(own),
        "standing_words": table.words(standing),
        "their_games": describe_games(tournament, theirs, called) if theirs else [],
        "own_games": describe_games(tournament, own, called) if own else [],
        "standing_games": describe_games(tournament, standing, called) if standing else [],
        "game_losses": describe_game_losses(line_of(table.match, names)) if table.can_report else [],
    }


def _opponent(table: SeatReporting, names: Names, theirs: ResultReport | None) -> str:
    """Who is meant by the opponent: of several at a table whoever reported, else the others."""
    if table.other or not table.is_table:
        return names(table.other.entry) if table.other else ""
    reporter = next((seat for seat in table.others if theirs and seat.pk == theirs.by_seat_id), None)
    return names(reporter.entry) if reporter else _("the others at your table")


def _whole_table(report: ResultReport | None, called: Sequence[str]) -> list[tuple[str, str]]:
    """Everybody's place as a report tells it, by name."""
    return [(name, score_text(report, place)) for place, name in enumerate(called)] if report else []
