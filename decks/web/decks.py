"""The pages around an own deck: the list of decks, a new one, its history, export, and what is seldom done to it."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http.access import page_view
from accounts.http.downloads import file_response
from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from accounts.http.typed_confirmation import require_typed_name
from accounts.identity.selectors import persons_of
from accounts.identity.services import person_of
from accounts.models import Person
from decks.formats.registry import EXPORTS
from decks.forms.decks import DeckNameForm, NewDeckForm
from decks.models import Deck, DeckVersion
from decks.selectors.decks import (
    deck_rows,
    find_version,
    history_of,
    list_decks,
    newest_version,
    versions_of,
)
from decks.selectors.house_formats import house_names
from decks.selectors.legality import format_at
from decks.selectors.rechecks import falling_decks
from decks.services.decks import write_decklist
from decks.services.own_decks import copy_version, create_deck, delete_deck, rename_deck, restore_version
from decks.web.edge import deck_page
from journal.clock import database_now
from rules_engine.errors import NotFound, needed
from rules_engine.systems import get_system, list_systems

DECKS_A_PAGE = 50
VERSIONS_A_PAGE = 20
FIELD_FOR_ERROR = {"deck_name_taken": "name", "deck_name_too_long": "name"}


@page_view("known", fresh=True)
def my_decks(request: ActorRequest) -> HttpResponse:
    """GET /decks/?page=…: your decks, each with today's verdict and the lists to come that make it illegal."""
    now = database_now()
    page = Paginator(list_decks(request.actor), DECKS_A_PAGE).get_page(request.GET.get("page"))
    rows = deck_rows(page.object_list, now.date())
    falls: dict[int, list[Any]] = {}
    for fall in falling_decks(persons_of(request.actor), now):
        falls.setdefault(fall.version.pk, []).append(fall)
    context = {"page": page, "rows": [(row, falls.get(row.version.pk, []) if row.version else []) for row in rows]}
    return render(request, "decks/my_decks.html", context)


@page_view("known", "GET", "POST", fresh=True)
def new_deck(request: ActorRequest) -> HttpResponse:
    """GET, POST /decks/new/?format=game/format: choose game, format and name; the editor follows."""
    form = NewDeckForm(request.POST or None, _format_choices(request), request.GET.get("format", ""))
    if request.method == "POST" and form.is_valid():
        now, (game, game_format) = database_now(), form.chosen
        owner = _owner_of(request)
        name = form.cleaned_data["name"]
        create = partial(create_deck, request.actor, owner, game, game_format, name, now)
        deck = call_service(form, create, FIELD_FOR_ERROR)
        if deck is not None:
            return redirect("deck", deck.public_id)
    return render(request, "decks/new_deck.html", {"form": form})


@deck_page
@require_http_methods(["GET", "POST"])
def deck_history(request: ActorRequest, deck: Deck) -> HttpResponse:
    """GET /decks/<id>/history/: the versions with what each changed; POST version=… makes an old one the newest."""
    if request.method == "POST":
        return _restore(request, deck)
    history = history_of(versions_of(request.actor, deck))
    page = Paginator(history, VERSIONS_A_PAGE).get_page(request.GET.get("page"))
    titles = {section.key: section.title for section in format_at(deck.game, deck.format).sections}
    rows = [(row, [(each, titles.get(each.section, each.section)) for each in row.changes]) for row in page.object_list]
    context = {"page": page, "rows": rows, "titles": titles}
    return render(request, "decks/history.html", frame(deck, "history") | context)


def _restore(request: ActorRequest, deck: Deck) -> HttpResponse:
    number = needed(posted_number(request, "version"), NotFound("not_found", _("There is nothing here.")))
    version = restore_version(request.actor, find_version(request.actor, deck, number), database_now())
    text = _("Version %(old)s restored as version %(new)s.")
    messages.success(request, text % {"old": number, "new": version.number})
    return redirect("deck_history", deck.public_id)


