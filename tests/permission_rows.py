"""What the words of accounts/http/permissions.toml mean, said once more by name: who the tests' people are."""

from collections.abc import Mapping, Set

from accounts.http.permissions import PERMISSIONS, Permission

VISITOR = {"anyone"}
SIGNED_IN = VISITOR | {"known", "account"}
CAST: Mapping[str, set[str]] = {
    "nobody": VISITOR,
    "mallory": SIGNED_IN,
    "ada": SIGNED_IN | {"player"},
    "a guest by link": VISITOR | {"known", "player"},
    "a phone by table code": VISITOR | {"table"},
    "wes": SIGNED_IN | {"withdrawn"},
    "kit": SIGNED_IN | {"staff"},
    "juno": SIGNED_IN | {"staff", "official", "judge"},
    "hana": SIGNED_IN | {"staff", "official", "judge", "head_judge"},
    "cora": SIGNED_IN | {"check_in"},
    "sten": SIGNED_IN | {"stream"},
    "olive": SIGNED_IN | {"staff", "official", "organiser", "league_organiser"},
    "root": SIGNED_IN | {"site_admin", "proved_site_admin"},
}
"""Everybody, and what the words of the table mean of them at the event of theirs."""


def lets_in(row: Permission, held: Set[str]) -> bool:
    """Whether a row lets in somebody of whom these words are true."""
    return any(set(way.split(" & ")) <= held for way in row.who)


def rows(routes: str) -> dict[str, str]:
    """The permission of every page, or of every operation, by name."""
    return {route: row.name for row in PERMISSIONS.values() for route in getattr(row, routes)}
