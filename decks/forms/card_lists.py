"""The forms in which card lists are written and searched, and what the former share with those of house formats."""

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from decks.formats.list_text import MAX_LIST_BYTES, ListReading
from decks.formats.reading import Reading
from rules_engine.cards import MAX_NAME_LENGTH

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class DayInput(forms.DateInput):
    """A date as the browser's own picker writes it."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


def list_field(label: "StrOrPromise", help_text: "StrOrPromise", required: bool = True) -> forms.CharField:
    """A field for a card list as text, one card a line."""
    return forms.CharField(
        label=label,
        max_length=MAX_LIST_BYTES,
        required=required,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "class": "mono", "spellcheck": "false", "autocapitalize": "none"}),
        help_text=help_text,
    )


class RefusingForm(forms.Form):
    """A form with a list of cards that may have lines which cannot be read."""

    def refuse_unread(self, reading: ListReading | Reading) -> None:
        """Make the unread lines an error of the text, so that the page shows it again with everything typed kept."""
        number = len(reading.problems)
        if number:
            message = ngettext("%(number)s line was not understood.", "%(number)s lines were not understood.", number)
            self.add_error("text", message % {"number": number})


class CardListForm(RefusingForm):
    """A version of a card list: what it is called, from when it holds, what it says."""

    name = forms.CharField(label=_("Name of the list"), max_length=MAX_NAME_LENGTH, help_text=_("Verdicts cite it."))
    valid_from = forms.DateField(
        label=_("In force from"),
        widget=DayInput,
        help_text=_("Tomorrow at the earliest. Earlier events aren't affected."),
    )
    text = list_field(
        _("Cards"),
        _("One card a line: “Card Name: 0”. 0 is banned, 1, 2, … is the limit, “any” is no limit."),
    )

    def __init__(self, *args: Any, today: date, variants: tuple[str, ...] = (), **kwargs: Any) -> None:
        """Begin from tomorrow; `variants` are the slugs that may stand in brackets before a card."""
        super().__init__(*args, **kwargs)
        tomorrow = today + timedelta(days=1)
        self.fields["valid_from"].widget.attrs["min"] = tomorrow.isoformat()
        if variants:
            example = _("For one way to play only: “[%(variant)s] Card Name: 0”. Choices: %(all)s.")
            values = {"variant": variants[0], "all": ", ".join(variants)}
            self.fields["text"].help_text = f"{self.fields['text'].help_text} {example % values}"


class ListSearchForm(forms.Form):
    """A card to look for on the lists."""

    q = forms.CharField(label=_("Find a card on the lists"), max_length=MAX_NAME_LENGTH, required=False)
