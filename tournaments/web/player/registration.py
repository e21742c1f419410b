"""Pages of those who play: sign-up, leaving the event, your events."""

from collections.abc import Iterable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import page_view
from accounts.http.requests import ActorRequest, own_person
from accounts.http.service_errors import call_service
from journal.clock import database_now
from tournaments.core.rounds import own_match
from tournaments.decks.selectors.deck_states import own_deck
from tournaments.decks.selectors.decks import checks_decks
from tournaments.entries.forms import SignUpForm
from tournaments.entries.selectors.entries import (
    active_entries,
    may_check_in,
    own_check_in_opens,
    plays_in_teams,
    takes_sign_ups,
)
from tournaments.entries.selectors.pairing_constraints import own_needs
from tournaments.entries.services.attendance import check_in_oneself, drop_entry
from tournaments.entries.services.entries import sign_up
from tournaments.events.selectors.events import by_nearness, events_of
from tournaments.models import Entry, Match, Tournament
from tournaments.permissions import check_scope, is_visible, member_of, withdrawn_entry_of
from tournaments.web.frame.actions import run_action
from tournaments.web.frame.event_view import event_view, render_event
from tournaments.web.player.own_match import own_member
from tournaments.web.player.teams import team_address
from tournaments.web.shared.event_lines import group_lines, own_event_lines
from tournaments.web.shared.impact import own_drop_in_words
from tournaments.web.shared.match_rows import published_rounds

EventState = Tournament.State
EVENTS_A_PAGE = 20


@page_view("known")
def my_events(request: ActorRequest) -> HttpResponse:
    """GET /my/: every event the viewer runs or plays in; who came by link is led to the one that it is about now."""
    events = by_nearness(events_of(request.actor))
    if request.actor.via == "link" and (meant := _meant_by_link(request.actor, events)) is not None:
        return redirect("my_match" if meant.state == EventState.RUNNING else "event", meant.slug)
    page = Paginator(events, EVENTS_A_PAGE).get_page(request.GET.get("page"))
    groups = group_lines(own_event_lines(request.actor, list(page.object_list)))
    return render(request, "player/events.html", {"page": page, "groups": groups})


def _meant_by_link(actor: Actor, events: Iterable[Tournament]) -> Tournament | None:
    """The one event that runs, else the one to come, else the only one; None where several could be meant.

    Whoever withdrew from a private event is not shown it any more.
    """
    shown = [each for each in events if is_visible(actor, each)]
    running = [each for each in shown if each.state == EventState.RUNNING]
    coming = [each for each in shown if each.state == EventState.REGISTRATION]
    found = running or coming or shown
    return found[0] if len(found) == 1 else None


@event_view("entries.sign_up", "GET", "POST")
def register(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/register/: sign up, with the waiting list announced before; withdraw again before the start.

    NotAllowed "other_event".
    """
    check_scope(request.actor, tournament)
    member = member_of(request.actor, tournament)
    form = SignUpForm(request.POST if request.POST.get("act") == "sign_up" else None)
    if request.method == "POST" and request.POST.get("act") == "withdraw":
        return _withdraw(request, tournament)
    if form.is_bound and form.is_valid():
        mates, now = form.cleaned_data, database_now()
        entry = call_service(form, lambda: sign_up(request.actor, tournament, own_person(request, now), now, **mates))
        if entry is not None:
            tell = messages.warning if entry.state == Entry.State.WAITING else messages.success
            tell(request, _registered_text(entry))
            return redirect("event", tournament.slug)
    taken = active_entries(tournament).count()
    context = {
        "here": "register",
        "form": form,
        "member": member,
        "gone": withdrawn_entry_of(request.actor, tournament),
        "may_check_in": member is not None and may_check_in(member.entry, database_now()),
        "check_in_opens": own_check_in_opens(tournament),
        "needs": own_needs(request.actor, member) if member else None,
        "teams": plays_in_teams(tournament),
        "team_address": team_address(request, tournament, member),
        "is_open": takes_sign_ups(tournament),
        "taken": taken,
        "is_full": tournament.capacity is not None and taken >= tournament.capacity,
        "waiting": tournament.entries.filter(state=Entry.State.WAITING).count(),
        "checks_decks": checks_decks(tournament),
        "own_deck": own_deck(request.actor, tournament, member, database_now()),
    }
    return render_event(request, tournament, "player/register.html", context)


def _registered_text(entry: Entry) -> str:
    if entry.state == Entry.State.WAITING:
        return _("You're on the waiting list until a place is free.")
    return _("You're registered as number %(number)d.") % {"number": entry.number}


def _withdraw(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    entry = own_member(request, tournament).entry
    if tournament.state == EventState.RUNNING:
        return redirect("my_drop", tournament.slug)
    return _leave(request, tournament, entry)


def _leave(request: ActorRequest, tournament: Tournament, entry: Entry) -> HttpResponse:
    """Leave before the start; a private event is not theirs to see any more."""
    again = takes_sign_ups(tournament)
    done = _("You withdrew. You can sign up again while registration is open.") if again else _("You've withdrawn.")
    hidden = tournament.visibility == Tournament.Visibility.PRIVATE
    back = reverse("my_events") if hidden else reverse("event", args=[tournament.slug])
    return run_action(request, lambda: drop_entry(request.actor, entry, database_now()), done, back)


@event_view("entry.own", "POST")
def check_in(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/my/check-in/: be there, once the event lets players say so themselves."""
    entry, now = own_member(request, tournament).entry, database_now()
    done, back = _("You are checked in."), reverse("event", args=[tournament.slug])
    return run_action(request, lambda: check_in_oneself(request.actor, entry, now), done, back)


@event_view("entry.own", "GET", "POST")
def my_drop(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """GET, POST …/my/drop/: leave a running event, after a page that says what happens."""
    entry = own_member(request, tournament).entry
    if request.method == "POST" and (tournament.started_at is None or entry.state == Entry.State.WAITING):
        return _leave(request, tournament, entry)
    if request.method == "POST":
        done = _("You've dropped. Your results stay in the standings.")
        return run_action(
            request,
            lambda: drop_entry(request.actor, entry, database_now()),
            done,
            reverse("my_match", args=[tournament.slug]),
        )
    rounds = published_rounds(tournament)
    match = own_match(rounds[-1], entry.pk) if rounds else None
    may_drop = entry.state == Entry.State.REGISTERED and tournament.state == EventState.RUNNING
    context = {
        "here": "my",
        "entry": entry,
        "may_drop": may_drop,
        "moves": own_drop_in_words(entry) if may_drop else (),
        "match": match if match and match.state != Match.State.DONE else None,
    }
    return render_event(request, tournament, "player/drop.html", context)
