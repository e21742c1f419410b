"""Writing on the table's part of a sheet, whatever frame it stands in."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from accounts.http.numbers import posted_number
from accounts.http.requests import ActorRequest
from accounts.http.wording import worded
from journal.clock import database_now
from rules_engine.errors import BadInput, DomainError, NotAllowed, needed
from scoring.models import SheetPart
from scoring.sheets.ledgers import without_act
from scoring.sheets.services import PartChange
from scoring.sheets.web.frames import SheetFrame

Without = Callable[[Mapping[str, Any], int, str, datetime], dict[str, Any]]
"""What becomes of the part's content once the entry with this id was struck out, by whom and when."""


def change_table(frame: SheetFrame, change: PartChange) -> SheetPart:
    """Store what becomes of the table's part; NotAllowed "not_your_place" for who may not write on it."""
    if 0 not in frame.places:
        raise NotAllowed("not_your_place", frame.note or _("Choose your name on the table page first."))
    return frame.change(0, change)


def change_by_form(frame: SheetFrame, form: forms.Form, change: PartChange) -> bool:
    """`change_table`; a refusal becomes an error of the form, or of the field it names: what was typed stays.

    NotAllowed as `change_table` raises it.
    """
    try:
        change_table(frame, change)
    except NotAllowed:
        raise
    except DomainError as error:
        named = str(error.details.get("field"))
        form.add_error(named if named in form.fields else None, worded(error.wording))
        return False
    return True


def strike_out(request: ActorRequest, frame: SheetFrame, without: Without = without_act) -> None:
    """Strike the entry `act` of a POST out; it stays, crossed out. BadInput "bad_number", Conflict "act_gone"."""
    given = needed(posted_number(request, "act"), BadInput("bad_number", _("Enter the missing number.")))
    by, now = writer_of(frame), database_now()
    change_table(frame, lambda content: without(content, given, by, now))


def writer_of(frame: SheetFrame) -> str:
    """The name of whoever writes on this phone; "" where it writes for several."""
    names = [frame.sheet.players[place - 1]["name"] for place in sorted(frame.own - {0})]
    return str(names[0]) if len(names) == 1 else ""
