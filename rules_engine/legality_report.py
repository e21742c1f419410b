"""The verdict on a decklist as a value: its violations, and the plain JSON form in which it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from rules_engine.decklist import Section
from rules_engine.messages import Message


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
