"""Small formats and decks that use the whole vocabulary, and exhaustive searches for legal decks."""

from dataclasses import dataclass, replace
from datetime import date
from itertools import combinations_with_replacement, product

from hypothesis import strategies as st

from rules_engine.cards import CardFacts, index_cards
from rules_engine.constraints import (
    AllowedTypes,
    CardList,
    CardRule,
    Clause,
    CopiesByValue,
    CopyLimit,
    LegalCards,
    LegalSets,
    OneTribe,
    RequiredCount,
    SectionSize,
    SizeRange,
    lists_in_force,
)
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.game import GameFormat, SectionRule, Variant
from rules_engine.legality import check_decklist
from rules_engine.limits import copy_allowance

DAY = date(2026, 5, 1)
SECTIONS = ("main", "side", "spare")
NAMES = ("Ash", "Bog", "Cay", "Dew", "Elm")
STRANGER, NOWHERE = "Nobody", "attic"
TYPES = ("Tree", "Water")
RULE, BANNED, LIMITED, OWN = (Clause(each, "A rule of the tests.", "One") for each in ("R", "B", "L", "O"))
NO_RULE = LegalSets(RULE, frozenset({"in", "out"}))
VARIANTS = (Variant("duel", "Duel"), Variant("team", "Team"))


@dataclass(frozen=True)
class Toy:
    """A format with its cards, a deck to mend, and the variant it is mended for."""

    game_format: GameFormat
    cards: dict[str, CardFacts]
    deck: Decklist
    variant: str

    def judge(self, deck):
        return check_decklist(deck, self.game_format, self.cards, DAY, self.game_format.card_lists, self.variant)

    @property
    def arguments(self):
        return self.game_format, self.cards, DAY, self.game_format.card_lists, self.variant


def one_of(*values):
    return st.sampled_from(values)


sizes = st.lists(
    st.builds(
        lambda low, more: SizeRange(low, None if more is None else low + more), one_of(0, 1, 2, 3), one_of(None, 0, 1)
    ),
    min_size=1,
    max_size=2,
)
some_types = one_of(*(frozenset(each) for each in (TYPES[:1], TYPES[1:], TYPES)))
copies_listed = st.dictionaries(one_of(*(name.casefold() for name in NAMES)), one_of(0, 1, 2, None), max_size=3)


@st.composite
def constraints(draw, sections):
    """Any rules for `sections` that the loader would take."""
    rules = []
    for section in sections:
        for _ in range(draw(one_of(0, 1, 1, 1, 2))):
            rules.append(SectionSize(RULE, section, tuple(draw(sizes))))
        if draw(one_of(True, False, False)):
            rules.append(AllowedTypes(RULE, section, draw(some_types)))
        for types in draw(one_of((), (), TYPES[:1], (TYPES,), TYPES)):
            kinds = frozenset([types] if isinstance(types, str) else types)
            rules.append(RequiredCount(RULE, section, kinds, draw(one_of(1, 2))))
    scopes = draw(st.lists(one_of("none", "one", "one", "two"), min_size=len(sections), max_size=len(sections)))
    for scope in ("one", "two"):
        covered = frozenset(section for section, its in zip(sections, scopes, strict=True) if its == scope)
        if covered:
            lists = (BANNED, LIMITED) if draw(st.booleans()) else (None, None)
            own = (OWN, "own") if draw(st.booleans()) else (None, "")
            by_value = CopiesByValue(RULE, frozenset(TYPES[:1]), "worth", "Worth", 3) if draw(st.booleans()) else None
            rules.append(CopyLimit(RULE, covered, draw(one_of(1, 2, 3)), *lists, *own, by_value))
    if draw(one_of(True, False, False)):
        rules.append(LegalSets(RULE, frozenset({"in"})))
    if draw(one_of(True, False, False)):
        rules.append(LegalCards(RULE, "tribe", "Tribe", ("Red",), draw(st.booleans())))
    if draw(one_of(True, False, False)):
        rules.append(draw(tribe_rules(rules, sections[0])))
    return tuple(rules) or (SectionSize(RULE, sections[0], (SizeRange(1, 2),)),)


@st.composite
def tribe_rules(draw, rules, section):
    """One tribe, with a share that the loader would take: required cards are of the tribe."""
    required = [rule for rule in rules if isinstance(rule, RequiredCount) and rule.section == section]
    bound = draw(some_types).union(*(rule.types for rule in required))
    return OneTribe(RULE, section, "tribe", "Tribe", frozenset({"Grey"}), bound, draw(one_of(33, 50, 75)))


