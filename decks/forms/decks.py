"""The forms in which decks are begun, pasted, uploaded and renamed."""

from collections.abc import Sequence

from django import forms
from django.core.validators import FileExtensionValidator
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from decks.formats.guards import decode, no_text
from decks.formats.text import MAX_BYTES
from decks.forms.card_lists import RefusingForm
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.game import Variant

EXTENSIONS = ("txt", "cod", "o8d", "csv", "json")
MONO = {"class": "mono", "spellcheck": "false", "autocapitalize": "none", "autocomplete": "off"}


class DecklistForm(RefusingForm):
    """Name and text of a deck; `read_decklist` reads the text, and its problems come back by `refuse_unread`."""

    error_heading = ""
    name = forms.CharField(label=_("Name of the deck"), max_length=MAX_NAME_LENGTH, required=False)
    text = forms.CharField(
        label=_("Decklist"),
        max_length=MAX_BYTES,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18, "class": "mono", "spellcheck": "false", "autocapitalize": "none"}),
        help_text=_("One card a line: “3 Ash Ledger”. Start a section with its name: “Master Plan:”."),
    )


class NewDeckForm(forms.Form):
    """Game and format of a new deck in one choice, "game/format", and its name."""

    format = forms.ChoiceField(label=_("Game and format"))
    name = forms.CharField(label=_("Name of the deck"), max_length=MAX_NAME_LENGTH, required=False)

    def __init__(self, data: QueryDict | None, choices: Sequence[tuple[str, str]], initial: str = "") -> None:
        """Offer `choices`."""
        super().__init__(data, initial={"format": initial})
        self.fields["format"] = forms.ChoiceField(label=_("Game and format"), choices=choices)

    @property
    def chosen(self) -> tuple[str, str]:
        """Slugs of game and format; only of a valid form."""
        game, _slash, game_format = self.cleaned_data["format"].partition("/")
        return game, game_format


class DeckNameForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)


class EditorForm(forms.Form):
    """The text of a deck in the editor, the variant it is judged for, and what is searched for among the cards."""

    text = forms.CharField(
        label=_("Decklist"),
        max_length=MAX_BYTES,
        strip=False,
        required=False,
        widget=forms.Textarea(attrs={"rows": 20, **MONO}),
        help_text=_("One card a line, with its count. Start a section with its name."),
    )
    q = forms.CharField(label=_("Add a card"), max_length=MAX_NAME_LENGTH, required=False)
    variant = forms.ChoiceField(label=_("Judged for"), required=False)

    def __init__(self, data: QueryDict | None, variants: Sequence[Variant], initial: dict[str, str]) -> None:
        super().__init__(data, initial=initial)
        names = [(each.slug, _(each.name)) for each in variants]
        self.fields["variant"] = forms.ChoiceField(label=_("Judged for"), choices=names, required=False)

    def with_text(self, text: str) -> "EditorForm":
        """The same form, posted with another text."""
        data = QueryDict(mutable=True)
        data.update({**self.cleaned_data, "text": text})
        form = type(self)(data, (), {})
        form.fields["variant"] = self.fields["variant"]
        return form


class DeckFileForm(forms.Form):
    """A decklist in a file; it may share a form with a text, so browsers don't ask for it."""

    use_required_attribute = False
    file = forms.FileField(
        label=_("File"),
        validators=[FileExtensionValidator(EXTENSIONS)],
        widget=forms.FileInput(attrs={"accept": ",".join(f".{each}" for each in EXTENSIONS)}),
        help_text=_("Text, CSV, JSON, Cockatrice (.cod) or OCTGN (.o8d), up to 256 KiB."),
    )

    def clean_file(self) -> tuple[str, str]:
        """The name of the file and its text."""
        file = self.cleaned_data["file"]
        if (file.size or 0) > MAX_BYTES:
            raise forms.ValidationError(_("A decklist has at most %(limit)s KiB.") % {"limit": MAX_BYTES // 1024})
        text = decode(file.read())
        if no_text(text) is not None:
            raise forms.ValidationError(_("This is not a text file."))
        return file.name or "", text
