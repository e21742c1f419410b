"""Decklists as visitors and opponents see them: hidden behind a commitment, shown once the event's policy says so."""

import shlex
from dataclasses import dataclass

from django.http import HttpResponse

from accounts.http.downloads import file_response
from accounts.http.numbers import asked_number
from accounts.http.requests import ActorRequest
from decks.digests import commit_to, commitment_lines
from decks.formats.registry import EXPORTS
from decks.models import DeckVersion
from decks.selectors.cards import cards_of
from decks.services.decks import write_decklist
from decks.statistics import charts_of
from journal.clock import database_now
from rules_engine.systems import get_system
from tournaments.decks.selectors.deck_view import deck_view
from tournaments.decks.selectors.decks import decks_are_locked, members_with_decks, sections_of
from tournaments.decks.selectors.drafts import makes_decks_at_tables
from tournaments.decks.services.shown_decks import read_shown_deck
from tournaments.entries.selectors.entries import player_named, plays_in_teams, shared_names
from tournaments.events.selectors.events import deck_deadline_of
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.shared.lookups import need_decklists

MAX_WORDS = 120


@dataclass(frozen=True, slots=True)
class DeckLine:
    """A registered deck in the public list; `shown` where the reader may open it."""

    member: EntryMember
    shown: bool


def unindexed(response: HttpResponse) -> HttpResponse:
    """Keep search engines off a page about decks."""
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return response


@event_view("event.see", fresh=True)
def decks(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/decks/: who registered a deck, its commitment from the lock on, its list once it is shown."""
    need_decklists(tournament)
    now = database_now()
    locked, view = decks_are_locked(tournament, now), deck_view(request.actor, tournament, now)
    members = list(members_with_decks(tournament)) if locked or view.everybody else []
    words = " ".join(request.GET.get("q", "").split())[:MAX_WORDS]
    named = [each for each in members if words.casefold() in f"{each.entry.name} {each.person.name}".casefold()]
    context = {
        "here": "public_decks",
        "locked": locked,
        "deadline": deck_deadline_of(tournament),
        "drafted": makes_decks_at_tables(tournament),
        "lines": [DeckLine(member, view.shows(member)) for member in named],
        "total": len(members),
        "q": words,
        "public": view.everybody,
        "own": member_of(request.actor, tournament),
        "shared": shared_names(tournament),
        "teams": plays_in_teams(tournament),
    }
    return unindexed(render_event(request, tournament, "public/decks.html", context))


@event_view("event.see", fresh=True)
def deck(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """GET …/decks/<number>/: one list that is shown, with the salt that proves it. NotFound "unknown_deck"."""
    member, version = _shown(request, tournament, number)
    lines = commitment_lines(member.deck_salt, version.decklist.entries)
    context = {
        "here": "public_decks",
        "member": member,
        "player": player_named(member),
        "version": version,
        "sections": sections_of(version, tournament),
        "charts": charts_of(version.decklist, get_system(tournament.game).card_schema, cards_of(tournament.game)),
        "exports": EXPORTS,
        "proved": commit_to(member.deck_salt, version.decklist.entries) == member.deck_commitment,
        "recipe": shell_recipe(lines),
    }
    return unindexed(render_event(request, tournament, "public/deck.html", context))


@event_view("event.see", fresh=True)
def deck_export(request: ActorRequest, tournament: Tournament, number: int, key: str) -> HttpResponse:
    """GET …/decks/<number>/export/<key>/: the same list as a file. NotFound "unknown_deck", "unknown_export"."""
    member, version = _shown(request, tournament, number)
    text = write_decklist(version.decklist, key, tournament.game, tournament.game_format, version.deck.name)
    export = next(each for each in EXPORTS if each.key == key)
    return _file(text, export.media_type, f"{_file_name(member)}.{export.extension}")


@event_view("event.see", fresh=True)
def deck_proof(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """GET …/decks/<number>/proof.txt: the very text whose SHA-256 is the commitment. NotFound "unknown_deck"."""
    member, version = _shown(request, tournament, number)
    lines = commitment_lines(member.deck_salt, version.decklist.entries)
    text = "".join(f"{line}\n" for line in lines)
    return _file(text, "text/plain", f"{_file_name(member)}-proof.txt")


def _file_name(member: EntryMember) -> str:
    place = "" if member.order == 1 else f"-{member.order}"
    return f"{member.tournament.slug}-{member.entry.number}{place}"


def _shown(request: ActorRequest, tournament: Tournament, number: int) -> tuple[EntryMember, DeckVersion]:
    place = asked_number(request, "member") or 1
    return read_shown_deck(request.actor, tournament, number, database_now(), place)


def shell_recipe(lines: tuple[str, ...]) -> str:
    """A command for any shell that prints the commitment of these lines."""
    return f"printf '%s\\n' {' '.join(map(shlex.quote, lines))} | sha256sum"


def _file(text: str, media_type: str, name: str) -> HttpResponse:
    return unindexed(file_response(text, f"{media_type}; charset=utf-8", name))
