"""Digests that tell whether cards, card lists or decks are the same as before."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict

from rules_engine.cards import CardFacts
from rules_engine.constraints import CardList
from rules_engine.decklist import DeckEntry


def digest_of(value: object) -> str:
    """SHA-256 of a JSON value, in hexadecimal; the order of keys does not matter."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_cards(cards: Iterable[CardFacts]) -> str:
    """The digest of a set of cards, whatever their order."""
    return digest_of(sorted((asdict(card) for card in cards), key=lambda card: str(card["name"])))


def digest_of_list(card_list: CardList) -> str:
    variants = {variant: dict(limits) for variant, limits in card_list.by_variant.items()}
    return digest_of([card_list.name, card_list.valid_from.isoformat(), dict(card_list.limits), variants])


def commitment_lines(salt: str, entries: Iterable[DeckEntry]) -> tuple[str, ...]:
    """What a commitment covers: the salt, then "section count name" for each card, in the order of code points."""
    return (salt, *sorted(f"{entry.section} {entry.count} {entry.name}" for entry in entries))


def commit_to(salt: str, entries: Iterable[DeckEntry]) -> str:
    """SHA-256 (hex) of `commitment_lines`, each ended by a line feed: what `printf '%s\\n' LINE… | sha256sum` says.

    Without the salt it tells nothing of the cards; with it, another list of cards has another commitment.
    """
    text = "".join(f"{line}\n" for line in commitment_lines(salt, entries))
    return hashlib.sha256(text.encode()).hexdigest()
