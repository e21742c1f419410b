"""Writing on the table's part of a sheet, whatever frame it stands in."""

from django.utils.translation import gettext as _

from rules_engine.errors import NotAllowed
from scoring.models import SheetPart
from scoring.sheets.services import PartChange
from scoring.sheets.web.frames import SheetFrame


def change_table(frame: SheetFrame, change: PartChange) -> SheetPart:
    """Store what becomes of the table's part; NotAllowed "not_your_place" for who may not write on it."""
    if 0 not in frame.places:
        raise NotAllowed("not_your_place", frame.note or _("Choose your name on the table page first."))
    return frame.change(0, change)


def writer_of(frame: SheetFrame) -> str:
    """The name of whoever writes on this phone; "" where it writes for several."""
    names = [frame.sheet.players[place - 1]["name"] for place in sorted(frame.own - {0})]
    return str(names[0]) if len(names) == 1 else ""
