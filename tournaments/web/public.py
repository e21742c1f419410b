"""Pages that everybody may read: the first page, an event, its pairings and standings."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Case, DateTimeField, F, IntegerField, Value, When
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import access
from accounts.actors import Actor
from decks.selectors.legality import format_at
from decks.selectors.rechecks import FallingDeck
from journal.clock import database_now
from rules_engine.errors import NotFound
from rules_engine.systems import get_system, list_systems
from scoring.records import ScoringPolicy
from scoring.standings import Standing, decimal_text
from scoring.tiebreakers import TIEBREAKERS, Tiebreaker
from tournaments.exports import standings_csv as as_csv
from tournaments.models import Entry, EntryMember, Match, Round, Tournament
from tournaments.permissions import may_see_own_list, member_of
from tournaments.selectors.deck_checks import falling_decks
from tournaments.selectors.decks import decks_are_locked as locked_at
from tournaments.selectors.decks import reopened_until
from tournaments.selectors.entries import entries_of
from tournaments.selectors.events import deck_deadline_of, events_of, listed_events
from tournaments.selectors.overview import checks_decks
from tournaments.selectors.standings import StandingRow, standing_rows
from tournaments.web.edge import ActorRequest, event_page, render_event
from tournaments.web.lines import MatchLine, Names, lines_of, player_lines, published_rounds
from tournaments.web.policy_words import pairing_sentence
from tournaments.web.why import paired_how

State = Tournament.State
EVENTS_A_PAGE = 20
MY_EVENTS_SHOWN = 5
IN_OTHER_COLUMNS = ("match_points", "wins")


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in a list, with its game's name."""

    event: Tournament
    game: str


def game_name(tournament: Tournament) -> str:
    """The name of an event's game."""
    return get_system(tournament.game).name


def variant_name(tournament: Tournament) -> str:
    """The name of the way in which an event's format is played; "" where it has only one."""
    variants = format_at(tournament.game, tournament.game_format).variants
    named = (each.name for each in variants if tournament.variant in ("", each.slug))
    return next(named, "")


def event_lines(events: Any) -> list[EventLine]:
    """Events as lines of a list."""
    return [EventLine(event, game_name(event)) for event in events]


