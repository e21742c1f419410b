"""The words that open a section of a deck."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.catalogue import CardSchema, CardType
from rules_engine.decklist import Section
from rules_engine.game import GameFormat, SectionRule

MAIN_WORDS = (
    "deck", "main", "main deck", "maindeck", "mainboard", "main board", "commander", "companion", "hauptdeck",
    "deck principal",
)  # fmt: skip
SIDE_WORDS = ("sideboard", "side board", "sidebar", "side bar", "side deck", "side", "sb", "reserve")
"""What lists say in the languages of the site, as `normalise_name` spells it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a decklist is read against: a format, the game's card types, its cards by normalised name, its sets.

    `sets` gives the names of card sets by slug; without it a set is known by its slug alone.
    """

    game_format: GameFormat
    schema: CardSchema
    cards: Mapping[str, CardFacts]
    sets: Mapping[str, str] = field(default_factory=dict)

    @property
    def first_section(self) -> Section:
        """The section that a list without headings fills."""
        return self.game_format.sections[0].key

    @property
    def side_section(self) -> Section | None:
        """The section that is a side deck by its own headings; None when the format has none."""
        for rule in self.game_format.sections[1:]:
            if any(normalise_name(spelling) in SIDE_WORDS for spelling in (rule.title, *rule.headings)):
                return rule.key
        return None

    def headings(self) -> dict[str, Section]:
        """Sections by the normalised words that open them."""
        return dict(self._headings())

    def type_headings(self) -> dict[str, tuple[Section, ...]]:
        """The sections that may hold a card type, by the normalised words that name the type and no section."""
        own = {normalise_name(word) for rule in self.game_format.sections for word in _spellings(rule)}
        homes = ((each, self.game_format.sections_for(each.name)) for each in self.schema.types)
        words = ((normalise_name(word), sections) for each, sections in homes for word in _type_spellings(each))
        return {word: sections for word, sections in words if word not in own}

    def set_slugs(self) -> dict[str, str]:
        """The slugs of the sets by the normalised words that mean them: slug or name."""
        slugs = {card.set_slug for card in self.cards.values() if card.set_slug} | self.sets.keys()
        return {normalise_name(word): slug for slug in slugs for word in (slug, self.sets.get(slug, slug))}

    def _headings(self) -> Iterator[tuple[str, Section]]:
        """General words, then types (each opens the first section that may hold it); sections come last and win."""
        yield from ((word, self.first_section) for word in MAIN_WORDS)
        if (side := self.side_section) is not None:
            yield from ((word, side) for word in SIDE_WORDS)
        for card_type in self.schema.types:
            for section in self.game_format.sections_for(card_type.name)[:1]:
                for spelling in _type_spellings(card_type):
                    yield normalise_name(spelling), section
        for rule in self.game_format.sections:
            for spelling in _spellings(rule):
                yield normalise_name(spelling), rule.key


def is_side_deck(title: str) -> bool:
    """Whether a heading means a side deck, of this format or of another one."""
    return normalise_name(title) in SIDE_WORDS


def _type_spellings(card_type: CardType) -> tuple[str, ...]:
    return card_type.name, card_type.plural, f"{card_type.name}s"


def _spellings(rule: SectionRule) -> tuple[str, ...]:
    return rule.key, rule.title, *rule.headings
