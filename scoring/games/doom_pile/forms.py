"""The forms of a Doom Pile table: one game of a match, who draws lots, and a card put in countdown."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from rules_engine.cards import normalise_name
from scoring.games.doom_pile.tally import MOST
from scoring.games.doom_pile.tally.countdown import MAX_COUNT, MAX_NAME
from scoring.sheets.forms.games import NewGameForm, states_of_games
from scoring.sheets.forms.sheets import PartForm, SheetPages
from scoring.sheets.forms.start import NamesStartForm
from scoring.sheets.forms.stored_cards import known_cards

GAME = "doom_pile"
NOBODY = " "
"""No name is a space."""
MAX_PLAYERS = 6
NAME_LENGTH = 60


HOW = {
    "master_plan": _("Master Plan completed"),
    "empty_deck": _("Ended a turn with deck and countdown empty"),
    "card_effect": _("A card's effect"),
    "concession": _("Concession"),
    "time": _("Decided on time"),
    "game_loss": _("Game loss (penalty)"),
    "unknown": _("Not recorded"),
}
"""The ways a game is won, as the tally names them."""


class GameForm(NewGameForm):
    """One game more: who won, and how. `game()` is what the tally takes."""

    winner = forms.ChoiceField(label=_("Who won"), widget=forms.RadioSelect)
    how = forms.ChoiceField(label=_("How"), choices=list(HOW.items()), required=False)

    def __init__(self, data: Any = None, *, names: Sequence[str], first: str = "") -> None:
        super().__init__(data, names=names, first=first)
        set_choices(self, "winner", [*((name, name) for name in names), (NOBODY, _("Nobody: drawn or unfinished"))])

    def game(self) -> dict[str, Any]:
        """The game as `scoring.games.doom_pile.tally` reads it."""
        winner, how = self.cleaned_data["winner"], self.cleaned_data["how"]
        return {"winner": None} if winner == NOBODY else {"winner": winner, "won_by": how or "unknown"}


class MatchStartForm(NamesStartForm):
    """Two players, or the three or four of a table."""

    least, most = 2, MOST


class LotForm(forms.Form):
    """Everybody at the table, one name a line."""

    names = forms.CharField(
        label=_("Players"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "autocapitalize": "words"}),
        help_text=_("One name a line."),
    )

    def clean_names(self) -> list[str]:
        """The names as a list; two to six of them, no two alike."""
        names = [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]
        if not 2 <= len(names) <= MAX_PLAYERS:
            raise forms.ValidationError(gettext("Enter two to %(most)d names.") % {"most": MAX_PLAYERS})
        if len({name.casefold() for name in names}) < len(names):
            raise forms.ValidationError(gettext("Two names are the same: change one."))
        if any(len(name) > NAME_LENGTH for name in names):
            raise forms.ValidationError(gettext("A name has at most %(most)d characters.") % {"most": NAME_LENGTH})
        return names


def countdowns() -> Mapping[str, tuple[str, int]]:
    """Name and starting countdown of every known card that has one, by normalised name."""
    cards = [card for card in known_cards(GAME).values() if str(card.fields.get("countdown", "")).isdecimal()]
    return {normalise_name(card.name): (card.name, int(card.fields["countdown"])) for card in cards}


class PlayForm(forms.Form):
    """A card put in countdown; a known card's own countdown stands in for a number that was not typed."""

    name = forms.CharField(
        label=_("Card"),
        required=False,
        max_length=MAX_NAME,
        widget=forms.TextInput(attrs={"list": "cards", "autocomplete": "off", "spellcheck": "false"}),
    )
    start = forms.IntegerField(label=_("Turns"), required=False, min_value=0, max_value=MAX_COUNT)

    def clean(self) -> dict[str, Any]:
        """Ask for the number where no card tells it."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("start") is None and "start" not in self.errors:
            known = countdowns().get(normalise_name(values.get("name", "")))
            if known is None:
                self.add_error("start", gettext("Type the starting countdown."))
            else:
                values["start"] = known[1]
        return values


PAGES = SheetPages(part=PartForm, start=MatchStartForm, kinds=HOW, states=states_of_games)
