"""The verdict on a decklist: every breach of the format's rules at once, each with its clause and source."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.constraints import (
    AllowedTypes,
    CardList,
    Clause,
    Constraint,
    CopyLimit,
    LegalCards,
    LegalSets,
    OneTribe,
    RequiredCount,
    SectionSize,
    cited_by,
    lists_in_force,
)
from rules_engine.decklist import DeckEntry, Decklist, Section
from rules_engine.game import GameFormat
from rules_engine.legality_report import LegalityReport, Offence, Severity, Violation
from rules_engine.limits import Allowance, copy_allowance
from rules_engine.messages import Message, gettext_noop
from rules_engine.size_words import sizes_message

UNKNOWN_CARD = Clause("UNKNOWN-CARD", gettext_noop("Every card of a deck is a card this site knows."), "", "Doomdesk")
UNKNOWN_SECTION = Clause(
    "UNKNOWN-SECTION", gettext_noop("A deck has no section but those of its format."), "", "Doomdesk"
)
SITE_CLAUSES = (UNKNOWN_CARD, UNKNOWN_SECTION)


@dataclass(frozen=True, slots=True)
class _Case:
    decklist: Decklist
    game_format: GameFormat
    cards: Mapping[str, CardFacts]
    in_force: tuple[CardList, ...]

    def facts(self, entry: DeckEntry) -> CardFacts | None:
        return self.cards.get(normalise_name(entry.name))

    def known(self) -> Iterator[tuple[DeckEntry, CardFacts]]:
        for entry in self.decklist.entries:
            if facts := self.facts(entry):
                yield entry, facts

    def where(self, offences: Iterable[Offence]) -> Section:
        """The one section that holds all the offending cards, else ""."""
        names = {normalise_name(offence.name) for offence in offences}
        sections = {entry.section for entry in self.decklist.entries if normalise_name(entry.name) in names}
        return sections.pop() if len(sections) == 1 else ""

    def title(self, section: Section) -> str:
        return next((known.title for known in self.game_format.sections if known.key == section), section)


def check_decklist(
    decklist: Decklist,
    game_format: GameFormat,
    cards: Mapping[str, CardFacts],
    on_date: date,
    card_lists: Iterable[CardList] = (),
    variant: str = "",
) -> LegalityReport:
    """Judge `decklist` under `game_format` as of `on_date`: all violations, in the order of the format's rules.

    `cards` are the game's cards by normalised name; of `card_lists` only the versions in force on `on_date` count, as
    they read in `variant` (the format's first one for ""; NotFound `unknown_variant`). A card counts by name over all
    its lines; a banned card is not reported as limited or over copies as well, nor a limited one as over copies. Where
    cards only lack the heading of their section, one violation says so, not one for each section that it concerns.
    """
    counts = {section.key: 0 for section in game_format.sections} | decklist.counts()
    if not game_format.checks_decks:
        return LegalityReport((), counts, checked=False)
    judged_for = game_format.get_variant(variant)
    variant = judged_for.slug if judged_for else ""
    in_force = lists_in_force(card_lists, on_date, variant)
    case = _Case(decklist, game_format, cards, in_force)
    violations = [*_strangers(case)]
    misplaced = _misplaced(case)
    for constraint in game_format.constraints:
        if misplaced is None or constraint not in misplaced.rules:
            violations += CHECKS[type(constraint)](constraint, case)
        elif constraint == misplaced.cited:
            violations.append(misplaced.violation)
    lists = tuple(each.source for each in in_force)
    return LegalityReport(tuple(violations), counts, checked=True, lists=lists, variant=variant)


def _error(
    clause: Clause, section: Section, message: Message, offences: Iterable[Offence] = (), source: str = ""
) -> Violation:
    return Violation(clause.id, Severity.ERROR, section, message, source or clause.source, tuple(offences))


def _strangers(case: _Case) -> Iterator[Violation]:
    sections = {section.key for section in case.game_format.sections}
    for section in sorted(case.decklist.counts()):
        entries = [entry for entry in case.decklist.entries if entry.section == section]
        unknown = [Offence(entry.name, entry.count, 0) for entry in entries if case.facts(entry) is None]
        if section not in sections:
            message = Message(gettext_noop("This format has no section “%(section)s”."), {"section": section})
            yield _error(UNKNOWN_SECTION, section, message)
        if unknown:
            params = {"section": case.title(section)}
            message = Message(gettext_noop("%(section)s: this site does not know every card in it."), params)
            yield _error(UNKNOWN_CARD, section, message, unknown)


@dataclass(frozen=True, slots=True)
class _Misplaced:
    """Cards under a wrong heading, reported in the place of `rules`, which all hold once the cards are moved."""

    cited: Constraint
    rules: tuple[Constraint, ...]
    violation: Violation


def _misplaced(case: _Case) -> _Misplaced | None:
    """Cards that a section may not hold and only one other one may, if moving them is all that it takes there."""
    for rule in case.game_format.constraints:
        if not isinstance(rule, AllowedTypes):
            continue
        wrong, here = _homeless(rule, case), rule.section
        homes = {case.game_format.sections_for(facts.type) for _entry, facts in wrong}
        if len(homes) != 1 or len(found := homes.pop()) != 1:
            continue
        home = found[0]
        moved = _moved(case, {entry for entry, _facts in wrong}, home)
        rules = tuple(each for each in case.game_format.constraints if _is_of_section(each, (here, home)))
        if any(_is_broken(each, moved) for each in rules):
            continue
        names = ", ".join(dict.fromkeys(facts.name for _entry, facts in wrong))
        template = gettext_noop(
            "Move %(names)s from “%(section)s” to “%(home)s”: add the heading “%(home)s” above it in the list."
        )
        message = Message(template, {"names": names, "section": case.title(here), "home": case.title(home)})
        offences = [Offence(entry.name, entry.count, 0) for entry, _facts in wrong]
        return _Misplaced(rule, rules, _error(rule.clause, here, message, offences))
    return None


def _homeless(rule: AllowedTypes, case: _Case) -> list[tuple[DeckEntry, CardFacts]]:
    return [each for each in case.known() if each[0].section == rule.section and each[1].type not in rule.types]


def _moved(case: _Case, entries: Container[DeckEntry], home: Section) -> _Case:
    moved = (replace(entry, section=home) if entry in entries else entry for entry in case.decklist.entries)
    return replace(case, decklist=Decklist(tuple(moved)))


def _is_of_section(rule: Constraint, sections: Container[Section]) -> bool:
    """Whether a rule says what one of `sections` holds, by number or type."""
    return isinstance(rule, SectionSize | AllowedTypes | RequiredCount) and rule.section in sections


def _is_broken(rule: Constraint, case: _Case) -> bool:
    return next(CHECKS[type(rule)](rule, case), None) is not None


def _check_size(rule: SectionSize, case: _Case) -> Iterator[Violation]:
    found = case.decklist.counts().get(rule.section, 0)
    if not rule.allows(found):
        template, limits = sizes_message(rule.sizes)
        params = {"section": case.title(rule.section), "found": found, **limits}
        yield _error(rule.clause, rule.section, Message(template, params))


def _check_types(rule: AllowedTypes, case: _Case) -> Iterator[Violation]:
    offences = [Offence(entry.name, entry.count, 0) for entry, _facts in _homeless(rule, case)]
    if offences:
        params = {"section": case.title(rule.section), "types": ", ".join(sorted(rule.types))}
        message = Message(gettext_noop("%(section)s: only cards of these types belong here: %(types)s."), params)
        yield _error(rule.clause, rule.section, message, offences)


def _check_required(rule: RequiredCount, case: _Case) -> Iterator[Violation]:
    found = sum(
        entry.count for entry, facts in case.known() if entry.section == rule.section and facts.type in rule.types
    )
    if found < rule.at_least:
        params = {
            "section": case.title(rule.section),
            "types": ", ".join(sorted(rule.types)),
            "found": found,
            "allowed": rule.at_least,
        }
        template = gettext_noop(
            "%(section)s: the number of cards of the type %(types)s is %(found)s and must be at least %(allowed)s."
        )
        if len(rule.types) > 1:
            template = gettext_noop(
                "%(section)s: the number of cards of the types %(types)s is %(found)s and must be at least %(allowed)s."
            )
        yield _error(rule.clause, rule.section, Message(template, params))


def _check_copies(rule: CopyLimit, case: _Case) -> Iterator[Violation]:
    """One violation for every clause and source broken, in the order general limit, banned, limited, own text."""
    broken: dict[tuple[str, str], tuple[Allowance, list[Offence]]] = {}
    for entry in case.decklist.copies(rule.sections).values():
        allowance = copy_allowance(case.facts(entry), entry.name, rule, case.in_force)
        if allowance.copies is not None and not allowance.allows(entry.count):
            key = (allowance.clause.id, allowance.source)
            offence = Offence(entry.name, entry.count, allowance.copies)
            broken.setdefault(key, (allowance, []))[1].append(offence)
    order = [clause.id for clause in cited_by(rule)]
    for clause, source in sorted(broken, key=lambda key: (order.index(key[0]), key[1])):
        allowance, offences = broken[clause, source]
        yield _error(allowance.clause, case.where(offences), _copies_message(rule, allowance, case), offences, source)


def _copies_message(rule: CopyLimit, allowance: Allowance, case: _Case) -> Message:
    if allowance.clause == rule.banned and allowance.copies == 0:
        return Message(gettext_noop("The deck holds a card that is banned."))
    if allowance.clause == rule.limited:
        return Message(gettext_noop("The deck holds more copies of a limited card than its list allows."))
    if allowance.clause == rule.own_text:
        return Message(gettext_noop("The deck holds more copies of a card than that card’s own limit."))
    if rule.by_value and allowance.clause == rule.by_value.clause:
        template = gettext_noop("Copies of a card: at most %(total)s divided by its %(label)s, rounded down.")
        return Message(template, {"total": rule.by_value.total, "label": rule.by_value.label})
    if len(rule.sections) > 1:
        sections = [each.title for each in case.game_format.sections if each.key in rule.sections]
        template = gettext_noop("No card may be more often than %(allowed)s times in these together: %(section)s.")
        return Message(template, {"allowed": rule.copies, "section": ", ".join(sections)})
    template = gettext_noop("No card may be in the deck more often than %(allowed)s times.")
    return Message(template, {"allowed": rule.copies})


def _check_cards(rule: LegalSets | LegalCards, case: _Case) -> Iterator[Violation]:
    offences = [Offence(entry.name, entry.count, 0) for entry, facts in case.known() if not rule.allows(facts)]
    if offences:
        yield _error(rule.clause, case.where(offences), _cards_message(rule), offences)


def _cards_message(rule: LegalSets | LegalCards) -> Message:
    if isinstance(rule, LegalSets):
        return Message(gettext_noop("The deck holds a card from a set that is not legal here."))
    params = {"label": rule.label, "values": ", ".join(rule.values)}
    if rule.refused:
        return Message(gettext_noop("%(label)s: the deck may hold no card with %(values)s."), params)
    return Message(gettext_noop("%(label)s: the deck may hold only cards with %(values)s."), params)


def _check_tribe(rule: OneTribe, case: _Case) -> Iterator[Violation]:
    """By the tribe that takes the fewest cards out; among equals the one with more cards, then the first by name."""
    known = list(case.known())

    def wrong(tribe: str) -> list[Offence]:
        return [Offence(entry.name, entry.count, 0) for entry, facts in known if not rule.of(tribe).allows(facts)]

    def held(tribe: str) -> int:
        own = (entry for entry, facts in known if entry.section == rule.section and tribe in rule.tribes_of(facts))
        return sum(entry.count for entry in own)

    tribes = sorted({tribe for _entry, facts in known for tribe in rule.tribes_of(facts)})
    tribe = min(tribes, key=lambda each: (sum(card.found for card in wrong(each)), -held(each)), default="")
    if offences := wrong(tribe):
        words = {"values": tribe, "free": ", ".join(sorted(rule.free)), "types": ", ".join(sorted(rule.bound))}
        template = gettext_noop("%(label)s: no %(types)s of %(free)s is allowed.")
        if tribe:
            template = gettext_noop(
                "%(label)s: only cards of %(values)s and of %(free)s are allowed, and no %(types)s of %(free)s."
            )
        message = Message(template, {"label": rule.label, **words})
        yield _error(rule.clause, case.where(offences), message, offences)
    needed = rule.needed(case.decklist.counts().get(rule.section, 0))
    if held(tribe) < needed:
        counts = {"section": case.title(rule.section), "label": rule.label, "found": held(tribe), "allowed": needed}
        template = gettext_noop(
            "%(section)s: the number of cards of one %(label)s is %(found)s and must be at least %(allowed)s."
        )
        yield _error(rule.clause, rule.section, Message(template, counts))


CHECKS: Mapping[type[Constraint], Callable[[Any, _Case], Iterator[Violation]]] = {
    SectionSize: _check_size,
    AllowedTypes: _check_types,
    RequiredCount: _check_required,
    CopyLimit: _check_copies,
    LegalSets: _check_cards,
    LegalCards: _check_cards,
    OneTribe: _check_tribe,
}
