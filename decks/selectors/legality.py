"""Answers about formats, card lists and legality; nothing here says whose deck is whose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from django.db.models import Exists, OuterRef, QuerySet

from decks import models
from decks.selectors.cards import cards_of
from decks.selectors.house_formats import HOUSE_PREFIX, changes_of, format_of_version, version_at
from journal.clock import database_now
from rules_engine.cards import CardFacts
from rules_engine.constraints import CardList, newest_lists
from rules_engine.decklist import Decklist
from rules_engine.game import GameFormat
from rules_engine.legality import check_decklist
from rules_engine.repair import Verdict, repair_decklist
from rules_engine.systems import get_system

Pinned: TypeAlias = Sequence[Mapping[str, str]]
"""References to what was in force, as `list_references` makes them: `slug` and `valid_from` (an ISO date) of a card
list's version, or `slug` and `number` of a house format's."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A format as it reads on a day, with the card lists in force there."""

    game_format: GameFormat
    lists: tuple[CardList, ...]
    house_version: models.HouseFormatVersion | None = None

    def judge(
        self, decklist: Decklist, cards: Mapping[str, CardFacts], on_date: date, variant: str = "", repair: bool = True
    ) -> Verdict:
        """The verdict on a decklist; without `repair` no cure is looked for. NotFound `unknown_variant`.

        All of the lists count: one that was pinned stays in force when the event moves to an earlier day.
        """
        if not self.game_format.checks_decks:
            return Verdict(check_decklist(decklist, self.game_format, {}, on_date), None)
        in_force_on = max((on_date, *(each.valid_from for each in self.lists)))
        given = (decklist, self.game_format, cards, in_force_on, self.lists, variant)
        report = check_decklist(*given)
        if report.legal or not repair:
            return Verdict(report, () if report.legal else None)
        return Verdict(report, repair_decklist(*given))


def format_at(game: str, slug: str, on_date: date | None = None) -> GameFormat:
    """The format `slug`, shipped or of the house, as it reads on `on_date` (today by default).

    NotFound `unknown_game` or `unknown_format`. No query for a shipped format.
    """
    if not slug.startswith(HOUSE_PREFIX):
        return get_system(game).get_format(slug)
    return format_of_version(_house_version(game, slug, on_date or database_now().date()))


def rules_at(game: str, slug: str, on_date: date, pinned: Pinned | None = None) -> Rules:
    """Format and lists as of a day; of house formats the base format's lists, if kept, before its own.

    With `pinned` it is exactly those versions, whatever was announced later. NotFound as `format_at`.
    """
    if not slug.startswith(HOUSE_PREFIX):
        game_format = get_system(game).get_format(slug)
        return Rules(game_format, announced_lists(game, slug, on_date, pinned))
    version = _house_version(game, slug, on_date, pinned)
    return house_rules(version, announced_lists(game, version.house_format.base, on_date, pinned))


def house_rules(version: models.HouseFormatVersion, base_lists: Sequence[CardList]) -> Rules:
    """A house format's version, with the lists of its base format where it keeps them, and its own."""
    kept = base_lists if changes_of(version).keeps_lists else ()
    game_format = format_of_version(version)
    shipped = get_system(version.house_format.game).get_format(version.house_format.base).card_lists
    own = tuple(each for each in game_format.card_lists if each not in shipped)
    return Rules(game_format, (*kept, *own), version)


def card_lists_in_force(game: str, format_slug: str, on_date: date) -> tuple[CardList, ...]:
    """The card lists of a format as of `on_date`, each in its newest announced version by then."""
    return rules_at(game, format_slug, on_date).lists


def announced_lists(
    game: str, format_slug: str, on_date: date, pinned: Pinned | None = None, without: int | None = None
) -> tuple[CardList, ...]:
    """The announced lists made for a shipped format as of `on_date`; two queries. `without` is the id of a row.

    With `pinned` exactly those versions, whatever the day is by now.
    """
    if pinned is not None:
        return _pinned_lists(game, format_slug, pinned)
    rows = [row for row in _announced(game, format_slug).filter(valid_from__lte=on_date) if row.pk != without]
    return newest_lists(map(list_value, rows), on_date)


def _pinned_lists(game: str, format_slug: str, pinned: Pinned) -> tuple[CardList, ...]:
    wanted = {(each["slug"], each["valid_from"]) for each in pinned}
    rows = models.CardList.objects.filter(game=game, format=format_slug, state=models.CardList.State.ANNOUNCED)
    rows = rows.filter(slug__in={slug for slug, _day in wanted}).prefetch_related("entries").order_by("slug")
    return tuple(list_value(row) for row in rows if (row.slug, row.valid_from.isoformat()) in wanted)


def coming_lists(game: str, format_slug: str, today: date) -> tuple[CardList, ...]:
    """The announced versions of lists that are not in force yet, the next first; two queries."""
    rows = _announced(game, format_slug).filter(valid_from__gt=today).order_by("valid_from", "slug")
    return tuple(map(list_value, rows))


def list_value(row: models.CardList) -> CardList:
    """A version of a list as a value; wants its entries fetched along."""
    limits: dict[str, int | None] = {}
    by_variant: dict[str, dict[str, int | None]] = {}
    for entry in row.entries.all():
        target = by_variant.setdefault(entry.variant, {}) if entry.variant else limits
        target[entry.normalised_name] = entry.max_copies
    return CardList(row.slug, row.name, row.valid_from, limits, by_variant)


def judge_decklist(
    decklist: Decklist,
    game: str,
    format_slug: str,
    on_date: date,
    variant: str = "",
    pinned: Pinned | None = None,
) -> Verdict:
    """The verdict on a decklist as of `on_date`, not stored; a constant number of queries.

    NotFound `unknown_game`, `unknown_format`, `unknown_variant`.
    """
    rules = rules_at(game, format_slug, on_date, pinned)
    cards = cards_of(game) if rules.game_format.checks_decks else {}
    return rules.judge(decklist, cards, on_date, variant)


def _house_version(game: str, slug: str, on_date: date, pinned: Pinned | None = None) -> models.HouseFormatVersion:
    numbers = (int(each["number"]) for each in pinned or () if each["slug"] == slug and "number" in each)
    return version_at(game, slug, on_date, next(numbers, None))


def _announced(game: str, format_slug: str) -> QuerySet[models.CardList]:
    """Announced lists, but for those that name only cards which are gone, such as a sample list without its samples."""
    rows = models.CardList.objects.filter(game=game, format=format_slug, state=models.CardList.State.ANNOUNCED)
    entries = models.CardListEntry.objects.filter(card_list=OuterRef("pk"))
    cards = models.Card.objects.filter(game=game).values("normalised_name")
    speaks = Exists(entries.filter(normalised_name__in=cards)) | ~Exists(entries)
    return rows.filter(speaks).prefetch_related("entries")
