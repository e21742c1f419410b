"""The tag that marks a piece of a page as one that follows the event."""

from django import template
from django.utils.safestring import SafeString

register = template.Library()

FOLLOWS, POLLS = SafeString('data-live=""'), SafeString('data-live="polls"')


@register.simple_tag
def live(*, polls: bool = False) -> SafeString:
    """Mark an element with an id: `<div id="lines" {% live %}>`; it is replaced whenever the event changed.

    Put no form into it in which somebody may be typing: what was typed there keeps the piece as it is. With
    `polls=True` it is asked for every few seconds too, for what only those at one table are told.
    """
    return POLLS if polls else FOLLOWS
