"""The table of Doomtrooper that begins, and what its sheet calls the acts of the ledger."""

from functools import partial
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.doomtrooper.tally import words
from scoring.games.doomtrooper.tally.options import OPTIONS
from scoring.sheets.forms.games import states_of_games
from scoring.sheets.forms.sheets import PartForm, SheetPages
from scoring.sheets.forms.start import NamesStartForm
from scoring.sheets.ledgers import ACTS

GAME = "doomtrooper"
KINDS = {kind: _(said) for kind, said in words.KINDS.items()}
CARD_KINDS = {kind: _(said) for kind, said in words.CARD_KINDS.items()}


class TrooperStartForm(NamesStartForm):
    """Who plays, free for all or in teams, and to which target."""

    template_name = "scores/doomtrooper/start_fields.html"
    known = OPTIONS
    least, most = 2, 12
    members_at = ("mode", "teams")

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["names"].help_text = gettext(
            "One name a line, first player first, clockwise. Team: “Red: Ada, Ben”."
        )


PAGES = SheetPages(
    part=PartForm,
    start=TrooperStartForm,
    kinds={"start": _("At the start"), **KINDS, **CARD_KINDS},
    states=partial(states_of_games, called=ACTS),
    tally_template="scores/doomtrooper/totals.html",
)
