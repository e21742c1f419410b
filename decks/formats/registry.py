"""The decklist formats: which one a text is in, how it is read, and into which ones a deck can be written."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeAlias

from decks.formats import arena, cockatrice, house, lackey, netrunner, octgn, table
from decks.formats import text as plain
from decks.formats.guards import no_text, too_large
from decks.formats.headings import Setting
from decks.formats.limits import MAX_LINE_LENGTH, MAX_LINES
from decks.formats.lines import physical_lines, tidy
from decks.formats.reading import Reading
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.decklist import Decklist
from rules_engine.errors import NotFound
from rules_engine.messages import gettext_noop

Reader: TypeAlias = Callable[[str, Setting], Reading]
Writer: TypeAlias = Callable[[Decklist, Setting, str], str]

_XML = re.compile(rf"\s*<(?:\?xml|!|{cockatrice.ROOT}\b|{octgn.ROOT}\b)", re.IGNORECASE)
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[{\]])")


@dataclass(frozen=True, slots=True)
class Export:
    """A format in which a deck can be taken along: its key, its title in English, and what its files are."""

    key: str
    title: str
    extension: str
    media_type: str


EXPORTS = (
    Export(plain.KEY, gettext_noop("Plain text"), "txt", "text/plain"),
    Export(arena.KEY, gettext_noop("Arena or MTGO text"), "txt", "text/plain"),
    Export(netrunner.KEY, gettext_noop("DoomtrooperDB or NetrunnerDB text"), "txt", "text/plain"),
    Export(lackey.KEY, gettext_noop("Text with tabs (Lackey)"), "txt", "text/plain"),
    Export(table.KEY, gettext_noop("Table (CSV)"), "csv", "text/csv"),
    Export(house.KEY, gettext_noop("Doomdesk file (JSON)"), "json", "application/json"),
    Export(cockatrice.KEY, gettext_noop("Cockatrice file"), "cod", "application/xml"),
    Export(octgn.KEY, gettext_noop("OCTGN file"), "o8d", "application/xml"),
)
TITLES: Mapping[str, str] = {each.key: each.title for each in EXPORTS}
XML_KEYS = (cockatrice.KEY, octgn.KEY)
_DIALECTS: Mapping[str, Callable[[list[str]], bool]] = {
    netrunner.KEY: netrunner.recognise,
    arena.KEY: arena.recognise,
    lackey.KEY: lackey.recognise,
}
READERS: Mapping[str, Reader] = {
    table.KEY: table.read_table,
    house.KEY: house.read_house,
    cockatrice.KEY: cockatrice.read_cockatrice,
    octgn.KEY: octgn.read_octgn,
}
_WRITERS: Mapping[str, Writer] = {
    plain.KEY: plain.write_text,
    arena.KEY: arena.write_arena,
    netrunner.KEY: netrunner.write_netrunner,
    lackey.KEY: lackey.write_lackey,
    table.KEY: table.write_table,
    house.KEY: house.write_house,
    cockatrice.KEY: cockatrice.write_cockatrice,
    octgn.KEY: octgn.write_octgn,
}
_HINTS: Mapping[str, str] = {
    **{key: key for key in TITLES},
    **{each.extension: each.key for each in EXPORTS if each.extension != "txt"},
}


def read_any(text: str, setting: Setting, hint: str = "") -> Reading:
    """Read a decklist in whichever format it is; `Reading.format` says which one that was (a key of `TITLES`).

    `hint` is the key of a format or the name of the file; what the text itself shows goes first. Nothing is raised:
    what is not understood is a problem of its line. At most 256 KiB, no more than 2,000 lines (or cards) of at most
    300 characters each.
    """
    refusal = too_large(text) or no_text(text)
    if refusal is not None:
        return refusal
    key = detect(text, hint)
    reader = READERS.get(key)
    return reader(text, setting) if reader else plain.read_text_lines(text, setting, key)


def detect(text: str, hint: str = "") -> str:
    """The key of the format that a text is in, seen from the text and, where that is open, from `hint`."""
    begin = text.lstrip("\ufeff")
    hinted = _hinted(hint)
    if _XML.match(begin) or (hinted in XML_KEYS and begin.lstrip().startswith("<")):
        return cockatrice.KEY if cockatrice.ROOT in begin else octgn.KEY
    if _JSON.match(begin) or (hinted == house.KEY and begin.lstrip().startswith(("{", "["))):
        return house.KEY
    lines = [line[:MAX_LINE_LENGTH] for line in physical_lines(begin)[:MAX_LINES]]
    if table.recognise(lines, by_name_alone=hinted == table.KEY):
        return table.KEY
    found = (key for key, recognise in _DIALECTS.items() if recognise(lines))
    return next(found, hinted if hinted in _DIALECTS else plain.KEY)


def write(decklist: Decklist, key: str, setting: Setting, name: str = "") -> str:
    """The decklist in the format `key` (one of EXPORTS), which `read_any` reads back to the same list.

    `name` is the name of the deck. NotFound `unknown_export` for another key.
    """
    if key not in _WRITERS:
        raise NotFound("unknown_export", f"There is no decklist format “{key}”.", format=key)
    return _WRITERS[key](decklist, setting, tidy(name)[:MAX_NAME_LENGTH].strip())


def _hinted(hint: str) -> str:
    """The format that a key or the name of a file points to; "" if none."""
    return _HINTS.get(hint) or _HINTS.get(PurePath(hint).suffix.lstrip(".").casefold(), "")
