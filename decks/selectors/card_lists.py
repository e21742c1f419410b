"""Answers about card lists as admins and readers see them: versions, differences, what a list says of a card."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from decks.formats.list_text import write_card_list
from decks.models import CardList
from decks.selectors.cards import cards_of
from decks.selectors.legality import list_value
from rules_engine import constraints
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.errors import NotFound, needed
from rules_engine.game import GameFormat, Variant
from rules_engine.systems import list_systems

NOT_LISTED = -1


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list says of one card: `copies` (None any number, -1 nothing), and per variant where that differs."""

    name: str
    copies: int | None
    variants: tuple[tuple[Variant, int | None], ...] = ()


@dataclass(frozen=True, slots=True)
class ListGroup:
    """The cards of which a list allows the same number of copies in all variants that it does not name."""

    copies: int | None
    listings: tuple[Listing, ...]


@dataclass(frozen=True, slots=True)
class ListDifference:
    """What a version of a list says of a card otherwise than the one before it; `before` or `after` may be silent."""

    name: str
    before: Listing
    after: Listing


def takes_lists(game_format: GameFormat) -> bool:
    """Whether a rule of the format asks what card lists say."""
    return any(isinstance(rule, constraints.CopyLimit) and rule.banned for rule in game_format.constraints)


def formats_with_lists() -> Iterator[tuple[str, str, GameFormat]]:
    """Slug and name of the game, and the format, for every shipped format that card lists can be made for."""
    for system in list_systems():
        for game_format in system.formats:
            if takes_lists(game_format):
                yield system.slug, system.name, game_format


def all_lists(today: date) -> QuerySet[CardList]:
    """Every version of every list, the latest day first; `is_replaced` once another took its place."""
    return _with_replaced(today).order_by("-valid_from", "game", "format", "name")


def _with_replaced(today: date) -> QuerySet[CardList]:
    same = {name: OuterRef(name) for name in ("game", "format", "slug")}
    later = CardList.objects.filter(
        **same, state=CardList.State.ANNOUNCED, valid_from__lte=today, valid_from__gt=OuterRef("valid_from")
    )
    return CardList.objects.annotate(is_replaced=Exists(later)).select_related("announced_by")


def find_list(pk: int, today: date) -> CardList:
    """A version of a list with its entries, as `all_lists` tells it; NotFound "no_list"."""
    row = _with_replaced(today).filter(pk=pk).prefetch_related("entries").first()
    return needed(row, NotFound("no_list", _("There is no such card list.")))


def newest_of(game: str, format_slug: str, slug: str) -> CardList | None:
    """The latest announced version of a list; the latest draft where none is announced."""
    rows = CardList.objects.filter(game=game, format=format_slug, slug=slug).prefetch_related("entries")
    return min(rows.order_by("-valid_from"), key=lambda row: row.state == CardList.State.DRAFT, default=None)


def announced_of_game(game: str) -> list[tuple[str, constraints.CardList]]:
    """Every announced version of every list of a game, of all days, with the slug of its format; two queries."""
    rows = CardList.objects.filter(game=game, state=CardList.State.ANNOUNCED).prefetch_related("entries")
    return [(row.format, list_value(row)) for row in rows]


def version_before(card_list: CardList) -> CardList | None:
    """The announced version that a version takes the place of; None for the first one. Two queries."""
    rows = CardList.objects.filter(game=card_list.game, format=card_list.format, slug=card_list.slug)
    rows = rows.filter(state=CardList.State.ANNOUNCED, valid_from__lt=card_list.valid_from)
    return rows.prefetch_related("entries").order_by("-valid_from").first()


def list_as_text(card_list: CardList, game_format: GameFormat) -> str:
    """A stored version as the text in which lists are written."""
    value = list_value(card_list)
    names = {key: card.name for key, card in cards_of(card_list.game).items()}
    limits = {"": value.limits, **value.by_variant}
    return write_card_list(limits, names, [variant.slug for variant in game_format.variants])


def group_list(
    card_list: constraints.CardList, cards: Mapping[str, CardFacts], variants: Sequence[Variant], words: str = ""
) -> tuple[ListGroup, ...]:
    """A list for reading: its cards whose name contains `words`, by number of copies, the strictest first."""
    wanted = normalise_name(words) if words.strip() else ""
    keys = (key for key in _listed(card_list) if wanted in key)
    groups: dict[int | None, list[Listing]] = {}
    for listing in _by_name(_listing(card_list, key, cards, variants) for key in keys):
        groups.setdefault(listing.copies, []).append(listing)
    return tuple(ListGroup(copies, tuple(groups[copies])) for copies in sorted(groups, key=_strictness))


def differences(
    before: constraints.CardList | None,
    after: constraints.CardList,
    cards: Mapping[str, CardFacts],
    variants: Sequence[Variant],
) -> tuple[ListDifference, ...]:
    """Every card of which `after` says something else than `before` (None: an empty list), by name."""
    before = before or constraints.CardList(after.slug, after.name, date.min)
    keys = dict.fromkeys((*_listed(before), *_listed(after)))
    pairs = ((_listing(before, key, cards, variants), _listing(after, key, cards, variants)) for key in keys)
    changed = (ListDifference(new.name, old, new) for old, new in pairs if old != new)
    return tuple(sorted(changed, key=lambda each: normalise_name(each.name)))


def _listed(card_list: constraints.CardList) -> Iterable[str]:
    return dict.fromkeys((*card_list.limits, *(key for limits in card_list.by_variant.values() for key in limits)))


def _listing(
    card_list: constraints.CardList, key: str, cards: Mapping[str, CardFacts], variants: Sequence[Variant]
) -> Listing:
    usual = card_list.limits.get(key, NOT_LISTED)
    stated = ((variant, card_list.by_variant.get(variant.slug, {}).get(key, usual)) for variant in variants)
    other = tuple((variant, copies) for variant, copies in stated if copies != usual)
    return Listing(cards[key].name if key in cards else key, usual, other)


def _by_name(listings: Iterable[Listing]) -> list[Listing]:
    return sorted(listings, key=lambda each: normalise_name(each.name))


def _strictness(copies: int | None) -> tuple[bool, bool, int]:
    return copies == NOT_LISTED, copies is None, copies or 0
