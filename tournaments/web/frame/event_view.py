"""What every page of an event does: find the event, ask for permission, answer with the event's frame around it."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec
from zoneinfo import ZoneInfo

from django.forms import Form
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.actors import Actor
from accounts.http.access import access, answering, check_access, count_as_asked, is_allowed
from accounts.http.requests import ActorRequest
from accounts.http.service_errors import render_refusals
from tournaments.core.events import find_event
from tournaments.core.rounds import current_round, newest_shown_round
from tournaments.entries.selectors.door import waiting_claims
from tournaments.kept_answers import ask_once, time_of_reading
from tournaments.models import DoorClaim, Stage, Tournament
from tournaments.permissions import JUDGE, ORGANISER, PLAYER, STAFF, roles_of
from tournaments.room.selectors.announcements import announcements_of
from tournaments.room.selectors.clocks import clock_of
from tournaments.structure.selectors.overview import BRACKETS
from tournaments.structure.selectors.stages import stages_of
from tournaments.web.frame.navigation import places_of
from tournaments.web.frame.undo_words import fresh_undo_offers, undo_offers

P = ParamSpec("P")


EventView = Callable[Concatenate[ActorRequest, Tournament, P], HttpResponseBase]


def event_view(
    rule: str, *methods: str, fresh: bool = False
) -> Callable[[EventView[P]], Callable[..., HttpResponseBase]]:
    """A view of one event under a permission of `tournaments.permissions`; hidden events are not found.

    It answers GET and HEAD unless other `methods` are named; no cache keeps the answer of one that is `fresh`.

    A view that has a way of its own to find its event (`find`) is handed what that finds; one that can tell an answer
    `again` for which the rule was asked, of an event that it takes for unchanged, is asked for that first.
    """

    def decorate(view: EventView[P]) -> Callable[..., HttpResponseBase]:
        find: Callable[[Actor, str], Tournament] = getattr(view, "find", find_event)
        again: Callable[[ActorRequest], HttpResponse | None] = getattr(view, "again", lambda request: None)
        answers = answering(view, methods, fresh=fresh)

        @access(rule)
        @wraps(answers)
        def page(request: ActorRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if (answer := again(request)) is not None:
                count_as_asked(rule)
                return answer
            tournament = find(request.actor, slug)
            check_access(rule, request.actor, tournament)
            if request.method == "GET":
                ask_once(tournament)
            return answers(request, tournament, *args, **kwargs)

        return page

    return decorate


def event_facts(request: ActorRequest, tournament: Tournament, now: datetime) -> dict[str, Any]:
    """Who looks at an event, and which of the pages that only some events have it has (`navigation.Page.fact`)."""
    roles, kinds = roles_of(request.actor, tournament), {stage.kind for stage in stages_of(tournament)}
    return {
        "is_organiser": ORGANISER in roles,
        "is_judge": JUDGE in roles,
        "is_staff": bool(roles & STAFF),
        "is_player": PLAYER in roles,
        "has_bracket": not kinds.isdisjoint(BRACKETS),
        "has_crosstable": Stage.Kind.ROUND_ROBIN in kinds,
        "is_run_here": not tournament.is_brought,
        "decks_are_public": tournament.decks_published_at is not None and tournament.decks_published_at <= now,
    }


def render_event(
    request: ActorRequest,
    tournament: Tournament,
    template: str,
    context: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Answer with a page that extends `shared/event_base.html`.

    Adds the event, who looks and which pages they may open, the round, what the room sees, and how old it all is. What
    a form of the `context` refuses is always said.
    """
    roles, now = roles_of(request.actor, tournament), time_of_reading(tournament)
    facts = event_facts(request, tournament, now)
    frame: dict[str, Any] = {
        "event": tournament,
        **facts,
        "current_round": (current_round if facts["is_staff"] else newest_shown_round)(tournament),
        "announcements": announcements_of(tournament),
        "clock": clock_of(tournament, now),
        "as_of": getattr(request, "held_since", now),
        "fresh_form": Form(),
        "door_claims": partial(_door_claims, request.actor, tournament, now) if roles else (),
        "undo_offers": partial(undo_offers, request.actor, tournament, now) if roles else (),
        "fresh_undo_offers": partial(fresh_undo_offers, request.actor, tournament, now) if roles else (),
        **getattr(request, "marks", {}),
        **(context or {}),
    }
    frame["bar"] = places_of(request.actor, tournament, frame)
    with timezone.override(ZoneInfo(tournament.time_zone)):
        return render_refusals(request, template, frame, status)


def _door_claims(actor: Actor, tournament: Tournament, now: datetime) -> Iterable[DoorClaim]:
    """Who waits at the door for the word of a viewer who may give it."""
    return waiting_claims(tournament, now) if is_allowed("entries.links", actor, tournament) else ()
