"""All that the deck editor asks about a decklist, fetched once: reading, verdict, figures, what may be added."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from decks.formats.editing import LINE_FORMATS
from decks.formats.headings import Setting
from decks.formats.reading import Reading
from decks.formats.registry import read_any
from decks.formats.text import write_text
from decks.models import CardSet
from decks.selectors.cards import cards_of, suggest_names
from decks.selectors.legality import Rules, rules_at
from decks.statistics import Chart, charts_of
from rules_engine.cards import CardFacts, normalise_name
from rules_engine.catalogue import CardField
from rules_engine.constraints import CardList, CardRule, SectionSize, lists_in_force
from rules_engine.decklist import Decklist, Section
from rules_engine.errors import DomainError
from rules_engine.game import GameFormat, GameSystem, SectionRule
from rules_engine.limits import Allowance, copy_allowance
from rules_engine.repair import Verdict
from rules_engine.systems import get_system

OFFERS = 12


@dataclass(frozen=True, slots=True)
class Place:
    """A section that may hold a card: copies in it (`count`), and all copies that its limit counts (`held`)."""

    section: SectionRule
    count: int
    held: int
    allowance: Allowance | None

    @property
    def is_full(self) -> bool:
        """Whether one copy more would be one too many."""
        return self.allowance is not None and not self.allowance.allows(self.held + 1)


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card with the facts a player looks at, and the sections it may be in."""

    card: CardFacts
    facts: tuple[tuple[CardField, str], ...]
    places: tuple[Place, ...]

    @property
    def key(self) -> str:
        """The card in the id of an element."""
        return normalise_name(self.card.name).replace(" ", "-")


@dataclass(frozen=True, slots=True)
class SectionCards:
    """A section, its cards, how many there are, and the sizes allowed ("30", "60+", "0 or 25"; "" for any)."""

    section: SectionRule
    rows: tuple[CardRow, ...]
    count: int
    sizes: str


@dataclass(frozen=True, slots=True)
class Workbench:
    """A game's format on a day and in a variant, with the cards and lists that count there."""

    system: GameSystem
    rules: Rules
    setting: Setting
    on_date: date
    variant: str
    in_force: tuple[CardList, ...]

    def read(self, text: str, hint: str = "") -> Reading:
        """A text (already clean) as a decklist."""
        return read_any(text, self.setting, hint)

    def lines_of(self, text: str, hint: str = "") -> str:
        """A text (already clean) as a list of lines, into which a file of another format is written if it reads whole.

        `hint` is the name of the file.
        """
        reading = self.read(text, hint)
        if reading.format in LINE_FORMATS or not reading.decklist.entries or reading.problems:
            return text
        return write_text(reading.decklist, self.setting)

    def judge(self, decklist: Decklist) -> Verdict:
        """The verdict and the smallest repair."""
        return self.rules.judge(decklist, self.setting.cards, self.on_date, self.variant)

    def charts(self, decklist: Decklist) -> tuple[Chart, ...]:
        return charts_of(decklist, self.setting.schema, self.setting.cards)

    def cards_in(self, decklist: Decklist) -> list[SectionCards]:
        """The deck section by section, also those that are empty."""
        return [self._section(rule, decklist) for rule in self.setting.game_format.sections]

    def offers(self, words: str, decklist: Decklist) -> list[CardRow]:
        """The cards that someone who typed `words` may want to add, best first; one query."""
        found = suggest_names(self.system.slug, words, OFFERS)
        return [self._row(card, decklist, self.setting.game_format.sections_for(card.type)) for card in found]

    def _section(self, rule: SectionRule, decklist: Decklist) -> SectionCards:
        entries = [entry for entry in decklist.entries if entry.section == rule.key]
        cards = [(self.setting.cards.get(normalise_name(entry.name)), entry) for entry in entries]
        rows = tuple(self._row(card or CardFacts(entry.name, ""), decklist, (rule.key,)) for card, entry in cards)
        sizes = sizes_in(self.setting.game_format, rule.key)
        return SectionCards(rule, rows, sum(entry.count for entry in entries), sizes)

    def _row(self, card: CardFacts, decklist: Decklist, sections: tuple[Section, ...]) -> CardRow:
        charted = [each for each in self.setting.schema.fields if each.chart]
        facts = tuple((each, str(card.fields[each.key])) for each in charted if each.key in card.fields)
        return CardRow(card, facts, tuple(self._places(card, decklist, sections)))

    def _places(self, card: CardFacts, decklist: Decklist, sections: tuple[Section, ...]) -> Iterator[Place]:
        for rule in self.setting.game_format.sections:
            if rule.key in sections:
                limit = self.setting.game_format.copy_limit_for(rule.key)
                held = _count(card, decklist, tuple(limit.sections) if limit else (rule.key,))
                yield Place(rule, _count(card, decklist, (rule.key,)), held, self._allowance(card, rule.key))

    def _allowance(self, card: CardFacts, section: Section) -> Allowance | None:
        """None of a card that is not legal here; else what the limit of the section says, if it has one."""
        for rule in self.setting.game_format.constraints:
            if isinstance(rule, CardRule) and not rule.allows(card):
                return Allowance(0, rule.clause, rule.clause.source)
        limit = self.setting.game_format.copy_limit_for(section)
        return copy_allowance(card, card.name, limit, self.in_force) if limit else None


def workbench_at(game: str, format_slug: str, on_date: date, variant: str = "") -> Workbench:
    """The workbench of a format; a constant number of queries.

    NotFound `unknown_game`, `unknown_format`, `unknown_variant`; DomainError `no_decklists`.
    """
    rules = rules_at(game, format_slug, on_date)
    if not rules.game_format.checks_decks:
        raise DomainError("no_decklists", _("This game is played here without decklists."), game=game)
    system, chosen = get_system(game), rules.game_format.get_variant(variant)
    sets = dict(CardSet.objects.filter(game=game).values_list("slug", "name"))
    setting = Setting(rules.game_format, system.card_schema, cards_of(game), sets)
    slug = chosen.slug if chosen else ""
    return Workbench(system, rules, setting, on_date, slug, lists_in_force(rules.lists, on_date, slug))


def sizes_in(game_format: GameFormat, section: Section) -> str:
    """The sizes a section may have ("30", "60+", "0 or 25"); "" for any."""
    rules = [each for each in game_format.constraints if isinstance(each, SectionSize) and each.section == section]
    return _(" or ").join(str(size) for size in rules[0].sizes) if rules else ""


def _count(card: CardFacts, decklist: Decklist, sections: tuple[Section, ...]) -> int:
    key = normalise_name(card.name)
    return sum(
        entry.count for entry in decklist.entries if entry.section in sections and normalise_name(entry.name) == key
    )
