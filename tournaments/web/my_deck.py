"""The page on which a player registers the own deck: read, judged, kept in versions, locked at the deadline."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from decks.forms import DecklistForm
from decks.services.decks import read_decklist
from journal.clock import database_now
from rules_engine.errors import NotFound
from tournaments.forms.attempt import attempt
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import may_see_own_list
from tournaments.selectors.decks import newest_check, sections_of
from tournaments.selectors.events import deck_deadline_of
from tournaments.selectors.overview import checks_decks
from tournaments.selectors.registered import Registration, registrations_of
from tournaments.services.decks import judge_for, register_deck
from tournaments.web.edge import ActorRequest, event_page, render_event
from tournaments.web.player import own_member
from tournaments.web.public import decks_are_locked

OF_CODE = {"unread_lines": "text", "deck_name_too_long": "name"}


@event_page("deck.own")
@never_cache
@require_http_methods(["GET", "POST"])
def my_deck(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/my/deck/: paste, check, register; nobody else's deck is ever shown. NotFound "no_decklists"."""
    if not checks_decks(tournament):
        raise NotFound("no_decklists", _("This game is played here without decklists."))
    member = own_member(request, tournament)
    form = DecklistForm(request.POST or None, initial=_registered_values(request, member))
    context: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        context = _read(form, tournament)
        if request.POST.get("act") == "register" and form.is_valid() and _register(request, member, form):
            return redirect("my_deck", tournament.slug)
    return render_event(
        request, tournament, "events/my_deck.html", _facts(request, tournament, member) | {"form": form} | context
    )


def _registered_values(request: ActorRequest, member: EntryMember) -> dict[str, str]:
    version = member.deck_version if may_see_own_list(request.actor, member) else None
    return {"name": version.deck.name, "text": version.source_text} if version else {}


def _read(form: DecklistForm, tournament: Tournament) -> dict[str, Any]:
    """What was pasted, read: the unread lines become errors of the form; without any there is a verdict."""
    reading = read_decklist(form.cleaned_data["text"], tournament.game, tournament.game_format)
    if reading.problems:
        form.refuse_unread(reading)
        return {"reading": reading}
    return {"reading": reading, "preview": judge_for(tournament, reading.decklist)}


def _register(request: ActorRequest, member: EntryMember, form: DecklistForm) -> bool:
    name, text = form.cleaned_data["name"], form.cleaned_data["text"]
    deck = attempt(form, lambda: register_deck(request.actor, member, name, text, database_now()), OF_CODE)
    if deck is None:
        return False
    if deck.verdict.report.legal is False:
        messages.warning(request, _("Your deck is registered, but it is not legal yet: see what to change below."))
    else:
        messages.success(request, _("Your deck is registered."))
    return True


def _facts(request: ActorRequest, tournament: Tournament, member: EntryMember) -> dict[str, Any]:
    version, shown = member.deck_version, may_see_own_list(request.actor, member)
    check = newest_check(member) if version else None
    return {
        "here": "my",
        "deadline": deck_deadline_of(tournament),
        "locked": decks_are_locked(tournament),
        "version": version,
        "registered_at": member.deck_registered_at,
        "shown": shown,
        "check": check if shown else None,
        "sections": sections_of(version, tournament) if version and shown else [],
        "history": [each for each in registrations_of(tournament, member) if _may_see(request, member, each)],
    }


def _may_see(request: ActorRequest, member: EntryMember, registration: Registration) -> bool:
    return may_see_own_list(request.actor, member, registration.at)
