"""Who made the personal link that a visitor came by, and when: a player notices a link that was not made for them."""

from typing import Any, Literal

from django import template
from django.db.models import Exists, OuterRef, QuerySet

from accounts.http.middleware import LINK_IN_SESSION
from accounts.identity.selectors import live_links
from accounts.models import PersonalLink
from journal.compiled_queries import compiled_once

register = template.Library()


@register.inclusion_tag("accounts/own_link.html", takes_context=True)
def own_link(context: dict[str, Any], part: Literal["", "warning", "note"] = "") -> dict[str, Any]:
    """The `link`, with the `look` of a warning where it took an older one's place or is one that ended the visitor's.

    A page with more urgent things to say shows a plain note at its foot: its `part` "warning" first, its "note" later.
    """
    if "own_link" not in context:
        context["own_link"] = _own_link(context)
    found: dict[str, Any] = context["own_link"]
    return found if not part or bool(found.get("look")) == (part == "warning") else {}


def _own_link(context: dict[str, Any]) -> dict[str, Any]:
    """Nothing for who came by no link; two queries at most."""
    request = context.get("request")
    if request is None or (opened := request.session.get(LINK_IN_SESSION)) is None or request.user.is_authenticated:
        return {}
    if (link := next(iter(_opened_link(opened)), None)) is None:
        return {}
    if request.actor.link == link.pk:
        return {"link": link, "look": "wait" if link.place else ""}
    newer = live_links().filter(person=link.person_id, scope=link.scope).select_related("issued_by")
    return {"link": newer.order_by("-created_at").first(), "look": "wrong"}


@compiled_once
def _opened_link(link_id: int) -> QuerySet[PersonalLink, Any]:
    """The link that a session was opened by; its `place` is whether it took an older one's."""
    older = PersonalLink.objects.filter(
        person=OuterRef("person"), scope=OuterRef("scope"), revoked_at=OuterRef("created_at")
    )
    shown = ("person", "scope", "created_at", "issued_by__name", "issued_by__username")
    links = PersonalLink.objects.select_related("issued_by").only(*shown).annotate(place=Exists(older))
    return links.filter(pk=link_id)
