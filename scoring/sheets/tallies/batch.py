"""One score sheet or many at once, as JSON in and JSON out: the same for the command and the API."""

from collections.abc import Mapping
from typing import Any

from rules_engine.errors import BadInput, DomainError
from rules_engine.messages import Message, gettext_noop
from scoring.sheets.tallies.registry import Tallier

NO_OBJECT = Message(gettext_noop("A score sheet is a JSON object."))


def read_sheets(data: object, most: int) -> list[Any]:
    """The sheets in {"sheets": [...]}, or the one that `data` is; BadInput "bad_sheet" where it is neither."""
    if not isinstance(data, Mapping):
        raise BadInput("bad_sheet", NO_OBJECT)
    if "sheets" not in data:
        return [data]
    sheets = data["sheets"]
    if not isinstance(sheets, list) or len(sheets) > most:
        text = gettext_noop("“sheets” is a list of at most %(most)d score sheets.")
        raise BadInput("bad_sheet", Message(text, {"most": most}))
    return sheets


def answer(tallier: Tallier, sheet: object) -> dict[str, Any]:
    """The tally of a sheet, or {"error"} why there is none, with the broken limits if these are the reason."""
    if not isinstance(sheet, Mapping):
        return {"error": str(NO_OBJECT)}
    try:
        return tallier.tally(sheet)
    except DomainError as refusal:
        broken = refusal.details.get("violations")
        return {"error": refusal.message, **({"violations": broken} if broken else {})}
