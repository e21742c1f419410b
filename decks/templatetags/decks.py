"""Template tags that show verdicts and what was read, in the reader's language."""

from django import template
from django.utils.translation import gettext

from decks.selectors.legality import format_at
from decks.selectors.workbench import sizes_in
from rules_engine.cards import normalise_name
from rules_engine.messages import Message
from rules_engine.repair import Verdict

register = template.Library()


@register.filter
def in_words(message: Message | str) -> str:
    """A message of the pure modules as a sentence in the reader's language; texts of rules files likewise."""
    if isinstance(message, str):
        return gettext(message) if message else ""
    return gettext(message.template) % message.params


@register.filter
def card_key(name: str) -> str:
    """The name of a card as it stands in the address of its page."""
    return normalise_name(name).replace(" ", "-")


@register.inclusion_tag("decks/verdict.html")
def verdict(verdict: Verdict, game: str, format_slug: str, address: str = "") -> dict[str, object]:
    """The verdict on a deck: counts by section, every violation with its clause, the smallest repair, the lists.

    With the `address` of an editor each change of the repair gets a button there.
    """
    game_format = format_at(game, format_slug)
    titles = {section.key: section.title for section in game_format.sections}
    report = verdict.report
    return {
        "report": report,
        "game": game,
        "format": format_slug,
        "counts": [(titles.get(key, key), count, sizes_in(game_format, key)) for key, count in report.counts.items()],
        "repair": [(change, titles.get(change.section, change.section)) for change in verdict.repair or ()],
        "concrete": sum(change.card is not None for change in verdict.repair or ()),
        "address": address,
        "beyond_repair": report.checked and verdict.repair is None,
        "variant": game_format.get_variant(report.variant),
    }