@access("public")
@require_safe
def home(request: ActorRequest) -> HttpResponse:
    """GET /: what this is, the viewer's own events, every public event by nearness, and the games."""
    page = Paginator(_by_nearness(), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    mine = (
        list(events_of(request.actor).order_by("-starts_at", "-pk")[: MY_EVENTS_SHOWN + 1])
        if request.actor.is_known
        else []
    )
    context = {
        "page": page,
        "groups": _groups(event_lines(page.object_list)),
        "mine": event_lines(mine[:MY_EVENTS_SHOWN]),
        "more_mine": len(mine) > MY_EVENTS_SHOWN,
        "games": [(each, [rules for rules in each.formats if rules.checks_decks]) for each in list_systems()],
    }
    return render(request, "events/home.html", context)


def _by_nearness() -> Any:
    """Public events: running, then the next to come, then the last to end."""
    rank = Case(
        When(state=State.RUNNING, then=Value(0)),
        When(state=State.REGISTRATION, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    coming = Case(When(state=State.REGISTRATION, then=F("starts_at")), default=None, output_field=DateTimeField())
    return listed_events().annotate(rank=rank, coming=coming).order_by("rank", "coming", "-starts_at", "-pk")


def _groups(lines: list[EventLine]) -> list[tuple[str, list[EventLine]]]:
    titles = {State.RUNNING: _("Running now"), State.REGISTRATION: _("Coming up")}
    groups: dict[str, list[EventLine]] = {}
    for line in lines:
        groups.setdefault(titles.get(State(line.event.state), _("Over")), []).append(line)
    return list(groups.items())


@event_page("event.see")
@require_safe
def event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET /e/<slug>/: where, when, what is played, who plays, and what the viewer does next."""
    names, member = Names(tournament), member_of(request.actor, tournament)
    entries = [entry for entry in entries_of(tournament) if entry.state != Entry.State.WITHDRAWN]
    playing = [entry for entry in entries if entry.state != Entry.State.WAITING]
    context = {
        "here": "event",
        "game": game_name(tournament),
        "game_format": format_at(tournament.game, tournament.game_format).name,
        "variant": variant_name(tournament),
        "checks_decks": checks_decks(tournament),
        "paired_by": pairing_sentence(tournament.pairing_policy),
        "players": [(names(entry), entry) for entry in playing],
        "waiting": len(entries) - len(playing),
        "is_full": is_full(tournament, playing),
        "round": next(reversed(published_rounds(tournament)), None),
        "member": member,
        "deck_deadline": deck_deadline_of(tournament),
        "decks_locked": decks_are_locked(tournament),
        "reopened_until": own_reopening(tournament, member),
        "falls": _falls_of(request.actor, tournament, member),
    }
    return render_event(request, tournament, "events/event.html", context)


def _falls_of(actor: Actor, tournament: Tournament, member: EntryMember | None) -> tuple[FallingDeck, ...]:
    """What lists to come by the day of the event do to the viewer's registered deck, where its list is shown."""
    if member is None or member.deck_version_id is None or not may_see_own_list(actor, member):
        return ()
    version = member.deck_version_id
    return falling_decks(tournament, [version], database_now()).get(version, ())


def decks_are_locked(tournament: Tournament) -> bool:
    """Whether decks can be registered no more: the deadline is past by the database's clock, or the event is over."""
    return locked_at(tournament, database_now())


def own_reopening(tournament: Tournament, member: EntryMember | None) -> datetime | None:
    """Until when a judge has the viewer's deck open again; asks the database's clock only where one has."""
    if member is None or member.deck_reopened_until is None:
        return None
    return reopened_until(tournament, member, database_now())


def is_full(tournament: Tournament, playing: list[Entry]) -> bool:
    """Whether the next to sign up goes on the waiting list."""
    registered = sum(entry.state == Entry.State.REGISTERED for entry in playing)
    return tournament.capacity is not None and registered >= tournament.capacity


@event_page("event.see")
@require_safe
def pairings(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/pairings/?round=N&by=name|table&q=…: who plays whom, in published rounds only."""
    rounds = published_rounds(tournament)
    round_ = _wanted_round(rounds, request.GET.get("round", ""))
    lines = lines_of(round_, Names(tournament)) if round_ else []
    member, words = member_of(request.actor, tournament), request.GET.get("q", "").strip()[:120]
    found = [line for line in lines if line.has(words)]
    by = "table" if request.GET.get("by") == "table" else "name"
    context = {
        "here": "pairings",
        "rounds": rounds,
        "round": round_,
        "by": by,
        "q": words,
        "total": len(lines),
        "lines": found,
        "player_lines": [line for line in player_lines(found) if not words or words.casefold() in line.name.casefold()],
        "mine": _own_line(lines, member),
        "my_entry": member.entry_id if member else None,
        "done": sum(line.match.state == Match.State.DONE for line in lines),
        **(paired_how(request.actor, tournament, round_) if round_ else {}),
    }
    return render_event(request, tournament, "events/pairings.html", context)


def _wanted_round(rounds: list[Round], number: str) -> Round | None:
    """The round asked for, else the latest; NotFound "unknown_round" for one that is not there or not published."""
    if not number:
        return rounds[-1] if rounds else None
    for round_ in rounds:
        if str(round_.number) == number:
            return round_
    raise NotFound("unknown_round", _("There is no such round, or it is not published yet."))


def _own_line(lines: list[MatchLine], member: EntryMember | None) -> Any:
    own = [line for line in player_lines(lines) if member and line.entry == member.entry_id]
    return own[0] if own else None


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
