"""Helpers for a game of Doom Pile: who goes first, the cards in countdown, and the win with an empty deck."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from rules_engine.errors import DomainError
from rules_engine.messages import Message, gettext_noop
from scoring.sheets.tallies.json_reader import Part

MAX_CARDS = 60
MAX_COUNT = 99
MAX_NAME = 120


def first_player(names: Sequence[str], seed: int | str) -> str:
    """Who goes first, by lot (DP-FIRST); the same names and seed give the same player. ValueError without names."""
    if not names:
        raise ValueError("nobody plays")
    chance = Random(f"doom-pile-first:{seed}")  # noqa: S311 - reproducible on purpose
    return chance.choice(list(names))


@dataclass(frozen=True, slots=True)
class CountedCard:
    """A card in countdown: its starting countdown and the turns remaining, 0 once it is ready to resolve."""

    name: str
    start: int
    remaining: int

    @property
    def is_ready(self) -> bool:
        return self.remaining == 0


@dataclass(frozen=True, slots=True)
class Countdown:
    """A player's cards in countdown, in the order they came; every act answers a new value.

    A card whose count falls to 0 is ready and resolves before anything else is done; of several the owner takes one
    after the other, in any order. DomainError "resolve_first" and "not_ready" where that is not kept, "no_such_card".
    """

    cards: tuple[CountedCard, ...] = ()

    @property
    def ready(self) -> tuple[int, ...]:
        """The places (from 0) of the cards that resolve now."""
        return tuple(place for place, card in enumerate(self.cards) if card.is_ready)

    def begin_turn(self) -> "Countdown":
        """The Countdown Step of the owner's turn: every count falls by 1 at once."""
        if self.ready:
            raise DomainError("resolve_first", Message(gettext_noop("Resolve the cards that are ready first.")))
        return Countdown(tuple(replace(card, remaining=card.remaining - 1) for card in self.cards))

    def play(self, name: str, start: int) -> "Countdown":
        """Put a card in countdown; with a starting countdown of 0 it is ready at once."""
        return Countdown((*self.cards, CountedCard(name, start, max(start, 0))))

    def adjust(self, place: int, by: int) -> "Countdown":
        """Change the count of a card as an effect says; at 0 or less it is ready at once."""
        card = self._card(place)
        return self._with(place, replace(card, remaining=max(card.remaining + by, 0)))

    def resolve(self, place: int) -> "Countdown":
        """Take a card that is ready out of countdown."""
        if not self._card(place).is_ready:
            raise DomainError("not_ready", Message(gettext_noop("This card is not ready to resolve.")))
        return self._with(place, None)

    def remove(self, place: int) -> "Countdown":
        """Take a card out without resolving it, as when it is thwarted."""
        self._card(place)
        return self._with(place, None)

    def _card(self, place: int) -> CountedCard:
        if not 0 <= place < len(self.cards):
            raise DomainError("no_such_card", Message(gettext_noop("This card is no longer in countdown.")))
        return self.cards[place]

    def _with(self, place: int, card: CountedCard | None) -> "Countdown":
        kept = () if card is None else (card,)
        return Countdown((*self.cards[:place], *kept, *self.cards[place + 1 :]))


def read_countdown(cards: object) -> Countdown:
    """The countdown with these cards, each as JSON; DomainError "bad_sheet" for anything else."""
    part = Part({"cards": cards}, "", ("cards",))
    return Countdown(tuple(_read_card(card, number) for number, card in enumerate(part.items("cards", MAX_CARDS), 1)))


def _read_card(value: Mapping[str, Any], number: int) -> CountedCard:
    card = Part(value, f"card {number}", ("name", "start", "remaining"))
    start = card.number("start", 0, MAX_COUNT) or 0
    remaining = card.number("remaining", 0, MAX_COUNT)
    return CountedCard(card.text("name", MAX_NAME) or "", start, start if remaining is None else remaining)


def wins_with_empty_deck(deck_left: int, countdown: Countdown) -> bool:
    """Whether a player who ends their turn now wins: no card in the deck and none in countdown (DP-WIN-EMPTY)."""
    return deck_left == 0 and not countdown.cards
