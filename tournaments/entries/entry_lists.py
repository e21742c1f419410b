"""Reads lists of people, pasted or from CSV: every line becomes a person or a problem with its number."""

import csv
import re
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_engine.errors import DomainError
from rules_engine.tables import restored
from tournaments.entries.services.entries import EntryDraft, clean_name, mates_name

MAX_LINES = 5000
MAX_BYTES = 1024 * 1024
COLUMNS = {
    "name": ("name", "player", "player name", "full name", "spieler", "nom", "imię i nazwisko"),
    "club": ("club", "verein", "klub"),
    "email": ("email", "e-mail", "mail"),
    "team": ("team", "mannschaft", "équipe", "drużyna"),
    "members": ("members", "mitglieder", "membres", "członkowie"),
}
PARTED = re.compile(r"[+,]")
"""What stands between the names of a team's members."""


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
    if len(content) > MAX_BYTES:
        raise DomainError("too_large", _("The file is larger than %(size)d KiB.") % {"size": MAX_BYTES >> 10})
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DomainError(
            "not_utf8",
            _("Line %(line)d isn't UTF-8. Save the file as “CSV UTF-8” and try again.") % {"line": line},
            line=line,
        ) from error


def read_entry_list(text: str) -> EntryList:
    """People from pasted lines ("Ada Lindqvist" or "Ada Lindqvist; Club") or CSV with a heading.

    The columns are name, club, email, team and members (of a team: "Ada + Ben"), in this order where there is no
    heading. A name such as "Red: Ada, Ben" is a team's with its members.

    More than 5,000 people raise DomainError "too_many_lines"; blank lines and the heading do not count.
    """
    columns, delimiter, lines = _layout(text)
    if (count := len(lines)) > MAX_LINES:
        raise DomainError(
            "too_many_lines",
            _("%(count)d lines are too many; the limit is %(most)d.") % {"count": count, "most": MAX_LINES},
        )
    drafts: list[EntryDraft] = []
    problems: list[BadLine] = []
    for number, line in lines:
        try:
            row = _with_members(dict(zip(columns, _fields(line, delimiter), strict=False)))
            drafts.append(
                EntryDraft(
                    clean_name(row.get("name", "")),
                    mates_name(row.get("club", "")),
                    _email(row.get("email", "")),
                    mates_name(row.get("team", "")),
                    tuple(clean_name(name) for name in PARTED.split(row.get("members", "")) if name.strip()),
                )
            )
        except DomainError as error:
            problems.append(BadLine(number, line[:120], error.message))
    return EntryList(tuple(drafts), tuple(problems), _repeated(drafts))


def _with_members(row: dict[str, str]) -> dict[str, str]:
    name, _colon, members = row.get("name", "").partition(":")
    return {**row, "name": name, "members": members} if PARTED.search(members) and not row.get("members") else row


def _email(text: str) -> str:
    text = text.strip()
    if text and ("@" not in text or " " in text or len(text) > 254):
        raise DomainError("bad_email", _("“%(text)s” isn't an email address.") % {"text": text[:60]})
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


def _layout(text: str) -> tuple[list[str], str, list[tuple[int, str]]]:
    """Our names of the columns, the delimiter, and the lines that are not blank, numbered, heading left out."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    first = lines[0][1] if lines else ""
    delimiter = max(",;\t", key=first.count)
    columns = _heading(first.split(delimiter))
    if columns:
        return columns, delimiter, lines[1:]
    return ["name", "club", "email", "team", "members"], "\t" if "\t" in text else ";", lines


def _fields(line: str, delimiter: str) -> list[str]:
    if '"' not in line:
        return [restored(cell) for cell in line.split(delimiter)]
    try:
        return [restored(cell) for cell in next(csv.reader([line], delimiter=delimiter, strict=True))]
    except csv.Error as error:
        raise DomainError("bad_quotes", _("Quotation marks don't match here.")) from error


def _heading(cells: list[str]) -> list[str]:
    """Our column names of a CSV heading, or nothing when the first line is a person."""
    known = {alias: column for column, aliases in COLUMNS.items() for alias in aliases}
    columns = [known.get(cell.strip(' "').casefold(), "") for cell in cells]
    return columns if "name" in columns else []
