"""What tallies say, in the reader's language.

What is stored of them is English. A sheet never changes once it is filed: tallied again, it says the same as data.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from accounts.http.wording import worded
from rules_engine.errors import DomainError
from scoring.models import SheetRevision
from scoring.sheets.tallies.registry import get_tallier


def reason_in_words(revision: SheetRevision, reason: str) -> str:
    """Why a sheet came back; as it was stored where its tally does not say so any more."""
    tallier = get_tallier(revision.sheet.game)
    try:
        tallier.result(tallier.tally(revision.content))
    except DomainError as refusal:
        return worded(refusal.wording) if refusal.message.startswith(reason) else reason
    return reason


def violations_in_words(revision: SheetRevision, stored: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What breaks a rule on a sheet that was tallied all the same."""
    said: dict[str, str] = {}
    with suppress(DomainError):
        tally = get_tallier(revision.sheet.game).tally(revision.content) if stored else {}
        said = {each["message"]: worded(each["message"]) for each in tally.get("violations", ())}
    return [{**each, "message": said.get(each["message"], each["message"])} for each in stored]
