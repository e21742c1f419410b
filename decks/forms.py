"""The form in which a decklist is pasted."""

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from decks.formats.reading import Reading
from decks.formats.text import MAX_BYTES
from rules_engine.cards import MAX_NAME_LENGTH


class DecklistForm(forms.Form):
    """Name and text of a deck; `read_decklist` reads the text, and its problems come back by `refuse_unread`."""

    name = forms.CharField(label=_("Name of the deck"), max_length=MAX_NAME_LENGTH, required=False)
    text = forms.CharField(
        label=_("Decklist"),
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18, "class": "mono", "spellcheck": "false", "autocapitalize": "none"}),
        help_text=_("One card a line, such as “3 Ash Ledger”. A section begins with its name, such as “Master Plan:”."),
    )

    def refuse_unread(self, reading: Reading) -> None:
        """Make the unread lines an error of the text, so that the page shows it again with everything typed kept."""
        number = len(reading.problems)
        if number:
            message = ngettext("%(number)s line was not understood.", "%(number)s lines were not understood.", number)
            self.add_error("text", message % {"number": number})
