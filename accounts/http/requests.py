"""A request as views see it: what our middleware adds has a type here."""

from datetime import datetime
from typing import Any, cast

from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.actors import Actor
from accounts.identity.services import person_of
from accounts.models import Person, PersonalLink, User
from rules_engine.errors import DomainError, NotAllowed


class ActorRequest(HttpRequest):
    """A request after ActorMiddleware.

    `token_pair` is the user and the row of the API token that was shown, `shown_link` a personal link shown instead,
    and `link_refusal` why that one opens nothing.
    """

    actor: Actor
    token_pair: tuple[Any, Any] | None
    shown_link: PersonalLink | None
    link_refusal: DomainError | None


def acting(request: HttpRequest) -> ActorRequest:
    """The same request by the type it has after ActorMiddleware, where Django's signature says HttpRequest."""
    return cast(ActorRequest, request)


def own_account(request: ActorRequest) -> User:
    """The account that acts; NotAllowed "sign_in" where there is none."""
    if request.actor.user is None:
        raise _sign_in()
    return request.actor.user


def own_person(request: ActorRequest, now: datetime) -> Person:
    """The person who acts, by account or by personal link; NotAllowed "sign_in" for a visitor."""
    actor = request.actor
    if actor.user is not None:
        return person_of(actor.user, now)
    if actor.person is None:
        raise _sign_in()
    return actor.person


def _sign_in() -> NotAllowed:
    return NotAllowed("sign_in", _("Please sign in first."))
