"""A deck as judges see it: read, checked, replaced, allowed and reopened, each logged."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.http.numbers import asked_number, posted_number
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import call_service
from decks.models import DeckVersion
from decks.services.decks import read_decklist
from journal.clock import database_now
from journal.idempotency.responses import shown_once
from rules_engine.errors import DomainError, NotFound, needed
from tournaments.core.forms import ReasonForm
from tournaments.decks.forms import DeckCheckForm, ReopenDeckForm, ReplaceDeckForm
from tournaments.decks.selectors.deck_checks import checks_of, falling_decks, has_just_read, order_key
from tournaments.decks.selectors.deck_states import DeckState, deck_states
from tournaments.decks.selectors.decks import (
    OPEN_STATES,
    is_locked_for,
    is_reopened,
    newest_check,
    sections_of,
)
from tournaments.decks.services.deck_checks import allow_deck, draw_check, read_deck, record_check
from tournaments.decks.services.decks import replace_deck
from tournaments.decks.services.reopening import close_reopened_deck, reopen_deck
from tournaments.entries.selectors.entries import player_named, plays_in_teams
from tournaments.forecast.check_costs import check_costs
from tournaments.models import EntryMember, Tournament
from tournaments.permissions import member_of
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.organiser.events import manage_url
from tournaments.web.shared.deck_sheets import filled_sheet
from tournaments.web.shared.pasted_lists import say_assumed, typed_values

CHECKS_A_PAGE = 50


@event_view("deck.read", "POST")
def draw(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/manage/decks/draw/: whose deck is checked next, fairly, where it costs nothing; logged."""
    back = manage_url(tournament, "manage_decks")
    try:
        now = database_now()
        drawn = draw_check(request.actor, tournament, now, check_costs(tournament, now))
    except DomainError as error:
        messages.error(request, error.message)
        return redirect(back)
    place = "" if drawn.member.order == 1 else f"&member={drawn.member.order}"
    return redirect(f"{back}?drawn={drawn.member.entry.number}{place}")


