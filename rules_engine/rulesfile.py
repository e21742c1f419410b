"""Reading a rules file key by key, so that every mistake in it is reported with file and key."""

import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, NoReturn

from rules_engine.errors import DomainError

SLUG = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a rules file; `key` is its place in the file, "" at the top. Keys nobody asked for are mistakes."""

    file: str
    key: str
    values: dict[str, Any]
    asked: set[str] = field(default_factory=set)

    def fail(self, key: str, fault: str) -> NoReturn:
        """Refuse the file: raise DomainError `bad_rules_file` naming file, key and `fault`."""
        where = ".".join(part for part in (self.key, key) if part)
        raise DomainError("bad_rules_file", f"{self.file}: {where}: {fault}", file=self.file, key=where)

    def has(self, key: str) -> bool:
        """Whether the optional `key` is there."""
        self.asked.add(key)
        return key in self.values

    def text(self, key: str, default: str | None = None) -> str:
        """A line of text, not blank."""
        value = self._value(key, str, "text", default)
        if not str(value).strip() and value != default:
            self.fail(key, "must not be blank")
        return str(value)

    def integer(self, key: str, smallest: int = 0) -> int:
        """A whole number from `smallest`."""
        value = self._value(key, int, "a whole number")
        if isinstance(value, bool) or value < smallest:
            self.fail(key, f"must be a whole number from {smallest}")
        return int(value)

    def day(self, key: str) -> date:
        """A date such as 2026-01-31, without a time."""
        value = self._value(key, date, "a date")
        if type(value) is not date:
            self.fail(key, "must be a date without a time")
        return value

    def flag(self, key: str) -> bool:
        """True or false; false when not given."""
        return bool(self._value(key, bool, "true or false", False))

    def texts(self, key: str, known: Collection[str] | None = None) -> tuple[str, ...]:
        """A list of texts, each once, each among `known` if that is given."""
        values = self._list(key, str, "a list of texts")
        for value in values:
            if known is not None and value not in known:
                self.fail(key, f"“{value}” is not one of {', '.join(sorted(known)) or 'none'}")
        if len(set(values)) != len(values):
            self.fail(key, "names something twice")
        return tuple(values)

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(self._list(key, int, "a list of whole numbers"))

    def choice(self, key: str, known: Collection[str]) -> str:
        """A text among `known`."""
        value = self.text(key)
        if value not in known:
            self.fail(key, f"“{value}” is not one of {', '.join(sorted(known)) or 'none'}")
        return value

    def slug(self) -> str:
        """What the table is called in addresses."""
        slug = self.text("slug")
        if not SLUG.fullmatch(slug):
            self.fail("slug", "may hold small letters, digits, - and _ between them")
        return slug

    def each_once(self, key: str, names: Sequence[str]) -> None:
        """Refuse what is there twice."""
        for name in names:
            if names.count(name) > 1:
                self.fail(key, f"“{name}” is there twice")

    def table(self, key: str) -> "Table":
        """The table under `key`; every key in it must be asked for too."""
        return Table(self.file, self._path(key), self._value(key, dict, "a table"))

    def tables(self, key: str) -> "Iterator[Table]":
        """The list of tables under `key`; none when not given."""
        for index, value in enumerate(self._value(key, list, "a list of tables", [])):
            if not isinstance(value, dict):
                self.fail(key, "must be a list of tables")
            yield Table(self.file, self._path(f"{key}[{index}]"), value)

    def finish(self) -> None:
        """Refuse keys that nobody asked for: they are typing mistakes."""
        for key in self.values:
            if key not in self.asked:
                self.fail(key, "is not a key of this table")

    def _path(self, key: str) -> str:
        return ".".join(part for part in (self.key, key) if part)

    def _value(self, key: str, kind: type, kind_name: str, default: object = None) -> Any:
        self.asked.add(key)
        value = self.values.get(key, default)
        if value is None:
            self.fail(key, "is missing")
        if not isinstance(value, kind):
            self.fail(key, f"must be {kind_name}")
        return value

    def _list(self, key: str, kind: type, kind_name: str) -> list[Any]:
        values: list[Any] = self._value(key, list, kind_name)
        if not all(type(value) is kind for value in values):
            self.fail(key, f"must be {kind_name}")
        return values


def open_rules(path: Path) -> Table:
    """The top table of the TOML file at `path`; DomainError `bad_rules_file` when it cannot be read."""
    file = f"{path.parent.name}/{path.name}"
    try:
        return Table(file, "", tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DomainError("bad_rules_file", f"{file}: {error}", file=file, key="") from error
