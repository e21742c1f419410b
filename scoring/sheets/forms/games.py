"""What the forms of a match reported game by game share."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.models import ScoreSheet
from scoring.sheets.forms.sheets import PartState
from scoring.sheets.ledgers import GAMES, live_acts


class NewGameForm(forms.Form):
    """One game more between players of these `names`; `first` is who begins it. `game()` is what the tally takes."""

    def __init__(self, data: Any = None, *, names: Sequence[str], first: str = "") -> None:
        super().__init__(data)
        self.names, self.first = tuple(names), first

    def game(self) -> dict[str, Any]:
        """The game; call it on a valid form."""
        raise NotImplementedError


def states_of_games(
    sheet: ScoreSheet, seen: Collection[int] | None = None, called: str = GAMES
) -> dict[int, PartState]:
    """The table is ready once a game, or what it is `called`, is written; players write nothing of their own."""
    return {part.place: PartState(bool(part.place or live_acts(part.content, called))) for part in sheet.parts.all()}


def game_in_words(game: Mapping[str, Any], names: Sequence[str], how: Mapping[str, Any]) -> str:
    """A game as the tally reads it: who won, and `how` by its key."""
    if game["winner"] is None:
        return _("Nobody won: drawn or unfinished")
    return _("%(name)s won · %(how)s") % {"name": names[game["winner"]], "how": how[game["won_by"]]}