@st.composite
def formats(draw):
    sections = SECTIONS[: draw(one_of(1, 2, 2, 3))]
    by_variant = {"team": draw(copies_listed)} if draw(st.booleans()) else {}
    card_list = CardList("list", "List", DAY, draw(copies_listed), by_variant)
    rules = tuple(SectionRule(key, key.title(), (key,)) for key in sections)
    return GameFormat("toy", "Toy", rules, draw(constraints(sections)), (card_list,), VARIANTS)


def card(name):
    return st.builds(
        lambda kind, card_set, **facts: CardFacts(
            name, kind, card_set, {key: facts[key] for key in facts if facts[key]}
        ),
        one_of(*TYPES),
        one_of("in", "in", "out"),
        own=one_of("", "", "1", "3", "any"),
        tribe=one_of("", "Red", "Red", "Blue", "Red / Blue", "Grey", "Grey"),
        worth=one_of("", "", "1", "2", "4", "?"),
    )


@st.composite
def toys(draw):
    """Formats of one to three sections, up to five cards, and a deck of up to nine entries."""
    game_format = draw(formats())
    cards = index_cards([draw(card(name)) for name in NAMES[: draw(st.integers(1, 5))]])
    names = one_of(*NAMES, *NAMES, *NAMES, STRANGER)
    places = one_of(*[section.key for section in game_format.sections] * 3, NOWHERE)
    entry = st.builds(DeckEntry, names, one_of(1, 1, 2, 3), places)
    deck = Decklist(tuple(draw(st.lists(entry, max_size=9))))
    return Toy(game_format, cards, deck, draw(one_of("", "team")))


def copies_by_place(deck):
    return {(entry.section, entry.name): entry.count for entry in deck.entries}


def deck_of(copies):
    return Decklist(tuple(DeckEntry(name, count, section) for (section, name), count in copies.items() if count))


def nearer_legal_deck(toy, cost):
    """A legal deck that takes fewer than `cost` changes from the toy's, by trying every one of them."""
    start = copies_by_place(toy.deck)
    known = product([section.key for section in toy.game_format.sections], [card.name for card in toy.cards.values()])
    places = sorted({*start, *known})

    def within(number, left):
        if number == len(places):
            yield {}
            return
        held = start.get(places[number], 0)
        for copies in range(max(0, held - left), held + left + 1):
            for rest in within(number + 1, left - abs(copies - held)):
                yield {places[number]: copies, **rest}

    decks = (deck_of(copies) for copies in within(0, cost - 1)) if cost else ()
    return next((deck for deck in decks if toy.judge(deck).legal), None)


def has_legal_deck(toy):
    """Whether any deck is legal, by trying all up to the largest number of cards that a rule asks for."""
    sections = [_legal_contents(toy, section.key) for section in toy.game_format.sections]
    return any(toy.judge(Decklist(sum(contents, ()))).legal for contents in product(*sections))


def _legal_contents(toy, section):
    """What may lie in a section, going by the rules that bind it alone."""
    rules = tuple(rule for rule in toy.game_format.constraints if getattr(rule, "section", section) == section)
    alone = replace(toy, game_format=replace(toy.game_format, constraints=(*rules, NO_RULE)))
    needed = sum(rule.at_least for rule in rules if isinstance(rule, RequiredCount))
    smallest = [size.smallest for rule in rules if isinstance(rule, SectionSize) for size in rule.sizes]
    decks = (
        tuple(DeckEntry(name, 1, section) for name in names)
        for count in range(max([needed, *smallest]) + 1)
        for names in combinations_with_replacement([card.name for card in toy.cards.values()], count)
    )
    return [deck for deck in decks if alone.judge(Decklist(deck)).legal]


def legal_cards(toy, copies, section):
    """The cards of which `section` may take one more now: allowed there, and within their limits after it."""
    return [card.name for card in toy.cards.values() if _may_join(toy, card, copies, section)]


def _may_join(toy, card, copies, section):
    for rule in toy.game_format.constraints:
        if isinstance(rule, AllowedTypes) and rule.section == section and card.type not in rule.types:
            return False
        if isinstance(rule, CardRule) and not rule.allows(card):
            return False
        if isinstance(rule, CopyLimit) and section in rule.sections:
            in_force = lists_in_force(toy.game_format.card_lists, DAY, toy.variant or "duel")
            held = sum(copies[place, card.name] for place in rule.sections)
            if not copy_allowance(card, card.name, rule, in_force).allows(held + 1):
                return False
    return True
