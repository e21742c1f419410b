"""Pages on which site admins write card lists, see in numbers what they do to stored decks, and announce them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from accounts.http.typed_confirmation import require_typed_name
from decks.formats.list_text import ListReading, read_card_list
from decks.forms.card_lists import CardListForm
from decks.models import CardList
from decks.selectors.card_lists import (
    all_lists,
    differences,
    find_list,
    formats_with_lists,
    group_list,
    list_as_text,
    newest_of,
    version_before,
)
from decks.selectors.cards import cards_of
from decks.selectors.legality import announced_lists, list_value
from decks.services.card_lists import ListDraft, announce_list, change_draft, delete_draft, draft_list
from decks.services.rechecks import start_recheck
from journal.clock import database_now
from rules_engine.errors import DomainError, NotFound
from rules_engine.game import GameFormat
from rules_engine.systems import get_system


@page_view("site_admin")
def lists_page(request: ActorRequest) -> HttpResponse:
    """GET /lists/: every list by format, drafts and coming versions marked, and where to write a new one."""
    today = database_now().date()
    rows = list(all_lists(today))
    formats = [
        (slug, name, each, [row for row in rows if (row.game, row.format) == (slug, each.slug)])
        for slug, name, each in formats_with_lists()
    ]
    return render(request, "decks/lists.html", {"formats": formats, "today": today})


@page_view("site_admin", "GET", "POST")
def new_list(request: ActorRequest, game: str, format_slug: str) -> HttpResponse:
    """GET, POST /lists/new/<game>/<format>/?slug=…: a new list, or the next version of the list called `slug`."""
    system = get_system(game)
    game_format, now = system.get_format(format_slug), database_now()
    slug = request.GET.get("slug", "")
    newest = newest_of(game, format_slug, slug) if slug else None
    initial: dict[str, Any] = {"valid_from": now.date() + timedelta(days=1)}
    if newest is not None:
        initial |= {"name": newest.name, "text": list_as_text(newest, game_format)}
    form = _form(request, game_format, initial)
    reading = _read(form, game, game_format)
    if reading is not None and form.is_valid():
        draft = _draft(form, game, game_format, reading, newest.slug if newest else "")
        if stored := call_service(form, lambda: draft_list(request.actor, draft, now)):
            messages.success(request, _("Draft saved. It isn't in force yet."))
            return redirect("card_list", pk=stored.pk)
    beside = [each.name for each in announced_lists(game, format_slug, now.date()) if newest is None]
    context = {"system": system, "game_format": game_format, "newest": newest, "form": form, "reading": reading}
    context["beside"] = beside
    return render(request, "decks/list_form.html", context)


@page_view("site_admin", "GET", "POST")
def edit_list(request: ActorRequest, pk: int) -> HttpResponse:
    """GET, POST /lists/<pk>/edit/: write a draft anew."""
    now = database_now()
    row = find_list(pk, now.date())
    if row.state != CardList.State.DRAFT:
        messages.error(request, _("This list is announced and can't be changed."))
        return redirect("card_list", pk=pk)
    system = get_system(row.game)
    game_format = system.get_format(row.format)
    initial = {"name": row.name, "valid_from": row.valid_from, "text": list_as_text(row, game_format)}
    form = _form(request, game_format, initial)
    reading = _read(form, row.game, game_format)
    if reading is not None and form.is_valid():
        draft = _draft(form, row.game, game_format, reading, row.slug)
        if call_service(form, lambda: change_draft(request.actor, row, draft, now)):
            messages.success(request, _("Draft saved. It isn't in force yet."))
            return redirect("card_list", pk=pk)
    context = {"system": system, "game_format": game_format, "row": row, "form": form, "reading": reading}
    return render(request, "decks/list_form.html", context)


@page_view("site_admin")
def list_page(request: ActorRequest, pk: int) -> HttpResponse:
    """GET /lists/<pk>/: what a version says and changes, its re-checks, and what comes next. NotFound "no_list"."""
    today = database_now().date()
    row = find_list(pk, today)
    system = get_system(row.game)
    game_format, cards, value = system.get_format(row.format), cards_of(row.game), list_value(row)
    before = version_before(row)
    context = {
        "system": system,
        "game_format": game_format,
        "row": row,
        "before": before,
        "beside": [each.name for each in announced_lists(row.game, row.format, today) if each.slug != row.slug],
        "changes": differences(list_value(before) if before else None, value, cards, game_format.variants),
        "known": cards,
        "groups": group_list(value, cards, game_format.variants),
        "rechecks": row.rechecks.select_related("requested_by"),
        "is_draft": row.state == CardList.State.DRAFT,
        "too_late": row.valid_from <= today,
        "today": today,
    }
    return render(request, "decks/list.html", context)


@page_view("site_admin", "POST")
def delete_list(request: ActorRequest, pk: int) -> HttpResponse:
    """POST /lists/<pk>/delete/: throw a draft away."""
    now = database_now()
    row = find_list(pk, now.date())
    asked = row.state == CardList.State.DRAFT and require_typed_name(
        request,
        title=_("Delete this draft?"),
        lost=[_("The draft “%(name)s” with every card on it.") % {"name": row.name}],
        name=row.name,
        label=_("Delete the draft"),
        back=reverse("card_list", args=[pk]),
    )
    return asked or _press(
        request, row, lambda: delete_draft(request.actor, row, now), _("Draft deleted."), "card_lists"
    )


@page_view("site_admin", "POST")
def announce(request: ActorRequest, pk: int) -> HttpResponse:
    """POST /lists/<pk>/announce/ with the digest `seen`: make a draft final and judge all decks."""
    now, seen = database_now(), request.POST.get("seen", "")
    row = find_list(pk, now.date())
    done = _("List announced. Owners of affected decks see it under their decks.")
    return _press(request, row, lambda: announce_list(request.actor, row, now, seen), done)


@page_view("site_admin", "POST")
def recheck_list(request: ActorRequest, pk: int) -> HttpResponse:
    """POST /lists/<pk>/recheck/: judge all stored decks under the list, in the background."""
    now = database_now()
    recheck = start_recheck(request.actor, find_list(pk, now.date()), now)
    return redirect("recheck", public_id=recheck.public_id)


def _form(request: ActorRequest, game_format: GameFormat, initial: dict[str, Any]) -> CardListForm:
    variants = tuple(variant.slug for variant in game_format.variants)
    return CardListForm(request.POST or None, initial=initial, today=database_now().date(), variants=variants)


def _read(form: CardListForm, game: str, game_format: GameFormat) -> ListReading | None:
    """The text of a form as read, its faults made errors of the form; None without a text."""
    if not form.is_bound or not form.is_valid():
        return None
    variants = [variant.slug for variant in game_format.variants]
    reading = read_card_list(form.cleaned_data["text"], cards_of(game), variants)
    form.refuse_unread(reading)
    return reading


def _draft(form: CardListForm, game: str, game_format: GameFormat, reading: ListReading, slug: str) -> ListDraft:
    values = form.cleaned_data
    return ListDraft(game, game_format.slug, values["name"], values["valid_from"], reading.limits, slug)


def _press(
    request: ActorRequest, row: CardList, act: Callable[[], object], done: str, target: str = ""
) -> HttpResponse:
    """Do one act on a list; go to `target`, else back to the list, and say how it went."""
    try:
        act()
    except NotFound:
        raise
    except DomainError as error:
        messages.error(request, error.message)
        return redirect("card_list", pk=row.pk)
    messages.success(request, done)
    return redirect(target) if target else redirect("card_list", pk=row.pk)
