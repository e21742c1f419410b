"""The forms of Dead or Destroyed: one game of a match, and the calculators for a game."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from scoring.games.dead_or_destroyed.tally import ROLES
from scoring.games.dead_or_destroyed.tally.options import OPTIONS
from scoring.games.dead_or_destroyed.tally.rules import MAX_SUMMONS, RANKS, Summon
from scoring.sheets.forms.games import NewGameForm, states_of_games
from scoring.sheets.forms.sheets import PartForm, SheetPages
from scoring.sheets.forms.start import NamesStartForm

MAX_CARDS = 52
HOW = {
    "necromancer": _("Necromancer: the Deck could not pay"),
    "paladin": _("Paladin: no zombie left"),
    "concession": _("Concession"),
    "time": _("Decided on time"),
    "game_loss": _("Game loss (penalty)"),
    "unknown": _("Not recorded"),
}
"""The ways a game is won, as the tally names them."""


class GameForm(NewGameForm):
    """One game more: who was the necromancer, and how it ended. `game()` is what the tally takes."""

    necromancer = forms.ChoiceField(label=_("Necromancer"), widget=forms.RadioSelect)
    outcome = forms.ChoiceField(label=_("How it ended"), widget=forms.RadioSelect)

    def __init__(self, data: Any = None, *, names: Sequence[str], first: str = "") -> None:
        super().__init__(data, names=names, first=first)
        self.initial["necromancer"] = first
        set_choices(self, "necromancer", [(name, name) for name in names])
        set_choices(self, "outcome", self._outcomes())

    def _outcomes(self) -> list[tuple[str, str]]:
        choices = [(role, str(HOW[role])) for role in ROLES]
        conceded, ahead = gettext("%(winner)s wins: %(loser)s conceded"), gettext("%(name)s wins on time")
        for winner, name in enumerate(self.names):
            choices.append((f"concession{winner}", conceded % {"winner": name, "loser": self.names[1 - winner]}))
        choices += [(f"time{winner}", ahead % {"name": self.names[winner]}) for winner in range(2)]
        return [*choices, ("drawn", gettext("Nobody: drawn or unfinished"))]

    def game(self) -> dict[str, Any]:
        """The game as `scoring.games.dead_or_destroyed.tally` reads it."""
        necromancer, outcome = self.cleaned_data["necromancer"], self.cleaned_data["outcome"]
        at = self.names.index(necromancer)
        roles = list(ROLES if at == 0 else ROLES[::-1])
        if outcome == "drawn":
            return {"roles": roles, "winner": None}
        if outcome in ROLES:
            return {"roles": roles, "winner": self.names[roles.index(outcome)], "won_by": outcome}
        return {"roles": roles, "winner": self.names[int(outcome[-1])], "won_by": outcome[:-1]}


class SummonForm(forms.Form):
    """The summons of one turn, in order; rows left empty are no summons."""

    crypt = forms.IntegerField(label=_("Zombies in the Crypt before"), required=False, min_value=0, max_value=3)
    graveyard = forms.IntegerField(
        label=_("Cards in the Graveyard before"), required=False, min_value=0, max_value=MAX_CARDS
    )
    battlefield = forms.IntegerField(
        label=_("Zombies on the Battlefield before"), required=False, min_value=0, max_value=MAX_CARDS
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        for number in range(1, MAX_SUMMONS + 1):
            for name, (label, choices) in _SUMMON.items():
                self.fields[f"{name}{number}"] = forms.ChoiceField(label=label, choices=choices, required=False)

    @property
    def rows(self) -> list[tuple[int, list[forms.BoundField]]]:
        """The fields of each summon under its number."""
        return [(number, [self[f"{name}{number}"] for name in _SUMMON]) for number in range(1, MAX_SUMMONS + 1)]

    def summons(self) -> list[Summon]:
        values = self.cleaned_data
        return [
            Summon(_RANK_OF[values[f"card{number}"]], not values[f"from{number}"], bool(values[f"to{number}"]))
            for number in range(1, MAX_SUMMONS + 1)
            if values[f"card{number}"]
        ]


_SUMMON: Mapping[str, tuple[Any, list[tuple[str, Any]]]] = {
    "card": (_("Card"), [("", _("no card")), ("minor", _("2, 3 or 4")), ("other", _("5 to ace"))]),
    "from": (_("From"), [("", _("the top")), ("below", _("not the top"))]),
    "to": (_("To"), [("", _("the Crypt")), ("battlefield", _("the Battlefield"))]),
}
_RANK_OF = {"minor": "2", "other": "5"}


class AttackForm(forms.Form):
    """An attack, and what is left for the paladin."""

    zombies = forms.IntegerField(
        label=_("Zombies neither killed nor destroyed"), min_value=0, max_value=MAX_CARDS, required=False,
        help_text=_("Count at the table: the book's kill and destroy tables are lost."),
    )  # fmt: skip
    deck = forms.IntegerField(label=_("Cards in the Deck"), min_value=0, max_value=MAX_CARDS, required=False)

    def clean(self) -> dict[str, Any]:
        """Both numbers or none."""
        values: dict[str, Any] = super().clean() or {}
        for name, other in (("zombies", "deck"), ("deck", "zombies")):
            if values.get(name) is None and values.get(other) is not None and name not in self.errors:
                self.add_error(name, gettext("Enter this number too."))
        return values


class PaladinForm(forms.Form):
    """What lies on the table when the paladin looks whether the game is won."""

    battlefield = forms.IntegerField(label=_("Zombies on the Battlefield"), min_value=0, max_value=MAX_CARDS)
    graveyard = forms.IntegerField(label=_("Cards in the Graveyard"), min_value=0, max_value=MAX_CARDS)


class RankForm(forms.Form):
    """A card of the paladin's hand, and how many cards were revealed."""

    rank = forms.ChoiceField(label=_("Card in hand"), choices=[(rank, rank) for rank in RANKS])
    revealed = forms.ChoiceField(label=_("Cards revealed"), choices=[("1", "1"), ("2", "2")])


class DuelStartForm(NamesStartForm):
    """The two players, and which reading of the book they take."""

    known = OPTIONS
    least = most = 2


PAGES = SheetPages(part=PartForm, start=DuelStartForm, kinds=HOW, states=states_of_games)
