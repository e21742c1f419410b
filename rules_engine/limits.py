"""How many copies of a card a deck may hold: one answer for the editor, the checker and the repair."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules_engine.cards import CardFacts, normalise_name
from rules_engine.constraints import CardList, Clause, CopyLimit

ANY_NUMBER = "any"


@dataclass(frozen=True, slots=True)
class Allowance:
    """At most `copies` (None: any number), by `clause`, which `source` states: book section, or list and date."""

    copies: int | None
    clause: Clause
    source: str

    def allows(self, count: int) -> bool:
        """Whether `count` copies are within it."""
        return self.copies is None or count <= self.copies


def copy_allowance(card: CardFacts | None, name: str, rule: CopyLimit, in_force: Iterable[CardList]) -> Allowance:
    """What `rule` allows of the card `name`: its list's number, its text's or its value's, the lowest; else the rule's.

    `in_force` are the lists as `lists_in_force` gives them. So a ban wins over everything, and a text that allows any
    number beats the general limit only (DT97 precedence; docs/how-it-works/deck-legality-and-repair.md#copies).
    """
    stated = [*_listed(name, rule, in_force), *_own_text(card, rule), *_by_value(card, rule)]
    return min(stated, key=strictness, default=Allowance(rule.copies, rule.clause, rule.clause.source))


def _listed(name: str, rule: CopyLimit, in_force: Iterable[CardList]) -> Iterable[Allowance]:
    key = normalise_name(name)
    for card_list in in_force:
        if rule.banned and rule.limited and key in card_list.limits:
            copies = card_list.limits[key]
            yield Allowance(copies, rule.banned if copies == 0 else rule.limited, card_list.source)


def _own_text(card: CardFacts | None, rule: CopyLimit) -> Iterable[Allowance]:
    stated = card.fields.get(rule.own_text_field, "") if card and rule.own_text else ""
    if rule.own_text and stated != "":
        copies = None if stated == ANY_NUMBER else int(stated)
        yield Allowance(copies, rule.own_text, rule.own_text.source)


def _by_value(card: CardFacts | None, rule: CopyLimit) -> Iterable[Allowance]:
    if card and rule.by_value and (copies := rule.by_value.copies_of(card)) is not None:
        yield Allowance(copies, rule.by_value.clause, rule.by_value.clause.source)


def strictness(allowance: Allowance) -> tuple[bool, int]:
    """What allowances are ordered by, the strictest first."""
    return (allowance.copies is None, allowance.copies or 0)