@event_view("deck.read")
def deck_checks(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET …/manage/decks/checks/?page=…: every deck check, newest first."""
    page = Paginator(checks_of(tournament), CHECKS_A_PAGE).get_page(request.GET.get("page"))
    key = order_key(tournament).hex() if tournament.state == Tournament.State.FINISHED else ""
    context = {"here": "decks", "page": page, "order_key": key, "teams": plays_in_teams(tournament)}
    return render_event(request, tournament, "organiser/deck_checks.html", context)


def _read_on_record(request: ActorRequest, member: EntryMember) -> DeckVersion | None:
    """The player's list, its reading logged; None where it is refused, which the next page says."""
    try:
        return read_deck(request.actor, member, database_now(), request.POST.get("reason", ""))
    except DomainError as error:
        messages.error(request, error.message)
        return None


@event_view("deck.read", "POST", fresh=True)
def show_deck(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/decks/<number>/read/: a player's list and the verdict on it; the reading stands in the log."""
    member = _member_to_judge(request, tournament, number)
    version = _read_on_record(request, member)
    if version is None:
        return redirect(manage_url(tournament, "manage_decks"))
    check_form = DeckCheckForm(
        initial={"version": version.number, "reason": request.POST.get("reason", "")},
        plays_too=_plays_too(request, tournament, member),
    )
    context = _list_of(tournament, member, version) | {"check_form": check_form}
    return shown_once(_deck_page(request, tournament, member, context))


@event_view("deck.read", "POST", fresh=True)
def show_sheet(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/decks/<number>/sheet/: a player's registration sheet to print; the reading stands in the log."""
    member = _member_to_judge(request, tournament, number)
    version = _read_on_record(request, member)
    if version is None:
        return redirect(manage_url(tournament, "manage_decks"))
    return shown_once(render(request, "decks/sheet.html", filled_sheet(tournament, member, version)))


@event_view("deck.read", "GET", "HEAD", "POST", fresh=True)
def change_deck(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """GET, POST …/decks/<number>/: register a list for a player, with a reason; shows nothing registered before.

    A POST with an `act` registers nothing: "replace LINE NAME" takes a suggestion for a line, any other only reads.
    """
    member = _member_to_judge(request, tournament, number)
    form = ReplaceDeckForm(typed_values(request, "name", "text", "reason"))
    context: dict[str, Any] = {"form": form, "seen": posted_number(request, "version")}
    if form.is_bound and "text" not in form.errors:
        text = form.cleaned_data["text"]
        context["reading"] = reading = call_service(
            form, lambda: read_decklist(text, tournament.game, tournament.game_format)
        )
        if reading is not None:
            form.refuse_unread(reading)
        if form.is_valid() and not request.POST.get("act"):
            if _replace(request, member, form, context["seen"]):
                return redirect(manage_url(tournament, "manage_decks"))
            context["seen"] = None  # whoever sends it once more was told what is registered now
    return _deck_page(request, tournament, member, context)


@event_view("deck.read", "POST", fresh=True)
def check_deck(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/decks/<number>/check/: record how the cards on the table compare with the list that was read.

    Where it is refused, the list stays on the page of a judge who has just read it.
    """
    member = _member_to_judge(request, tournament, number)
    form = DeckCheckForm(request.POST, plays_too=_plays_too(request, tournament, member))
    if form.is_valid():
        values, now = form.cleaned_data, database_now()
        outcome, notes, reason = values["outcome"], values["notes"], values.get("reason", "")
        seen = values["version"]
        recorded = call_service(
            form,
            lambda: record_check(request.actor, member, outcome, notes, now, seen=seen, reason=reason),
            {"reason_needed": "reason"},
        )
        if recorded is not None:
            messages.success(request, _("The deck check of %(name)s is recorded.") % {"name": player_named(member)})
            return redirect("deck_checks", tournament.slug)
    context: dict[str, Any] = {"form": ReplaceDeckForm(), "check_form": form}
    version = member.deck_version
    if version is not None and has_just_read(request.actor, tournament, version, database_now()):
        context |= _list_of(tournament, member, version)
    return shown_once(_deck_page(request, tournament, member, context))


@event_view("deck.reopen", "POST", fresh=True)
def reopen(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/decks/<number>/reopen/: let a player register once more after the lock, for a while, with a reason."""
    member = _member_to_judge(request, tournament, number)
    form = ReopenDeckForm(request.POST)
    if form.is_valid():
        minutes, reason = form.cleaned_data["minutes"], form.cleaned_data["reason"]
        done = call_service(form, lambda: reopen_deck(request.actor, member, minutes, reason, database_now()))
        if done is not None:
            text = _("%(name)s has %(minutes)d minutes to register a deck.")
            messages.success(request, text % {"name": player_named(member), "minutes": minutes})
            return redirect(manage_url(tournament, "manage_decks"))
    return _deck_page(request, tournament, member, {"form": ReplaceDeckForm(), "reopen_form": form})


@event_view("deck.read", "POST")
def allow(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/decks/<number>/allow/: let a deck be played although it is not legal, with a reason."""
    member, reason = _member_to_judge(request, tournament, number), request.POST.get("allow-reason", "")
    seen, now = posted_number(request, "version"), database_now()
    done = _("The deck of %(name)s is played as it is.") % {"name": player_named(member)}
    back = manage_url(tournament, "manage_decks")
    return run_action(request, lambda: allow_deck(request.actor, member, reason, now, seen=seen), done, back)


@event_view("deck.reopen", "POST")
def shut(request: ActorRequest, tournament: Tournament, number: int) -> HttpResponse:
    """POST …/decks/<number>/shut/: close a reopened deck before its time."""
    member = _member_to_judge(request, tournament, number)
    done = _("The deck of %(name)s is locked again.") % {"name": player_named(member)}
    back = manage_url(tournament, "manage_decks")
    return run_action(request, lambda: close_reopened_deck(request.actor, member, database_now()), done, back)


def _member_to_judge(request: ActorRequest, tournament: Tournament, number: int) -> EntryMember:
    """The player of an entry, of a team the one at the place ?member=…; NotFound "unknown_entry"."""
    place = asked_number(request, "member") or 1
    member = (
        EntryMember.objects.filter(tournament=tournament, entry__number=number, order=place)
        .select_related("entry", "person", "tournament", "deck_version__deck")
        .first()
    )
    return needed(member, NotFound("unknown_entry", _("This event has no such entry.")))


def _list_of(tournament: Tournament, member: EntryMember, version: DeckVersion) -> dict[str, Any]:
    """What the page shows of a list that was read on record."""
    return {
        "version": version,
        "seen": version.number,
        "falling": falling_decks(tournament, [version.pk], database_now()).get(version.pk, ()),
        "sections": sections_of(version, tournament),
        "check": newest_check(member),
        "form": ReplaceDeckForm(initial={"name": version.deck.name, "text": version.source_text}),
    }


def _plays_too(request: ActorRequest, tournament: Tournament, member: EntryMember) -> bool:
    """Whether the judge plays here, and this is another player's deck."""
    own = member_of(request.actor, tournament)
    return own is not None and own != member


def _replace(request: ActorRequest, member: EntryMember, form: ReplaceDeckForm, seen: int | None) -> bool:
    values, now = form.cleaned_data, database_now()
    registered = call_service(
        form,
        lambda: replace_deck(request.actor, member, values["name"], values["text"], values["reason"], now, seen=seen),
        {"reason_needed": "reason", "no_cards": "text", "deck_name_too_long": "name"},
    )
    if registered is None:
        return False
    verdict = _("it is legal") if registered.verdict.report.legal else _("it is NOT legal")
    text = _("%(name)s: deck registered; %(verdict)s.") % {"name": player_named(member), "verdict": verdict}
    (messages.success if registered.verdict.report.legal else messages.warning)(request, text)
    say_assumed(request, registered.notices)
    return True


def _deck_page(
    request: ActorRequest, tournament: Tournament, member: EntryMember, context: dict[str, Any]
) -> HttpResponse:
    now, can_change = database_now(), tournament.state in OPEN_STATES
    deck = deck_states(request.actor, tournament, [member])[member.pk]
    frame = {
        "here": "decks",
        "member": member,
        "player": player_named(member),
        "can_change": can_change,
        "can_reopen": can_change and is_locked_for(tournament, member, now),
        "reopened": is_reopened(member, now),
        "deck": deck,
        "can_allow": can_change and deck == DeckState.ILLEGAL and member.deck_allowed_at is None,
        "allow_form": ReasonForm(prefix="allow"),
        "reopen_form": ReopenDeckForm(),
        "plays_too": _plays_too(request, tournament, member),
    }
    return render_event(request, tournament, "organiser/deck.html", {**frame, **context})
