"""Who made the personal link that a visitor came by, and when: a player notices a link that was not made for them."""

from typing import Any

from django import template

from accounts.http.middleware import LINK_IN_SESSION
from accounts.identity.selectors import live_links
from accounts.models import PersonalLink

register = template.Library()


@register.inclusion_tag("accounts/own_link.html", takes_context=True)
def own_link(context: dict[str, Any]) -> dict[str, Any]:
    """The link (`link`), whether it took an older one's `place`; or the `newer` one that ended the visitor's.

    Nothing for whoever came by no link; two queries at most.
    """
    request = context.get("request")
    links = PersonalLink.objects.select_related("issued_by")
    link = links.filter(pk=request.session.get(LINK_IN_SESSION, 0)).first() if request is not None else None
    if request is None or link is None or request.user.is_authenticated:
        return {}
    of_person = links.filter(person=link.person_id, scope=link.scope)
    if request.actor.link == link.pk:
        return {"link": link, "place": of_person.filter(revoked_at=link.created_at).exists()}
    newer = live_links().filter(person=link.person_id, scope=link.scope).select_related("issued_by")
    return {"newer": newer.order_by("-created_at").first()}
