"""Reads lists of people, pasted or from CSV: every line becomes a person or a problem with its number."""

import csv
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

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
ADDRESS = re.compile(r"\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*")
BULLET = re.compile(r"\s*[-–—•*]\s+(?=\S)")
NUMBER = re.compile(r"\s*#?(\d{1,4})\s*(?:[.):;\]\t]|\s)\s*(?=\S)")
"""What a list numbers its lines with; a single “1. FC Köln” is a name."""
OLD_EXCEL = "cp1252"


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no person: its number from 1, what stood there, why."""

    number: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class EntryList:
    """What was read: people in the order of the lines, problems, names that stand twice.

    `unmarked` lines began with a bullet or the number of the line, which was left out. `parted` names may be a surname
    whose first name was read as the club.
    """

    drafts: tuple[EntryDraft, ...]
    problems: tuple[BadLine, ...]
    repeated: tuple[str, ...]
    unmarked: int = 0
    parted: int = 0

    @property
    def surnames_first(self) -> bool:
        """Whether most names look like “Lindqvist, Ada”."""
        return 2 * (self.parted + sum(is_turned(draft.name) for draft in self.drafts)) > len(self.drafts)


def decode_upload(content: bytes) -> tuple[str, str]:
    """An uploaded file as text, and its encoding: UTF-8, UTF-16 with its mark, else what Excel saves in the West.

    DomainError "too_large"; "not_utf8" names the line of the first byte that is none of them.
    """
    if len(content) > MAX_BYTES:
        raise DomainError("too_large", _("The file is larger than %(size)d KiB.") % {"size": MAX_BYTES >> 10})
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) and len(content) % 2 == 0:
        return content.decode("utf-16", "replace"), "utf-16"
    for encoding in ("utf-8-sig", OLD_EXCEL):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError as error:
            failed = error
    raise _not_text(content, failed)


def _not_text(content: bytes, error: UnicodeDecodeError) -> DomainError:
    line = content[: error.start].count(b"\n") + 1
    text = _("Line %(line)d isn't UTF-8. Save the file as “CSV UTF-8” and try again.") % {"line": line}
    return DomainError("not_utf8", text, line=line)


def is_turned(name: str) -> bool:
    """Whether a name looks like “Lindqvist, Ada”."""
    surname, comma, first = name.partition(",")
    return bool(surname.strip() and comma and first.strip()) and "," not in first


def read_entry_list(text: str, *, turns: bool = False) -> EntryList:
    """People from pasted lines ("Ada Lindqvist" or "Ada Lindqvist; Club") or CSV with a heading.

    The columns are name, club, email, team and members (of a team: "Ada + Ben"), in this order where there is no
    heading; an address in the place of the club is the email. A name such as "Red: Ada, Ben" is a team's with its
    members. Bullets are left out, and numbers that count the lines. `turns` makes "Lindqvist, Ada" Ada Lindqvist, and
    "Lindqvist, Ada, ada@example.org" too, where no heading says that Ada is a club.

    More than 5,000 people raise DomainError "too_many_lines"; blank lines and the heading do not count.
    """
    columns, delimiter, lines, unmarked = _layout(text)
    if (count := len(lines)) > MAX_LINES:
        raise DomainError(
            "too_many_lines",
            _("%(count)d lines are too many; the limit is %(most)d.") % {"count": count, "most": MAX_LINES},
        )
    drafts: list[EntryDraft] = []
    problems: list[BadLine] = []
    parted = 0
    for number, line in lines:
        try:
            cells = _fields(line, delimiter or ("\t" if "\t" in line else ";"))
            is_parted = not columns and _is_parted(cells)
            draft = _draft(_with_members(_row(_joined(cells) if is_parted and turns else cells, columns)))
            drafts.append(_turned(draft) if turns else draft)
            parted += is_parted and not turns and " " not in draft.name
        except DomainError as error:
            problems.append(BadLine(number, line[:120], error.message))
    return EntryList(tuple(drafts), tuple(problems), _repeated(drafts), unmarked, parted)


def _is_parted(cells: Sequence[str]) -> bool:
    """Whether the cells can be a surname, a first name and an address, as well as a name, a club and an address."""
    return len(cells) == 3 and all(cell.strip() for cell in cells) and bool(ADDRESS.fullmatch(cells[2]))


def _joined(cells: Sequence[str]) -> list[str]:
    surname, first, email = cells
    return [f"{surname}, {first}", "", email]


def _row(cells: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    return (
        dict(zip(columns, cells, strict=False)) if columns else _with_address(dict(zip(COLUMNS, cells, strict=False)))
    )


def _draft(row: dict[str, str]) -> EntryDraft:
    return EntryDraft(
        clean_name(row.get("name", "")),
        mates_name(row.get("club", "")),
        _email(row.get("email", "")),
        mates_name(row.get("team", "")),
        tuple(clean_name(name) for name in PARTED.split(row.get("members", "")) if name.strip()),
    )


def _turned(draft: EntryDraft) -> EntryDraft:
    surname, _comma, first = draft.name.partition(",")
    return replace(draft, name=clean_name(f"{first} {surname}")) if is_turned(draft.name) else draft


def _with_address(row: dict[str, str]) -> dict[str, str]:
    is_address = ADDRESS.fullmatch(row.get("club", "")) and not row.get("email")
    return {**row, "club": "", "email": row["club"].strip()} if is_address else row


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


def _layout(text: str) -> tuple[list[str], str, list[tuple[int, str]], int]:
    """Our names of the columns, the delimiter ("" each line's own), the numbered lines that are people, and `unmarked`.

    Without a heading there are no columns. Blank lines and the heading are left out.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    first = lines[0][1] if lines else ""
    delimiter = max(",;\t", key=first.count)
    columns = _heading(first.split(delimiter))
    if columns:
        return columns, delimiter, lines[1:], 0
    marks = [_mark(line) for _number, line in lines]
    counted = [int(mark[1]) for mark in marks if mark and mark.re is NUMBER]
    counts = len(counted) > 1 and all(after == before + 1 for before, after in pairwise(counted))
    kept = [mark if mark and (counts or mark.re is BULLET) else None for mark in marks]
    bare = [(number, line[mark.end() :] if mark else line) for (number, line), mark in zip(lines, kept, strict=True)]
    return [], _parting([line for _number, line in bare]), bare, sum(mark is not None for mark in kept)


def _parting(lines: Sequence[str]) -> str:
    """The comma where it parts the cells of every line, and not only a surname from a first name; else ""."""
    if not lines or any(mark in line for line in lines for mark in ";\t:"):
        return ""
    try:
        rows = list(csv.reader(lines))
    except csv.Error:
        return ""
    alike = len(rows[0]) > 2 and all(len(row) == len(rows[0]) for row in rows)
    return "," if alike or all(len(row) > 1 and "@" in row[-1] for row in rows) else ""


def _mark(line: str) -> re.Match[str] | None:
    return BULLET.match(line) or NUMBER.match(line)


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
