"""A breach of a rule as the tally of Doomlings tells it."""

from dataclasses import dataclass
from typing import Any

from rules_engine.messages import Message, Sentence


@dataclass(frozen=True, slots=True)
class Violation:
    """A breach of the rule with id `rule`: by a player, or by the table where that is None, with the cards in it.

    One that is not `serious` is reported, but stops no tally.
    """

    rule: str
    player: str | None
    message: Message
    cards: tuple[str, ...] = ()
    serious: bool = True

    def as_json(self) -> dict[str, Any]:
        """The breach as a tally tells it, in English."""
        return {"rule": self.rule, "player": self.player, "message": Sentence(self.message), "cards": list(self.cards)}
