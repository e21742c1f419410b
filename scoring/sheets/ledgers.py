"""A ledger in the table's part of a sheet: entries are added and struck out, none ever vanishes.

The part's content is {"acts": [act, …], "struck": [act, …]}: the acts that count, in order, and those struck out; a
game may call its entries otherwise than "acts". Each has an "id", one more than the greatest before it, with "by", who
wrote it, and "when". What a program stored without them gets an id and no writer while it is read, and keeps the id
from the next change on.
"""

from collections.abc import Mapping
from datetime import datetime
from itertools import count
from typing import Any

from rules_engine.errors import Conflict
from rules_engine.messages import Message, gettext_noop

ACTS, GAMES = "acts", "games"
MAX_ID = 9_999_999


def live_acts(content: Mapping[str, Any], called: str = ACTS) -> list[dict[str, Any]]:
    """The acts that count, in order."""
    return _ledger(content, called)[0]


def struck_acts(content: Mapping[str, Any], called: str = ACTS) -> list[dict[str, Any]]:
    """The acts that were struck out, in the order of their striking."""
    return _ledger(content, called)[1]


def _ledger(content: Mapping[str, Any], called: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    live, struck = _entries(content.get(called)), _entries(content.get("struck"))
    taken: set[int] = set()
    for act in (*live, *struck):
        act["id"] = _own_id(act, taken)
        taken.add(act["id"])
    free = count(max(taken, default=0) + 1)
    for act in (*live, *struck):
        act["id"] = act["id"] or next(free)
        act |= {key: _text(act[key]) for key in ("by", "struck_by") if key in act}
        act.setdefault("by", "")
    return live, struck


def _entries(value: object) -> list[dict[str, Any]]:
    return [dict(each) for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _own_id(act: Mapping[str, Any], taken: set[int]) -> int:
    """The id an act was stored with; 0 without one, or where another act has it."""
    held = act.get("id")
    return held if type(held) is int and 0 < held <= MAX_ID and held not in taken else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def with_act(
    content: Mapping[str, Any], act: Mapping[str, Any], by: str, now: datetime, called: str = ACTS
) -> dict[str, Any]:
    """The content with one act more at the end."""
    known = [each["id"] for acts in _ledger(content, called) for each in acts]
    written = {**act, "id": max(known, default=0) + 1, "by": by, "when": now.isoformat()}
    return {**content, called: [*live_acts(content, called), written]}


def without_act(content: Mapping[str, Any], act_id: int, by: str, now: datetime, called: str = ACTS) -> dict[str, Any]:
    """The content with an act struck out; Conflict "act_gone" where it does not count any more."""
    live, struck = _ledger(content, called)
    found = next((act for act in live if act["id"] == act_id), None)
    if found is None:
        raise Conflict("act_gone", Message(gettext_noop("This entry is already struck out.")))
    kept = [act for act in live if act["id"] != act_id]
    return {**content, called: kept, "struck": [*struck, {**found, "struck_by": by, "struck_when": now.isoformat()}]}
