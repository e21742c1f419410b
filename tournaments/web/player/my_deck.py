"""The page on which a player registers their deck: read, judged, hashed, kept in versions, locked at the deadline."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from decks.forms.decks import DeckFileForm, DecklistForm
from decks.models import DeckVersion
from decks.selectors.legality import format_at
from decks.selectors.rechecks import FallingDeck
from decks.selectors.workbench import workbench_at
from decks.services.decks import clean_text, read_decklist
from journal.clock import database_now
from rules_engine.errors import NotFound
from rules_engine.repair import Change
from tournaments.decks.forms import PickDeckForm
from tournaments.decks.selectors.deck_checks import falling_decks, readings_of
from tournaments.decks.selectors.deck_states import own_deck
from tournaments.decks.selectors.deck_view import own_list
from tournaments.decks.selectors.decks import (
    checks_decks,
    is_locked_for,
    is_reopened,
    judged_on,
    may_register,
    newest_check,
    sections_of,
)
from tournaments.decks.selectors.drafts import makes_decks_at_tables
from tournaments.decks.selectors.own_decks import OwnDeck, own_decks
from tournaments.decks.selectors.registered import Registration, registrations_of
from tournaments.decks.selectors.stack_orders import stacks_decks
from tournaments.decks.services.decks import RegisteredDeck, judge_for, register_deck, register_stored_deck
from tournaments.events.selectors.events import deck_deadline_of
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import may_see_own_list
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.player.own_match import own_member
from tournaments.web.shared.deck_sheets import filled_sheet
from tournaments.web.shared.log_words import role_in_words
from tournaments.web.shared.pasted_lists import say_assumed, typed_values

FIELD_FOR_ERROR = {"unread_lines": "text", "no_cards": "text", "deck_name_too_long": "name"}


@event_view("deck.own", "GET", "POST", fresh=True)
def my_deck(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/my/deck/: paste, upload or pick, check, register; never others' decks. NotFound "no_decklists".

    A POST does what its `act` says: register, check, import, pick, or take a suggestion ("replace LINE NAME").
    """
    if not checks_decks(tournament):
        raise NotFound("no_decklists", _("This game is played here without decklists."))
    member, act = own_member(request, tournament), request.POST.get("act", "")
    picked = request.POST if act == "pick" else None
    kept = own_decks(request.actor, tournament)
    pick = PickDeckForm(
        picked, decks=kept, zone=ZoneInfo(tournament.time_zone), initial={"deck": _kept_as(kept, member)}
    )
    typed = typed_values(request, "name", "text") if picked is None else None
    upload = DeckFileForm(request.POST, request.FILES) if act == "import" else DeckFileForm()
    initial = _registered_values(request, member)
    if upload.is_bound and upload.is_valid() and typed is not None:
        typed |= _uploaded(tournament, *upload.cleaned_data["file"])
    elif upload.is_bound:
        typed, initial = None, typed or initial
    form = DecklistForm(typed, initial=initial)
    context: dict[str, Any] = {}
    if pick.is_bound and pick.is_valid() and _register_stored(request, member, pick):
        return redirect("my_deck", tournament.slug)
    if form.is_bound and form.is_valid():
        context = _read(form, tournament)
        if act == "register" and form.is_valid() and _register(request, member, form):
            return redirect("my_deck", tournament.slug)
    facts = _facts(request, tournament, member, database_now()) | {"kept_as": _kept_as(kept, member)}
    if not facts["can_register"]:  # the page has nothing left to correct
        form.error_heading = pick.error_heading = _("Nothing was saved.")
    forms = {"form": form, "upload": upload, "pick": pick}
    return render_event(request, tournament, "player/deck.html", {**facts, **forms, **context})


