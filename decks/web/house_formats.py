"""Pages on which organisers make formats of the house, in versions, and see what came of them."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http.access import access, check_access, page_view
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from decks.formats.list_text import ListReading, read_card_list, write_card_list
from decks.forms.house_formats import HouseFormatForm, initial_of
from decks.models import CardSet, HouseFormat, HouseFormatVersion
from decks.selectors.card_lists import takes_lists
from decks.selectors.cards import cards_of
from decks.selectors.house_formats import changes_of, find_house_format, house_formats_of, newest_version
from decks.selectors.legality import announced_lists
from decks.selectors.rule_words import changes_in_words
from decks.services.house_formats import change_house_format, make_house_format
from journal.clock import database_now
from rules_engine.errors import NotFound
from rules_engine.game import GameFormat
from rules_engine.house import FormatChanges
from rules_engine.systems import get_system, list_systems

P = ParamSpec("P")


def house_page(
    view: Callable[Concatenate[ActorRequest, HouseFormat, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """A view of one house format, for the account that made it."""

    @access("own_house_format")
    @wraps(view)
    def page(request: ActorRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        house = find_house_format(slug)
        check_access("own_house_format", request.actor, house)
        return view(request, house, *args, **kwargs)

    return page


@page_view("signed_in")
def my_house_formats(request: ActorRequest) -> HttpResponse:
    """GET /formats/: your house formats, and the shipped ones that one can be made from."""
    assert request.actor.user is not None
    today = database_now().date()
    rows = [
        (house, get_system(house.game).name, newest_version(list(house.versions.all()), today))
        for house in house_formats_of(request.actor.user)
    ]
    bases = [(system, [each for each in system.formats if each.checks_decks]) for system in list_systems()]
    context = {"rows": rows, "bases": [(system, formats) for system, formats in bases if formats]}
    return render(request, "decks/house_formats.html", context)


@page_view("signed_in", "GET", "POST")
def new_house_format(request: ActorRequest, game: str, base: str) -> HttpResponse:
    """GET, POST /formats/new/<game>/<base>/: make a house format from a shipped one."""
    game_format, now = _base_of(game, base), database_now()
    form = _form(request, game, game_format, None, now.date(), now.date())
    reading = _read(form, game, game_format)
    if reading is not None and form.is_valid():
        values, changes = form.cleaned_data, form.changes(reading.limits.get("", {}))
        given = (game, base, values["name"], changes, values["valid_from"], now)
        if house := call_service(form, lambda: make_house_format(request.actor, *given), form.names):
            messages.success(request, _("Format created. Choose it when you create an event."))
            return redirect("house_format", slug=house.slug)
    context = {"system": get_system(game), "base": game_format, "form": form, "reading": reading}
    return render(request, "decks/house_form.html", context)


@house_page
@require_http_methods(["GET", "POST"])
def edit_house_format(request: ActorRequest, house: HouseFormat) -> HttpResponse:
    """GET, POST /formats/<slug>/edit/: a new version of an own house format."""
    base, now = _base_of(house.game, house.base), database_now()
    newest = list(house.versions.all())[-1]
    tomorrow = now.date() + timedelta(days=1)
    form = _form(request, house.game, base, newest, now.date(), max(newest.valid_from, tomorrow))
    reading = _read(form, house.game, base)
    if reading is not None and form.is_valid():
        values, changes = form.cleaned_data, form.changes(reading.limits.get("", {}))
        given = (house, values["name"], changes, values["valid_from"], now)
        if version := call_service(form, lambda: change_house_format(request.actor, *given), form.names):
            messages.success(request, _("Version %(number)d saved.") % {"number": version.number})
            return redirect("house_format", slug=house.slug)
    context = {"system": get_system(house.game), "base": base, "house": house, "form": form, "reading": reading}
    return render(request, "decks/house_form.html", context)


@house_page
@require_safe
def house_format(request: ActorRequest, house: HouseFormat) -> HttpResponse:
    """GET /formats/<slug>/: an own house format and its versions, the newest first."""
    versions, today = list(house.versions.all()), database_now().date()
    base, sets = _base_of(house.game, house.base), dict(_sets_of(house.game))
    context = {
        "system": get_system(house.game),
        "base": base,
        "house": house,
        "versions": [
            (version, _state_of(version, versions, today), list(changes_in_words(changes_of(version), base, sets)))
            for version in reversed(versions)
        ],
    }
    return render(request, "decks/house_format.html", context)


def _state_of(version: HouseFormatVersion, versions: list[HouseFormatVersion], today: date) -> str:
    """ "in_force", "coming", "replaced", or "never" when a later version of the same or an earlier day overtook it."""
    if version == newest_version(versions, today):
        return "in_force"
    later = [each for each in versions if each.number > version.number]
    if any(each.valid_from <= version.valid_from for each in later):
        return "never"
    return "coming" if version.valid_from > today else "replaced"


def _sets_of(game: str) -> list[tuple[str, str]]:
    return list(CardSet.objects.filter(game=game).order_by("name").values_list("slug", "name"))


def _base_of(game: str, slug: str) -> GameFormat:
    """A shipped format that something can be changed in; NotFound "unknown_format"."""
    game_format = get_system(game).get_format(slug)
    if not game_format.checks_decks:
        raise NotFound("unknown_format", _("This format checks no decks: nothing to change."))
    return game_format


def _form(
    request: ActorRequest, game: str, base: GameFormat, version: HouseFormatVersion | None, today: date, day: date
) -> HouseFormatForm:
    sets = _sets_of(game)
    changes = changes_of(version) if version else None
    initial: dict[str, Any] = initial_of(base, [slug for slug, _name in sets], changes)
    initial |= {"valid_from": day, "name": version.house_format.name if version else ""}
    initial["text"] = _list_text(game, changes)
    has_lists = takes_lists(base) and bool(announced_lists(game, base.slug, today))
    return HouseFormatForm(
        request.POST or None, base=base, sets=sets, today=today, has_lists=has_lists, initial=initial
    )


def _list_text(game: str, changes: FormatChanges | None) -> str:
    if changes is None or not changes.limits:
        return ""
    return write_card_list({"": changes.limits}, {key: card.name for key, card in cards_of(game).items()})


def _read(form: HouseFormatForm, game: str, base: GameFormat) -> ListReading | None:
    """The house list of a form as read, its faults made errors of the form; None while the form itself is faulty."""
    if not form.is_bound or not form.is_valid():
        return None
    reading = read_card_list(form.cleaned_data["text"], cards_of(game))
    form.refuse_unread(reading)
    return reading
