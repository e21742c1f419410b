"""Help at a Doomtrooper table whose event keeps no score sheets: the ledger, without the event."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.sheets.helpers import Helper


def helpers(names: Sequence[str], options: Mapping[str, Any], keeps_sheet: bool) -> list[Helper]:
    """What helps at a table of these players (`scoring.sheets.helpers`)."""
    return [] if keeps_sheet else [Helper(_("A ledger for the table"), reverse("start_sheet", args=["doomtrooper"]))]
