"""What every page of an event does first: find the event, ask for permission, read the clock."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse

from accounts.access import access, check_access
from tournaments.models import Tournament
from tournaments.selectors.events import find_event

P = ParamSpec("P")
EventView = Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse]


def event_page(rule: str) -> Callable[[EventView[P]], Callable[..., HttpResponse]]:
    """A view of one event under a permission of `tournaments.permissions`; hidden events are not found, the rest denied."""

    def decorate(view: EventView[P]) -> Callable[..., HttpResponse]:
        @access(rule)
        @wraps(view)
        def page(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            tournament = find_event(request.actor, slug)
            check_access(rule, request.actor, tournament)
            return view(request, tournament, *args, **kwargs)

        return page

    return decorate
