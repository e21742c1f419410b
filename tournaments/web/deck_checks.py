"""Decks as staff see them: counts for everybody on the staff, verdicts and lists for judges, each reading logged."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.access import is_allowed
from decks.services.decks import read_decklist
from journal.clock import database_now
from rules_engine.errors import DomainError, NotFound
from tournaments.forms.acts import ReplaceDeckForm
from tournaments.forms.attempt import attempt
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.selectors.decks import OPEN_STATES, deck_counts, deck_rows, newest_check, sections_of
from tournaments.selectors.entries import shared_names
from tournaments.selectors.events import deck_deadline_of
from tournaments.selectors.overview import checks_decks
from tournaments.services.deck_checks import read_deck
from tournaments.services.decks import replace_deck
from tournaments.web.edge import ActorRequest, event_page, render_event
from tournaments.web.organiser import manage_url


@event_page("deck.counts")
@require_safe
def manage_decks(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/decks/: how many decks there are; for judges also whose are legal."""
    rows = deck_rows(tournament)
    judges = is_allowed("deck.read", request.actor, tournament)
    context = {
        "here": "decks",
        "counts": deck_counts(rows),
        "rows": rows if judges else [],
        "checked": checks_decks(tournament),
        "may_read": judges,
        "plays_too": judges and member_of(request.actor, tournament) is not None,
        "shared": shared_names(tournament),
        "deadline": deck_deadline_of(tournament),
        "fresh": Form(),
    }
    return render_event(request, tournament, "events/manage/decks.html", context)


def _member_to_judge(request: ActorRequest, tournament: Tournament, number: int) -> EntryMember:
    """The player of an entry; NotFound "unknown_entry"."""
    member = (
        EntryMember.objects.filter(tournament=tournament, entry__number=number, order=1)
        .select_related("entry", "person", "tournament", "deck_version__deck")
        .first()
    )
    if member is None:
        raise NotFound("unknown_entry", _("There is no such entry in this event."))
    return member


@event_page("deck.read")
@never_cache
@require_POST
def show_deck(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/decks/<number>/read/: a player's list and the verdict on it; the reading stands in the log."""
    member = _member_to_judge(request, tournament, number)
    try:
        version = read_deck(request.actor, member, database_now(), request.POST.get("reason", ""))
    except DomainError as error:
        messages.error(request, error.message)
        return redirect(manage_url(tournament, "manage_decks"))
    check = newest_check(member)
    form = ReplaceDeckForm(initial={"name": version.deck.name, "text": version.source_text})
    context = {
        "version": version,
        "sections": sections_of(version, tournament),
        "check": check,
        "form": form,
    }
    response = _deck_page(request, tournament, member, context)
    response.is_secret = True  # type: ignore[attr-defined]
    return response


@event_page("deck.read")
@never_cache
def change_deck(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """GET, POST …/decks/<number>/: register a list for a player, with a reason; shows nothing registered before."""
    member = _member_to_judge(request, tournament, number)
    form = ReplaceDeckForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        context["reading"] = reading = attempt(
            form, lambda: read_decklist(values["text"], tournament.game, tournament.game_format)
        )
        if reading is not None:
            form.refuse_unread(reading)
        if not form.errors and _replace(request, member, form):
            return redirect(manage_url(tournament, "manage_decks"))
    return _deck_page(request, tournament, member, context)


def _replace(request: ActorRequest, member: EntryMember, form: ReplaceDeckForm) -> bool:
    values, now = form.cleaned_data, database_now()
    registered = attempt(
        form,
        lambda: replace_deck(request.actor, member, values["name"], values["text"], values["reason"], now),
        {"reason_needed": "reason", "deck_name_too_long": "name"},
    )
    if registered is None:
        return False
    verdict = _("it is legal") if registered.verdict.report.legal else _("it is NOT legal")
    text = _("The deck of %(name)s is registered; %(verdict)s.") % {"name": member.entry.name, "verdict": verdict}
    (messages.success if registered.verdict.report.legal else messages.warning)(request, text)
    return True


def _deck_page(
    request: ActorRequest, tournament: Tournament, member: EntryMember, context: dict[str, Any]
) -> HttpResponse:
    frame = {"here": "decks", "member": member, "can_change": tournament.state in OPEN_STATES, "fresh": Form()}
    return render_event(request, tournament, "events/manage/deck.html", {**frame, **context})
