"""Placing decks before each game: the player's button or staff's, a judge's taking back, and what match pages show."""

from typing import Any

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.http.access import is_allowed
from accounts.http.numbers import posted_number, read_number
from accounts.http.requests import ActorRequest
from journal.clock import database_now
from rules_engine.errors import NotFound, needed
from tournaments.core.forms import ReasonForm
from tournaments.core.rounds import full_match
from tournaments.decks.selectors.deck_ready import (
    is_revealed,
    is_stacking_time,
    own_seat,
    secret_section,
    stacking_of,
    unnamed_seats,
)
from tournaments.decks.selectors.decks import has_deck
from tournaments.decks.selectors.drafts import decks_since, table_draft
from tournaments.decks.selectors.reveal import revealed_plans
from tournaments.decks.services.deck_ready import mark_deck_ready, mark_deck_ready_for, start_stacking, undo_deck_ready
from tournaments.decks.services.drafts import move_draft
from tournaments.kept_answers import time_of_reading
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.permissions import is_on_staff, member_of
from tournaments.room.selectors.clocks import own_clock
from tournaments.web.frame.actions import run_action, sent_back
from tournaments.web.frame.event_view import event_view
from tournaments.web.shared.lookups import find_match
from tournaments.web.shared.match_rows import Names


@event_view("deck.place", "POST")
def place(request: ActorRequest, tournament: Tournament) -> HttpResponse:
    """POST …/my/placed/: your deck is stacked and placed for game `game` of match `match`."""
    match, back = _shown_match(tournament, request.POST.get("match", "")), reverse("my_match", args=[tournament.slug])
    seat = own_seat(match, member_of(request.actor, tournament)) if match else None
    if seat is None:
        messages.error(request, _("Not saved: that was another match. Here is yours."))
        return redirect(back)
    game = posted_number(request, "game") or 0
    done = _("Your deck is placed for game %(game)d.") % {"game": game}
    return run_action(request, lambda: mark_deck_ready(request.actor, seat, game, database_now()), done, back)


