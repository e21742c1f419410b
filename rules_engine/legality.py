"""The verdict on a decklist: every breach of the format's rules at once, each with its clause and source."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.constraints import (
    AllowedTypes,
    CardList,
    Clause,
    Constraint,
    CopyLimit,
    LegalSets,
    RequiredCount,
    SectionSize,
    cited_by,
    lists_in_force,
)
from rules_engine.decklist import DeckEntry, Decklist, Section
from rules_engine.game import GameFormat
from rules_engine.limits import Allowance, copy_allowance
from rules_engine.messages import Message, gettext_noop

UNKNOWN_CARD = Clause("UNKNOWN-CARD", gettext_noop("Every card of a deck is a card this site knows."), "", "Doomdesk")
UNKNOWN_SECTION = Clause(
    "UNKNOWN-SECTION", gettext_noop("A deck has no section but those of its format."), "", "Doomdesk"
)
SITE_CLAUSES = (UNKNOWN_CARD, UNKNOWN_SECTION)


class Severity(StrEnum):
    """How much a violation weighs: only an error makes a deck illegal."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Offence:
    """One card's part in a violation: copies `found` and copies `allowed`."""

    name: str
    found: int
    allowed: int


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach: `rule` is a clause id, `section` a section key, `source` says where the rule or list is found.

    `section` is "" when several sections break the rule together.
    """

    rule: str
    severity: Severity
    section: Section
    message: Message
    source: str
    cards: tuple[Offence, ...] = ()


@dataclass(frozen=True, slots=True)
class LegalityReport:
    """The verdict on a deck.

    `counts` are cards per section, `lists` the card lists that were in force; `checked` is False when the format has
    nothing to check; `variant` is the one judged for, "" in a format without.
    """

    violations: tuple[Violation, ...]
    counts: Mapping[Section, int]
    checked: bool
    lists: tuple[str, ...] = field(default=())
    variant: str = ""

    @property
    def legal(self) -> bool | None:
        """True or False; None when the format has nothing to check."""
        if not self.checked:
            return None
        return not any(violation.severity is Severity.ERROR for violation in self.violations)

    def as_data(self) -> dict[str, Any]:
        """The report as plain JSON values; `from_data` reads it back."""
        return {
            "legal": self.legal,
            "checked": self.checked,
            "counts": dict(self.counts),
            "lists": list(self.lists),
            "variant": self.variant,
            "violations": [_violation_data(violation) for violation in self.violations],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "LegalityReport":
        """The report that `as_data` wrote."""
        violations = tuple(_violation_from(each) for each in data["violations"])
        return cls(violations, dict(data["counts"]), data["checked"], tuple(data["lists"]), data.get("variant", ""))


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
    its lines; a banned card is not reported as limited or over copies as well, nor a limited one as over copies.
    """
    counts = {section.key: 0 for section in game_format.sections} | decklist.counts()
    if not game_format.checks_decks:
        return LegalityReport((), counts, checked=False)
    judged_for = game_format.get_variant(variant)
    variant = judged_for.slug if judged_for else ""
    in_force = lists_in_force(card_lists, on_date, variant)
    case = _Case(decklist, game_format, cards, in_force)
    violations = [*_strangers(case)]
    for constraint in game_format.constraints:
        violations += CHECKS[type(constraint)](constraint, case)
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


def _check_size(rule: SectionSize, case: _Case) -> Iterator[Violation]:
    found = case.decklist.counts().get(rule.section, 0)
    if not rule.allows(found):
        allowed = " / ".join(map(str, rule.sizes))
        params = {"section": case.title(rule.section), "found": found, "allowed": allowed}
        message = Message(
            gettext_noop("%(section)s: the number of cards is %(found)s and must be %(allowed)s."), params
        )
        yield _error(rule.clause, rule.section, message)


def _check_types(rule: AllowedTypes, case: _Case) -> Iterator[Violation]:
    offences = [
        Offence(entry.name, entry.count, 0)
        for entry, facts in case.known()
        if entry.section == rule.section and facts.type not in rule.types
    ]
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
        template = gettext_noop("%(section)s: the number of %(types)s is %(found)s and must be at least %(allowed)s.")
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
        yield _error(allowance.clause, case.where(offences), _copies_message(rule, allowance), offences, source)


def _copies_message(rule: CopyLimit, allowance: Allowance) -> Message:
    if allowance.clause == rule.banned and allowance.copies == 0:
        return Message(gettext_noop("The deck holds a card that is banned."))
    if allowance.clause == rule.limited:
        return Message(gettext_noop("The deck holds more copies of a limited card than its list allows."))
    if allowance.clause == rule.own_text:
        return Message(gettext_noop("The deck holds more copies of a card than that card’s own limit."))
    template = gettext_noop("No card may be in the deck more often than %(allowed)s times.")
    return Message(template, {"allowed": rule.copies})


def _check_sets(rule: LegalSets, case: _Case) -> Iterator[Violation]:
    offences = [Offence(entry.name, entry.count, 0) for entry, facts in case.known() if facts.set_slug not in rule.sets]
    if offences:
        message = Message(gettext_noop("The deck holds a card from a set that is not legal here."))
        yield _error(rule.clause, case.where(offences), message, offences)


CHECKS: Mapping[type[Constraint], Callable[[Any, _Case], Iterator[Violation]]] = {
    SectionSize: _check_size,
    AllowedTypes: _check_types,
    RequiredCount: _check_required,
    CopyLimit: _check_copies,
    LegalSets: _check_sets,
}


def _violation_data(violation: Violation) -> dict[str, Any]:
    return {
        "rule": violation.rule,
        "severity": violation.severity.value,
        "section": violation.section,
        "message": str(violation.message),
        "template": violation.message.template,
        "params": dict(violation.message.params),
        "source": violation.source,
        "cards": [{"name": each.name, "found": each.found, "allowed": each.allowed} for each in violation.cards],
    }


def _violation_from(data: Mapping[str, Any]) -> Violation:
    return Violation(
        data["rule"],
        Severity(data["severity"]),
        data["section"],
        Message(data["template"], data["params"]),
        data["source"],
        tuple(Offence(**each) for each in data["cards"]),
    )
