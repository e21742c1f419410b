"""Answers about house formats: which version counts on a day, and who has which."""

from collections.abc import Mapping, Sequence
from datetime import date

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from decks.models import HouseFormat, HouseFormatVersion
from rules_engine.errors import NotFound, needed
from rules_engine.game import GameFormat
from rules_engine.house import FormatChanges, changes_from_data, derive_format
from rules_engine.systems import get_system

HOUSE_PREFIX = "house-"
"""Begins the slug of every house format; what follows is random, so that it meets no shipped format."""


def find_house_format(slug: str) -> HouseFormat:
    """The house format with its versions at hand; NotFound `unknown_format`."""
    found = HouseFormat.objects.filter(slug=slug).select_related("owner").prefetch_related("versions").first()
    return needed(found, NotFound("unknown_format", _("There is no such house format."), format=slug))


def version_at(game: str, slug: str, on_date: date, number: int | None = None) -> HouseFormatVersion:
    """The version that counts on a day: the highest number whose day has come, before the first day the first one.

    With `number` it is that one. One query; NotFound `unknown_format`.
    """
    versions = HouseFormatVersion.objects.filter(house_format__game=game, house_format__slug=slug)
    rows = list(versions.select_related("house_format").order_by("number"))
    if number is not None:
        rows = [row for row in rows if row.number == number]
    if not rows:
        raise NotFound("unknown_format", _("There is no such house format."), game=game, format=slug)
    return newest_version(rows, on_date) or rows[0]


def newest_version(versions: Sequence[HouseFormatVersion], on_date: date) -> HouseFormatVersion | None:
    """Of versions ordered by number the last one whose day has come; None before the first day."""
    return next((row for row in reversed(versions) if row.valid_from <= on_date), None)


def format_of_version(version: HouseFormatVersion) -> GameFormat:
    """What a version says, worked into its base format."""
    house = version.house_format
    base = get_system(house.game).get_format(house.base)
    changes = changes_of(version)
    source = _("%(name)s, version %(number)d") % {"name": house.name, "number": version.number}
    return derive_format(base, changes, house.slug, house.name, source, version.valid_from)


def changes_of(version: HouseFormatVersion) -> FormatChanges:
    """What a stored version changes; it was checked when it was stored, and stays valid whatever cards go."""
    house, data = version.house_format, version.changes
    base = get_system(house.game).get_format(house.base)
    return changes_from_data(data, base, data["sets"] or (), data["limits"])


def house_formats_of(user: User) -> QuerySet[HouseFormat]:
    """The house formats of an account with their versions, by game and name; two queries."""
    return HouseFormat.objects.filter(owner=user).prefetch_related("versions")


def house_names(user: User | None) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Slug and name of an account's house formats by game; one query, none for nobody."""
    names: dict[str, list[tuple[str, str]]] = {}
    if user is not None:
        for game, slug, name in HouseFormat.objects.filter(owner=user).values_list("game", "slug", "name"):
            names.setdefault(game, []).append((slug, name))
    return names
