"""What the table of a sheet agreed on, with the usual values filled in."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules_engine.messages import gettext_noop
from scoring.sheets.tallies.json_reader import Part, shown
from scoring.sheets.tallies.options import SIGNATURES, Option

CHECK_LIMITS = Option(key="check_limits", label="", usual=True)
"""Whether what breaks a rule stops a tally; otherwise it is reported and counts as written."""


def read_options(sheet: Part, known: Sequence[Option]) -> dict[str, Any]:
    """Every known option of a sheet and CHECK_LIMITS by key; DomainError "bad_sheet" for a value none of them takes.

    A null stands for the usual value, except where an option has numbers: there it is none.
    """
    offered = (*known, CHECK_LIMITS)
    part = sheet.part("options", [option.key for option in (*offered, SIGNATURES)])
    given: Mapping[str, Any] = sheet.get("options") or {}
    return {option.key: _value(option, part, given) for option in offered}


def _value(option: Option, part: Part, given: Mapping[str, Any]) -> Any:
    value = given.get(option.key, option.usual)
    if option.takes(value):
        return value
    if value is None:
        return option.usual
    part.refuse(gettext_noop("Option “%(option)s” can't be “%(value)s”."), value=shown(value), option=option.called)
