"""Pages of those who play: sign-up, the own match, leaving the event, the own events."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import access, check_access
from journal.clock import database_now
from rules_engine.errors import Conflict, NotAllowed
from tournaments.forms.attempt import attempt
from tournaments.forms.register import SignUpForm
from tournaments.forms.results import OF_CODE, OtherReportForm, ReportForm
from tournaments.forms.table_results import TableReportForm
from tournaments.models import Entry, EntryMember, Match, Round, Seat, Tournament
from tournaments.permissions import check_scope, member_of
from tournaments.selectors.brackets import bracket_of, is_complete
from tournaments.selectors.deck_view import may_see_deck
from tournaments.selectors.entries import active_entries
from tournaments.selectors.events import events_of
from tournaments.selectors.needs import own_needs
from tournaments.selectors.overview import checks_decks
from tournaments.selectors.penalties import own_penalties
from tournaments.selectors.reports import pending_of, standing_of
from tournaments.selectors.rounds import own_match, own_missing_matches
from tournaments.selectors.sheets import sheet_line, uses_sheets
from tournaments.selectors.stages import current_stage, field_of, next_stage
from tournaments.selectors.standings import standing_rows
from tournaments.selectors.teams import around_the_table, plays_in_teams
from tournaments.services.entries import drop_entry, sign_up
from tournaments.services.results import ReportAnswer, Status, confirm_report, dispute_report, report_result
from tournaments.web.blast import own_drop_in_words
from tournaments.web.edge import ActorRequest, event_page, own_person, render_event
from tournaments.web.game_words import games_offered, told_games
from tournaments.web.lines import Names, line_of, published_rounds, score_text, seats_of, told_to
from tournaments.web.penalty_words import effect_of, told_game_losses
from tournaments.web.placements import stacking_context
from tournaments.web.presses import press
from tournaments.web.public import decks_are_locked, event_lines, own_reopening
from tournaments.web.teams import team_address

EventState = Tournament.State
EVENTS_A_PAGE = 20


def own_member(request: ActorRequest, tournament: Tournament) -> EntryMember:
    """The viewer's own place at an event; NotAllowed "no_player" for who has none."""
    member = member_of(request.actor, tournament)
    if member is None:
        raise NotAllowed("no_player", _("You do not play in this event."))
    return member


@access("known")
@require_safe
def my_events(request: ActorRequest) -> HttpResponse:
    """GET /my/: every event the viewer runs or plays in; who came by link to one that runs is led to its match."""
    events = events_of(request.actor).order_by("-starts_at", "-pk")
    running = list(events.filter(state=EventState.RUNNING)[:2]) if request.actor.via == "link" else []
    if len(running) == 1:
        return redirect("my_match", running[0].slug)
    page = Paginator(events, EVENTS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "events/my_events.html", {"page": page, "lines": event_lines(page.object_list)})


