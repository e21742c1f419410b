"""Help at the table of a game, besides its score sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.game_folders import game_module


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
    """The helpers of a game, from `helpers(names, options, keeps_sheet)` of its `helper_pages`; none for most.

    `names` are the players at the table, `options` what the event says of its score sheets, `keeps_sheet` whether the
    table fills one in anyway.
    """
    pages = game_module(game, "helper_pages")
    return pages.helpers(names, options or {}, keeps_sheet) if pages else []
