"""Nothing in the log opens anything: all routes are walked, and what an address carries is public or scrubbed."""

import re

import pytest

from config import logs
from config.logs import scrub
from tests.routes import walk_routes

PARAMETER = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>")
GROUP = re.compile(r"\(\?P<(?P<name>\w+)>[^)]*\)")
PUBLIC = {
    "slug", "game", "public_id", "deck_id", "league", "act", "page", "format_slug", "base", "game_format", "digest",
    "uidb36", "content_type_id", "object_id", "app_label", "url", "id", "token_id", "run_id", "job_id", "player_id",
    "house_format", "recheck_id", "card_set",
}  # fmt: skip
"""What may stand in the log: names of things, not what opens them."""
PUBLIC_KEYS = {"deck_export", "event_deck_export", "card"}
"""Routes whose `key` names a file format or a card."""
CANARY = "canary23456789canary234567"


def secrets_in_addresses() -> dict[str, str]:
    """An address of each route that carries a secret, by route name, with the canary in its place."""
    found = {}
    for route in walk_routes():
        plain = GROUP.sub(lambda match: f"<str:{match['name']}>", route.path).replace("^", "").rstrip("$")
        for each in PARAMETER.finditer(plain):
            if is_secret(route.name, each["kind"], each["name"]):
                found[route.name] = "/" + PARAMETER.sub("doomlings", plain.replace(each[0], CANARY))
    return found


def is_secret(route: str, kind: str | None, name: str) -> bool:
    """Whatever is no number and not known to be public: a new parameter is a secret until the lists above name it."""
    return kind not in ("int", "number") and name not in PUBLIC and not (name == "key" and route in PUBLIC_KEYS)


def leaks() -> set[str]:
    """The routes whose secret stays in a line of the log."""
    lines = {name: f"Not Found: {path}" for name, path in secrets_in_addresses().items()}
    lines |= {f"{name} quoted": f"GET '{path}?a=1' failed" for name, path in secrets_in_addresses().items()}
    return {name for name, line in lines.items() if CANARY in scrub(line)}


def test_the_walk_finds_the_addresses_that_open_something():
    known = {"personal_link", "mail_link", "account_reset_password_from_key", "account_confirm_email"}
    assert known <= set(secrets_in_addresses())


def test_no_address_leaves_its_secret_in_the_log():
    assert leaks() == set()


@pytest.mark.parametrize("forgotten", ["my/told/mail", "confirm-email", "join"])
def test_a_forgotten_address_is_found(monkeypatch, forgotten):
    monkeypatch.setattr(logs, "SECRET_PATH", re.compile(logs.SECRET_PATH.pattern.replace(forgotten, "elsewhere")))
    assert leaks()
