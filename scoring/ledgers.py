"""A ledger in the table's part of a sheet: entries are added and struck out, none ever vanishes.

The part's content is {"acts": [act, …], "struck": [act, …]}: the acts that count, in order, and those struck out; a
game may call its entries otherwise than "acts". Each has an "id", one more than the greatest before it, with "by", who
wrote it, and "when".
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rules_engine.errors import Conflict
from rules_engine.messages import Message, gettext_noop

ACTS = "acts"


def live_acts(content: Mapping[str, Any], called: str = ACTS) -> list[dict[str, Any]]:
    """The acts that count, in order."""
    return list(content.get(called, ()))


def struck_acts(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The acts that were struck out, in the order of their striking."""
    return list(content.get("struck", ()))


def with_act(
    content: Mapping[str, Any], act: Mapping[str, Any], by: str, now: datetime, called: str = ACTS
) -> dict[str, Any]:
    """The content with one act more at the end."""
    known = [each["id"] for each in (*live_acts(content, called), *struck_acts(content))]
    written = {**act, "id": max(known, default=0) + 1, "by": by, "when": now.isoformat()}
    return {**content, called: [*live_acts(content, called), written]}


def without_act(content: Mapping[str, Any], act_id: int, by: str, now: datetime, called: str = ACTS) -> dict[str, Any]:
    """The content with an act struck out; Conflict "act_gone" where it does not count any more."""
    found = next((act for act in live_acts(content, called) if act["id"] == act_id), None)
    if found is None:
        raise Conflict("act_gone", Message(gettext_noop("This act was struck out already.")))
    kept = [act for act in live_acts(content, called) if act["id"] != act_id]
    struck = {**found, "struck_by": by, "struck_when": now.isoformat()}
    return {**content, called: kept, "struck": [*struck_acts(content), struck]}
