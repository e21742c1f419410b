"""Says who acts in a request: an API token, an account, a person by personal link, or nobody we know."""

from collections.abc import Callable

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import AuthenticationFailed

from accounts.actors import ANONYMOUS, Actor
from accounts.http.requests import ActorRequest, acting
from accounts.identity.devices import device_of
from accounts.identity.selectors import actor_of_link, live_links, person_or_none
from accounts.identity.tokens import StrictTokenAuthentication

LINK_IN_SESSION = "personal_link_id"


class ActorMiddleware:
    """Sets `request.actor`, and `request.token_pair` (user, token) where an API token was shown.

    A session opened by personal link names the link, which is looked up at each request: a revoked one is dead at once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = acting(request)
        asked.token_pair = _token_pair(asked)
        asked.actor = _actor_of(asked)
        return self.get_response(request)


def _token_pair(request: HttpRequest) -> tuple[object, object] | None:
    try:
        pair: tuple[object, object] | None = StrictTokenAuthentication().authenticate(request)
    except AuthenticationFailed:  # DRF answers 401 for it; a page takes the caller for a visitor
        return None
    return pair


def _actor_of(request: ActorRequest) -> Actor:
    pair, device = request.token_pair, device_of(request)
    if pair is not None:
        return Actor(pair[0], person_or_none(pair[0]), "token", device=device)
    if request.user.is_authenticated:
        person, is_proved = person_or_none(request.user), _is_proved(request)
        return Actor(request.user, person, "session", device=device, is_proved=is_proved)
    link_id = request.session.get(LINK_IN_SESSION)
    link = live_links().filter(pk=link_id).first() if link_id is not None else None
    return actor_of_link(link, device) if link else ANONYMOUS


def _is_proved(request: HttpRequest) -> bool:
    """Whether a site admin gave a code of a second factor in this session, and still has that factor."""
    if not request.user.is_staff:
        return False
    proofs = get_authentication_records(request, request.user)
    used = [proof.get("id") for proof in proofs if proof["method"] == "mfa"]
    return bool(used) and Authenticator.objects.filter(user=request.user, pk__in=used).exists()
