"""The forms in which the cards of a game are searched, and brought in as a file."""

from pathlib import PurePath
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from decks.selectors.cards import CardQuery, SetFacts, filter_values
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.errors import DomainError
from rules_engine.game import GameSystem

FIRST_FIELDS = ("q", "type")
MAX_BYTES = 3 * 1024 * 1024
MAX_KEPT_BYTES = 1024 * 1024
ENDINGS = (".csv", ".json", ".txt")
PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\xd0\xcf\x11\xe0")


class CardSearchForm(forms.Form):
    """What to look for among the cards of a game: a name, a type, a set, and values of the game's filters."""

    q = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH, required=False)

    def __init__(self, data: QueryDict | None, system: GameSystem, sets: list[SetFacts]) -> None:
        """Offer what there is; a filter with one value or none is left out."""
        super().__init__(data)
        self._filters = [each.key for each in system.card_schema.filters]
        self._offer("type", _("Type"), [(each.name, _(each.name)) for each in system.card_schema.types])
        self._offer("set", _("Set"), [(each.slug, each.name) for each in sets])
        values = filter_values(system.slug)
        for known in system.card_schema.filters:
            self._offer(f"f_{known.key}", _(known.label), [(value, value) for value in values[known.key]])

    def _offer(self, name: str, label: object, choices: list[tuple[str, object]]) -> None:
        if choices:
            self.fields[name] = forms.ChoiceField(label=label, required=False, choices=[("", _("any")), *choices])  # type: ignore[arg-type]

    @property
    def first_fields(self) -> list[forms.BoundField]:
        """What everybody looks for."""
        return [field for field in self if field.name in FIRST_FIELDS]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in FIRST_FIELDS]

    @property
    def has_more(self) -> bool:
        """Whether one of the other filters is set."""
        return any(field.value() for field in self.more_fields)

    @property
    def query(self) -> CardQuery:
        """What was asked for, as far as it makes sense."""
        if not self.is_bound:
            return CardQuery()
        self.full_clean()
        wanted = self.cleaned_data
        facts = {key: wanted.get(f"f_{key}", "") for key in self._filters}
        return CardQuery(wanted.get("q", ""), wanted.get("type", ""), wanted.get("set", ""), facts)


class CardFileForm(forms.Form):
    """A card file, chosen or pasted, and the set its rows belong to. Afterwards `text_read` is what the file says."""

    set_name = forms.CharField(
        label=_("Name of the set"),
        max_length=MAX_NAME_LENGTH,
        initial=_("Own cards"),
        help_text=_("For rows without a set. The file replaces the set's cards."),
    )
    upload = forms.FileField(
        label=_("Card file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.json,.txt,text/csv,application/json"}),
        help_text=_("CSV or JSON in UTF-8, up to 3 MiB. Replaces the text below."),
    )
    text = forms.CharField(
        label=_("Or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "class": "mono", "spellcheck": "false", "autocapitalize": "none"}),
    )

    text_read = ""

    def clean(self) -> dict[str, Any]:
        """Read the file, or the text without one; what was read goes on as the text, unless it is too long for that."""
        values: dict[str, Any] = super().clean() or {}
        upload = values.get("upload")
        try:
            self.text_read = decode_cards(upload) if upload else values.get("text", "")
        except DomainError as error:
            self.add_error("upload", error.message)
            return values
        if upload:
            self.data = {**self.data, "set_name": values.get("set_name", ""), "text": self.text_kept}
        if not self.text_read.strip() and "upload" not in self.errors:
            self.add_error("upload", gettext("Choose a file or paste its text."))
        return values

    @property
    def text_kept(self) -> str:
        """The text that waits in the page between two steps; "" where it is too long and the file is chosen anew."""
        too_long = len(self.text_read.encode("utf-8", "surrogatepass")) > MAX_KEPT_BYTES
        return "" if too_long else self.text_read


def decode_cards(upload: "UploadedFile[bytes]") -> str:
    """An uploaded card file as text; DomainError `too_large`, `not_a_card_file` or `not_utf8`."""
    if (upload.size or 0) > MAX_BYTES:
        raise DomainError("too_large", gettext("The file is larger than %(size)d MiB.") % {"size": MAX_BYTES >> 20})
    content: bytes = upload.read()
    if content.startswith(PACKED):
        raise DomainError("not_a_card_file", gettext("Archives and spreadsheets can't be read. Save as “CSV UTF-8”."))
    if PurePath(upload.name or "").suffix.casefold() not in ENDINGS:
        raise DomainError("not_a_card_file", gettext("A card file ends in .csv or .json."))
    try:
        return content.decode("utf-8-sig").replace("\x00", "\ufffd")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        template = gettext("Line %(line)d isn't UTF-8. Save the file as “CSV UTF-8” and try again.")
        raise DomainError("not_utf8", template % {"line": line}, line=line) from error
