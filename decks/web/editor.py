"""The editor of an own deck: its text, what is wrong with it, what it adds up to; works with and without scripts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.http.numbers import read_number
from accounts.http.requests import ActorRequest
from decks.formats.correcting import apply_suggestion
from decks.formats.editing import LINE_FORMATS, CopyChange, change_copies
from decks.formats.reading import Reading
from decks.formats.registry import TITLES
from decks.forms.decks import DeckFileForm, EditorForm
from decks.models import Deck, DeckVersion
from decks.selectors.decks import newest_version
from decks.selectors.rechecks import FallingDeck, falls_of
from decks.selectors.workbench import Workbench, workbench_at
from decks.services.decks import clean_text, save_version
from decks.web.decks import frame
from decks.web.edge import deck_page
from journal.clock import database_now
from rules_engine.cards import normalise_name
from rules_engine.errors import DomainError

MAX_CHANGE = 999


@dataclass(frozen=True, slots=True)
class Act:
    """What a button of the editor asks for: a verb and its words, as in "change 1 main Ash Ledger"."""

    verb: str
    words: tuple[str, ...] = ()

    @classmethod
    def from_button(cls, value: str) -> "Act":
        """The act that the value of a pressed button names; anything unknown only checks."""
        verb, *_rest = value.split(" ", 1)
        words = tuple(value.split(" ", {"change": 3, "replace": 2}.get(verb, 0))[1:])
        return cls(verb, words)


@deck_page
@require_http_methods(["GET", "POST"])
def deck(request: ActorRequest, deck: Deck) -> HttpResponse:
    """GET, POST /decks/<id>/: the text is posted along with every button, so nothing typed is lost.

    POST act=check, find, save, import, repair, "replace <line> <name>" or "change <number> <section> <name>".
    """
    now = database_now()
    bench = workbench_at(deck.game, deck.format, now.date(), _variant_of(request))
    newest = newest_version(request.actor, deck)
    act = Act.from_button(request.POST.get("act", "check"))
    upload = DeckFileForm(request.POST, request.FILES) if act.verb == "import" else DeckFileForm()
    form = _form_of(request, bench, newest, upload)
    hint = upload.cleaned_data["file"][0] if upload.is_bound and upload.is_valid() else ""
    if form.is_bound and form.is_valid():
        form = _with_act(form, act, bench, hint)
    text = form.cleaned_data.get("text", "") if form.is_bound and form.is_valid() else form.initial.get("text", "")
    reading = bench.read(clean_text(text), hint)
    if act.verb == "save" and form.is_valid() and _save(request, deck, form, reading):
        return redirect("deck", deck.public_id)
    context = _context(bench, form, reading, newest) | {"upload": upload, "imported": bool(hint)}
    context["refused"] = act.verb == "save" and bool(reading.problems)
    context["falls"] = _describe_falls(bench, newest, now) if newest else []
    return render(request, "decks/editor.html", frame(deck, "editor") | context)


def _variant_of(request: ActorRequest) -> str:
    return request.POST.get("variant", "") or request.GET.get("variant", "")


def _form_of(request: ActorRequest, bench: Workbench, newest: DeckVersion | None, upload: DeckFileForm) -> EditorForm:
    saved = {"text": newest.source_text if newest else "", "variant": bench.variant}
    variants = bench.setting.game_format.variants
    if request.method != "POST":
        return EditorForm(None, variants, saved)
    if not upload.is_bound:
        return EditorForm(request.POST, variants, saved)
    data = request.POST.copy()
    data["text"] = clean_text(upload.cleaned_data["file"][1]) if upload.is_valid() else saved["text"]
    return EditorForm(data, variants, saved)


def _with_act(form: EditorForm, act: Act, bench: Workbench, hint: str) -> EditorForm:
    """The form with the text as the pressed button changes it; a file that is no list of lines becomes one."""
    text = clean_text(form.cleaned_data["text"])
    changed = bench.lines_of(_apply(act, text, bench), hint)
    if changed == text:
        return form
    form = form.with_text(changed)
    form.is_valid()
    return form


def _apply(act: Act, text: str, bench: Workbench) -> str:
    number = read_number(act.words[0].removeprefix("-"), MAX_CHANGE * 10) if act.words else None
    if act.verb == "replace" and len(act.words) == 2 and number:
        return apply_suggestion(text, number, act.words[1])
    if act.verb == "change" and len(act.words) == 3 and number:
        said, section, name = act.words
        known = bench.setting.cards.get(normalise_name(name))
        if known is not None and any(each.key == section for each in bench.setting.game_format.sections):
            return change_copies(
                text, CopyChange(known.name, section, -number if said.startswith("-") else number), bench.setting
            )
    if act.verb == "repair":
        for change in bench.judge(bench.read(text).decklist).repair or ():
            if change.card is not None:
                text = change_copies(text, CopyChange(change.card, change.section, change.change), bench.setting)
    return text


def _save(request: ActorRequest, deck: Deck, form: EditorForm, reading: Reading) -> bool:
    """Whether the text was kept; what the service refuses becomes an error of the form."""
    if reading.problems:
        return False
    if not reading.decklist.entries and not deck.versions.exists():
        form.add_error("text", _("There is no card in it yet."))
        return False
    try:
        version = save_version(request.actor.key, deck, form.cleaned_data["text"], database_now())
    except DomainError as error:
        form.add_error("text", error.message)
        return False
    messages.success(request, _("Saved as version %(number)s.") % {"number": version.number})
    return True


def _describe_falls(bench: Workbench, newest: DeckVersion, now: datetime) -> list[tuple[FallingDeck, str, list[Any]]]:
    """Each list to come that makes the saved deck illegal, in which way to play ("" where there is one), the cure."""
    game_format = bench.setting.game_format
    titles = {section.key: section.title for section in game_format.sections}
    variants = {each.slug: each.name for each in game_format.variants}
    return [
        (fall, variants.get(fall.variant, ""), [(each, titles.get(each.section, "")) for each in fall.repair or ()])
        for fall in falls_of(newest, now)
    ]


def _context(bench: Workbench, form: EditorForm, reading: Reading, newest: DeckVersion | None) -> dict[str, Any]:
    decklist = reading.decklist
    words = form["q"].value() or "" if form.is_bound else ""
    return {
        "form": form,
        "reading": reading,
        "read_as": TITLES.get(reading.format, ""),
        "editable": reading.format in LINE_FORMATS,
        "verdict": bench.judge(decklist),
        "charts": bench.charts(decklist),
        "sections": bench.cards_in(decklist),
        "words": words,
        "offers": bench.offers(words, decklist) if words.strip() else [],
        "newest": newest,
        "is_saved": newest is not None and not reading.problems and newest.decklist == decklist,
        "is_empty": newest is None and not decklist.entries and not reading.problems,
    }