@event_view("deck.own", fresh=True)
def my_sheet(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/my/deck/sheet/: your registered list on paper. NotFound "no_deck", NotAllowed "later_link"."""
    member = own_member(request, tournament)
    return render(request, "decks/sheet.html", filled_sheet(tournament, member, own_list(request.actor, member)))


def _registered_values(request: ActorRequest, member: EntryMember) -> dict[str, str]:
    version = member.deck_version if may_see_own_list(request.actor, member) else None
    return {"name": version.deck.name, "text": version.source_text} if version else {}


def _uploaded(tournament: Tournament, name: str, text: str) -> dict[str, str]:
    """The text of a file as the list to check."""
    bench = workbench_at(tournament.game, tournament.game_format, judged_on(tournament))
    return {"text": bench.lines_of(clean_text(text), name)}


def _kept_as(kept: list[OwnDeck], member: EntryMember) -> str:
    """By which name among the player's decks the registered one is kept; "" where it is not."""
    deck = member.deck_version.deck_id if member.deck_version else None
    return next((own.deck.public_id for own in kept if own.deck.pk == deck), "")


def _read(form: DecklistForm, tournament: Tournament) -> dict[str, Any]:
    """What was pasted, read: what cannot be registered becomes an error of the form; without any there is a verdict."""
    reading = read_decklist(form.cleaned_data["text"], tournament.game, tournament.game_format)
    form.refuse_unread(reading)
    if form.errors:
        return {"reading": reading}
    return {"reading": reading, "preview": judge_for(tournament, reading.decklist)}


def _register(request: ActorRequest, member: EntryMember, form: DecklistForm) -> bool:
    name, text = form.cleaned_data["name"], form.cleaned_data["text"]
    return _tell(
        request,
        call_service(form, lambda: register_deck(request.actor, member, name, text, database_now()), FIELD_FOR_ERROR),
    )


def _register_stored(request: ActorRequest, member: EntryMember, form: PickDeckForm) -> bool:
    chosen = form.cleaned_data["deck"]
    registered = call_service(
        form, lambda: register_stored_deck(request.actor, member, chosen, database_now()), {"no_cards": "deck"}
    )
    return _tell(request, registered)


def _tell(request: ActorRequest, deck: RegisteredDeck | None) -> bool:
    """Say how a registration went; False where it was refused."""
    if deck is None:
        return False
    if deck.verdict.report.legal is False:
        messages.warning(request, _("Your deck is registered but not legal. See below."))
    else:
        messages.success(request, _("Your deck is registered."))
    say_assumed(request, deck.notices)
    return True


def _facts(request: ActorRequest, tournament: Tournament, member: EntryMember, now: datetime) -> dict[str, Any]:
    version, shown = member.deck_version, may_see_own_list(request.actor, member)
    check, drafted = newest_check(member) if version else None, makes_decks_at_tables(tournament)
    return {
        "here": "my",
        "member": member,
        "deadline": deck_deadline_of(tournament),
        "drafted": drafted,
        "locked": is_locked_for(tournament, member, now),
        "reopened": is_reopened(member, now),
        "can_register": may_register(tournament, member, now),
        "version": version,
        "own_deck": own_deck(request.actor, tournament, member, now),
        "registered_at": member.deck_registered_at,
        "shown": shown,
        "stacks": stacks_decks(tournament),
        "check": check if shown else None,
        "falls": _describe_falls(tournament, version, now) if version and shown else [],
        "sections": sections_of(version, tournament) if version and shown else [],
        "history": [each for each in registrations_of(tournament, member) if _may_see(request, member, each)],
        "readings": [(each, role_in_words(each.role)) for each in readings_of(tournament, member)],
    }


def _describe_falls(
    tournament: Tournament, version: DeckVersion, now: datetime
) -> list[tuple[FallingDeck, str, list[tuple[Change, str]]]]:
    """Each list to come by the day of the event that makes the registered deck illegal, the way to play, the cure."""
    falling = falling_decks(tournament, [version.pk], now).get(version.pk, ())
    rules = format_at(tournament.game, tournament.game_format)
    titles = {section.key: section.title for section in rules.sections}
    ways = {each.slug: each.name for each in rules.variants}
    return [
        (fall, ways.get(fall.variant, ""), [(each, titles.get(each.section, "")) for each in fall.repair or ()])
        for fall in falling
    ]


def _may_see(request: ActorRequest, member: EntryMember, registration: Registration) -> bool:
    return may_see_own_list(request.actor, member, registration.at)
