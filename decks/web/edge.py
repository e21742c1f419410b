"""What every page of an own deck does: find it or know nothing of it, ask for permission, keep it out of caches."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from accounts.access import access, check_access
from accounts.actors import Actor
from decks.models import Deck
from decks.selectors.decks import find_deck

P = ParamSpec("P")


class ActorRequest(HttpRequest):
    """A request as views see it, after ActorMiddleware."""

    actor: Actor


DeckView = Callable[Concatenate[ActorRequest, Deck, P], HttpResponse]


def deck_page(view: DeckView[P]) -> Callable[..., HttpResponse]:
    """A view of one own deck; a visitor is asked to sign in, whatever the address; foreign decks are not found."""

    @access("own_deck")
    @never_cache
    @wraps(view)
    def page(request: ActorRequest, public_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.actor.is_known:
            check_access("own_deck", request.actor)
        deck = find_deck(request.actor, public_id)
        check_access("own_deck", request.actor, deck)
        return view(request, deck, *args, **kwargs)

    return page
