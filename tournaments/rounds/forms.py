"""The part of the event form that says how rounds are paired."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.pairing.swiss.contenders import Apart, Finish, Order, PairingPolicy

ORDERS = [
    (Order.MIN_SQUARES, _("Scores as close as possible")),
    (Order.TOP_DOWN, _("From the top score group down")),
]
APART = [
    (Apart.IGNORE, _("Not kept apart")),
    (Apart.SOFT, _("Apart where it costs no rematch")),
    (Apart.HARD, _("Always apart, even at the cost of a rematch")),
]
FINISHES = [
    (Finish.LOT, _("The lot decides")),
    (Finish.FEWEST_FLOATS, _("Spare players who met another group before")),
    (Finish.STANDINGS, _("Neighbours in the standings meet")),
]


class PairingForm(forms.Form):
    """The rules of pairing, in the order in which they count."""

    order = forms.ChoiceField(
        label=_("Pair for"),
        choices=ORDERS,
        widget=forms.RadioSelect,
        help_text=_(
            "“Scores as close as possible” evens out each table. “From the top score group down” makes as few players "
            "of the top group as possible play below it, then of the next group."
        ),
    )
    clubs = forms.ChoiceField(
        label=_("Players of one club"),
        choices=APART,
        widget=forms.RadioSelect,
        help_text=_("The club in the entry; case doesn't matter."),
    )
    teams = forms.ChoiceField(
        label=_("Players of one team"),
        choices=APART,
        widget=forms.RadioSelect,
        help_text=_("Besides clubs: friends who travel together."),
    )
    finish = forms.ChoiceField(
        label=_("Among equally good pairings"),
        choices=FINISHES,
        widget=forms.RadioSelect,
        help_text=_("Decides between otherwise equal pairings."),
    )
    last_finish = forms.ChoiceField(
        label=_("Among equally good pairings of the last round"),
        choices=FINISHES,
        widget=forms.RadioSelect,
        help_text=_("Many events use standings: leaders meet."),
    )

    @property
    def pairing_fields(self) -> list[forms.BoundField]:
        """The rules of pairing, in the order in which they count."""
        return [self[name] for name in PairingPolicy().as_dict()]

    @property
    def pairing_errors(self) -> bool:
        """Whether a rule of pairing is at fault, so that the page shows its fold open."""
        return any(field.errors for field in self.pairing_fields)
