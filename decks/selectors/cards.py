"""Answers about the cards of a game."""

from collections.abc import Iterator, Mapping, Sequence

from django.db.models import QuerySet
from rapidfuzz import fuzz, process

from decks import models
from rules_engine.cards import MAX_NAME_LENGTH, CardFacts, index_cards, normalise_name

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


def find_cards(game: str, words: str = "", card_type: str = "") -> QuerySet[models.Card]:
    """The cards of a game whose name contains `words` in any spelling, of one type if given, by name."""
    cards = models.Card.objects.filter(game=game).select_related("card_set")
    if words.strip():
        cards = cards.filter(normalised_name__contains=normalise_name(words))
    return cards.filter(card_type=card_type) if card_type else cards
