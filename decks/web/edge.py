"""What every page of an own deck does: find it or know nothing of it, ask for permission, keep it out of caches."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from accounts.http.access import access, check_access
from accounts.http.requests import ActorRequest
from decks.models import Deck
from decks.selectors.decks import find_deck, newest_version
from rules_engine.errors import NotFound

P = ParamSpec("P")
GONE = frozenset({"unknown_game", "unknown_format"})


DeckView = Callable[Concatenate[ActorRequest, Deck, P], HttpResponse]


def deck_page(view: DeckView[P]) -> Callable[..., HttpResponse]:
    """A view of one own deck; a visitor is asked to sign in, whatever the address; foreign decks are not found.

    Where the game or format of the deck is gone, the page shows the text and how to delete the deck.
    """

    @access("own_deck")
    @never_cache
    @wraps(view)
    def page(request: ActorRequest, public_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.actor.is_known:
            check_access("own_deck", request.actor)
        deck = find_deck(request.actor, public_id)
        check_access("own_deck", request.actor, deck)
        try:
            return view(request, deck, *args, **kwargs)
        except NotFound as error:
            if error.code not in GONE:
                raise
        context = {"deck": deck, "newest": newest_version(request.actor, deck)}
        return render(request, "decks/gone.html", context)

    return page
