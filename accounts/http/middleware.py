"""Says who acts in a request: an API token, an account, a person by personal link, or nobody we know."""

from collections.abc import Callable

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import AuthenticationFailed

from accounts.actors import ANONYMOUS, Actor
from accounts.http.link_throttle import count_miss
from accounts.http.requests import ActorRequest, acting
from accounts.identity.devices import device_of
from accounts.identity.selectors import actor_of_link, live_link, person_or_none
from accounts.identity.services import find_personal_link
from accounts.identity.tokens import StrictTokenAuthentication
from accounts.models import PersonalLink
from journal.clock import database_now
from journal.idempotency.requests import API_PREFIX
from rules_engine.errors import DomainError, NotFound, TooMany

LINK_IN_SESSION = "personal_link_id"
OFFERED_LINK = "offered_link_id"
"""Of the session of a person signed in: the link whose person the account may take over."""
LINK_SCHEME = "link"
"""What a program writes before the secret part of a personal link, in the header `Authorization`."""


class ActorMiddleware:
    """Sets `request.actor`, and `request.token_pair` or `request.shown_link` where a token or link was shown.

    A session opened by personal link names the link, which is looked up at each request: a revoked one is dead at once.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = acting(request)
        asked.shown_link, asked.link_refusal = shown_link(asked)
        asked.token_pair = None if asked.shown_link else _token_pair(asked)
        asked.actor = _actor_of(asked)
        return self.get_response(request)


def _token_pair(request: HttpRequest) -> tuple[object, object] | None:
    try:
        pair: tuple[object, object] | None = StrictTokenAuthentication().authenticate(request)
    except AuthenticationFailed:  # DRF answers 401 for it; a page takes the caller for a visitor
        return None
    return pair


def shown_link(request: HttpRequest) -> tuple[PersonalLink | None, DomainError | None]:
    """The personal link of `Authorization: Link …`, or why it opens nothing; neither where none is shown.

    A wrong one is counted here, where it is read: no view can forget to. Pages pass over the header, for a browser
    has its session.
    """
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != LINK_SCHEME or not request.path_info.startswith(API_PREFIX):
        return None, None
    try:
        return find_personal_link(token.strip(), database_now()), None
    except NotFound as wrong:
        try:
            count_miss(request)
        except TooMany as error:
            return None, error
        return None, wrong


def _actor_of(request: ActorRequest) -> Actor:
    pair, device = request.token_pair, device_of(request)
    if request.shown_link is not None:
        return actor_of_link(request.shown_link, device)
    if pair is not None:
        return Actor(pair[0], person_or_none(pair[0]), "token", device=device)
    if request.user.is_authenticated:
        person, is_proved = person_or_none(request.user), _is_proved(request)
        return Actor(request.user, person, "session", device=device, is_proved=is_proved)
    link_id = request.session.get(LINK_IN_SESSION)
    links = live_link(link_id) if link_id is not None else []
    return actor_of_link(links[0], device) if links else ANONYMOUS


def _is_proved(request: HttpRequest) -> bool:
    """Whether a site admin gave a code of a second factor in this session, and still has that factor."""
    if not request.user.is_staff:
        return False
    proofs = get_authentication_records(request, request.user)
    used = [proof.get("id") for proof in proofs if proof["method"] == "mfa"]
    return bool(used) and Authenticator.objects.filter(user=request.user, pk__in=used).exists()
