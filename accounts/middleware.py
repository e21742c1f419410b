"""Says who acts in a request: an API token, an account, a person by personal link, or nobody we know."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import AuthenticationFailed

from accounts.actors import ANONYMOUS, Actor
from accounts.selectors import live_links, person_or_none
from accounts.tokens import StrictTokenAuthentication

LINK_IN_SESSION = "personal_link_id"


class ActorMiddleware:
    """Sets `request.actor`, and `request.token_pair` (user, token) where an API token was shown.

    A session opened by personal link names the link, which is looked up at each request: a revoked one is dead at once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.token_pair = _token_pair(request)  # type: ignore[attr-defined]
        request.actor = _actor_of(request)  # type: ignore[attr-defined]
        return self.get_response(request)


def _token_pair(request: HttpRequest) -> tuple[object, object] | None:
    try:
        pair: tuple[object, object] | None = StrictTokenAuthentication().authenticate(request)
    except AuthenticationFailed:  # DRF answers 401 for it; a page takes the caller for a visitor
        return None
    return pair


def _actor_of(request: HttpRequest) -> Actor:
    pair = request.token_pair  # type: ignore[attr-defined]
    if pair is not None:
        return Actor(pair[0], person_or_none(pair[0]), "token")
    if request.user.is_authenticated:
        return Actor(request.user, person_or_none(request.user), "session")
    link_id = request.session.get(LINK_IN_SESSION)
    link = live_links().filter(pk=link_id).first() if link_id is not None else None
    return Actor(None, link.person, "link", link.created_at, link.scope) if link else ANONYMOUS
