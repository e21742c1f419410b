"""Template tags that lead to clauses and put card lists into words."""

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _

from rules_engine.systems import get_system

HOUSE_CLAUSE = "HOUSE-"

register = template.Library()


@register.simple_tag
def clause_address(game: str, format_slug: str, clause: str) -> str:
    """Where a clause stands: those of house formats on the page of their format, all others on the game's."""
    if clause.startswith(HOUSE_CLAUSE) and get_system(game).find_clause(clause) is None:
        return f"{reverse('rules_format', args=[game, format_slug])}#{clause}"
    return f"{reverse('rules', args=[game])}#{clause}"


@register.filter
def copies(number: int | None) -> str:
    """What a card list allows of a card, as a heading or a word: 0 is banned, None any number, -1 not listed."""
    words = {0: _("Banned"), 1: _("One copy"), 2: _("Two copies"), None: _("Any number"), -1: _("Not on the list")}
    return words.get(number) or _("%(count)d copies") % {"count": number}
