"""A walk over all routes and their rules."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from config.access import rule_of


@dataclass(frozen=True, slots=True)
class Route:
    """One route of the resolver; `rule` is None where nobody gave one, several (DRF actions) are joined by "|"."""

    path: str
    name: str
    callback: Callable[..., Any]
    rule: str | None


def walk_routes(urlconf: str | None = None) -> Iterator[Route]:
    """Every route of the site (or of another URL configuration), with its rule."""
    yield from _walk(get_resolver(urlconf).url_patterns, "", ())


def _walk(patterns: Iterable[URLPattern | URLResolver], prefix: str, namespaces: tuple[str, ...]) -> Iterator[Route]:
    for pattern in patterns:
        path = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            inner = (*namespaces, pattern.namespace) if pattern.namespace else namespaces
            yield from _walk(pattern.url_patterns, path, inner)
        else:
            name = pattern.name or ""
            yield Route(path, name, pattern.callback, rule_of(pattern.callback, name, namespaces))
