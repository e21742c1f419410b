"""Reads lists of people, pasted or from CSV: every line becomes a person or a problem with its number; nothing is dropped."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_engine.errors import DomainError
from tournaments.services.entries import EntryDraft, clean_name

MOST_LINES = 5000
MOST_BYTES = 1024 * 1024
COLUMNS = {
    "name": ("name", "player", "player name", "full name", "spieler", "nom", "imię i nazwisko"),
    "club": ("club", "team", "verein", "klub"),
    "email": ("email", "e-mail", "mail"),
}


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no person: its number from 1, what stood there, why."""

    number: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class EntryList:
    """What was read: people in the order of the lines, problems, names that stand twice."""

    drafts: tuple[EntryDraft, ...]
    problems: tuple[BadLine, ...]
    repeated: tuple[str, ...]


def decode_upload(content: bytes) -> str:
    """An uploaded file as text; DomainError "not_utf8" names the line of the first byte that is not UTF-8."""
    if len(content) > MOST_BYTES:
        raise DomainError("too_large", _("The file is larger than %(size)d KiB.") % {"size": MOST_BYTES >> 10})
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DomainError(
            "not_utf8", _("The file is not UTF-8 text (line %(line)d). Save it again as “CSV UTF-8” and send that.") % {"line": line}, line=line
        ) from error


def read_entry_list(text: str) -> EntryList:
    """People from pasted lines ("Ada Lindqvist" or "Ada Lindqvist; Club") or CSV with a heading (name, club, email).

    More than 5,000 lines raise DomainError "too_many_lines".
    """
    count = text.count("\n") + 1
    if count > MOST_LINES:
        raise DomainError("too_many_lines", _("The list has %(count)d lines; enter at most %(most)d at once.") % {"count": count, "most": MOST_LINES})
    drafts: list[EntryDraft] = []
    problems: list[BadLine] = []
    for number, line, row in _rows(text):
        try:
            drafts.append(EntryDraft(clean_name(row.get("name", "")), " ".join(row.get("club", "").split())[:80], _email(row.get("email", ""))))
        except DomainError as error:
            problems.append(BadLine(number, line[:120], str(error)))
    return EntryList(tuple(drafts), tuple(problems), _repeated(drafts))


def _email(text: str) -> str:
    text = text.strip()
    if text and ("@" not in text or " " in text or len(text) > 254):
        raise DomainError("bad_email", _("“%(text)s” is no mail address.") % {"text": text[:60]})
    return text


def _repeated(drafts: list[EntryDraft]) -> tuple[str, ...]:
    seen: set[str] = set()
    twice: dict[str, str] = {}
    for draft in drafts:
        key = draft.name.casefold()
        if key in seen:
            twice.setdefault(key, draft.name)
        seen.add(key)
    return tuple(twice.values())


def _rows(text: str) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Each line that is not blank: number, text, its fields by our column names."""
    lines = text.splitlines()
    first = next((place for place, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return
    delimiter = max(",;\t", key=lines[first].count)
    columns = _heading(next(csv.reader([lines[first]], delimiter=delimiter)))
    start = first + 1 if columns else first
    if not columns:
        delimiter = "\t" if any("\t" in line for line in lines) else ";"
    for number, line in enumerate(lines[start:], start=start + 1):
        if line.strip():
            yield number, line, dict(zip(columns or ["name", "club", "email"], _fields(line, delimiter), strict=False))


def _fields(line: str, delimiter: str) -> list[str]:
    try:
        return [_restored(cell) for cell in next(csv.reader(io.StringIO(line), delimiter=delimiter, strict=True))]
    except csv.Error:
        return [line]


def _restored(cell: str) -> str:
    """A name back from our own export, which puts an apostrophe before what a spreadsheet takes for a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@") else cell


def _heading(cells: list[str]) -> list[str]:
    """Our column names of a CSV heading, or nothing when the first line is a person."""
    known = {alias: column for column, aliases in COLUMNS.items() for alias in aliases}
    columns = [known.get(cell.strip().casefold(), "") for cell in cells]
    return columns if "name" in columns else []
