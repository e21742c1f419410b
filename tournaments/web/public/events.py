"""Pages that everybody may read: the first page, an event and its pairings."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import page_view
from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from decks.selectors.legality import format_at
from decks.selectors.rechecks import FallingDeck
from journal.clock import database_now
from rules_engine.systems import list_systems
from tournaments.core.names import name_key
from tournaments.core.parts import ENTRIES, FACTS, RESULTS, ROUNDS, Part
from tournaments.decks.selectors.deck_checks import falling_decks
from tournaments.decks.selectors.deck_states import own_deck
from tournaments.decks.selectors.decks import checks_decks
from tournaments.decks.selectors.decks import decks_are_locked as locked_at
from tournaments.decks.selectors.drafts import makes_decks_at_tables
from tournaments.entries.selectors.entries import entries_of, may_check_in
from tournaments.events.selectors.events import by_nearness, deck_deadline_of, events_of, listed_events
from tournaments.models import Entry, EntryMember, Match, Round, Tournament
from tournaments.permissions import STAFF, may_see_own_list, member_of, roles_of
from tournaments.structure.services.stage_drafts import stage_drafts_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.live.page_cache import cached_page, shared_block, shared_value
from tournaments.web.public.pairing_pages import MAX_PAGE, ListPage, Place, page_with, pages_of, places_in
from tournaments.web.public.pairing_rows import own_line, pairing_rows
from tournaments.web.public.pairing_why import paired_how
from tournaments.web.public.podium import winners_of
from tournaments.web.shared.calendars import calendar_response
from tournaments.web.shared.event_lines import (
    EventLine,
    game_name,
    group_lines,
    own_event_lines,
    own_reopening,
    places_left,
)
from tournaments.web.shared.lookups import wanted_round
from tournaments.web.shared.match_rows import Names, published_rounds
from tournaments.web.shared.policy_words import pairing_sentence, sheet_sentences
from tournaments.web.shared.sorting import Columns, sort_rows
from tournaments.web.shared.stage_words import structure_words
from tournaments.web.shared.standing_words import points_sentence, ranking_words
from tournaments.web.shared.way_words import way_facts

T = TypeVar("T")
EVENTS_A_PAGE = 20
MY_EVENTS_SHOWN = 5
MAX_WORDS = 120
PLACE_PARTS = (ENTRIES, FACTS, ROUNDS)
PAIRING_PARTS = (*PLACE_PARTS, RESULTS)


def event_lines(events: Any) -> list[EventLine]:
    return [EventLine(event, game_name(event)) for event in events]


@page_view("public")
def home(request: ActorRequest) -> HttpResponse:
    """GET /: what this is, the viewer's own events, every other public event by nearness, and the games."""
    mine = list(by_nearness(events_of(request.actor))[: MY_EVENTS_SHOWN + 1]) if request.actor.is_known else []
    others = listed_events().exclude(pk__in=[each.pk for each in mine[:MY_EVENTS_SHOWN]])
    page = Paginator(by_nearness(others), EVENTS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "groups": group_lines(event_lines(page.object_list)),
        "mine": own_event_lines(request.actor, mine[:MY_EVENTS_SHOWN]),
        "more_mine": len(mine) > MY_EVENTS_SHOWN,
        "games": list_systems(),
    }
    return render(request, "public/home.html", context)


