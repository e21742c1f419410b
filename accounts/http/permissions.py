"""The table of who may do what, permissions.toml beside this file, and how an app gives its words a meaning."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from pathlib import Path
from typing import Any

from rules import add_perm
from rules.predicates import Predicate

from accounts.models import TokenScope

FILE = Path(__file__).with_name("permissions.toml")


@dataclass(frozen=True, slots=True)
class Permission:
    """One row: the kind of object it is about, what it lets do, whom it lets in, and the routes that ask for it.

    `who` lists whom: any of these, "a & b" asks for both. `token` is the scope with which an API token may change
    something under it.
    """

    name: str
    about: str
    lets: str
    who: tuple[str, ...]
    token: TokenScope
    pages: tuple[str, ...]
    operations: tuple[str, ...]


def _row(name: str, about: str, row: dict[str, Any]) -> Permission:
    pages, operations = (tuple(row.get(routes, "").split()) for routes in ("pages", "operations"))
    token = TokenScope(row.get("token", TokenScope.ORGANISE))
    return Permission(name, about, row["lets"], tuple(row["who"]), token, pages, operations)


def _read() -> tuple[dict[str, str], dict[str, Permission]]:
    """What documents say for each word, and the rows by name."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    words = tables.pop("words")
    return words, {name: _row(name, about, row) for about, table in tables.items() for name, row in table.items()}


WORDS, PERMISSIONS = _read()


def add_permissions(about: str, words: Mapping[str, Predicate]) -> None:
    """Let every permission about such objects be asked; KeyError where a row has a word that is not among `words`."""
    for row in PERMISSIONS.values():
        if row.about == about:
            ways = (reduce(and_, (words[word] for word in way.split(" & "))) for way in row.who)
            add_perm(row.name, reduce(or_, ways))


def scope_for(rule: str) -> TokenScope:
    """The scope that a token needs to change something under a rule."""
    return PERMISSIONS[rule].token if rule in PERMISSIONS else TokenScope.ORGANISE
