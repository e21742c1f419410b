"""Template tags that show verdicts and what was read, in the reader's language."""

from django import template
from django.utils.translation import gettext

from rules_engine.legality import LegalityReport
from rules_engine.messages import Message
from rules_engine.systems import get_system

register = template.Library()


@register.filter
def in_words(message: Message | str) -> str:
    """A message of the pure modules as a sentence in the reader's language; texts of rules files likewise."""
    if isinstance(message, str):
        return gettext(message) if message else ""
    return gettext(message.template) % message.params


@register.inclusion_tag("decks/verdict.html")
def verdict(report: LegalityReport, game: str, format_slug: str) -> dict[str, object]:
    """The verdict on a deck: counts by section, every violation with its clause, the lists in force."""
    titles = {section.key: section.title for section in get_system(game).get_format(format_slug).sections}
    counts = [(titles.get(key, key), count) for key, count in report.counts.items()]
    return {"report": report, "game": game, "counts": counts}
