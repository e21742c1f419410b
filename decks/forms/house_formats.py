"""The form in which an organiser makes a format of the house from a shipped one."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.http.choices import set_choices
from decks.forms.card_lists import DayInput, RefusingForm, list_field
from rules_engine.cards import MAX_NAME_LENGTH
from rules_engine.constraints import CopyLimit, LegalSets, SectionSize
from rules_engine.game import GameFormat
from rules_engine.house import MAX_COPIES, FormatChanges

SIZE = "size_"


class HouseFormatForm(RefusingForm):
    """What a house format is called and changes; what is left as it is comes from the base format."""

    name = forms.CharField(
        label=_("Name of the format"), max_length=MAX_NAME_LENGTH, help_text=_("Players see it, and verdicts cite it.")
    )
    valid_from = forms.DateField(label=_("In force from"), widget=DayInput)
    copies = forms.IntegerField(
        label=_("Copies of a card"),
        required=False,
        min_value=1,
        max_value=MAX_COPIES,
        help_text=_("The most copies of one card in a deck."),
    )
    sets = forms.MultipleChoiceField(
        label=_("Legal sets"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("A deck may hold cards of these sets only."),
    )
    rules = forms.MultipleChoiceField(
        label=_("More rules"), required=False, widget=forms.CheckboxSelectMultiple,
        help_text=_("Each is added to the rules of the base format."),
    )  # fmt: skip
    text = list_field(
        _("Cards with a limit of their own"),
        _("One card a line: “Card Name: 0”. 0 is banned, 1, 2, … is the limit, “any” is no limit."),
        required=False,
    )
    keeps_lists = forms.BooleanField(
        label=_("Keep the card lists of the base format"),
        required=False,
        help_text=_("If both lists name a card, the lower number applies."),
    )

    def __init__(
        self,
        data: Any,
        *,
        base: GameFormat,
        sets: Sequence[tuple[str, str]],
        today: date,
        has_lists: bool,
        **kwargs: Any,
    ) -> None:
        """Ask what `base` leaves to choose: sizes of its sections, `sets` (slug and name) where there are several."""
        super().__init__(data, **kwargs)
        self.base, self.known_sets = base, [slug for slug, _name in sets]
        for section in base.sections:
            self.fields[f"{SIZE}{section.key}"] = _size_field(gettext(section.title), _base_sizes(base, section.key))
        self.fields["copies"].widget.attrs["placeholder"] = _base_copies(base)
        set_choices(self, "sets", sets)
        self.fields["valid_from"].widget.attrs["min"] = today.isoformat()
        rules = [(each.slug, gettext(each.name), gettext(each.rule.clause.text)) for each in base.house_rules]
        shown = '{}<br><span class="soft">{}</span>'
        set_choices(self, "rules", [(slug, format_html(shown, name, text)) for slug, name, text in rules])
        if not base.house_rules:
            del self.fields["rules"]
        if len(sets) < 2:
            del self.fields["sets"]
        if not has_lists:
            del self.fields["keeps_lists"]

    @property
    def size_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(SIZE)]

    def changes(self, limits: Mapping[str, int | None]) -> dict[str, Any]:
        """What the cleaned form changes, as `rules_engine.house.changes_from_data` reads it; `limits` is the list."""
        values = self.cleaned_data
        sizes = {name.removeprefix(SIZE): values[name] for name in self.fields if name.startswith(SIZE)}
        chosen = set(values.get("sets", self.known_sets))
        return {
            "sizes": {section: text.split(",") for section, text in sizes.items() if text.strip()},
            "copies": values["copies"],
            "sets": None if chosen == _base_sets(self.base, self.known_sets) else sorted(chosen),
            "limits": dict(limits),
            "keeps_lists": values.get("keeps_lists", True),
            "rules": values.get("rules", []),
        }

    @property
    def names(self) -> dict[str, str]:
        """The form's names for what the rules engine calls by others."""
        sizes = {name.replace(SIZE, "sizes.", 1): name for name in self.fields if name.startswith(SIZE)}
        return {"limits": "text", **sizes}

    def clean_sets(self) -> list[str]:
        """Refuse a format without any set."""
        chosen: list[str] = self.cleaned_data["sets"]
        if not chosen:
            raise forms.ValidationError(_("At least one set has to be legal."))
        return chosen


def initial_of(base: GameFormat, known_sets: Sequence[str], changes: FormatChanges | None) -> dict[str, Any]:
    """What the form begins with: `changes`, or the base format as it is."""
    changes = changes or FormatChanges()
    sizes = {f"{SIZE}{section}": ", ".join(map(str, each)) for section, each in changes.sizes.items()}
    chosen = changes.sets if changes.sets is not None else _base_sets(base, known_sets)
    rules = sorted(changes.rules)
    return {
        "copies": changes.copies, "sets": sorted(chosen), "keeps_lists": changes.keeps_lists, "rules": rules, **sizes,
    }  # fmt: skip


def _base_sets(base: GameFormat, known_sets: Sequence[str]) -> set[str]:
    rule = next((each for each in base.constraints if isinstance(each, LegalSets)), None)
    return set(known_sets) & rule.sets if rule else set(known_sets)


def _base_sizes(base: GameFormat, section: str) -> str:
    rule = next((each for each in base.constraints if isinstance(each, SectionSize) and each.section == section), None)
    return ", ".join(map(str, rule.sizes)) if rule else gettext("any number")


def _base_copies(base: GameFormat) -> str:
    rule = next((each for each in base.constraints if isinstance(each, CopyLimit)), None)
    return str(rule.copies) if rule else gettext("any number")


def _size_field(title: str, usual: str) -> forms.CharField:
    return forms.CharField(
        label=gettext("Cards in “%(section)s”") % {"section": title},
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"placeholder": usual, "class": "short", "autocomplete": "off"}),
        help_text=gettext("For example 30, 60+, 25-30 or “0, 25”. Leave empty for %(usual)s, as in the base format.")
        % {"usual": usual},
    )
