"""Score sheets that belong to no event: whoever has the address of one writes on it, without an account."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.throttling import AnonRateThrottle

from accounts.http.access import access, page_view
from accounts.http.addresses import shared_address
from accounts.http.numbers import read_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import NotFound, TooMany
from rules_engine.systems import get_system, list_systems
from scoring.models import ScoreSheet
from scoring.sheets.forms.sheets import has_pages, sheet_pages
from scoring.sheets.helpers import helpers_of
from scoring.sheets.selectors import find_sheet
from scoring.sheets.services import change_part, file_sheet, open_sheet, prune_sheets, save_part, sign_tally
from scoring.sheets.web.frames import SheetFrame, title_of

EVERYBODY = "all"
PLACES = "sheet_places"
MAX_REMEMBERED = 20
MOST_NAMED = 20


class OpeningThrottle(AnonRateThrottle):
    """How many sheets one address may begin: a shop full of tables, not a program."""

    rate = "60/hour"
    scope = "open_sheet"


@page_view("public")
def tools(request: HttpRequest) -> HttpResponse:
    """GET /scores/: the games whose sheets can be kept here, and those with help at the table."""
    sheets = [(each, has_pages(each.slug)) for each in list_systems()]
    known = [(each, has_sheet, helpers_of(each.slug, keeps_sheet=has_sheet)) for each, has_sheet in sheets]
    return render(request, "scores/tools.html", {"games": [row for row in known if row[1] or row[2]]})


@page_view("public", "GET", "POST")
def start(request: ActorRequest, game: str) -> HttpResponse:
    """GET, POST /scores/<game>/: begin a sheet for a table; each `name` in the address is a player.

    NotFound "no_sheet"; TooMany "too_many_sheets" for an address that begins one after the other.
    """
    pages, system = sheet_pages(game), get_system(game)
    named = {"names": "\n".join(request.GET.getlist("name")[:MOST_NAMED])}
    form = pages.start(request.POST if request.method == "POST" else None, initial=named)
    if not form.is_bound or not form.is_valid():
        return render(request, "scores/start.html", {"form": form, "system": system})
    throttle = OpeningThrottle()
    if not throttle.allow_request(request, None):  # type: ignore[arg-type]
        raise TooMany("too_many_sheets", _("Too many new sheets. Try again in an hour."))
    now = database_now()
    prune_sheets(now)
    sheet = open_sheet(request.actor, game, form.players(), form.options(), now)
    if len(sheet.players) == 1:
        _remember(request, sheet, EVERYBODY)
    return redirect("score_sheet", game, sheet.key)


def keyed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of `SHEET_PAGES` for whoever has the address of a sheet; an event's sheet is not found here."""

    @access("public")
    @wraps(view)
    def page(request: ActorRequest, game: str, key: str, **values: Any) -> HttpResponse:
        return view(request, frame_of(request, game, key), **values)

    return page


def frame_of(request: ActorRequest, game: str, key: str) -> SheetFrame:
    """The frame of a sheet without an event; NotFound "no_sheet"."""
    sheet = find_sheet(key)
    if sheet.game != game or sheet.stream != sheet.key:
        raise NotFound("no_sheet", _("This score sheet doesn't exist."))
    everybody = frozenset(range(1, len(sheet.players) + 1))
    chosen = request.session.get(PLACES, {}).get(key)
    own = everybody if chosen == EVERYBODY else everybody & {chosen}
    root = reverse("score_sheet", args=[game, key])
    return SheetFrame(
        sheet=sheet,
        root=root,
        base="scores/base.html",
        render=lambda template, context: render(request, template, {"system": get_system(game), **context}),
        file=lambda content: file_sheet(request.actor, sheet, content, database_now()),
        sign=lambda revision, place: sign_tally(
            request.actor, revision, place, database_now(), label=title_of(sheet, place)
        ),
        save=lambda place, content, version: save_part(request.actor, sheet, place, content, version, database_now()),
        change=lambda place, change: change_part(request.actor, sheet, place, change, database_now()),
        places=own | {0} if own else own,
        own=own,
        may_file=bool(own),
        pick=f"{root}me/",
        share=shared_address(request, root),
    )


@page_view("public", "POST")
def pick(request: ActorRequest, game: str, key: str) -> HttpResponse:
    """POST …/me/ (place): remember in the session whom this phone writes for, a place or everybody ("all").

    Leads to the part to fill, or `back` to the page of the sheet that asked.
    """
    frame, place, back = frame_of(request, game, key), request.POST.get("place", ""), request.POST.get("back", "")
    back = back if back.startswith(frame.root) else ""
    if place == EVERYBODY:
        _remember(request, frame.sheet, EVERYBODY)
        return HttpResponseRedirect(back or f"{frame.part_root}0/")
    number = read_number(place, len(frame.sheet.players))
    if not number:
        messages.warning(request, _("Choose a name from the list."))
        return HttpResponseRedirect(back or frame.root)
    _remember(request, frame.sheet, number)
    return HttpResponseRedirect(back or f"{frame.part_root}{number}/")


def _remember(request: HttpRequest, sheet: ScoreSheet, place: int | str) -> None:
    held = {key: chosen for key, chosen in request.session.get(PLACES, {}).items() if key != sheet.key}
    request.session[PLACES] = dict([*held.items(), (sheet.key, place)][-MAX_REMEMBERED:])


@page_view("public")
def catalogue(request: HttpRequest, game: str, digest: str) -> HttpResponse:
    """GET /scores/<game>/cards/<digest>.json: every card for the type-ahead; the address changes with the cards."""
    known = sheet_pages(game).catalogue
    cards = known() if known else None
    if cards is None or cards.digest != digest:
        raise NotFound("no_cards", _("These cards have changed. Reload the page."))
    response = HttpResponse(cards.body, content_type="application/json")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["ETag"] = f'"{digest}"'
    return response