@event_page("entries.sign_up")
@require_http_methods(["GET", "POST"])
def register(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/register/: sign up, with the waiting list told before; withdraw again before the start.

    NotAllowed "other_event".
    """
    check_scope(request.actor, tournament)
    member = member_of(request.actor, tournament)
    form = SignUpForm(request.POST if request.POST.get("act") == "sign_up" else None)
    if request.method == "POST" and request.POST.get("act") == "withdraw":
        return _withdraw(request, tournament)
    if form.is_bound and form.is_valid():
        mates, now = form.cleaned_data, database_now()
        entry = attempt(form, lambda: sign_up(request.actor, tournament, own_person(request, now), now, **mates))
        if entry is not None:
            messages.success(request, _registered_text(entry))
            return redirect("event", tournament.slug)
    taken = active_entries(tournament).count()
    context = {
        "here": "register",
        "form": form,
        "member": member,
        "needs": own_needs(request.actor, member) if member else None,
        "teams": plays_in_teams(tournament),
        "team_address": team_address(request, tournament, member),
        "is_open": tournament.state == EventState.REGISTRATION and tournament.self_sign_up,
        "taken": taken,
        "is_full": tournament.capacity is not None and taken >= tournament.capacity,
        "waiting": tournament.entries.filter(state=Entry.State.WAITING).count(),
        "checks_decks": checks_decks(tournament),
    }
    return render_event(request, tournament, "events/register.html", context)


def _registered_text(entry: Entry) -> str:
    if entry.state == Entry.State.WAITING:
        return _("You are on the waiting list. You move up when a place becomes free.")
    return _("You are registered. Your number is %(number)d.") % {"number": entry.number}


def _withdraw(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    entry = own_member(request, tournament).entry
    if tournament.state == EventState.RUNNING:
        return redirect("my_drop", tournament.slug)
    done = _("You have withdrawn. While registration is open you may sign up again.")
    hidden = tournament.visibility == Tournament.Visibility.PRIVATE
    back = reverse("my_events") if hidden else reverse("event", args=[tournament.slug])
    return press(request, lambda: drop_entry(request.actor, entry, database_now()), done, back)


@event_page("entry.own")
@require_http_methods(["GET", "POST"])
def my_drop(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/my/drop/: leave a running event, after a page that says what happens."""
    entry = own_member(request, tournament).entry
    if request.method == "POST":
        done = _("You have dropped out. Your results stay in the standings.")
        return press(request, lambda: drop_entry(request.actor, entry, database_now()), done, _my(tournament))
    rounds = published_rounds(tournament)
    match = own_match(rounds[-1], entry.pk) if rounds else None
    may_drop = entry.state == Entry.State.REGISTERED and tournament.state == EventState.RUNNING
    context = {
        "here": "my",
        "entry": entry,
        "may_drop": may_drop,
        "moves": own_drop_in_words(entry) if may_drop else (),
        "match": match if match and match.state != Match.State.DONE else None,
        "next_number": rounds[-1].number + 1 if rounds else 1,
    }
    return render_event(request, tournament, "events/my_drop.html", context)


def _my(tournament: Tournament) -> str:
    return reverse("my_match", args=[tournament.slug])


@dataclass(frozen=True, slots=True)
class Table:
    """The own match: which seat is mine (`place` in seat order), who else sits there; `other` where it is one alone."""

    match: Match
    seat: Seat
    place: int
    others: tuple[Seat, ...]

    @property
    def other(self) -> Seat | None:
        """Who sits opposite, in a match of two."""
        return self.others[0] if len(self.others) == 1 else None

    @property
    def is_table(self) -> bool:
        """Whether several others sit there, so that places tell how it ended."""
        return len(self.others) > 1

    @property
    def can_report(self) -> bool:
        """Whether somebody else sits there too in a round that is being played."""
        return (
            bool(self.others)
            and self.match.kind == Match.Kind.PLAYED
            and self.match.round.state == Round.State.PUBLISHED
        )


def table_of(tournament: Tournament, entry: Entry) -> Table | None:
    """Where an entry sits in the latest published round; None without a seat there."""
    rounds = published_rounds(tournament)
    match = own_match(rounds[-1], entry.pk) if rounds else None
    return _table_at(match, entry) if match else None


def earlier_tables(tournament: Tournament, entry: Entry) -> list[Table]:
    """Where an entry sat in earlier rounds and still has no result, as after a round was paired without it."""
    if tournament.state != EventState.RUNNING:
        return []
    rounds, missing = published_rounds(tournament), own_missing_matches(tournament, entry.pk)
    return [_table_at(match, entry) for match in missing if match.round != rounds[-1]]


def _table_at(match: Match, entry: Entry) -> Table:
    seats = seats_of(match)
    place = next(index for index, seat in enumerate(seats) if seat.entry_id == entry.pk)
    return Table(match, seats[place], place, tuple(seat for seat in seats if seat.entry_id != entry.pk))


@event_page("entry.own")
@require_http_methods(["GET", "POST"])
def my_match(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/my/?round=N: the own match; report it, confirm or dispute what the opponent reported.

    `round` names an earlier round whose match still has no result.
    """
    member = own_member(request, tournament)
    now, earlier = table_of(tournament, member.entry), earlier_tables(tournament, member.entry)
    table = next((each for each in earlier if str(each.match.round.number) == request.GET.get("round")), now)
    forms: dict[str, Any] = {}
    if request.method == "POST":
        check_access("result.report", request.actor, tournament)
        meant = (each for each in (now, *earlier) if each and str(each.match.pk) == request.POST.get("match"))
        table = next(meant, None)
        if table is None:
            messages.error(request, _("This page was about another match. Nothing was stored; here is your match now."))
            return redirect(_my(tournament))
        back = _my(tournament) if table == now else f"{_my(tournament)}?round={table.match.round.number}"
        if request.POST.get("act") in ("confirm", "dispute"):
            return _answer_report(request, table, back)
        forms = _bound_forms(request, tournament, table)
        answer = _report(request, table, next(iter(forms.values())))
        if answer is not None:
            messages.success(request, _after_report(answer, table))
            return redirect(back)
    others = {
        "earlier": [(each.match, _open_phase(tournament, each)) for each in earlier if each != table],
        "newest": now if table != now else None,
    }
    return _show_my_match(request, tournament, member, table, others | forms)


def _answer_report(request: ActorRequest, table: Table, back: str) -> HttpResponse:
    now, report = database_now(), next(iter(_theirs(table)), None)

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
    return press(request, act, done, back)


def _bound_forms(request: ActorRequest, tournament: Tournament, table: Table) -> dict[str, Any]:
    if table.is_table:
        return {"table_form": TableReportForm(request.POST, **_table_facts(table, Names(tournament)))}
    if request.POST.get("act") == "other":
        return {"other_form": OtherReportForm(request.POST, **_other_facts(tournament, table, Names(tournament)))}
    return {"form": ReportForm(request.POST, **_form_facts(table))}


def _form_facts(table: Table) -> dict[str, Any]:
    return {"match": table.match.pk, "length": table.match.round.stage.match_length}


def _table_facts(table: Table, names: Names) -> dict[str, Any]:
    """What the form of a table of several players needs."""
    return {**_form_facts(table), "names": [names(seat.entry) for seat in seats_of(table.match)]}


def _other_facts(tournament: Tournament, table: Table, names: Names) -> dict[str, Any]:
    """What the form of everything else needs too: both players as the reporter calls them, in seat order."""
    facts = {**_form_facts(table), "place": min(table.place, 1)}
    if table.other is None:
        return facts
    pair = (_("You"), names(table.other.entry))
    offered = games_offered(tournament, table.match)
    return {**facts, "names": pair[::-1] if table.place else pair, "offered": offered}


def _report(
    request: ActorRequest, table: Table, form: ReportForm | OtherReportForm | TableReportForm
) -> ReportAnswer | None:
    if not form.is_valid():
        return None
    result, now = form.result(table.place), database_now()
    return attempt(form, lambda: report_result(request.actor, table.match, result, now, seat=table.seat), OF_CODE)


def _after_report(answer: ReportAnswer, table: Table) -> str:
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


def _theirs(table: Table) -> list[Any]:
    return [report for report in pending_of(table.match) if report.by_seat_id != table.seat.pk]


def _show_my_match(
    request: ActorRequest, tournament: Tournament, member: EntryMember, table: Table | None, given: dict[str, Any]
) -> HttpResponse:
    names, ranks, entry = Names(tournament), {}, member.entry
    if published_rounds(tournament):
        ranks = {row.entry.pk: row.standing for row in standing_rows(tournament)}
    context: dict[str, Any] = {
        "here": "my",
        "entry": entry,
        "table": table,
        "phase": phase_of(tournament, entry, table),
        "plays_on": plays_on(tournament, entry),
        "comes_next": _comes_next(tournament, entry),
        "mine": ranks.get(entry.pk),
        "needs": own_needs(request.actor, member),
        "own_penalties": [(each, effect_of(each)) for each in own_penalties(request.actor, member)],
        "checks_decks": checks_decks(tournament),
        "decks_locked": decks_are_locked(tournament),
        "reopened_until": own_reopening(tournament, member),
        "has_deck": EntryMember.objects.filter(entry=entry, deck_version__isnull=False).exists(),
        "may_drop": tournament.state == EventState.RUNNING and entry.state == Entry.State.REGISTERED,
    }
    if table is not None:
        context |= _table_context(tournament, table, names, ranks)
        context["sheet_line"] = sheet_line(table.match) if uses_sheets(tournament) else None
        context["around"] = around_the_table(tournament, [seat.entry for seat in seats_of(table.match)])
        context["their_list"] = _their_list(request, tournament, table)
        context |= stacking_context(request.actor, tournament, table.match, names)
    return render_event(request, tournament, "events/my_match.html", context | given)


def _their_list(request: ActorRequest, tournament: Tournament, table: Table) -> int | None:
    """The number of the opponent's entry where the list is shown to the viewer now."""
    if table.other is None or tournament.deck_publish == Tournament.DeckPublish.NEVER:
        return None
    shown = may_see_deck(request.actor, tournament, table.other.member, database_now())
    return table.other.entry.number if shown else None


def _table_context(tournament: Tournament, table: Table, names: Names, ranks: dict[int, Any]) -> dict[str, Any]:
    theirs, standing = _theirs(table), standing_of(table.match)
    own = [report for report in pending_of(table.match) if report.by_seat_id == table.seat.pk]
    called = tuple(names(seat.entry) for seat in seats_of(table.match))
    return {
        "opponent": _opponent(table, names, theirs),
        "at_table": [
            (names(seat.entry), ranks.get(seat.entry_id), seat == table.seat) for seat in seats_of(table.match)
        ],
        "table_form": TableReportForm(None, **_table_facts(table, names)) if table.is_table else None,
        "their_result": _whole_table(theirs, called) if table.is_table else [],
        "own_result": _whole_table(own, called) if table.is_table else [],
        "theirs_rank": ranks.get(table.other.entry_id) if table.other else None,
        "their_report": theirs[0] if theirs else None,
        "their_words": told_to(theirs[0], table.place) if theirs else "",
        "own_words": told_to(own[0], table.place) if own else "",
        "standing_words": told_to(standing, table.place) if standing else "",
        "their_games": told_games(tournament, theirs[0], called) if theirs else [],
        "own_games": told_games(tournament, own[0], called) if own else [],
        "standing_games": told_games(tournament, standing, called) if standing else [],
        "game_losses": told_game_losses(line_of(table.match, names)) if table.can_report else [],
        "form": ReportForm(None, **_form_facts(table)),
        "other_form": OtherReportForm(None, **_other_facts(tournament, table, names)),
    }


def _opponent(table: Table, names: Names, theirs: list[Any]) -> str:
    """Who is meant by the opponent: of several at a table whoever reported, else the others."""
    if not table.is_table:
        return names(table.other.entry) if table.other else ""
    reporter = next((seat for seat in table.others if theirs and seat.pk == theirs[0].by_seat_id), None)
    return names(reporter.entry) if reporter else _("the others at your table")


def _whole_table(reports: list[Any], called: Sequence[str]) -> list[tuple[str, str]]:
    """Everybody's place as the first of these reports tells it, by name."""
    return [(name, score_text(reports[0], place)) for place, name in enumerate(called)] if reports else []


def phase_of(tournament: Tournament, entry: Entry, table: Table | None) -> str:
    """What the page is about now: one of the parts in templates/events/parts/my/."""
    if tournament.state != EventState.RUNNING:
        return str(tournament.state)
    if table is not None and table.match.state != Match.State.DONE and table.can_report:
        return _open_phase(tournament, table)
    if entry.state in (Entry.State.DROPPED, Entry.State.DISQUALIFIED):
        return str(entry.state)
    if entry.state == Entry.State.WAITING:
        return "waiting_list"
    if table is None:
        return "no_table"
    return "done" if table.match.state == Match.State.DONE else "closed"


def plays_on(tournament: Tournament, entry: Entry) -> bool:
    """Whether more matches can come: no for who missed a cut, and once the place in a bracket is certain."""
    stage = current_stage(tournament)
    if stage.seeds is None:
        return True
    bracket = bracket_of(stage)
    return entry.pk in field_of(stage) and (bracket is None or entry.pk not in bracket.places)


def _comes_next(tournament: Tournament, entry: Entry) -> str:
    """What somebody whose match is over waits for."""
    if not plays_on(tournament, entry):
        return _("You have played your last match of this event.")
    stage = current_stage(tournament)
    if stage.is_bracket or not is_complete(stage):
        return _("Your next table appears here when the next round is published.")
    if next_stage(tournament) is not None:
        return _("This was the last round before the next stage. Who plays on is said once it begins.")
    return _("This was the last round.")


def _open_phase(tournament: Tournament, table: Table) -> str:
    if table.match.state == Match.State.CONFLICT:
        return "conflict"
    if not tournament.players_report:
        return "desk"
    if uses_sheets(tournament):
        return "sheet"
    if table.match.state == Match.State.REPORTED:
        return "confirm" if _theirs(table) else "sent"
    return "report"
