"""What a format asks of a deck, in sentences, each with the clause it comes from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine.constraints import (
    AllowedTypes,
    Clause,
    Constraint,
    CopyLimit,
    LegalCards,
    LegalSets,
    OneTribe,
    RequiredCount,
    SectionSize,
    SizeRange,
    cited_by,
)
from rules_engine.game import GameFormat
from rules_engine.house import FormatChanges


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing a format asks, as a sentence, and the clauses that say so."""

    text: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class _Names:
    sections: Mapping[str, str]
    sets: Mapping[str, str]

    def section(self, key: str) -> str:
        return _(self.sections.get(key, key))


def asks_of(game_format: GameFormat, set_names: Mapping[str, str]) -> tuple[Ask, ...]:
    """Every constraint of a format in words, in the format's order; `set_names` gives the names of card sets."""
    names = _Names({section.key: section.title for section in game_format.sections}, set_names)
    return tuple(WORDS[type(rule)](rule, names) for rule in game_format.constraints)


def changes_in_words(changes: FormatChanges, base: GameFormat, set_names: Mapping[str, str]) -> Iterator[str]:
    """What a house format changes in its base, one sentence each."""
    titles = {section.key: _(section.title) for section in base.sections}
    for section, sizes in changes.sizes.items():
        values = {"section": titles.get(section, section), "sizes": _either(map(_size_words, sizes))}
        yield _("%(section)s: %(sizes)s.") % values
    if changes.copies is not None:
        text = ngettext("At most %(count)d copy of a card.", "At most %(count)d copies of a card.", changes.copies)
        yield text % {"count": changes.copies}
    if changes.sets is not None:
        sets = _list(sorted(set_names.get(slug, slug) for slug in changes.sets))
        yield _("Cards only from these sets: %(sets)s.") % {"sets": sets}
    if changes.limits:
        number = len(changes.limits)
        yield ngettext("A list of %(count)d card.", "A list of %(count)d cards.", number) % {"count": number}
    yield from (_("%(rule)s.") % {"rule": _(each.name)} for each in base.house_rules if each.slug in changes.rules)
    if not changes.keeps_lists:
        yield _("The base format's card lists don't apply.")


def _size(rule: SectionSize, names: _Names) -> Ask:
    sizes = _either(_size_words(size) for size in rule.sizes)
    return Ask(_("%(section)s: %(sizes)s.") % {"section": names.section(rule.section), "sizes": sizes}, (rule.clause,))


def _size_words(size: SizeRange) -> str:
    if size.largest is None:
        return ngettext("%(count)d card or more", "%(count)d cards or more", size.smallest) % {"count": size.smallest}
    if size.smallest == size.largest == 0:
        return _("no card at all")
    if size.smallest == size.largest:
        return ngettext("exactly %(count)d card", "exactly %(count)d cards", size.smallest) % {"count": size.smallest}
    return _("%(least)d to %(most)d cards") % {"least": size.smallest, "most": size.largest}


def _types(rule: AllowedTypes, names: _Names) -> Ask:
    values = {"section": names.section(rule.section), "types": _list(sorted(_(each) for each in rule.types))}
    return Ask(_("%(section)s: only cards of type %(types)s.") % values, (rule.clause,))


def _required(rule: RequiredCount, names: _Names) -> Ask:
    values = {
        "section": names.section(rule.section),
        "count": rule.at_least,
        "types": _either(sorted(_(each) for each in rule.types)),
    }
    text = ngettext(
        "%(section)s: at least %(count)d card of type %(types)s.",
        "%(section)s: at least %(count)d cards of type %(types)s.",
        rule.at_least,
    )
    return Ask(text % values, (rule.clause,))


def _copies(rule: CopyLimit, names: _Names) -> Ask:
    sections = [names.section(key) for key in names.sections if key in rule.sections]
    values = {"sections": _list(sections), "count": rule.copies}
    if len(sections) > 1:
        text = ngettext(
            "%(sections)s together: at most %(count)d copy of a card.",
            "%(sections)s together: at most %(count)d copies of a card.",
            rule.copies,
        )
    else:
        text = ngettext(
            "%(sections)s: at most %(count)d copy of a card.",
            "%(sections)s: at most %(count)d copies of a card.",
            rule.copies,
        )
    return Ask(" ".join([text % values, *_exceptions(rule)]), _named(rule))


def _exceptions(rule: CopyLimit) -> Iterable[str]:
    if each := rule.by_value:
        values = {"types": _list(sorted(map(_, each.types))), "total": each.total, "label": _(each.label)}
        yield _("%(types)s: %(total)d divided by %(label)s, rounded down, instead.") % values
    if rule.banned and rule.own_text:
        yield _("Card lists and the card's own number take precedence; the lower one applies.")
    elif rule.banned:
        yield _("Card lists take precedence.")
    elif rule.own_text:
        yield _("A number on the card itself takes precedence.")


def _named(rule: CopyLimit) -> tuple[Clause, ...]:
    return tuple(dict.fromkeys(cited_by(rule)))


def _sets(rule: LegalSets, names: _Names) -> Ask:
    sets = _list(sorted(names.sets.get(slug, slug) for slug in rule.sets))
    return Ask(_("Cards only from these sets: %(sets)s.") % {"sets": sets}, (rule.clause,))


def _cards(rule: LegalCards, names: _Names) -> Ask:
    values = {"label": _(rule.label), "values": _list(_(each) for each in rule.values)}
    text = _("%(label)s: no card with %(values)s.") if rule.refused else _("%(label)s: only cards with %(values)s.")
    return Ask(text % values, (rule.clause,))


def _tribe(rule: OneTribe, names: _Names) -> Ask:
    values = {
        "label": _(rule.label),
        "free": _list(_(each) for each in sorted(rule.free)),
        "types": _list(_(each) for each in sorted(rule.bound)),
        "section": names.section(rule.section),
        "percent": rule.percent,
    }
    text = _(
        "%(label)s: one for the whole deck, and %(free)s without %(types)s. %(section)s: at least %(percent)d %% of "
        "the cards, rounded up, are of that one."
    )
    return Ask(text % values, (rule.clause,))


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)


def _either(words: Iterable[str]) -> str:
    return pgettext("between alternatives", " or ").join(words)


WORDS: Mapping[type[Constraint], Callable[[Any, _Names], Ask]] = {
    SectionSize: _size,
    AllowedTypes: _types,
    RequiredCount: _required,
    CopyLimit: _copies,
    LegalSets: _sets,
    LegalCards: _cards,
    OneTribe: _tribe,
}
