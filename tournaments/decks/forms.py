"""Forms about decks at an event: pick a stored one, reopen an entry, record a check."""

from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import QueryDict
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from accounts.http.numbers import read_number
from decks.forms.decks import DecklistForm
from tournaments.core.forms import MAX_REASON, ReasonForm
from tournaments.decks.selectors.own_decks import OwnDeck
from tournaments.models import DeckCheck

USUAL_MINUTES = 30
MAX_MINUTES = 24 * 60


class ReplaceDeckForm(DecklistForm, ReasonForm):
    """A decklist that a judge registers for a player, and why."""

    field_order = ("name", "text", "reason")


class PickDeckForm(forms.Form):
    """One of the decks that a player keeps."""

    error_heading = ""

    deck = forms.ChoiceField(label=_("One of my decks"))

    def __init__(self, *args: Any, decks: Iterable[OwnDeck], zone: ZoneInfo, **kwargs: Any) -> None:
        """Offer `decks` in their order, each in its newest version and with the day it is from in this time zone."""
        super().__init__(*args, **kwargs)
        self.versions = {own.deck.public_id: own.version for own in decks}
        set_choices(self, "deck", [(own.deck.public_id, _in_words(own, zone)) for own in decks])


def _in_words(own: OwnDeck, zone: ZoneInfo) -> str:
    day = formats.date_format(timezone.localtime(own.version.created_at, zone), "j F Y")
    return _("%(name)s, version %(number)d of %(day)s") % {
        "name": own.deck,
        "number": own.version.number,
        "day": day,
    }


class StackOrderForm(forms.Form):
    """The order of a deck: every card (`card`) with the place typed beside it (`at`), in the order of the page.

    A script keeps the places in step with the rows; without it the places typed say where the cards go.
    """

    def __init__(self, data: QueryDict | None = None, *, cards: Sequence[str]) -> None:
        """Begin with `cards`, the top one first."""
        super().__init__(data)
        sent = zip(data.getlist("card"), data.getlist("at"), strict=False) if data is not None else ()
        self.rows = list(sent) or [(name, str(place)) for place, name in enumerate(cards, start=1)]
        """Each card with the place typed beside it."""

    def clean(self) -> dict[str, Any]:
        """Sort the rows by the places typed; a card moved up comes before the one that is there, one moved down after.

        Raises ValidationError naming the first card whose place is no number of a card.
        """
        placed = []
        for row, (name, typed) in enumerate(self.rows, start=1):
            place = read_number(typed.strip(), len(self.rows))
            if not place:
                raise forms.ValidationError(
                    _("%(card)s: type a place from 1 to %(last)d, not “%(typed)s”."),
                    params={"card": name, "last": len(self.rows), "typed": typed[:20]},
                )
            placed.append((place, (place > row) - (place < row), row, name))
        return {"order": [name for *_place, name in sorted(placed)]}


class ReopenDeckForm(ReasonForm):
    """For how long a locked deck is opened again, and why."""

    minutes = forms.IntegerField(label=_("Minutes from now"), min_value=1, max_value=MAX_MINUTES, initial=USUAL_MINUTES)
    field_order = ("minutes", "reason")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """It stands beside other forms that ask for a reason, so its fields have ids of their own."""
        super().__init__(*args, **{"auto_id": "reopen_%s", **kwargs})


class DeckCheckForm(forms.Form):
    """What a judge found when comparing the cards on the table with the registered list."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    outcome = forms.ChoiceField(label=_("The cards on the table"), choices=DeckCheck.Outcome, widget=forms.RadioSelect)
    notes = forms.CharField(
        label=_("Notes (needed when it differs)"),
        max_length=MAX_REASON,
        required=False,
        help_text=_("What differs and what you did. You can't change this later."),
    )
    reason = forms.CharField(
        label=_("Why do you check another player's deck?"),
        max_length=MAX_REASON,
        required=False,
        help_text=_("You play in this event: the reason is logged, and the organiser sees it."),
    )

    def __init__(self, *args: Any, plays_too: bool = False, **kwargs: Any) -> None:
        """Ask for a reason of a judge who plays too."""
        super().__init__(*args, **{"auto_id": "check_%s", **kwargs})
        if not plays_too:
            del self.fields["reason"]
