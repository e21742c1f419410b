"""Answers about the cards of a game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, OuterRef, Subquery
from django.utils.translation import gettext as _
from rapidfuzz import fuzz, process

from decks import models
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts, index_cards, normalise_name
from rules_engine.errors import NotFound, needed
from rules_engine.systems import get_system

MAX_KEY_LENGTH = 4 * MAX_NAME_LENGTH
CLOSE_ENOUGH = 75
SHORTEST_TO_GUESS = 3
_cards_by_game: dict[str, tuple[tuple[str, ...], Mapping[str, CardFacts]]] = {}


def cards_of(game: str) -> Mapping[str, CardFacts]:
    """The cards of a game by normalised name: one query to see that nothing changed, a second one when something did.

    Kept per process under the random tokens that every change of a game's cards renews, so that no process and no
    rolled-back transaction ever reads cards that are not there.
    """
    versions = tuple(
        models.CardSet.objects.filter(game=game).order_by("id").values_list("catalogue_version", flat=True)
    )
    kept = _cards_by_game.get(game)
    if kept is None or kept[0] != versions:
        cards = models.Card.objects.filter(game=game).select_related("card_set")
        kept = (versions, index_cards(card.as_facts() for card in cards))
        _cards_by_game[game] = kept
    return kept[1]


def suggest_names(game: str, words: str, limit: int = 12) -> list[CardFacts]:
    """The cards that someone who typed `words` may mean, best first, at most `limit`; one query when nothing changed.

    The name itself comes first, then names that begin so, names with a word that begins so, names that contain it,
    and, where room is left, names spelled much like it. In whatever spelling; nothing for a blank.
    """
    cards, sought = cards_of(game), normalise_name(words[:MAX_NAME_LENGTH])
    if not sought:
        return []
    ranked = sorted((rank, name) for name in cards if (rank := _rank(name, sought)) is not None)
    names = [name for _rank, name in ranked[:limit]]
    if len(names) < limit and len(sought) >= SHORTEST_TO_GUESS:
        others = [name for name in cards if sought not in name]
        names.extend(_names_like(sought, others, limit - len(names)))
    return [cards[name] for name in names]


def _rank(name: str, sought: str) -> int | None:
    """How well a name answers, 0 best; None when it does not contain what is sought."""
    if sought not in name:
        return None
    if name.startswith(sought):
        return 0 if name == sought else 1
    return 2 if f" {sought}" in name else 3


def _names_like(sought: str, names: Sequence[str], limit: int) -> Iterator[str]:
    found = process.extract(sought, names, scorer=fuzz.WRatio, score_cutoff=CLOSE_ENOUGH, limit=limit)
    yield from (name for name, _score, _index in found)


@dataclass(frozen=True, slots=True)
class CardQuery:
    """What to look for: words in a name, a type, a set's slug, and values of the schema's filters by key; "" is any."""

    words: str = ""
    card_type: str = ""
    card_set: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


def find_cards(game: str, wanted: CardQuery | None = None) -> list[CardFacts]:
    """The cards of a game that answer `wanted`, by name in any spelling; one query when nothing changed.

    NotFound `unknown_game`.
    """
    wanted, schema = wanted or CardQuery(), get_system(game).card_schema
    facts = [(each, wanted.facts[each.key]) for each in schema.filters if wanted.facts.get(each.key)]
    words = normalise_name(wanted.words)
    return [
        card
        for name, card in sorted(cards_of(game).items())
        if words in name
        and wanted.card_type in ("", card.type)
        and wanted.card_set in ("", card.set_slug)
        and all(value in each.values_of(card) for each, value in facts)
    ]


def filter_values(game: str) -> dict[str, list[str]]:
    """What the game's cards can be filtered by: the values that occur, by key of a filter, in the order of choices."""
    cards = cards_of(game).values()
    values: dict[str, list[str]] = {}
    for each in get_system(game).card_schema.filters:
        found = {value for card in cards for value in each.values_of(card)}
        values[each.key] = [choice for choice in each.choices if choice in found] or sorted(found)
    return values


def find_card(game: str, key: str) -> CardFacts:
    """The card that `key` means, in any spelling. NotFound `unknown_game`, `unknown_card`."""
    card = cards_of(get_system(game).slug).get(normalise_name(key[:MAX_KEY_LENGTH]))
    return needed(card, NotFound("unknown_card", _("There is no card of this name here.")))


def other_printings(card: CardFacts, game: str) -> list[str]:
    """The names of the cards on which the same name is printed, by name."""
    same = (each.name for each in cards_of(game).values() if _printed_name(each) == _printed_name(card))
    return sorted(name for name in same if name != card.name)


def _printed_name(card: CardFacts) -> str:
    return str(card.fields.get("base_name", card.name))


@dataclass(frozen=True, slots=True)
class SetFacts:
    """A set of a game and how many cards it holds; a hidden one holds none."""

    slug: str
    name: str
    sample: bool
    hidden: bool
    cards: int


def sets_of(game: str) -> list[SetFacts]:
    """The sets of a game by name, hidden ones too. One query."""
    rows = models.CardSet.objects.filter(game=game).annotate(held=Count("cards")).order_by("name", "id")
    values = rows.values_list("slug", "name", "sample", "hidden_at", "held")
    return [SetFacts(slug, name, sample, hidden is not None, held) for slug, name, sample, hidden, held in values]


def count_naming(game: str, names: Iterable[str]) -> tuple[int, int]:
    """How many stored decks (by their newest version) and card lists of a game name one of the cards."""
    keys = {normalise_name(name) for name in names}
    if not keys:
        return 0, 0
    newest = models.DeckVersion.objects.filter(deck=OuterRef("pk")).order_by("-number").values("entries")[:1]
    decks = models.Deck.objects.filter(game=game).annotate(held=Subquery(newest)).values_list("held", flat=True)
    naming = sum(1 for held in decks.iterator() if any(normalise_name(each["name"]) in keys for each in held or ()))
    entries = models.CardListEntry.objects.filter(card_list__game=game)
    lists = {card_list for card_list, key in entries.values_list("card_list", "normalised_name") if key in keys}
    return naming, len(lists)
