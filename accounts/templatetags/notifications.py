"""Template tag for the part of a page in which its viewer asks for notifications of pairings."""

from typing import Any

from django import template
from django.conf import settings

from accounts.http.requests import ActorRequest
from accounts.identity.selectors import masked, person_or_none
from accounts.notifications.messages import mailed_person
from accounts.notifications.webpush import public_key

register = template.Library()


@register.inclusion_tag("shared/push.html", takes_context=True)
def tell_me(context: template.Context) -> dict[str, Any]:
    """The part with its states: what this browser can do is known to its script alone, mails to the server.

    Who came by a personal link, which staff can make, is shown no whole address (docs/how-it-works/trust.md#access,
    contact data).
    """
    request: ActorRequest = context["request"]
    actor = request.actor
    person = person_or_none(actor.user) if actor.user is not None else actor.person
    mailed = mailed_person(person) if person is not None and settings.DOOMDESK_MAIL else None
    is_own = actor.user is not None
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "who": actor.key,
        "push_key": public_key(),
        "can_mail": settings.DOOMDESK_MAIL,
        "mailed": mailed and (mailed.email if is_own else masked(mailed.email)),
        "email": person.email if person is not None and is_own else "",
    }