@event_view("deck.start_stacking", "POST")
def begin_stacking(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/stacking/: the minutes for `game`, one after the first, begin: by its players or staff."""
    match, game = find_match(tournament, match_id), posted_number(request, "game") or 0
    done = _("Stack your decks for game %(game)d: the time runs.") % {"game": game}
    back = _page_of(request.actor, tournament, match)
    return run_action(request, lambda: start_stacking(request.actor, match, game, database_now()), done, back)


@event_view("deck.draft", "POST")
def draft(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/draft/: the table's draft goes on from `step`, with act=back one step back."""
    match = find_match(tournament, match_id)
    seen, back = posted_number(request, "step"), request.POST.get("act") == "back"
    done = _("The draft is one step back.") if back else _("The draft goes on.")
    return run_action(
        request,
        lambda: move_draft(request.actor, match, -1 if seen is None else seen, database_now(), back=back),
        done,
        _page_of(request.actor, tournament, match),
    )


@event_view("deck.place_for", "POST")
def place_for(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/place-deck/: staff mark the deck at `seat` as placed for game `game`."""
    seat, game = _chosen_seat(request, tournament, match_id), posted_number(request, "game") or 0
    done = _("%(name)s: placed for game %(game)d.") % {"name": seat.entry.name, "game": game}
    back = sent_back(request, reverse("match", args=[tournament.slug, match_id]))
    return run_action(request, lambda: mark_deck_ready_for(request.actor, seat, game, database_now()), done, back)


@event_view("deck.take_back", "POST")
def take_back_deck(request: ActorRequest, tournament: Tournament, match_id: int) -> HttpResponse:
    """POST …/match/<id>/take-back-deck/: a judge has the player at `seat` stack again, with a reason."""
    seat = _chosen_seat(request, tournament, match_id)
    game, reason = posted_number(request, "game") or 0, request.POST.get("reason", "")
    done = _("Undone: %(name)s stacks again.") % {"name": seat.entry.name}
    back = sent_back(request, reverse("match", args=[tournament.slug, match_id]))
    return run_action(request, lambda: undo_deck_ready(request.actor, seat, game, reason, database_now()), done, back)


def stacking_context(actor: Actor, tournament: Tournament, match: Match, names: Names) -> dict[str, Any]:
    """What a page of one match shows of its stacking: `match` is loaded as `with_all` says; a few queries more."""
    prefetch_related_objects([match], "placements")
    stacking, mine = stacking_of(tournament, match), own_seat(match, member_of(actor, tournament))
    may_place = is_allowed("deck.place_for", actor, tournament) and mine is None
    may_take_back = is_allowed("deck.take_back", actor, tournament) and mine is None
    marks, now = stacking.marks if stacking else (), time_of_reading(tournament)
    return {
        "stacking": stacking,
        "stacking_leads": stacking is not None and is_stacking_time(match.round, stacking, now),
        "own_clock": own_clock(tournament, match, now),
        **draft_context(actor, tournament, match, names, mine),
        "stacking_marks": [(mark, _called(mark.seat, mine, names)) for mark in marks],
        "own_mark": next((mark for mark in marks if mark.seat == mine), None),
        "placing_for": [(mark.seat, names(mark.seat.entry)) for mark in marks if mark.placed_at is None and may_place],
        "taking_back": [
            (mark.seat, names(mark.seat.entry), ReasonForm(auto_id=f"stack_again_{mark.seat.order}_%s"))
            for mark in marks
            if mark.placed_at is not None and may_take_back
        ],
        "unnamed": [
            (seat, _called(seat, mine, names), ReasonForm(auto_id=f"unnamed_{seat.order}_%s"))
            for seat in unnamed_seats(tournament, match)
        ],
        "own_seat": mine,
        "may_place_for": may_place,
        "may_take_back_deck": may_take_back,
        "secret": secret_section(tournament),
        "is_revealed": is_revealed(match),
        "plans": [(plan, _called(plan.seat, mine, names)) for plan in revealed_plans(actor, match, now)],
    }


def draft_context(
    actor: Actor, tournament: Tournament, match: Match, names: Names, seat: Seat | None
) -> dict[str, Any]:
    """What a page of one match shows of its draft, as seen from a `seat`; nothing once that tells no more."""
    found = table_draft(tournament, match)
    if found is None or (found.is_over and not found.draft.makes_deck):
        return {"draft": None}
    prefetch_related_objects(found.seats, "member")
    since, to = decks_since(tournament), found.next_to(seat) if seat is not None else None
    decks = [(names(each.entry), has_deck(each.member, since)) for each in found.seats]
    return {
        "draft": found,
        "draft_to": names(to.entry) if to is not None else "",
        "draft_decks": decks,
        "draft_missing": [name for name, is_registered in decks if found.registers and not is_registered],
        "may_lock": is_on_staff(actor, tournament),
    }


def _chosen_seat(request: ActorRequest, tournament: Tournament, match_id: int) -> Seat:
    """The seat that a form of staff names at a match of the event; NotFound "unknown_match"."""
    match = find_match(tournament, match_id)
    seats = {seat.pk: seat for seat in match.seats.all()}
    seat = seats.get(posted_number(request, "seat") or 0)
    return needed(seat, NotFound("unknown_match", _("This event has no such match.")))


def _page_of(actor: Actor, tournament: Tournament, match: Match) -> str:
    """The page of a match for who plays there, else that of staff."""
    if own_seat(match, member_of(actor, tournament)) is not None:
        return reverse("my_match", args=[tournament.slug])
    return reverse("match", args=[tournament.slug, match.pk])


def _called(seat: Seat, mine: Seat | None, names: Names) -> str:
    return _("You") if seat == mine else names(seat.entry)


def _shown_match(tournament: Tournament, number: str) -> Match | None:
    """A match of the event in a round that is published; None for all others alike."""
    match = full_match(tournament, read_number(number) or 0)
    return match if match is not None and match.round.state != Round.State.PAIRED else None