@deck_page
@require_http_methods(["GET", "POST"])
def deck_more(request: ActorRequest, deck: Deck) -> HttpResponse:
    """GET, POST /decks/<id>/more/: take along, rename, copy, delete."""
    newest = newest_version(request.actor, deck)
    act = request.POST.get("act", "")
    rename = DeckNameForm(request.POST if act == "rename" else None, initial={"name": deck.name}, prefix="rename")
    copy_name = _("%(name)s (copy)") % {"name": deck.name[:180]}
    copy = DeckNameForm(request.POST if act == "copy" else None, initial={"name": copy_name}, prefix="copy")
    answer = None
    if act == "rename" and rename.is_valid():
        answer = _rename(request, deck, rename)
    elif act == "copy" and newest is not None and copy.is_valid():
        answer = _copy(request, newest, copy)
    elif act == "delete":
        answer = _ask_to_delete(request, deck) or _delete(request, deck)
    if answer is not None:
        return answer
    text = write_decklist(newest.decklist, "text", deck.game, deck.format, deck.name) if newest else ""
    context = {"newest": newest, "rename": rename, "copy": copy, "exports": EXPORTS, "text": text}
    return render(request, "decks/more.html", frame(deck, "more") | context)


def _rename(request: ActorRequest, deck: Deck, form: DeckNameForm) -> HttpResponse | None:
    name, now = form.cleaned_data["name"], database_now()
    renamed = call_service(form, lambda: rename_deck(request.actor, deck, name, now), FIELD_FOR_ERROR)
    if renamed is None:
        return None
    messages.success(request, _("The deck is now called “%(name)s”.") % {"name": renamed.name})
    return redirect("deck_more", deck.public_id)


def _copy(request: ActorRequest, version: DeckVersion, form: DeckNameForm) -> HttpResponse | None:
    name, now = form.cleaned_data["name"], database_now()
    made = call_service(form, lambda: copy_version(request.actor, version, name, now), FIELD_FOR_ERROR)
    if made is None:
        return None
    messages.success(request, _("This is the copy. The other deck won't change."))
    return redirect("deck", made.public_id)


def _ask_to_delete(request: ActorRequest, deck: Deck) -> HttpResponse | None:
    return require_typed_name(
        request,
        title=_("Delete this deck?"),
        lost=[
            _("The deck with its whole history."),
            _("If an event uses the deck, the event keeps its version."),
        ],
        name=deck.name,
        label=_("Delete the deck"),
        back=reverse("deck_more", args=[deck.public_id]),
    )


def _delete(request: ActorRequest, deck: Deck) -> HttpResponse:
    if delete_deck(request.actor, deck, database_now()):
        messages.success(request, _("Deck “%(name)s” deleted.") % {"name": deck.name})
    else:
        text = _("“%(name)s” is off your list. An event keeps the registered version.")
        messages.success(request, text % {"name": deck.name})
    return redirect("my_decks")


@deck_page
@require_safe
def deck_export(request: ActorRequest, deck: Deck, number: int, key: str) -> HttpResponse:
    """GET /decks/<id>/versions/<number>/<key>/: a version as a file. NotFound "unknown_export"."""
    version = find_version(request.actor, deck, number)
    export = next((each for each in EXPORTS if each.key == key), None)
    if export is None:
        raise NotFound("unknown_export", _("There is no such decklist format."))
    text = write_decklist(version.decklist, key, deck.game, deck.format, deck.name)
    return file_response(text, f"{export.media_type}; charset=utf-8", _file_name(deck.name, export.extension))


def _file_name(name: str, extension: str) -> str:
    kept = "".join(each if each.isalnum() or each in " -_" else "" for each in name).strip()[:80]
    return f"{get_valid_filename(kept) if kept else 'deck'}.{extension}"


def frame(deck: Deck, here: str) -> dict[str, Any]:
    """What every page of a deck shows: the deck, its game and format, which tab is open."""
    system = get_system(deck.game)
    return {"deck": deck, "system": system, "game_format": format_at(deck.game, deck.format), "here": here}


def _owner_of(request: ActorRequest) -> Person:
    """The person decks are made for: the account's own, or the one of the personal link."""
    if request.actor.user is not None:
        return person_of(request.actor.user, database_now())
    owner: Person = persons_of(request.actor).get()
    return owner


def _format_choices(request: ActorRequest) -> list[tuple[str, str]]:
    """Every format with decks as ("game/format", "Game · Format"); of house formats the account's own."""
    house, choices = house_names(request.actor.user), [("", _("Choose one"))]
    for system in list_systems():
        shipped = [(each.slug, _(each.name)) for each in system.formats if each.checks_decks]
        for slug, name in [*shipped, *house.get(system.slug, ())]:
            choices.append((f"{system.slug}/{slug}", f"{system.name} · {name}"))
    return choices
