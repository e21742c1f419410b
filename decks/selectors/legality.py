"""Answers about formats, card lists and legality; nothing here says whose deck is whose."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TypeAlias

from decks import models
from decks.selectors.cards import cards_of
from rules_engine.constraints import CardList, newest_lists
from rules_engine.decklist import Decklist
from rules_engine.game import GameFormat
from rules_engine.legality import check_decklist
from rules_engine.repair import Verdict, repair_decklist
from rules_engine.systems import get_system

Pinned: TypeAlias = Sequence[Mapping[str, str]]
"""References to versions of card lists, `slug` and `valid_from` (an ISO date) each, as `list_references` makes them."""


def format_at(game: str, slug: str, on_date: date | None = None) -> GameFormat:
    """The format `slug` as it reads on `on_date` (today unless told); NotFound `unknown_game` or `unknown_format`."""
    return get_system(game).get_format(slug)


def card_lists_in_force(
    game: str, format_slug: str, on_date: date, pinned: Pinned | None = None
) -> tuple[CardList, ...]:
    """The announced card lists of a format as of `on_date`, each in its newest version by then; two queries.

    With `pinned` it is exactly those versions, whatever was announced later.
    """
    rows = _lists_by_then(game, format_slug, on_date)
    if pinned is not None:
        wanted = {(each["slug"], each["valid_from"]) for each in pinned}
        rows = [row for row in rows if (row.slug, row.valid_from.isoformat()) in wanted]
    return newest_lists(map(_as_list, rows), on_date)


def list_rows_in_force(game: str, format_slug: str, on_date: date) -> list[models.CardList]:
    """The same lists as rows with their entries, to show them by name; two queries."""
    newest = {row.slug: row for row in sorted(_lists_by_then(game, format_slug, on_date), key=lambda r: r.valid_from)}
    return [newest[slug] for slug in sorted(newest)]


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
    game_format = format_at(game, format_slug, on_date)
    if not game_format.checks_decks:
        return Verdict(check_decklist(decklist, game_format, {}, on_date), None)
    lists, cards = card_lists_in_force(game, format_slug, on_date, pinned), cards_of(game)
    report = check_decklist(decklist, game_format, cards, on_date, lists, variant)
    repair = () if report.legal else repair_decklist(decklist, game_format, cards, on_date, lists, variant)
    return Verdict(report, repair)


def _lists_by_then(game: str, format_slug: str, on_date: date) -> Iterable[models.CardList]:
    rows = models.CardList.objects.filter(
        game=game, format=format_slug, valid_from__lte=on_date, state=models.CardList.State.ANNOUNCED
    )
    return rows.prefetch_related("entries")


def _as_list(row: models.CardList) -> CardList:
    limits: dict[str, int | None] = {}
    by_variant: dict[str, dict[str, int | None]] = {}
    for entry in row.entries.all():
        target = by_variant.setdefault(entry.variant, {}) if entry.variant else limits
        target[entry.normalised_name] = entry.max_copies
    return CardList(row.slug, row.name, row.valid_from, limits, by_variant)
