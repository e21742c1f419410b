"""How many copies of a card each format allows, and which clause says so."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from decks.selectors.legality import card_lists_in_force, coming_lists
from rules_engine.cards import CardFacts
from rules_engine.constraints import AllowedTypes, CardList, CardRule, Clause, CopyLimit, SectionSize, lists_in_force
from rules_engine.game import GameFormat, GameSystem, Variant
from rules_engine.limits import Allowance, copy_allowance, strictness


@dataclass(frozen=True, slots=True)
class CardLimit:
    """What a format allows of a card in some sections together, in some variants (all of them when none is named).

    `copies` None is any number; `clause` and `source` are None and "" where no rule speaks.
    """

    sections: tuple[str, ...]
    variants: tuple[Variant, ...]
    copies: int | None
    clause: Clause | None
    source: str


def limits_of(card: CardFacts, system: GameSystem, on_date: date) -> list[tuple[GameFormat, list[CardLimit]]]:
    """For every format of the game that checks decks what it allows of the card on that day; two queries a format."""
    formats = [each for each in system.formats if each.checks_decks]
    return [
        (each, list(_limits_in(card, each, card_lists_in_force(system.slug, each.slug, on_date), on_date)))
        for each in formats
    ]


def coming_limits(card: CardFacts, system: GameSystem, today: date) -> list[tuple[GameFormat, date, list[CardLimit]]]:
    """For every announced day on which a format will allow other numbers of the card than before: what holds then."""
    changes = []
    for each in (each for each in system.formats if each.checks_decks):
        before = list(_limits_in(card, each, card_lists_in_force(system.slug, each.slug, today), today))
        for day in sorted({coming.valid_from for coming in coming_lists(system.slug, each.slug, today)}):
            after = list(_limits_in(card, each, card_lists_in_force(system.slug, each.slug, day), day))
            if _numbers(after) != _numbers(before):
                changes.append((each, day, after))
            before = after
    return changes


def _numbers(limits: list[CardLimit]) -> list[tuple[object, ...]]:
    return [(each.sections, each.variants, each.copies) for each in limits]


def _limits_in(
    card: CardFacts, game_format: GameFormat, card_lists: tuple[CardList, ...], on_date: date
) -> Iterator[CardLimit]:
    """One line for each scope of copies, or for each answer where the variants differ."""
    variants = game_format.variants or (Variant("", ""),)
    for scope in _scopes(card, game_format):
        answers: dict[Allowance | None, list[Variant]] = {}
        for variant in variants:
            in_force = lists_in_force(card_lists, on_date, variant.slug)
            answers.setdefault(_allowance(card, game_format, scope, in_force), []).append(variant)
        titles = tuple(each.title for each in game_format.sections if each.key in scope)
        for allowance, where in answers.items():
            named = tuple(where) if len(answers) > 1 else ()
            if allowance is None:
                yield CardLimit(titles, named, None, None, "")
            else:
                yield CardLimit(titles, named, allowance.copies, allowance.clause, allowance.source)


def _scopes(card: CardFacts, game_format: GameFormat) -> list[frozenset[str]]:
    """Sections that count copies together, of those that may hold the card; all sections where none may."""
    allowed = frozenset(game_format.sections_for(card.type)) or frozenset(each.key for each in game_format.sections)
    scopes: dict[frozenset[str], None] = {}
    for section in (each.key for each in game_format.sections if each.key in allowed):
        rule = game_format.copy_limit_for(section)
        scopes[frozenset(rule.sections) & allowed if rule else frozenset({section})] = None
    return list(scopes)


def _allowance(
    card: CardFacts, game_format: GameFormat, scope: frozenset[str], in_force: tuple[CardList, ...]
) -> Allowance | None:
    """What the format says of copies in these sections; None where it says nothing."""
    for rule in game_format.constraints:
        excluded = isinstance(rule, CardRule) and not rule.allows(card)
        excluded |= isinstance(rule, AllowedTypes) and rule.section in scope and card.type not in rule.types
        if excluded:
            return Allowance(0, rule.clause, rule.clause.source)
    limits = (rule for rule in game_format.constraints if isinstance(rule, CopyLimit) and rule.sections & scope)
    stated = [copy_allowance(card, card.name, rule, in_force) for rule in limits]
    return min([*stated, *_room(game_format, scope)], key=strictness, default=None)


def _room(game_format: GameFormat, scope: frozenset[str]) -> Iterator[Allowance]:
    """The size of a section that is the whole scope: it may hold fewer cards than copies are allowed."""
    for rule in game_format.constraints:
        if isinstance(rule, SectionSize) and scope == {rule.section}:
            largest = [each.largest for each in rule.sizes]
            if None not in largest:
                yield Allowance(max(size or 0 for size in largest), rule.clause, rule.clause.source)
