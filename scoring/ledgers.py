"""A ledger of acts in the table's part of a sheet: acts are added and struck out, none ever vanishes.

The part's content is {"acts": [act, …], "struck": [act, …]}: the acts that count, in order, and those struck out. Each
has an "id", one more than the greatest before it, with "by", who wrote it, and "when".
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rules_engine.errors import Conflict
from rules_engine.messages import Message, gettext_noop


def live_acts(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The acts that count, in order."""
    return list(content.get("acts", ()))


def struck_acts(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The acts that were struck out, in the order of their striking."""
    return list(content.get("struck", ()))


def with_act(content: Mapping[str, Any], act: Mapping[str, Any], by: str, now: datetime) -> dict[str, Any]:
    """The content with one act more at the end."""
    known = [each["id"] for each in (*live_acts(content), *struck_acts(content))]
    written = {**act, "id": max(known, default=0) + 1, "by": by, "when": now.isoformat()}
    return {**content, "acts": [*live_acts(content), written]}


def without_act(content: Mapping[str, Any], act_id: int, by: str, now: datetime) -> dict[str, Any]:
    """The content with an act struck out; Conflict "act_gone" where it does not count any more."""
    found = next((act for act in live_acts(content) if act["id"] == act_id), None)
    if found is None:
        raise Conflict("act_gone", Message(gettext_noop("This act was struck out already.")))
    kept = [act for act in live_acts(content) if act["id"] != act_id]
    struck = {**found, "struck_by": by, "struck_when": now.isoformat()}
    return {**content, "acts": kept, "struck": [*struck_acts(content), struck]}
