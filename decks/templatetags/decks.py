"""Template tags that show verdicts and what was read, in the reader's language."""

from collections.abc import Mapping

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext

from decks.selectors.cards import cards_of
from decks.selectors.legality import format_at
from decks.selectors.workbench import sizes_in
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.messages import Message
from rules_engine.repair import Verdict

register = template.Library()


@register.filter
def in_words(message: Message | str) -> str:
    """A message of the pure modules as a sentence in the reader's language; texts of rules files likewise."""
    if isinstance(message, str):
        return gettext(message) if message else ""
    return gettext(message.template) % {name: _param_in_words(name, value) for name, value in message.params.items()}


def _param_in_words(name: str, value: object) -> object:
    """Titles of sections, names of card types and facts in the reader's language; anything else as it is."""
    if not isinstance(value, str) or name not in ("section", "home", "types", "label", "values", "free"):
        return value
    return ", ".join(gettext(each) for each in value.split(", ") if each)


@register.filter
def card_key(name: str) -> str:
    """The name of a card as it stands in the address of its page."""
    return normalise_name(name).replace(" ", "-")


@register.simple_tag
def known_cards(game: str) -> Mapping[str, CardFacts]:
    """The cards of a game by normalised name, for `card_link`."""
    return cards_of(game)


@register.simple_tag
def card_link(game: str, name: str, known: Mapping[str, CardFacts], apart: bool = False) -> str:
    """The name of a card as a link to its page, in a tab of its own if `apart`; of an unknown card the bare name."""
    if normalise_name(name) not in known:
        return name
    address = reverse("card", args=[game, card_key(name)])
    if not apart:
        return format_html('<a class="tap" href="{}">{}</a>', address, name)
    link = '<a class="tap" href="{}" target="_blank" rel="noopener">{}<span class="hidden-visually"> {}</span></a>'
    return format_html(link, address, name, gettext("(opens a new tab)"))


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
        "known": cards_of(game) if report.checked else {},
        "game": game,
        "format": format_slug,
        "counts": [(titles.get(key, key), count, sizes_in(game_format, key)) for key, count in report.counts.items()],
        "repair": [(change, titles.get(change.section, change.section)) for change in verdict.repair or ()],
        "concrete": sum(change.card is not None for change in verdict.repair or ()),
        "address": address,
        "beyond_repair": report.checked and verdict.repair is None,
        "variant": game_format.get_variant(report.variant),
    }
