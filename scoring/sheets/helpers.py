"""Help at the table of a game, besides its score sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.game_folders import game_module
from scoring.sheets.tallies.registry import has_sheet


@dataclass(frozen=True, slots=True)
class Helper:
    """A page that helps at the table: what it is called, and its address."""

    label: str
    address: str

    @property
    def path(self) -> str:
        """The address without what it says already."""
        return self.address.partition("?")[0]


def helpers_of(
    game: str, names: Sequence[str] = (), options: Mapping[str, Any] | None = None, *, keeps_sheet: bool
) -> list[Helper]:
    """The helpers of a game, from `helpers(names, options, keeps_sheet)` of its `helper_pages`.

    `names` are the players at the table, `options` what the event says of its score sheets, `keeps_sheet` whether the
    table fills one in anyway: where it does not, one that belongs to no event comes first, with its board if there is
    one.
    """
    pages = game_module(game, "helper_pages")
    own: list[Helper] = pages.helpers(names, options or {}, keeps_sheet) if pages else []
    if keeps_sheet or not names or not has_sheet(game):
        return own
    address = f"{reverse('start_sheet', args=[game])}?{urlencode([('name', name) for name in names])}"
    return [Helper(_("Keep score on a sheet"), address), *own]
