"""Template filters about names."""

from collections.abc import Container

from django import template

from tournaments.models import Entry

register = template.Library()


@register.filter
def is_shared(entry: Entry, shared: Container[str]) -> bool:
    """Whether another entry bears this name too; `shared` comes from `selectors.entries.shared_names`."""
    return entry.name.casefold() in shared
