"""Text of the NetrunnerDB family, DoomtrooperDB among them: cards under their types, each with its set in brackets."""

from collections.abc import Iterator

from decks.formats.headings import Setting
from decks.formats.lines import Counted, find_reading, is_plain_title, split_heading, tidy
from decks.formats.writing import portions, sections_of
from rules_engine.cards import normalise_name
from rules_engine.decklist import DeckEntry, Decklist
from rules_engine.game import SectionRule

KEY = "netrunnerdb"
LINES_LOOKED_AT = 12


def recognise(lines: list[str]) -> bool:
    """Whether the list begins as that family's exports do, with a line "Expansions:"."""
    return any(normalise_name(split_heading(tidy(line))[0]) == "expansions" for line in lines[:LINES_LOOKED_AT])


def write_netrunner(decklist: Decklist, setting: Setting, name: str = "") -> str:
    """Name, expansions, then `Nx Name (Set)` under the card types of the first section; every type is written."""
    sets = sorted({_set_of(entry, setting) for entry in decklist.entries} - {""})
    parts = [f"{name}\n" if is_plain_title(name) else f"// Name: {name}\n"] if name else []
    parts.append(f"Expansions: {', '.join(sets)}\n")
    for rule, entries in sections_of(decklist, setting.game_format):
        for title, group in _groups(rule, entries, setting):
            lines = [f"{_line(each, setting)}\n" for each in portions(group)]
            parts.append(f"{title}\n\n{''.join(lines)}")
    return "\n".join(parts)


def _groups(rule: SectionRule, entries: list[DeckEntry], setting: Setting) -> Iterator[tuple[str, list[DeckEntry]]]:
    """The entries of a section under its types as far as their headings open it; the rest under its own title."""
    headings = setting.headings()
    titles = {}
    for card_type in setting.schema.types:
        if headings.get(normalise_name(card_type.plural)) == rule.key:
            titles[card_type.name] = card_type
    typed: dict[str, list[DeckEntry]] = {}
    for entry in entries:
        card = setting.cards.get(normalise_name(entry.name))
        typed.setdefault(card.type if card and card.type in titles else "", []).append(entry)
    for key in ("", *titles):
        if group := typed.get(key):
            yield (titles[key].name if len(group) == 1 else titles[key].plural) if key else rule.title, group


def _line(entry: DeckEntry, setting: Setting) -> str:
    """The line with the set, unless another card's name ends like that."""
    plain = f"{entry.count}x {entry.name}"
    with_set = f"{plain} ({_set_of(entry, setting)})"
    for line in (with_set, plain) if _set_of(entry, setting) else (plain,):
        if _reads_as(line, entry, setting):
            return line
    return f"{entry.count} {entry.name}"


def _reads_as(line: str, entry: DeckEntry, setting: Setting) -> bool:
    def known(counted: Counted) -> bool:
        return not counted.bare_code and normalise_name(counted.name) in setting.cards

    found = find_reading(tidy(line), known)
    wanted = (entry.count, normalise_name(entry.name))
    return found is not None and (found.count, normalise_name(found.name)) == wanted


def _set_of(entry: DeckEntry, setting: Setting) -> str:
    card = setting.cards.get(normalise_name(entry.name))
    return setting.sets.get(card.set_slug, card.set_slug) if card else ""
