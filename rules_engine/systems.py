"""The game systems: one folder each, read and validated once, then handed out by slug."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from rules_engine.errors import DomainError, NotFound
from rules_engine.game import GameFormat, GameSystem, MatchFacts, SectionRule, ShippedSet, Variant
from rules_engine.loading import RULES_FILE, load_system

__all__ = [
    "GameFormat",
    "GameSystem",
    "MatchFacts",
    "SectionRule",
    "ShippedSet",
    "Variant",
    "extra_games",
    "get_system",
    "list_systems",
    "load_systems",
]

_folders = [Path(__file__).parent / "games"]


def load_systems(folder: Path) -> tuple[GameSystem, ...]:
    """Every game below `folder` (one folder each), by slug; DomainError `bad_rules_file` if one is faulty."""
    return tuple(load_system(path.parent) for path in sorted(folder.glob(f"*/{RULES_FILE}")))


def list_systems() -> tuple[GameSystem, ...]:
    """The game systems this site offers, ordered by name."""
    return tuple(sorted(_systems().values(), key=lambda system: system.name))


def get_system(slug: str) -> GameSystem:
    """The game system called `slug`; NotFound `unknown_game` otherwise."""
    try:
        return _systems()[slug]
    except KeyError:
        raise NotFound("unknown_game", f"There is no game “{slug}” here.", game=slug) from None


@contextmanager
def extra_games(folder: Path) -> Iterator[None]:
    """Offer the games below `folder` too, for the length of a with-statement and for the whole process."""
    _folders.append(folder)
    _systems.cache_clear()
    try:
        yield
    finally:
        _folders.remove(folder)
        _systems.cache_clear()


@cache
def _systems() -> dict[str, GameSystem]:
    systems: dict[str, GameSystem] = {}
    for folder in _folders:
        for system in load_systems(folder):
            if system.slug in systems:
                raise DomainError(
                    "bad_rules_file", f"Two games are called “{system.slug}”.", file=str(folder), key="slug"
                )
            systems[system.slug] = system
    return systems
