"""Help at the table of a toy game."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.sheets.helpers import Helper


def helpers(names: Sequence[str], options: Mapping[str, Any], keeps_sheet: bool) -> list[Helper]:
    """A link, whether or not the table keeps a sheet."""
    return [Helper("The book of knights", "/toy/book/")]