@event_view("event.see")
def calendar(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET /e/<slug>/event.ics: the event for the viewer's calendar."""
    return calendar_response(request, [tournament], tournament.name, tournament.slug)


@event_view("event.see")
@cached_page(ENTRIES, Part.PENALTIES, own=[Part.DECKS])
def event(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET /e/<slug>/?q=…&sort=…: where, when, what is played, who plays, and what the viewer does next."""
    member = member_of(request.actor, tournament)
    registered = tournament.entries.filter(state=Entry.State.REGISTERED).count()
    stages = stage_drafts_of(tournament)
    context = {
        "here": "event",
        "game": game_name(tournament),
        "game_format": format_at(tournament.game, tournament.game_format).name,
        **way_facts(tournament, stages),
        "checks_decks": checks_decks(tournament),
        "structure": structure_words(tournament.game, stages),
        "paired_by": pairing_sentence(tournament.pairing_policy),
        "sheets": sheet_sentences(tournament),
        "ranked_by": ranking_words(tournament.scoring_policy),
        "points_of": points_sentence(tournament.scoring_policy),
        "players": shared_block(
            request, tournament, "public/parts/event_players.html", [ENTRIES, FACTS, Part.PENALTIES],
            (request.GET.urlencode(),), lambda: _players(request, tournament), member=member,
        ),
        "is_full": tournament.capacity is not None and registered >= tournament.capacity,
        "round": next(reversed(published_rounds(tournament)), None),
        "podium": winners_of(tournament, Names(tournament)),
        "left": places_left(tournament.capacity, registered),
        "member": member,
        "may_check_in": member is not None and may_check_in(member.entry, database_now()),
        "deck_deadline": deck_deadline_of(tournament),
        "decks_drafted": makes_decks_at_tables(tournament),
        "decks_locked": decks_are_locked(tournament),
        "own_deck": own_deck(request.actor, tournament, member, database_now()) if member else None,
        "reopened_until": own_reopening(tournament, member),
        "falls": _falls_of(request.actor, tournament, member),
    }  # fmt: skip
    return render_event(request, tournament, "public/event.html", context)


def _players(request: ActorRequest, tournament: Tournament) -> dict[str, Any]:
    """Who plays, by name or number, as far as a part of a name asks; in a long list with ways to ask.

    Of the request only the query is read: it is part of what the block was asked.
    """
    names, words = Names(tournament), request.GET.get("q", "").strip()[:MAX_WORDS]
    entries = [entry for entry in entries_of(tournament) if entry.state != Entry.State.WITHDRAWN]
    playing = [(names(entry), entry) for entry in entries if entry.state != Entry.State.WAITING]
    columns: Columns[tuple[str, Entry]] = {
        "name": (_("By name"), lambda each: name_key(each[0])),
        "number": (_("By number"), lambda each: each[1].number),
    }
    players, heads = sort_rows(request, playing, columns, "name")
    return {
        "players": [each for each in players if words.casefold() in each[0].casefold()],
        "playing": len(playing),
        "waiting": len(entries) - len(playing),
        "heads": heads,
        "q": words,
        "sort": request.GET.get("sort", ""),
    }


def _falls_of(actor: Actor, tournament: Tournament, member: EntryMember | None) -> tuple[FallingDeck, ...]:
    """What lists to come by the day of the event do to the viewer's registered deck, where its list is shown."""
    if member is None or member.deck_version_id is None or not may_see_own_list(actor, member):
        return ()
    version = member.deck_version_id
    return falling_decks(tournament, [version], database_now()).get(version, ())


def decks_are_locked(tournament: Tournament) -> bool:
    """Whether decks can be registered no more: the deadline is past by the database's clock, or the event is over."""
    return locked_at(tournament, database_now())


def _results(request: ActorRequest, tournament: Tournament) -> str | None:
    """What results change of the pairings, but of the player's match."""
    shown = _pairing_list(request, tournament)
    return shown["count"] + shown["lines"] if shown["round"] else None


@event_view("event.see")
@cached_page(ENTRIES, RESULTS, rest=_results)
def pairings(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/pairings/?round=N&by=name|table&q=…&page=…: who plays whom, in published rounds only.

    Of a long list it is a page: the one with the viewer, unless asked for another.
    """
    context = {"here": "pairings", **_pairing_list(request, tournament)}
    if (round_ := context["round"]) is not None:
        context["mine"] = own_line(tournament, round_, member_of(request.actor, tournament))
        context |= paired_how(request.actor, tournament, round_)
    return render_event(request, tournament, "public/pairings.html", context)


def _pairing_list(request: ActorRequest, tournament: Tournament) -> dict[str, Any]:
    """The round, page and order that are asked for, and as shared blocks how many results there are and the lines."""
    rounds = published_rounds(tournament)
    round_ = wanted_round(rounds, request.GET.get("round", ""))
    by, words = "table" if request.GET.get("by") == "table" else "name", request.GET.get("q", "").strip()[:MAX_WORDS]
    asked = {"rounds": rounds, "round": round_, "by": by, "q": words}
    if round_ is None:
        return asked
    pages, page = _pages(request, tournament, round_, by, words)
    is_staff, member = bool(roles_of(request.actor, tournament) & STAFF), member_of(request.actor, tournament)
    count = shared_block(
        request, tournament, "public/parts/pairing_count.html", PAIRING_PARTS, (round_.pk,),
        lambda: _count(round_), member=None,
    )  # fmt: skip
    lines = shared_block(
        request, tournament, "public/parts/pairing_lines.html", PAIRING_PARTS, (round_.pk, by, words, page.number),
        lambda: pairing_rows(tournament, round_, by, page, is_staff=is_staff) | {"q": words}, member=member,
    )  # fmt: skip
    return {**asked, "pages": pages, "page": page, "count": count, "lines": lines}


def _count(round_: Round) -> dict[str, int]:
    states = dict(round_.matches.order_by().values_list("state").annotate(Count("pk")))
    return {"total": sum(states.values()), "done": states.get(Match.State.DONE, 0)}


def _pages(
    request: ActorRequest, tournament: Tournament, round_: Round, by: str, words: str
) -> tuple[Sequence[ListPage], ListPage]:
    """All pages of the list, and the one that is wanted."""

    def shared(name: str, make: Callable[[], Sequence[T]]) -> Sequence[T]:
        return shared_value(request, tournament, f"{name} {round_.pk}", PLACE_PARTS, make)

    def places() -> Sequence[Place]:
        return shared("places", lambda: places_in(round_, Names(tournament)))

    pages = pages_of(places(), by, words) if words else shared(f"pages {by}", lambda: pages_of(places(), by, ""))
    member = member_of(request.actor, tournament)
    return pages, page_with(pages, asked_number(request, "page", MAX_PAGE), member.entry_id if member else None)
