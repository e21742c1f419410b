"""A game's rules for reading: its clauses by section, what each format asks, its card lists in force and to come."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from decks.models import CardSet, HouseFormatVersion
from decks.selectors.card_lists import ListDifference, ListGroup, announced_of_game, differences, group_list
from decks.selectors.cards import cards_of
from decks.selectors.legality import house_rules
from decks.selectors.rule_words import Ask, asks_of
from rules_engine.cards import CardFacts
from rules_engine.constraints import CardList, Clause, LegalSets, newest_lists
from rules_engine.game import GameFormat, GameSystem, RuleSection
from rules_engine.legality import SITE_CLAUSES
from rules_engine.messages import gettext_noop


@dataclass(frozen=True, slots=True)
class ListView:
    """A version of a list for reading; `changes` are those to the version before, for one to come."""

    card_list: CardList
    groups: tuple[ListGroup, ...]
    changes: tuple[ListDifference, ...] = ()


@dataclass(frozen=True, slots=True)
class FormatView:
    """A format for reading: what it asks, its lists in force and to come."""

    game_format: GameFormat
    asks: tuple[Ask, ...]
    in_force: tuple[ListView, ...]
    coming: tuple[ListView, ...]

    @property
    def has_lists(self) -> bool:
        return bool(self.in_force or self.coming)


def rules_of(system: GameSystem) -> tuple[RuleSection, ...]:
    """The sections of a game's rules; one more says what this site checks besides, where it checks decks."""
    site = RuleSection(gettext_noop("Checked by this site"), SITE_CLAUSES)
    return (*system.rules, site) if any(each.checks_decks for each in system.formats) else system.rules


def clauses_of(system: GameSystem) -> list[Clause]:
    """Every clause in those sections."""
    return [clause for section in rules_of(system) for clause in section.clauses]


def set_names(game: str, formats: Iterable[GameFormat]) -> Mapping[str, str]:
    """Names of the game's card sets by slug; no query where no format asks for sets."""
    asked = any(isinstance(rule, LegalSets) for each in formats for rule in each.constraints)
    return dict(CardSet.objects.filter(game=game).values_list("slug", "name")) if asked else {}


def format_view(
    game_format: GameFormat,
    lists: Sequence[CardList],
    today: date,
    cards: Mapping[str, CardFacts],
    sets: Mapping[str, str],
    words: str = "",
) -> FormatView:
    """A format with its announced `lists` of all days, parted into those in force and those to come."""
    variants = game_format.variants
    in_force = [ListView(each, group_list(each, cards, variants, words)) for each in newest_lists(lists, today)]
    coming = []
    for value in sorted((each for each in lists if each.valid_from > today), key=lambda each: each.valid_from):
        earlier = [each for each in lists if each.slug == value.slug and each.valid_from < value.valid_from]
        before = next(iter(newest_lists(earlier, value.valid_from)), None)
        changes = differences(before, value, cards, variants)
        coming.append(ListView(value, group_list(value, cards, variants, words), changes))
    return FormatView(game_format, asks_of(game_format, sets), tuple(in_force), tuple(coming))


def format_views(system: GameSystem, today: date, words: str = "") -> list[FormatView]:
    """Every shipped format of a game; of its lists the cards whose name contains `words`."""
    rows, cards, sets = announced_of_game(system.slug), cards_of(system.slug), set_names(system.slug, system.formats)
    lists: Mapping[str, Sequence[CardList]] = {
        each.slug: [value for slug, value in rows if slug == each.slug] for each in system.formats
    }
    return [format_view(each, lists[each.slug], today, cards, sets, words) for each in system.formats]


def house_view(version: HouseFormatVersion, today: date, words: str = "") -> FormatView:
    """A version of a house format, as `format_views` shows others."""
    house = version.house_format
    base = [value for slug, value in announced_of_game(house.game) if slug == house.base]
    rules = house_rules(version, base)
    sets = set_names(house.game, [rules.game_format])
    return format_view(rules.game_format, rules.lists, today, cards_of(house.game), sets, words)


def own_clauses(view: FormatView, system: GameSystem) -> tuple[Clause, ...]:
    """The clauses that a house format adds to those of its game."""
    return tuple(clause for clause in view.game_format.clauses if clause not in system.clauses)
