"""Where a site admin brings in the cards of a game: a file is looked at first, then stored as it was shown."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.http.access import page_view
from accounts.http.api import actor_of
from accounts.http.downloads import csv_download
from accounts.http.service_errors import call_service
from accounts.http.typed_confirmation import require_typed_name
from decks.forms.cards import CardFileForm
from decks.models import CardSet
from decks.selectors.cards import count_naming, sets_of
from decks.services.card_imports import CardChange, Change, ImportReport, import_cards
from decks.services.catalogues import hide_samples, remove_set, show_samples
from decks.web.cards import system_with_cards
from journal.clock import database_now
from rules_engine.catalogue import CardField, example_cards, write_cards
from rules_engine.errors import DomainError
from rules_engine.game import GameSystem

MAX_SHOWN = 100
FIELD_FOR_ERROR = {"bad_set_name": "set_name"}


@page_view("site_admin", "GET", "HEAD", "POST")
def import_page(request: HttpRequest, game: str) -> HttpResponse:
    """GET and POST /cards/<game>/import/: look at a card file, then, with `action=import`, store what was shown.

    NotFound "unknown_game", "no_cards".
    """
    system = system_with_cards(game)
    if request.method != "POST":
        return _show(request, system, CardFileForm())
    form = CardFileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _show(request, system, form)
    report = _look(request, system, form)
    if report is None or report.problems or request.POST.get("action") != "import":
        return _show(request, system, form, report)
    return _store(request, system, form)


def _look(request: HttpRequest, system: GameSystem, form: CardFileForm) -> ImportReport | None:
    """What the file would do; None when the service refuses, which is an error of the form then."""
    name = form.cleaned_data["set_name"]
    actor, now = actor_of(request).key, database_now()
    look = partial(import_cards, actor, system.slug, name, form.text_read, now, dry_run=True)
    return call_service(form, look, FIELD_FOR_ERROR)


def _store(request: HttpRequest, system: GameSystem, form: CardFileForm) -> HttpResponse:
    actor, name, shown = actor_of(request).key, form.cleaned_data["set_name"], request.POST.get("shown") or "-"
    try:
        report = import_cards(actor, system.slug, name, form.text_read, database_now(), expected=shown)
    except DomainError as error:
        form.add_error(None, error.message)
        return _show(request, system, form, _look(request, system, form))
    change = report.change
    counts = {"added": len(change.added), "changed": len(change.changed), "removed": len(change.removed)}
    messages.success(request, _("Saved: %(added)d added, %(changed)d changed, %(removed)d removed.") % counts)
    return redirect("cards", game=system.slug)


def _show(
    request: HttpRequest, system: GameSystem, form: CardFileForm, report: ImportReport | None = None
) -> HttpResponse:
    context = {"system": system, "form": form, "columns": _columns(system), **_sets_context(system)}
    if report is not None:
        context |= _report_context(report, form)
    return render(request, "decks/card_import.html", context)


def _columns(system: GameSystem) -> list[tuple[CardField, list[str]]]:
    """The fields of the game's cards, each with the types that have it."""
    schema = system.card_schema
    return [(each, [kind.plural for kind in schema.types if each in kind.fields]) for each in schema.fields]


def _sets_context(system: GameSystem) -> dict[str, object]:
    sets, shipped = sets_of(system.slug), {each.slug for each in system.shipped}
    samples = [card.name for each in system.shipped if each.sample for card in each.cards]
    may_hide = any(each.cards and not each.sample for each in sets)
    return {
        "own_sets": [each for each in sets if each.slug not in shipped],
        "shipped_sets": [each for each in sets if each.slug in shipped],
        "has_sample": any(each.sample and not each.hidden for each in sets),
        "has_hidden": any(each.hidden for each in sets),
        "may_hide": may_hide,
        "sample_decks": count_naming(system.slug, samples)[0] if may_hide else 0,
    }


def _report_context(report: ImportReport, form: CardFileForm) -> dict[str, object]:
    return {
        "report": report,
        "problems": report.problems[:MAX_SHOWN],
        "more_problems": max(0, len(report.problems) - MAX_SHOWN),
        "lists": [(title, cards[:MAX_SHOWN], len(cards)) for title, cards in _lists(report.change) if cards],
        "most_shown": MAX_SHOWN,
        "must_choose_again": bool(form.text_read) and not form.text_kept,
    }


def _lists(change: Change) -> list[tuple[str, tuple[CardChange, ...]]]:
    """The cards that would change, under a title each, what is lost first."""
    removed, added = (tuple(CardChange(name, ()) for name in names) for names in (change.removed, change.added))
    return [(_("Removed"), removed), (_("Changed"), change.changed), (_("Added"), added)]


@page_view("site_admin")
def template_csv(request: HttpRequest, game: str) -> HttpResponse:
    """GET /cards/<game>/template.csv: the columns of the game and one made-up card of each type."""
    schema = system_with_cards(game).card_schema
    return csv_download(f"{game}-template", write_cards(example_cards(schema), schema), marked=False)


@page_view("site_admin", "POST")
def switch_samples(request: HttpRequest, game: str) -> HttpResponse:
    """POST /cards/<game>/samples/: `action=hide` or `action=show` the sample cards."""
    system, actor = system_with_cards(game), actor_of(request).key
    if request.POST.get("action") == "hide":
        hide_samples(actor, system.slug, database_now())
        messages.success(request, _("The sample cards are hidden."))
    else:
        show_samples(actor, system.slug, database_now())
        messages.success(request, _("The sample cards are back."))
    return redirect("import_cards", game=system.slug)


@page_view("site_admin", "POST")
def remove_own_set(request: HttpRequest, game: str, slug: str) -> HttpResponse:
    """POST /cards/<game>/sets/<slug>/remove/: remove a set of one's own with its cards."""
    system = system_with_cards(game)
    own = CardSet.objects.exclude(slug__in=[each.slug for each in system.shipped])
    found = own.filter(game=system.slug, slug=slug).first()
    asked = found and require_typed_name(
        request,
        title=_("Remove this set?"),
        lost=[
            _("The set and its cards (%(count)d).") % {"count": found.cards.count()},
            _("Saved decks with these cards keep them but are no longer legal."),
        ],
        name=found.name,
        label=_("Remove the set"),
        back=reverse("import_cards", args=[system.slug]),
    )
    if asked:
        return asked
    remove_set(actor_of(request).key, system.slug, slug, database_now())
    messages.success(request, _("Set removed."))
    return redirect("import_cards", game=system.slug)
