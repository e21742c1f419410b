"""What templates say of names of entries and rounds, and after a label."""

from collections.abc import Container

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.core import round_names
from tournaments.core.place_words import place_words
from tournaments.models import Entry, Round, Tournament

register = template.Library()


@register.simple_tag
def colon() -> str:
    """The colon after a label: French sets a space before it, at which no line breaks."""
    return pgettext("after a label", ":")


@register.filter
def is_shared(entry: Entry, shared: Container[str]) -> bool:
    """Whether another entry bears this name too; `shared` comes from `selectors.entries.shared_names`."""
    return entry.name.casefold() in shared


@register.filter
def as_place(rank: int) -> str:
    """A rank in words: 1st, 2nd, 21st."""
    return place_words(rank)


@register.filter
def round_name(round_: Round) -> str:
    """What a round is called, as a heading: “Round 3”, “Quarter-finals”."""
    return round_names.round_name(round_)


@register.filter
def round_words(round_: Round) -> str:
    """The same inside a sentence: round 3, or a name in quotes."""
    if not round_.levels:
        return _("round %(number)d") % {"number": round_.number}
    return _("“%(name)s”") % {"name": round_names.round_name(round_)}


@register.filter
def round_of(round_: Round, event: Tournament) -> str:
    """What a round is called, and while it is one of the first stage's, how many there are: “Round 3 of 5”."""
    total = event.swiss_rounds
    if round_.levels or total is None or round_.number > total:
        return round_names.round_name(round_)
    return _("Round %(number)s of %(total)s") % {"number": round_.number, "total": total}
